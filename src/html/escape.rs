//! Makes untrusted texts safe for a page: markup becomes text, invisible characters are shown, and only harmless URLs
//! become links. Templates cannot bypass it: all they print goes through [`HtmlEscaper`].

use std::borrow::Cow;
use std::fmt;

use askama::filters::Escaper;

use crate::report;

/// Escapes what HTML reads as markup, in texts and in quoted attributes, and shows control and bidi characters.
#[derive(Clone, Copy)]
pub struct HtmlEscaper;

impl Escaper for HtmlEscaper {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        let mut written = 0;
        for (at, c) in text.char_indices() {
            let escape = match c {
                '<' => "&lt;",
                '>' => "&gt;",
                '&' => "&amp;",
                '"' => "&quot;",
                '\'' => "&#39;",
                // a break is seen as one, and no line of the page begins with a value: a log may obey it
                '\n' => "&#10;",
                '\t' => continue,
                c if report::unseen(c) => "",
                _ => continue,
            };
            out.write_str(&text[written..at])?;
            match escape {
                "" => write!(out, "{}", c.escape_unicode())?,
                escape => out.write_str(escape)?,
            }
            written = at + c.len_utf8();
        }
        out.write_str(&text[written..])
    }
}

/// At most so many characters.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// The URL, if the text is only a URL that may be a link: `http` or `https`, complete, and with a host.
pub fn link(text: &str) -> Option<&str> {
    let rest = text.split_once("://").and_then(|(scheme, rest)| {
        (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")).then_some(rest)
    })?;
    let host = rest.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '[');
    let odd = |c: char| c.is_whitespace() || report::unseen(c) || matches!(c, '"' | '\'' | '<' | '>' | '\\');
    (host && !text.ends_with('…') && !text.contains(odd)).then_some(text)
}

/// A path as a URL relative to the page: it cannot lead to another host, nor be anything but a file.
pub fn relative(path: &str) -> String {
    let mut address = String::from("./");
    for byte in path.trim_start_matches('/').bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => address.push(byte.into()),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

pub(super) use crate::text::{grouped, many};

/// A share for people: `37 %`, and never `0 %` of what there is or `100 %` of what is not all.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "0 %".to_owned();
    }
    let share = u128::from(part) * 1000 / u128::from(whole);
    match share {
        _ if part >= whole => "100 %".to_owned(),
        0..10 => "< 1 %".to_owned(),
        990.. => "> 99 %".to_owned(),
        share => format!("{} %", (share + 5) / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        HtmlEscaper.write_escaped_str(&mut out, text).expect("a string can be written to");
        out
    }

    #[test]
    fn markup_is_text_and_the_unseen_is_seen() {
        for (text, shown) in [
            ("plain, ö, 灯台", "plain, ö, 灯台"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload='x' &amp;", "&quot; onload=&#39;x&#39; &amp;amp;"),
            ("a\u{202e}b\u{0}c\u{1b}[31m\r\n\td", "a\\u{202e}b\\u{0}c\\u{1b}[31m\\u{d}&#10;\td"),
            ("\u{feff}\u{200b}\u{61c}\u{ad}\u{e0041}", "\\u{feff}\\u{200b}\\u{61c}\\u{ad}\\u{e0041}"),
            ("", ""),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }

    #[test]
    fn only_whole_addresses_of_the_web_are_links() {
        for text in
            ["https://pond.example/a?b=c&d=e#f", "HTTP://pond.example", "http://[::1]/", "https://пруд.example/"]
        {
            assert_eq!(link(text), Some(text));
        }
        for text in [
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            " https://pond.example/",
            "https://pond.example/ x",
            "https://pond.example/\u{202e}gpj.exe",
            "https://",
            "https:///etc/passwd",
            "data:text/html,<script>",
            "file:///etc/passwd",
            "//pond.example/",
            "https://pond.example/cut…",
            "https://pond.example/\"onclick=",
        ] {
            assert_eq!(link(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_path_leads_to_a_file() {
        assert_eq!(relative("a/б \"x\".json"), "./a/%D0%B1%20%22x%22.json");
        assert_eq!(relative("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(relative("//host/x"), "./host/x");
    }

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(grouped).each_ref().map(|s| &**s));
        let shares = [(0, 0), (0, 9), (1, 1000), (1, 3), (2, 3), (999, 1000), (9, 9), (u64::MAX - 1, u64::MAX)];
        let shown = ["0 %", "0 %", "< 1 %", "33 %", "67 %", "> 99 %", "100 %", "> 99 %"];
        assert_eq!(shares.map(|(part, whole)| percent(part, whole)).each_ref().map(|s| &**s), shown);
        assert_eq!(cut("灯台守", 2), "灯台…");
        assert_eq!(cut("灯台", 2), "灯台");
    }
}
