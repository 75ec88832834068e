//! Checks of values: URLs, dates, numbers, enumerations. Each returns a short description of a problem, or nothing.

use std::borrow::Cow;

use crate::format::sitemap::escaped_twice;
use crate::model::date::Precision;
use crate::model::{Date, TextKind};
use crate::text::{html, mime, region, url};
use crate::tree::{Node, NodeKind, is_unescaped};
use crate::xml::names::Ns;
use crate::xml::serialize;

/// Whether this is an absolute `http` or `https` URL.
pub(super) fn is_web(text: &str) -> bool {
    url::is_http(text.trim())
}

/// Whether this is an absolute URL of any scheme.
pub(super) fn is_absolute(text: &str) -> bool {
    let text = text.trim();
    url::scheme(text).is_some_and(|scheme| text.len() > scheme.len() + 1) && !text.contains(char::is_whitespace)
}

/// How many characters a text has, if there are more than so many.
pub(in crate::rules) fn longer(text: &str, most: usize) -> Option<usize> {
    // no text has more characters than bytes
    let count = if text.len() > most { text.chars().count() } else { 0 };
    (count > most).then_some(count)
}

/// What to say of a URL that has more than so many characters as a sitemap holds it, percent-encoded.
pub(super) fn longer_url(text: &str, most: usize) -> Option<String> {
    // encoding makes at most four characters of a byte, and most URLs are short
    let encoded = (text.len() > most / 4).then(|| url::normalize_for_sitemap(text))?;
    let count = longer(&encoded, most)?;
    Some(match *encoded == *text.trim() {
        true => format!("{count} characters"),
        false => format!("{count} characters when percent-encoded"),
    })
}

/// What to do with a code that was taken back, or is only set aside.
pub(super) fn no_country(code: &str) -> &'static str {
    match region::was_country(code) {
        true => "write the codes of its countries, or remove it",
        false if code.eq_ignore_ascii_case("EU") => "write the codes of the intended countries, or remove it",
        false => "remove it: it is not assigned to a country",
    }
}

/// The first character or escape that is not allowed in a URL.
pub(super) fn illegal(text: &str) -> Option<String> {
    if text.bytes().all(|byte| LEGAL[usize::from(byte)]) {
        return None;
    }
    let text = text.trim();
    let host = host_end(text);
    let mut rest = text.char_indices();
    rest.find_map(|(at, c)| match c {
        // brackets delimit a numeric host
        '[' | ']' if at >= host => Some(c.to_string()),
        '%' => {
            let digits = text.as_bytes().get(at + 1..at + 3);
            let is_escape = digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            (!is_escape).then(|| text[at..].chars().take(3).collect())
        }
        '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => Some(c.to_string()),
        c if c.is_whitespace() || c.is_control() => {
            Some(if c == ' ' { "a space".to_owned() } else { format!("{c:?}") })
        }
        _ => None,
    })
}

/// Where the host of a URL ends.
fn host_end(text: &str) -> usize {
    let host = text.find("://").map_or(0, |at| at + 3);
    text.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(text.len(), |at| host + at)
}

/// Bytes allowed unescaped in any URL: most URLs consist of these alone.
static LEGAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] =
            !matches!(byte, b'%' | b'"' | b'<' | b'>' | b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}');
        byte += 1;
    }
    table
};

/// The forms of W3C-DTF, in which sitemaps write dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Iso {
    Year,
    Month,
    Day,
    /// With a time; with seconds, with a fraction of them, with a zone.
    Time {
        seconds: bool,
        fraction: bool,
        zone: bool,
    },
}

/// The form of a date that is written as W3C-DTF or RFC 3339 has it, strictly; `date` is what it is read as.
pub(super) fn iso(text: &str, date: Option<Date>) -> Option<Iso> {
    let date = date?;
    let bytes = text.as_bytes();
    let is_like = |pattern: &[u8], bytes: &[u8]| {
        bytes.len() == pattern.len()
            && pattern.iter().zip(bytes).all(|(want, byte)| match want {
                b'0' => byte.is_ascii_digit(),
                want => want == byte,
            })
    };
    match bytes.len() {
        4 => return is_like(b"0000", bytes).then_some(Iso::Year),
        7 => return is_like(b"0000-00", bytes).then_some(Iso::Month),
        10 => return is_like(b"0000-00-00", bytes).then_some(Iso::Day),
        _ => (),
    }
    let (day, time) = (bytes.get(..11)?, bytes.get(11..)?);
    // midnight at the end of a day is one of ISO 8601, and of neither of the two
    if time.starts_with(b"24") {
        return None;
    }
    if !is_like(b"0000-00-00T", day) || date.precision() < Precision::Minute {
        return None;
    }
    let (clock, zone) = match time {
        [clock @ .., b'Z'] => (clock, true),
        _ => match time.len().checked_sub(6).map(|at| time.split_at(at)) {
            Some((clock, zone)) if is_like(b"+00:00", zone) || is_like(b"-00:00", zone) => (clock, true),
            _ => (time, false),
        },
    };
    let time = |seconds, fraction| Some(Iso::Time { seconds, fraction, zone });
    if is_like(b"00:00", clock) {
        return time(false, false);
    }
    if is_like(b"00:00:00", clock) {
        return time(true, false);
    }
    let (whole, fraction) = (clock.get(..9)?, clock.get(9..)?);
    let is_fraction = !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit);
    if is_like(b"00:00:00.", whole) && is_fraction { time(true, true) } else { None }
}

/// Whether a date is one of the schemas of sitemaps, in which no place is more than 14 hours from UTC, and no minute has
/// more than 60 seconds.
pub(super) fn is_in_schemas(text: &str, date: Option<Date>) -> bool {
    is_near_utc(date) && text.get(16..19) != Some(":60")
}

fn is_near_utc(date: Option<Date>) -> bool {
    date.is_none_or(|date| date.is_near_utc())
}

/// What to write for a date that is not as sitemaps have it. A missing zone is not invented.
pub(super) fn as_w3c(text: &str, date: Option<Date>) -> String {
    let usual = "write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+00:00";
    if !is_near_utc(date) {
        return "write an offset of at most 14 hours".to_owned();
    }
    let Some(date) = date else { return no_such_day(text).unwrap_or_else(|| usual.to_owned()) };
    with_zone(date, &date.to_sitemap(), "+00:00", "+00:00")
}

/// The same for Atom.
pub(super) fn as_rfc_3339(text: &str, date: Option<Date>) -> String {
    let usual = "write it as in 2026-05-01T10:00:00Z";
    let Some(date) = date else { return no_such_day(text).unwrap_or_else(|| usual.to_owned()) };
    with_zone(date, &date.at_midnight_utc().to_rfc3339(), "Z", "Z or +00:00")
}

/// The same for RSS.
pub(super) fn as_rfc_822(text: &str, date: Option<Date>) -> String {
    let usual = "write it as in Sat, 07 Sep 2002 00:00:01 GMT";
    let Some(date) = date else { return no_such_day(text).unwrap_or_else(|| usual.to_owned()) };
    with_zone(date, &date.at_midnight_utc().to_rfc822(), " GMT", "GMT or +0000")
}

fn with_zone(date: Date, written: &str, zone: &str, such: &str) -> String {
    match written.strip_suffix(zone).filter(|_| date.offset().is_none() && date.precision() > Precision::Day) {
        Some(clock) => format!("write {clock} with your zone, such as {such}"),
        None => format!("write {written}"),
    }
}

/// What to say of a date that names a day which its month does not have.
fn no_such_day(text: &str) -> Option<String> {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let text = text.trim();
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<usize>().ok();
    let (year, month, day) = match text.as_bytes().get(..10)? {
        [_, _, _, _, b'-', _, _, b'-', _, _] => (number(0, 4)?, number(5, 7)?, number(8, 10)?),
        _ => {
            let date = text.split_once(',').map_or(text, |(_, date)| date);
            let mut words = date.split_ascii_whitespace();
            let (day, month, year) = (words.next()?, words.next()?, words.next()?);
            let place = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
            (year.parse().ok()?, place + 1, day.parse().ok()?)
        }
    };
    let Some(name) = month.checked_sub(1).and_then(|place| NAMES.get(place)) else {
        return Some(format!("there is no month {month}: write the intended day"));
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + usize::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    match day {
        29 if month == 2 && !leap => Some(format!("{year} has no 29 February: write the intended day")),
        day if day == 0 || day > days => Some(format!("there is no {day} {name}: write the intended day")),
        _ => None,
    }
}

/// Whether a date is strictly that of RFC 822 as RSS has it: two or four digits of the year, a zone.
pub(super) fn is_rfc_822(text: &str) -> bool {
    let text = text.trim();
    let rest = match text.split_once(',') {
        Some((day, rest)) if is_listed(&DAYS, day) && rest.starts_with(' ') => rest.trim_start(),
        Some(_) => return false,
        None => text,
    };
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let [day, month, year, clock, zone] = words.as_slice() else { return false };
    let is_number =
        |text: &str, lengths: &[usize]| lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = clock.split(':').collect();
    let is_zone = match zone.as_bytes() {
        [b'+' | b'-', digits @ ..] => digits.len() == 4 && digits.iter().all(u8::is_ascii_digit),
        [letter] => letter.is_ascii_alphabetic() && !letter.eq_ignore_ascii_case(&b'j'),
        _ => is_listed(&["UT", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"], zone),
    };
    is_number(day, &[1, 2])
        && is_listed(&MONTHS, month)
        && is_number(year, &[2, 4])
        && matches!(parts.len(), 2 | 3)
        && parts.iter().all(|part| is_number(part, &[2]))
        && is_zone
        && Date::read(text).is_some()
}

/// RFC 822 ignores the case of its words (section 3.4.7).
fn is_listed(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The day of the week that a date of RFC 822 should name, where it names another.
pub(super) fn wrong_weekday(text: &str) -> Option<&'static str> {
    let (day, _) = text.trim().split_once(',')?;
    let (date, _) = Date::read(text)?;
    let local = date.instant() + i128::from(date.offset().unwrap_or(0)) * 60_000_000_000;
    // 1 January 1970 was a Thursday
    let index = (local.div_euclid(86_400_000_000_000) + 3).rem_euclid(7);
    let right = *DAYS.get(usize::try_from(index).ok()?)?;
    (is_listed(&DAYS, day) && !day.eq_ignore_ascii_case(right)).then_some(right)
}

/// Whether this is an e-mail address, as far as its shape goes.
pub(super) fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let is_odd = |c: char| c.is_whitespace() || matches!(c, '@' | '<' | '>' | '(' | ')' | ',' | ';');
    !name.is_empty() && !name.contains(is_odd) && host.contains('.') && !host.contains(is_odd) && !host.ends_with('.')
}

/// Whether this is a MIME type: two names with a slash, perhaps parameters.
pub(super) fn is_mime(text: &str) -> bool {
    mime::is_type(text)
}

/// A whole number without sign.
pub(super) fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// A decimal number: digits, perhaps a sign, a dot and more digits. Very long ones are cut to what a number holds.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.bytes().filter(|byte| *byte == b'.').count() <= 1
        && digits.bytes().any(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(f64::MAX))
}

/// Seconds of a normal play time: `12.5`, `1:02:03.4`, and with `minutes` also `02:03`.
pub(super) fn play_time(text: &str, minutes: bool) -> Option<f64> {
    let text = text.trim();
    let text = text.strip_prefix("npt:").unwrap_or(text);
    let parts: Vec<&str> = text.split(':').collect();
    let unsigned = |part: &str| decimal(part).filter(|_| !part.starts_with(['+', '-']));
    let sixty = |part: &str| unsigned(part).filter(|number| *number < 60.0);
    match parts.as_slice() {
        [seconds] => unsigned(seconds),
        [minute, second] if minutes => Some(sixty(minute)? * 60.0 + sixty(second)?),
        [hour, minute, second] => Some(whole(hour)? as f64 * 3600.0 + sixty(minute)? * 60.0 + sixty(second)?),
        _ => None,
    }
}

/// Whether a word of a yes-or-no element is one of the six that the schema of video sitemaps has.
pub(super) fn is_yes_or_no(text: &str) -> bool {
    matches!(text, "yes" | "Yes" | "YES" | "no" | "No" | "NO")
}

/// The number of a repeated element, with its article.
pub(super) fn ordinal(number: usize) -> String {
    match number {
        2 => "a second".to_owned(),
        3 => "a third".to_owned(),
        number => format!("a {number}th"),
    }
}

/// The usual name of an element.
pub(in crate::rules) fn shown(ns: Ns, name: &str) -> String {
    if ns.prefix().is_empty() || ns == Ns::Atom { name.to_owned() } else { format!("{}:{name}", ns.prefix()) }
}

/// The words of a text, without the markup in it: formats count the characters of these.
pub(super) fn words<'t>(node: Node<'t, '_>, kind: TextKind) -> Cow<'t, str> {
    match kind {
        _ if is_unescaped(node) => html::to_plain(&serialize::inner(node, TextKind::Html)).into(),
        TextKind::Plain => node.text_value().into(),
        TextKind::Html | TextKind::Xhtml => html::to_plain(node.text_value()).into(),
    }
}

/// The same of a text of a sitemap.
pub(in crate::rules) fn words_of_sitemap<'t>(node: Node<'t, '_>) -> Cow<'t, str> {
    let words = words(node, TextKind::Plain);
    match escaped_twice(node, &words).filter(|_| !is_unescaped(node)) {
        Some(decoded) => decoded.into(),
        None => words,
    }
}

/// An attribute that is there and not empty.
pub(in crate::rules) fn attribute<'t, 'a>(node: Node<'t, 'a>, name: &str) -> Option<Node<'t, 'a>> {
    node.attribute(name).filter(|found| !found.value().trim().is_empty())
}

/// All elements of an entry or a head.
pub(super) fn elements<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    root.and_lent().filter(|node| node.kind() == NodeKind::Element)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_their_strict_forms() {
        let time = |seconds, fraction, zone| Some(Iso::Time { seconds, fraction, zone });
        for (text, form) in [
            ("2024", Some(Iso::Year)),
            ("2024-05", Some(Iso::Month)),
            ("2024-05-01", Some(Iso::Day)),
            ("2024-13-01", None),
            ("2024-02-30", None),
            ("2024-5-1", None),
            ("2024-05-01T10:00Z", time(false, false, true)),
            ("2024-05-01T10:00:00", time(true, false, false)),
            ("2024-05-01T10:00:00+03:00", time(true, false, true)),
            ("2024-05-01T10:00:00.25-03:00", time(true, true, true)),
            ("2024-05-01T23:59:59Z", time(true, false, true)),
            ("2024-05-01T24:00:00Z", None),
            ("2024-05-01 10:00:00Z", None),
            ("2024-05-01t10:00:00z", None),
            ("2024-05-01T10:00:00+0300", None),
            ("2024-05-01T10:00:00.Z", None),
            ("Wed, 01 May 2024 10:00:00 GMT", None),
            ("", None),
        ] {
            let date = Date::parse(text).map(|(date, _)| date);
            assert_eq!(iso(text, date), form, "{text}");
        }
        for text in [
            "Wed, 01 May 2024 10:00:00 GMT",
            "1 May 24 10:00 EST",
            "01 May 2024 10:00:00 +0300",
            "Wed, 1 May 2024 10:00 Z",
        ] {
            assert!(is_rfc_822(text), "{text}");
        }
        for text in [
            "2024-05-01",
            "Wed 01 May 2024 10:00:00 GMT",
            "Wed, 01 Mai 2024 10:00:00 GMT",
            "Wed, 01 May 2024 10:00:00 MSK",
            "Wed, 01 May 2024",
            "Wednesday, 01 May 2024 10:00:00 GMT",
        ] {
            assert!(!is_rfc_822(text), "{text}");
        }
        assert_eq!(wrong_weekday("Tue, 01 May 2024 10:00:00 GMT"), Some("Wed"));
        assert_eq!(wrong_weekday("Wed, 01 May 2024 23:30:00 -0800"), None);
    }

    #[test]
    fn numbers_and_words() {
        assert_eq!(
            [whole("0"), whole(" 28800 "), whole("-1"), whole("1.0"), whole("")],
            [Some(0), Some(28800), None, None, None]
        );
        assert_eq!(whole("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(
            [decimal("4.5"), decimal("-1"), decimal("1e3"), decimal("NaN"), decimal(".")],
            [Some(4.5), Some(-1.0), None, None, None]
        );
        assert_eq!(play_time("1:02:03.5", false), Some(3723.5));
        assert_eq!(
            [play_time("02:03", false), play_time("02:03", true), play_time("1:60:00", false), play_time("now", true)],
            [None, Some(123.0), None, None]
        );
        assert!(
            is_email("a@b.example")
                && !is_email("a@b")
                && !is_email("a b@c.example")
                && !is_email("Name <a@b.example>")
        );
        assert!(is_mime("video/mp4") && is_mime("video/mp4; codecs=\"avc1\"") && !is_mime("mp4") && !is_mime("video/"));
        assert_eq!(illegal("https://a.example/x y").as_deref(), Some("a space"));
        assert_eq!(illegal("https://a.example/%zz%20").as_deref(), Some("%zz"));
        assert_eq!(illegal("https://[::1]/ü?a=%C3%BC&b=1"), None);
        assert_eq!(illegal("https://a.example/?b[]=1").as_deref(), Some("["));
    }
}
