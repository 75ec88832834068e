//! Scalar values other than dates: durations, decimal numbers, counts and booleans, and how each is read from text.
//!
//! A reader returns the value with at most one note on what it repaired, or nothing: it never guesses. What a carrier
//! allows (a range, a spelling that is regular there) is decided by the caller.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::reason::Reason;
use crate::text::bytes::trimmed;

/// A repair made while reading a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The stable code of the diagnostic, such as `date.lenient`.
    pub code: &'static str,
    /// What was done, for a person to read.
    pub said: &'static str,
}

impl Note {
    /// The loss when the value was read: the output differs from the source.
    pub(crate) fn cost(&self) -> Option<Reason> {
        match self.said {
            ROUNDED => Some(Reason::RoundedNumber),
            LEAP_SECOND | CUT_FRACTION => Some(Reason::LessPrecise),
            _ => None,
        }
    }
}

/// Notes on what a value cannot hold.
const ROUNDED: &str = "rounded to microseconds";
pub(super) const LEAP_SECOND: &str = "read a leap second as the second before it";
pub(super) const CUT_FRACTION: &str = "cut the fraction to nanoseconds";

/// A value that text can hold.
pub trait FromText<'a>: Sized {
    /// Parses a trimmed text in its usual form, for which [`from_text`](FromText::from_text) would add no note. `None`
    /// if the full parser must decide.
    #[inline]
    fn parse_fast(_text: &'a str) -> Option<Self> {
        None
    }

    /// Reads the value, with a note if the text had to be repaired; `None` if it is unreadable.
    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)>;

    /// The value as shown next to a note; empty for types that are read without notes.
    fn shown(&self) -> String {
        String::new()
    }

    /// A text that can be read: a stand-in for one that cannot, by which its field is found. Empty where any can.
    const SPECIMEN: &'static str = "";

    /// The note for a text in a form that formats with those of the W3C do not have.
    fn other_form(_text: &str) -> Option<Note> {
        None
    }

    /// The note for a text that is not one of these values.
    fn refused(_text: &str) -> Option<Note> {
        None
    }
}

/// Text is taken unchanged, including white space.
impl<'a> FromText<'a> for Cow<'a, str> {
    #[inline]
    fn parse_fast(text: &'a str) -> Option<Self> {
        Some(Cow::Borrowed(text))
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        Some((text, None))
    }
}

/// A count: digits, perhaps in groups of three (comma, underscore, thin or no-break space), or with a fraction of zero.
impl<'a> FromText<'a> for u64 {
    const SPECIMEN: &'static str = "1";

    #[inline]
    fn parse_fast(text: &'a str) -> Option<Self> {
        short_number(text)
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        let text = trimmed(&text);
        let digits = text.strip_prefix('+').unwrap_or(text);
        if is_digits(digits) {
            return Some((digits.parse().ok()?, None));
        }
        if let Some((whole, fraction)) = digits.split_once('.')
            && is_digits(whole)
            && !fraction.is_empty()
            && fraction.bytes().all(|digit| digit == b'0')
        {
            let note = Note { code: "number.lenient", said: "removed a fraction of zero" };
            return Some((whole.parse().ok()?, Some(note)));
        }
        let mut groups = digits.split([',', '_', '\u{2009}', '\u{202f}', '\u{a0}']);
        let regular = groups.next().is_some_and(|first| first.len() <= 3 && is_digits(first))
            && groups.all(|group| group.len() == 3 && is_digits(group));
        let joined: String = digits.chars().filter(char::is_ascii_digit).collect();
        let note = Note { code: "number.lenient", said: "removed group separators" };
        regular.then(|| Some((joined.parse().ok()?, Some(note))))?
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

/// `true` and `yes`, `false` and `no` in any case; `1`, `y`, `0`, `n` with a note.
impl<'a> FromText<'a> for bool {
    const SPECIMEN: &'static str = "true";

    #[inline]
    fn parse_fast(text: &'a str) -> Option<Self> {
        match text {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        }
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        let text = trimmed(&text);
        let is = |names: [&str; 2]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        let note = Note { code: "bool.lenient", said: "read '1', '0', 'y' or 'n' as true or false" };
        match text {
            _ if is(["true", "yes"]) => Some((true, None)),
            _ if is(["false", "no"]) => Some((false, None)),
            _ if is(["1", "y"]) => Some((true, Some(note))),
            _ if is(["0", "n"]) => Some((false, Some(note))),
            _ => None,
        }
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl<'a> FromText<'a> for Seconds {
    const SPECIMEN: &'static str = "1";

    #[inline]
    fn parse_fast(text: &'a str) -> Option<Self> {
        short_number(text)?.checked_mul(MICROS).map(Seconds)
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        Self::parse(&text)
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl<'a> FromText<'a> for Decimal<'a> {
    const SPECIMEN: &'static str = "1";

    #[inline]
    fn parse_fast(text: &'a str) -> Option<Self> {
        is_decimal(text).then_some(Decimal(Cow::Borrowed(text)))
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        Self::parse(text)
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

/// A duration or a position in time: seconds, not negative, to the microsecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds(u64);

const MICROS: u64 = 1_000_000;

impl Seconds {
    /// A duration of so many microseconds.
    pub fn from_micros(micros: u64) -> Self {
        Seconds(micros)
    }

    /// The duration in microseconds.
    pub fn micros(self) -> u64 {
        self.0
    }

    /// Reads `77`, `77.5`, `1:17`, `0:01:17.5`, `PT1M17S` or `77 s`; all but plain decimal seconds with a note.
    pub fn parse(text: &str) -> Option<(Self, Option<Note>)> {
        let text = trimmed(text);
        if let Some((micros, exact)) = decimal_micros(text) {
            return Some((Seconds(micros), (!exact).then_some(duration_note(ROUNDED))));
        }
        let (micros, said) = if text.contains(':') {
            (clock_micros(text)?, "read a time as a number of seconds")
        } else if text.starts_with(['P', 'p']) {
            (iso_micros(text)?, "read an ISO 8601 duration")
        } else if let Some(micros) = unit_micros(text) {
            (micros, "read a number with the unit seconds")
        } else {
            let (number, _) = Decimal::parse(Cow::Borrowed(text))?;
            (decimal_micros(number.as_str())?.0, LENIENT)
        };
        Some((Seconds(micros), Some(duration_note(said))))
    }

    /// Whether a text is a normal play time (RFC 2326): `77.5`, `0:01:17.5`, `now`, or `1:17` as in scenes.
    pub fn is_play_time(text: &str) -> bool {
        Self::play_time(text).is_some() || matches!(trimmed(text), "now" | "npt:now")
    }

    /// The seconds of a normal play time; `None` for `now`, which is no number of them.
    pub fn play_time(text: &str) -> Option<Seconds> {
        let text = trimmed(text);
        let text = text.strip_prefix("npt:").unwrap_or(text);
        decimal_micros(text).map(|(micros, _)| micros).or_else(|| clock_micros(text)).map(Seconds)
    }

    /// Whole seconds, half a second rounded up.
    pub fn whole(self) -> u64 {
        self.0 / MICROS + u64::from(self.0 % MICROS >= MICROS / 2)
    }

    /// Whether there is no fraction of a second.
    pub fn is_whole(self) -> bool {
        self.0.is_multiple_of(MICROS)
    }

    /// `H:MM:SS[.fff]`, the hhmmss form of NPT (RFC 2326).
    pub fn to_clock(self) -> String {
        let whole = self.0 / MICROS;
        format!("{}:{:02}:{:02}{}", whole / 3600, whole / 60 % 60, whole % 60, self.fraction())
    }

    /// `MM:SS[.fff]` for less than an hour.
    pub fn to_short_clock(self) -> String {
        let whole = self.0 / MICROS;
        match whole < 3600 {
            true => format!("{:02}:{:02}{}", whole / 60, whole % 60, self.fraction()),
            false => self.to_clock(),
        }
    }

    /// ISO 8601 in hours, minutes and seconds: `PT1H1M1.5S`, `PT0S`.
    pub fn to_iso(self) -> String {
        let whole = self.0 / MICROS;
        let part = |value: u64, unit: char| if value == 0 { String::new() } else { format!("{value}{unit}") };
        let larger = part(whole / 3600, 'H') + &part(whole / 60 % 60, 'M');
        let seconds = format!("{}{}S", whole % 60, self.fraction());
        if seconds == "0S" && !larger.is_empty() { format!("PT{larger}") } else { format!("PT{larger}{seconds}") }
    }

    /// The fraction with its dot and without trailing zeros; empty if there is none.
    fn fraction(self) -> String {
        if self.is_whole() {
            return String::new();
        }
        format!(".{:06}", self.0 % MICROS).trim_end_matches('0').to_string()
    }
}

/// Decimal seconds, an integer when whole.
impl fmt::Display for Seconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.0 / MICROS, self.fraction())
    }
}

/// A JSON number, an integer when whole; a string where a float would not hold every microsecond.
impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Below 2^52 microseconds (142 years) the nearest float prints as the same six digits.
        const EXACT: u64 = 1 << 52;
        if self.is_whole() {
            serializer.serialize_u64(self.0 / MICROS)
        } else if self.0 < EXACT {
            serializer.serialize_f64(self.0 as f64 / MICROS as f64)
        } else {
            serializer.collect_str(self)
        }
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = NumberText("a duration in seconds", |text| Some(Seconds::parse(&text)?.0));
        deserializer.deserialize_newtype_struct(DURATION, visitor)
    }
}

/// The repair of a number in an unusual notation.
const LENIENT: &str = "rewrote a number with a dot and a digit on each side";

fn duration_note(said: &'static str) -> Note {
    Note { code: "duration.lenient", said }
}

/// Microseconds of a decimal number of seconds, and whether that is exact; half a microsecond is rounded up.
fn decimal_micros(text: &str) -> Option<(u64, bool)> {
    // nearly all are whole
    if let Some(whole) = short_number(text) {
        return Some((whole.checked_mul(MICROS)?, true));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !is_digits(whole) || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (kept, cut) = fraction.split_at(fraction.len().min(6));
    let digits = kept.bytes().chain(std::iter::repeat(b'0')).take(6);
    let micros = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
        + u64::from(cut.as_bytes().first() >= Some(&b'5'));
    let total = whole.parse::<u64>().ok()?.checked_mul(MICROS)?.checked_add(micros)?;
    Some((total, cut.bytes().all(|byte| byte == b'0')))
}

/// `H:MM:SS[.f]` or `MM:SS[.f]`; only the first part may exceed 59.
fn clock_micros(text: &str) -> Option<u64> {
    let (larger, seconds) = text.rsplit_once(':')?;
    let (seconds, _) = decimal_micros(seconds).filter(|(micros, _)| *micros < 60 * MICROS)?;
    let minutes = match larger.split_once(':') {
        Some((hours, minutes)) => plain(hours)?.checked_mul(60)?.checked_add(plain(minutes).filter(|m| *m < 60)?)?,
        None => plain(larger)?,
    };
    minutes.checked_mul(60 * MICROS)?.checked_add(seconds)
}

/// `PnWnDTnHnMnS` in any case, a fraction only in the last part. Years and months have no fixed length: only zero of them.
fn iso_micros(text: &str) -> Option<u64> {
    let (mut in_time, mut total, mut next, mut ended) = (false, 0_u64, 0, false);
    let mut rest = text.get(1..)?;
    if rest.ends_with(['P', 'p', 'T', 't']) || rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        if let Some(time) = rest.strip_prefix(['T', 't']).filter(|_| !in_time) {
            (in_time, rest) = (true, time);
        }
        let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let unit = rest.as_bytes().get(length)?.to_ascii_uppercase();
        let place = ISO_UNITS.iter().position(|(time, name, _)| (*time, *name) == (in_time, unit))?;
        let amount = rest.get(..length)?;
        let (micros, _) = decimal_micros(&amount.replace(',', "."))?;
        let seconds = ISO_UNITS.get(place)?.2;
        if ended || place < next || (seconds == 0 && micros != 0) {
            return None;
        }
        total = total.checked_add(micros.checked_mul(seconds)?)?;
        (next, ended) = (place + 1, amount.contains(['.', ',']));
        rest = rest.get(length + 1..)?;
    }
    Some(total)
}

/// The units in their order: whether after the `T`, the letter, the length in seconds (0: not fixed).
const ISO_UNITS: [(bool, u8, u64); 7] = [
    (false, b'Y', 0),
    (false, b'M', 0),
    (false, b'W', 604_800),
    (false, b'D', 86_400),
    (true, b'H', 3600),
    (true, b'M', 60),
    (true, b'S', 1),
];

/// `185 s`, `185sec`.
fn unit_micros(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let unit = unit.trim_start().trim_end_matches('.');
    let known = ["s", "sec", "secs", "second", "seconds"].iter().any(|name| unit.eq_ignore_ascii_case(name));
    known.then(|| decimal_micros(number)).flatten().map(|(micros, _)| micros)
}

fn plain(text: &str) -> Option<u64> {
    is_digits(text).then(|| text.parse().ok())?
}

/// A number of digits only that surely goes into 64 bits.
#[inline]
fn short_number(text: &str) -> Option<u64> {
    if text.is_empty() || text.len() > SHORT {
        return None;
    }
    text.bytes().try_fold(0, |number: u64, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte & 0xf)))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A decimal number kept as it was written, `-?digits[.digits]`, never a float. Compared by value: `4.50` equals `4.5`.
#[derive(Clone, Debug)]
pub struct Decimal<'a>(Cow<'a, str>);

impl<'a> Decimal<'a> {
    /// Reads a decimal number. With a note, also one with a decimal comma or with no digit on one side of the dot. NaN,
    /// infinity, exponents and group separators are unreadable.
    pub fn parse(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        let text = trim(text);
        if is_decimal(&text) {
            return Some((Decimal(text), None));
        }
        let unsigned = text.trim_start_matches(['+', '-']);
        let sign = match text.get(..text.len() - unsigned.len())? {
            "" | "+" => "",
            "-" => "-",
            _ => return None,
        };
        let (whole, fraction) = unsigned.split_once(['.', ',']).unwrap_or((unsigned, ""));
        let whole = if whole.is_empty() && !fraction.is_empty() { "0" } else { whole };
        let dot = if fraction.is_empty() { "" } else { "." };
        let repaired = format!("{sign}{whole}{dot}{fraction}");
        let note = Note { code: "number.lenient", said: LENIENT };
        is_decimal(&repaired).then_some((Decimal(Cow::Owned(repaired)), Some(note)))
    }

    /// The number `value / 10^digits`, written with so many digits; `None` for more than 38 of them.
    pub fn from_scaled(value: i128, digits: u32) -> Option<Decimal<'static>> {
        let power = 10_u128.checked_pow(digits)?;
        let sign = if value < 0 { "-" } else { "" };
        let (whole, fraction) = (value.unsigned_abs() / power, value.unsigned_abs() % power);
        let width = usize::try_from(digits).ok()?;
        let text = if width == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction:0width$}") };
        Some(Decimal(Cow::Owned(text)))
    }

    /// A whole number.
    pub(crate) fn whole(number: i64) -> Decimal<'static> {
        Decimal(Cow::Owned(number.to_string()))
    }

    /// The number as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same number without the borrow.
    pub fn into_owned(self) -> Decimal<'static> {
        Decimal(Cow::Owned(self.0.into_owned()))
    }

    /// Whether the number is below zero; `-0` is not.
    pub fn is_negative(&self) -> bool {
        self.0.starts_with('-') && self.digits() != ("", "")
    }

    /// How many digits after the dot say something.
    pub fn fraction_digits(&self) -> usize {
        self.digits().1.len()
    }

    /// Whether the number is from 0 to 1, both included, as a priority is (sitemaps.org, "XML tag definitions").
    pub fn is_up_to_one(&self) -> bool {
        !self.is_negative() && matches!(self.digits(), ("", _) | ("1", ""))
    }

    /// Compares by value.
    pub fn cmp_num(&self, other: &Decimal<'_>) -> Ordering {
        let magnitude = || {
            let ((whole, fraction), (other_whole, other_fraction)) = (self.digits(), other.digits());
            whole
                .len()
                .cmp(&other_whole.len())
                .then_with(|| whole.cmp(other_whole))
                .then_with(|| fraction.cmp(other_fraction))
        };
        match (self.is_negative(), other.is_negative()) {
            (false, false) => magnitude(),
            (true, true) => magnitude().reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// The number times `10^digits`; `None` if that is too large or not an integer.
    pub fn scaled(&self, digits: u32) -> Option<i128> {
        let (whole, fraction) = self.digits();
        let missing = digits.checked_sub(u32::try_from(fraction.len()).ok()?)?;
        // nearly all are short
        if whole.len() + fraction.len() <= SHORT && missing as usize <= SHORT {
            let digits = whole.bytes().chain(fraction.bytes());
            let value = digits.fold(0, |value: u64, digit| 10 * value + u64::from(digit & 0xf));
            let value = i128::from(value) * i128::from(10_u64.pow(missing));
            return Some(if self.is_negative() { -value } else { value });
        }
        let joined = format!("{whole}{fraction}");
        let value: i128 = if joined.is_empty() { 0 } else { joined.parse().ok()? };
        let sign = if self.is_negative() { -1 } else { 1 };
        if value == 0 { Some(0) } else { value.checked_mul(10_i128.checked_pow(missing)?)?.checked_mul(sign) }
    }

    /// The digits before and after the dot, without insignificant zeros.
    fn digits(&self) -> (&str, &str) {
        let unsigned = self.0.strip_prefix('-').unwrap_or(&self.0);
        let dot = unsigned.bytes().position(|byte| byte == b'.');
        let (whole, fraction) = dot.map_or((unsigned, ""), |dot| (&unsigned[..dot], &unsigned[dot + 1..]));
        let zeros = whole.bytes().take_while(|byte| *byte == b'0').count();
        let said = fraction.bytes().rposition(|byte| byte != b'0').map_or(0, |last| last + 1);
        (&whole[zeros..], &fraction[..said])
    }
}

/// How many decimal digits surely go into 64 bits.
const SHORT: usize = 18;

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp_num(other) == Ordering::Equal
    }
}

impl Eq for Decimal<'_> {}

impl fmt::Display for Decimal<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

/// A JSON string, so that no reader makes a float of it.
impl Serialize for Decimal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Decimal<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = NumberText("a decimal number", |text| Some(Decimal::parse(Cow::Owned(text))?.0));
        deserializer.deserialize_newtype_struct(DECIMAL, visitor)
    }
}

fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
        Cow::Owned(text) if trimmed(&text).len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
    }
}

fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    match unsigned.as_bytes().get(whole) {
        None => whole > 0,
        Some(b'.') => whole > 0 && is_digits(&unsigned[whole + 1..]),
        Some(_) => false,
    }
}

/// The type names under which values ask their deserializer for a text that may need a repair. The model's own JSON
/// reader reports the repair ([`repaired`]); any other deserializer treats the types as transparent newtypes.
pub(crate) const DATE: &str = "$transfeed::date";
pub(crate) const DURATION: &str = "$transfeed::duration";
pub(crate) const DECIMAL: &str = "$transfeed::decimal";

/// Reads a value from a JSON number or string through its text: what is expected, and the reader.
struct NumberText<T>(&'static str, fn(String) -> Option<T>);

impl<T> NumberText<T> {
    fn read<E: de::Error>(self, text: String) -> Result<T, E> {
        let NumberText(expected, read) = self;
        read(text.clone()).ok_or_else(|| E::invalid_value(de::Unexpected::Str(&text), &expected))
    }
}

impl<'de, T> Visitor<'de> for NumberText<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
        self.read(value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        self.read(value.to_string())
    }

    /// Rust prints a float without an exponent, in the fewest digits that name it.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        self.read(value.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        self.read(text.to_string())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<'a, T: FromText<'a>>(text: &'a str) -> Option<(T, bool)> {
        T::from_text(Cow::Borrowed(text)).map(|(value, note)| (value, note.is_some()))
    }

    #[test]
    fn text_is_verbatim() {
        assert_eq!(read::<Cow<'_, str>>(" a "), Some((Cow::Borrowed(" a "), false)));
    }

    #[test]
    fn counts() {
        let good = [
            (" 12 ", 12, false),
            ("+7", 7, false),
            ("007", 7, false),
            ("1,234,567", 1_234_567, true),
            ("1_234", 1234, true),
            ("12\u{2009}345", 12_345, true),
            ("12\u{a0}345", 12_345, true),
            ("18446744073709551615", u64::MAX, false),
        ];
        for (text, value, note) in good {
            assert_eq!(read(text), Some((value, note)), "{text}");
        }
        for text in
            ["", "+", "-1", "1.2M", "1.5", "1e3", "1,2", "1,23,4", "1234,567", ",123", "1,,234", "18446744073709551616"]
        {
            assert_eq!(read::<u64>(text), None, "{text}");
        }
    }

    #[test]
    fn booleans() {
        let good = [("TRUE", true, false), (" yes", true, false), ("No", false, false), ("false", false, false)];
        for (text, value, note) in
            good.into_iter().chain([("1", true, true), ("0", false, true), ("Y", true, true), ("n", false, true)])
        {
            assert_eq!(read(text), Some((value, note)), "{text}");
        }
        for text in ["", "maybe", "2", "on"] {
            assert_eq!(read::<bool>(text), None, "{text}");
        }
    }

    #[test]
    fn durations() {
        let good = [
            ("77", 77_000_000, false),
            (" 77.5 ", 77_500_000, false),
            ("77.", 77_000_000, false),
            ("0.0000005", 1, true),
            ("0.9999999", 1_000_000, true),
            ("1.5000000", 1_500_000, false),
            ("1:17", 77_000_000, true),
            ("90:00", 5_400_000_000, true),
            ("1:01.5", 61_500_000, true),
            ("1:00:01", 3_601_000_000, true),
            ("00:00:01.250", 1_250_000, true),
            ("PT1M1S", 61_000_000, true),
            ("pt1m1s", 61_000_000, true),
            ("P1DT2H", 93_600_000_000, true),
            ("P0Y0M0DT0H1M0S", 60_000_000, true),
            ("PT0M", 0, true),
            ("PT1,5S", 1_500_000, true),
            ("PT1.5H", 5_400_000_000, true),
            ("P1W", 604_800_000_000, true),
            ("185 s", 185_000_000, true),
            ("1.5sec.", 1_500_000, true),
            ("1,5", 1_500_000, true),
            ("+5", 5_000_000, true),
            (".5", 500_000, true),
        ];
        for (text, micros, note) in good {
            assert_eq!(read(text), Some((Seconds(micros), note)), "{text}");
        }
        #[rustfmt::skip]
        let bad = [
            "", "-1", "now", ".", ":", "1:", ":1", "1:60", "1:60:00", "0:0:0:0", "P", "PT", "P1D T", "P1Y", "P1M",
            "PT1S1M", "PT1M1M", "PT1.5M1S", "P1H", "PT1", "PTT1S", "P1T", "1,5,5", "1e3", "NaN", "3 min",
            "18446744073710", "1.2.3", "99999999999999:00", "PT99999999999999999H", "185 с",
        ];
        for text in bad {
            assert_eq!(read::<Seconds>(text), None, "{text}");
        }
    }

    #[test]
    fn durations_are_written() {
        // microseconds, seconds, whole seconds, clock, ISO 8601
        let cases = [
            (0, "0", 0, "0:00:00", "PT0S"),
            (61_000_000, "61", 61, "0:01:01", "PT1M1S"),
            (60_000_000, "60", 60, "0:01:00", "PT1M"),
            (1_499_999, "1.499999", 1, "0:00:01.499999", "PT1.499999S"),
            (3_600_500_000, "3600.5", 3601, "1:00:00.5", "PT1H0.5S"),
            (90_000_000_000, "90000", 90_000, "25:00:00", "PT25H"),
        ];
        for (micros, seconds, whole, clock, iso) in cases {
            let value = Seconds::from_micros(micros);
            assert_eq!((value.to_string(), value.whole()), (seconds.to_string(), whole));
            assert_eq!([value.to_clock(), value.to_iso()], [clock, iso]);
        }
        assert_eq!(Seconds(u64::MAX).whole(), 18_446_744_073_710);
    }

    #[test]
    fn durations_in_json() {
        assert_eq!(serde_json::to_string(&[Seconds(77_000_000), Seconds(500_000)]).unwrap(), "[77,0.5]");
        let read: Vec<Seconds> = serde_json::from_str("[77, 77.5, \"1:17\", 0]").unwrap();
        assert_eq!(read, [Seconds(77_000_000), Seconds(77_500_000), Seconds(77_000_000), Seconds(0)]);
        for text in ["-1", "1e300", "\"soon\"", "null", "[]"] {
            assert!(serde_json::from_str::<Seconds>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn decimals() {
        let good = [
            ("19.90", "19.90", false),
            (" -0.5 ", "-0.5", false),
            ("007", "007", false),
            ("19,90", "19.90", true),
            ("-1,5", "-1.5", true),
            ("+5", "5", true),
            (".5", "0.5", true),
            ("-.5", "-0.5", true),
            ("5.", "5", true),
        ];
        for (text, value, note) in good {
            let (decimal, noted) = read::<Decimal<'_>>(text).unwrap();
            assert_eq!((decimal.as_str(), noted), (value, note), "{text}");
        }
        for text in
            ["", "-", ".", ",", "--1", "+-1", "1,2,3", "1,234.5", "1.2.3", "1e3", "NaN", "inf", "1 2", "$5", "٣"]
        {
            assert_eq!(read::<Decimal<'_>>(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_compare_by_value() {
        let cases = [
            ("4.50", "4.5", Ordering::Equal),
            ("-0", "0.00", Ordering::Equal),
            ("007", "7", Ordering::Equal),
            ("10", "9.99", Ordering::Greater),
            ("-10", "-9.99", Ordering::Less),
            ("-1", "1", Ordering::Less),
            ("0.1", "0.09", Ordering::Greater),
            ("0.1", "0.10000000000000000000000000000000000000000001", Ordering::Less),
        ];
        for (left, right, expected) in cases {
            let (left, right) = (read::<Decimal<'_>>(left).unwrap().0, read::<Decimal<'_>>(right).unwrap().0);
            assert_eq!(left.cmp_num(&right), expected, "{left} {right}");
            assert_eq!(right.cmp_num(&left), expected.reverse(), "{left} {right}");
        }
    }

    #[test]
    fn decimals_scale_exactly() {
        let cases = [
            ("4.5", 2, Some(450)),
            ("-4.5", 1, Some(-45)),
            ("4.50", 1, Some(45)),
            ("4.55", 1, None),
            ("0.00", 99, Some(0)),
        ];
        for (text, digits, expected) in cases {
            assert_eq!(read::<Decimal<'_>>(text).unwrap().0.scaled(digits), expected, "{text}");
        }
        assert_eq!(read::<Decimal<'_>>("1").unwrap().0.scaled(39), None);
        assert_eq!(Decimal::from_scaled(-450, 2).unwrap().as_str(), "-4.50");
        assert_eq!(Decimal::from_scaled(5, 3).unwrap().as_str(), "0.005");
        assert_eq!(Decimal::from_scaled(5, 0).unwrap().as_str(), "5");
        assert_eq!(Decimal::from_scaled(5, 39), None);
    }

    #[test]
    fn decimals_in_json() {
        let value = read::<Decimal<'_>>("19.90").unwrap().0;
        assert_eq!(serde_json::to_string(&value).unwrap(), "\"19.90\"");
        let read: Vec<Decimal<'_>> = serde_json::from_str("[\"19.90\", 19.9, -3, 4]").unwrap();
        assert_eq!(read.iter().map(Decimal::as_str).collect::<Vec<_>>(), ["19.90", "19.9", "-3", "4"]);
        assert!(serde_json::from_str::<Decimal<'_>>("\"NaN\"").is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_no_harm(text in "(\\PC|[0-9PTHMSs:., +-]){0,24}") {
            let _ = (read::<u64>(&text), read::<bool>(&text), read::<Seconds>(&text), read::<Decimal<'_>>(&text));
        }

        #[test]
        fn what_is_written_is_read(micros in any::<u64>()) {
            let value = Seconds(micros);
            for text in [value.to_string(), value.to_clock(), value.to_iso()] {
                prop_assert_eq!(Seconds::parse(&text).map(|(value, _)| value), Some(value), "{}", text);
            }
            let json = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Seconds>(&json).unwrap(), value);
        }

        #[test]
        fn scaling_is_undone(value in any::<i64>(), digits in 0_u32..20) {
            let decimal = Decimal::from_scaled(i128::from(value), digits).unwrap();
            prop_assert_eq!(decimal.scaled(digits), Some(i128::from(value)));
        }
    }
}
