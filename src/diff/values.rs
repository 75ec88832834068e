//! Compares values (rule A16): dates as instants at the coarser precision, texts as readers see them, numbers by value,
//! URLs by their key, and documented defaults like absent values. Matching the values of two entries is done in
//! compare.rs.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::format::Family;
use crate::model::refers::{UrlContent, refers};
use crate::model::{Field, LeafView, Precision, Seconds, TextKind, Value, episode};
use crate::text::{html, url};

/// A leaf as it is compared.
#[derive(Clone, Copy)]
pub(super) struct ComparedLeaf<'e> {
    /// The field.
    pub field: Field,
    /// How its characters are to be understood, where it is a text.
    pub kind: Option<TextKind>,
    /// The value.
    pub value: Value<'e>,
    /// The element that has it, where all elements are one field.
    pub element: Option<&'e str>,
}

impl<'e> ComparedLeaf<'e> {
    /// The leaf that was seen in an element of this name.
    pub fn new(seen: &LeafView<'e>, kind: Option<TextKind>, element: Option<&'e str>) -> ComparedLeaf<'e> {
        let element = element.filter(|_| matches!(seen.field, Field::Module | Field::FeedModule));
        ComparedLeaf { field: seen.field, kind, value: seen.value, element }
    }

    /// The value as it was given.
    pub fn display_text(&self) -> String {
        self.value.to_string()
    }

    /// Whether the two values are equal.
    pub fn is_same(&self, other: &ComparedLeaf<'_>) -> bool {
        match (self.value, other.value) {
            (Value::Date(one), Value::Date(other)) => one.covers(other) || other.covers(one),
            (Value::Decimal(one), Value::Decimal(other)) => one.cmp_num(other) == Ordering::Equal,
            (Value::Str(_), Value::Str(_)) => self.reads() == other.reads(),
            (one, other) => one == other,
        }
    }

    /// The canonical form that equal values share. Only equal dates of different precision have different forms.
    pub fn reads(&self) -> Cow<'_, str> {
        match self.value {
            Value::Str(text) => self.characters(text),
            // days are those of the calendar, moments those of the clock
            Value::Date(date) if date.precision() <= Precision::Day => Cow::Owned(date.to_w3c()),
            Value::Date(date) => Cow::Owned(date.instant().to_string()),
            Value::Decimal(decimal) => Cow::Owned(plain_number(decimal.as_str())),
            other => Cow::Owned(other.to_string()),
        }
    }

    fn characters<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if let Some(meaning) = self.element.and_then(|element| of_episode(element, text)) {
            return Cow::Owned(meaning);
        }
        if let Some(TextKind::Html | TextKind::Xhtml) = self.kind {
            return Cow::Owned(collapsed(&html::to_plain(text)).into_owned());
        }
        match refers(self.field) {
            UrlContent::Always => return address(text),
            UrlContent::Perhaps if url::is_http(text.trim()) => return address(text),
            UrlContent::Perhaps | UrlContent::Never => (),
        }
        if let Some(time) = Seconds::play_time(text).filter(|_| is_position(self.field)) {
            return Cow::Owned(time.to_string());
        }
        let text = collapsed(text);
        match letters(self.field) {
            LetterCase::Count => text,
            LetterCase::Lower if text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Cow::Owned(text.to_ascii_lowercase())
            }
            LetterCase::Lower => text,
        }
    }

    /// Whether the value is the default that the format documents for an absent one.
    pub fn is_default(&self, family: &'static Family) -> bool {
        let word = |default: &str| matches!(self.value, Value::Str(said) if said.trim().eq_ignore_ascii_case(default));
        let flag = |default: bool| self.value == Value::Flag(default);
        match self.field {
            Field::VideoFileIsDefault | Field::VideoLive | Field::VideoRequiresSubscription => flag(false),
            Field::VideoAllowEmbed => flag(true),
            Field::IdIsPermalink => family.permalinks && flag(true),
            Field::VideoFileExpression => word("full"),
            Field::VideoRatingsScheme => word("urn:simple"),
            Field::VideoHashAlgo => word("md5"),
            Field::VideoCreditScheme => word("urn:ebu"),
            Field::VideoPriceType => word("purchase"),
            Field::LinkRel | Field::FeedLinkRel | Field::SourceLinkRel => word("alternate"),
            Field::VideoCategoryScheme => word("http://search.yahoo.com/mrss/category_schema"),
            Field::VideoTagWeightWeight => plain_number(&self.display_text()) == "1",
            Field::Priority => plain_number(&self.display_text()) == "0.5",
            _ => false,
        }
    }
}

/// The meaning of a value of an episode, which many podcasts spell in ways of their own.
fn of_episode(element: &str, text: &str) -> Option<String> {
    match element {
        "itunes:duration" => Some(Seconds::parse(text)?.0.to_string()),
        "itunes:explicit" | "googleplay:explicit" => Some(episode::is_explicit(text)?.to_string()),
        "itunes:keywords" => Some(episode::keywords(text).collect::<Vec<_>>().join(", ")),
        _ => None,
    }
}

/// Whether a field is a position in a video, a normal play time.
fn is_position(field: Field) -> bool {
    matches!(
        field,
        Field::VideoThumbnailTime
            | Field::VideoTextStart
            | Field::VideoTextEnd
            | Field::VideoSceneStart
            | Field::VideoSceneEnd
            | Field::VideoLocationStart
            | Field::VideoLocationEnd
    )
}

/// Whether the case of a word counts.
enum LetterCase {
    Count,
    Lower,
}

/// Names of countries, languages, types and the like are the same in capitals.
fn letters(field: Field) -> LetterCase {
    match field {
        Field::Language
        | Field::FeedLanguage
        | Field::SourceLanguage
        | Field::TextLang
        | Field::NewsLanguage
        | Field::LinkHreflang
        | Field::FeedLinkHreflang
        | Field::SourceLinkHreflang
        | Field::AlternateHreflang
        | Field::EnclosureLang
        | Field::VideoFileLang
        | Field::VideoTextLang
        | Field::VideoSubtitleLang
        | Field::LinkType
        | Field::FeedLinkType
        | Field::SourceLinkType
        | Field::AlternateType
        | Field::EnclosureType
        | Field::ContentType
        | Field::VideoFileType
        | Field::VideoFileMedium
        | Field::VideoFileExpression
        | Field::VideoSubtitleType
        | Field::VideoLicenseType
        | Field::VideoPeerLinkType
        | Field::VideoRestrictionRelationship
        | Field::VideoRestrictionCountry
        | Field::VideoPlatformRelationship
        | Field::VideoPlatform
        | Field::VideoUriRestrictionRelationship
        | Field::VideoSharing
        | Field::VideoPriceCurrency
        | Field::VideoPriceType
        | Field::VideoPriceResolution
        | Field::VideoHashAlgo
        | Field::VideoHashValue
        | Field::VideoStatusState
        | Field::Changefreq => LetterCase::Lower,
        _ => LetterCase::Count,
    }
}

/// Runs of white space as one blank, none at the ends.
pub(super) fn collapsed(text: &str) -> Cow<'_, str> {
    let mut last = ' ';
    let is_so = !text.ends_with(char::is_whitespace)
        && text.chars().all(|c| {
            let fine = !c.is_whitespace() || c == ' ' && last != ' ';
            last = c;
            fine
        });
    if is_so { Cow::Borrowed(text) } else { Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")) }
}

/// The key of a URL (rule A4), with its fragment, because the fragment may be the only change.
fn address(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let key = url::key(text);
    let fragment = text.get(url::fragmentless(text).len()..).unwrap_or_default();
    if fragment.is_empty() || key.ends_with(fragment) { key } else { Cow::Owned(format!("{key}{fragment}")) }
}

/// A decimal number without insignificant zeros.
fn plain_number(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction {
        "" if whole == "0" => "0".to_owned(),
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Date;

    fn text(field: Field, kind: Option<TextKind>, value: &str) -> ComparedLeaf<'_> {
        ComparedLeaf { field, kind, value: Value::Str(value), element: None }
    }

    #[test]
    fn texts_are_what_they_read() {
        let html = text(Field::Summary, Some(TextKind::Html), "<p>Rain &amp;  wind</p>");
        let plain = text(Field::Summary, Some(TextKind::Plain), " Rain & wind\n");
        assert!(html.is_same(&plain));
        assert!(!html.is_same(&text(Field::Summary, Some(TextKind::Plain), "Rain &amp; wind")));
    }

    #[test]
    fn addresses_are_their_keys_and_fragments() {
        let same = |one, other| text(Field::Loc, None, one).is_same(&text(Field::Loc, None, other));
        assert!(same("HTTPS://Example.com:443/%7ea", "https://example.com/~a"));
        assert!(!same("https://example.com/a#x", "https://example.com/a#y"));
        assert!(!same("https://example.com/a", "https://example.com/a/"));
    }

    #[test]
    fn dates_are_compared_at_the_coarser_precision() {
        let date = |text: &str| Date::parse(text).unwrap().0;
        let same = |one: &str, other: &str| {
            let (one, other) = (date(one), date(other));
            let said =
                |date| ComparedLeaf { field: Field::Updated, kind: None, value: Value::Date(date), element: None };
            said(&one).is_same(&said(&other)) && said(&other).is_same(&said(&one))
        };
        assert!(same("2026-05-01T12:00:00+03:00", "Fri, 01 May 2026 09:00:00 GMT"));
        assert!(same("2026-05-01", "2026-05-01T23:30:00-05:00"));
        assert!(!same("2026-05-01", "2026-05-02T00:00:00Z"));
        assert!(!same("2026-05-01T09:00:00Z", "2026-05-01T09:00:01Z"));
    }

    #[test]
    fn numbers_lose_their_zeros() {
        for (text, plain) in [("4.50", "4.5"), ("007", "7"), ("-0.0", "0"), ("0.10", "0.1"), ("-1.0", "-1")] {
            assert_eq!(plain_number(text), plain);
        }
    }
}
