//! A text with its kind and language.

use std::fmt;

use crate::model::TextKind;

/// A text: its characters, how to understand them, and their language (RFC 4287 section 3.1; Media RSS `@type`).
///
/// A string becomes a plain text with `into()`:
///
/// ```
/// use transfeed::{Entry, Text, TextKind};
///
/// let mut entry = Entry::at("https://example.com/1");
/// entry.title = Some("Fish & chips".into());
/// entry.summary = Some(Text::html("<p>With <b>vinegar</b></p>"));
/// assert_eq!(entry.title.unwrap().kind, TextKind::Plain);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// How to understand the characters.
    pub kind: TextKind,
    /// The characters, without the escapes of the document: `Fish & chips`, and `<p>` if the kind is HTML.
    pub value: String,
    /// Language (BCP 47), if the text has one: `xml:lang` of the element.
    pub lang: Option<String>,
    /// The base URL of relative links inside: `xml:base` of the element.
    pub base: Option<String>,
}

impl Text {
    /// Plain characters.
    pub fn plain(value: impl Into<String>) -> Text {
        Text { value: value.into(), ..Text::default() }
    }

    /// HTML as in a page.
    pub fn html(value: impl Into<String>) -> Text {
        Text { kind: TextKind::Html, ..Text::plain(value) }
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Text {
        Text::plain(value)
    }
}

impl From<String> for Text {
    fn from(value: String) -> Text {
        Text::plain(value)
    }
}

/// The characters as they are, tags of HTML too.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.value)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.value == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.value == *other
    }
}
