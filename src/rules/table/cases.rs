//! The cases of rules with different severities, in the order of the letters of their levels.

/// Of a rule by its code: its cases, in a few words.
#[rustfmt::skip]
static CASES: &[(&str, &[&str])] = &[
    ("D04", &["a root, or a spelling of its namespace", "an unknown namespace of a usual prefix"]),
    ("D13", &["in a sitemap", "an empty element of a feed", "elements in a text of a feed", "an empty element, or elements in a text, of an extension"]),
    ("D14", &["an element of the format or of Media RSS", "an element of another module", "an element of an extension of sitemaps"]),
    ("D15", &["elements of the format", "elements of an extension"]),
    ("D16", &["an element of the format", "an element of Media RSS", "an element of another vocabulary"]),
    ("D22", &["of an entry, a video, a player or a thumbnail", "of anything else", "a character that is not allowed in \
    URLs"]),
    ("D23", &["in an element of the format", "in an element of an extension of sitemaps"]),
    ("U10", &["the same URL twice", "the same URL in another spelling"]),
    ("U12", &["not a W3C date", "a placeholder for a missing date"]),
    ("N04", &["the date syntax", "an article of more than two days ago"]),
    ("N05", &["a value", "an invalid value"]),
    ("R04", &["no link", "a link that is not an http(s) URL", "no link, in RSS 1.0"]),
    ("R07", &["a duplicate guid", "a short number as guid"]),
    ("R08", &["not an RFC 822 date", "a wrong weekday", "a two-digit year or a one-letter zone", "long ago \
    or in the future"]),
    ("R12", &["the width", "the height", "url, title or link is missing", "title or link differ from the channel"]),
    ("R16", &["no URL", "different from --sitemap-url"]),
    ("R23", &["image, category or explicit is missing", "a value that Apple does not know"]),
    ("P02", &["no enclosure", "a type that Apple does not play", "no URL, length or type"]),
    ("P06", &["no guid", "no date", "no duration"]),
    ("J01", &["a missing or an invalid value", "a placeholder for a missing date"]),
    ("J02", &["a deprecated member", "an unknown member"]),
    ("A01", &["one is missing", "one occurs twice", "the source of an entry lacks one"]),
    ("A02", &["one is missing", "one occurs twice"]),
    ("A04", &["neither content nor a link", "no link that is an http(s) URL"]),
    ("A06", &["not an RFC 3339 date", "a placeholder for a missing date"]),
    ("A07", &["not an absolute URL", "not normalized", "white space around it"]),
    ("A08", &["a duplicate id", "the same in all entries", "a duplicate id with the same date"]),
    ("A12", &["no href", "an invalid type", "an invalid language", "an unregistered relation", "an \
    invalid length"]),
    ("M02", &["a file that is a video", "any other file"]),
    ("M03", &["not one of the five values", "a video without medium", "the type of the file is unknown"]),
    ("M04", &["missing or empty", "too long"]),
    ("M05", &["missing or empty", "too long"]),
    ("M06", &["missing", "without url", "an image type that Google does not list", "not an http(s) URL, or too \
    small", "an enclosure that is a video"]),
    ("M07", &["the player or file URL is the page", "without url"]),
    ("M08", &["missing", "not a number"]),
    ("M10", &["not a flag", "a second default in one group"]),
    ("M12", &["no MIME type", "it contradicts medium"]),
    ("M14", &["fewer than two files", "in the wrong place"]),
    ("M15", &["an unknown type", "undeclared markup"]),
    ("M16", &["not a value of its scheme", "media:adult, which is deprecated", "a number of stars"]),
    ("M17", &["invalid for its algorithm", "a second hash of the same algorithm"]),
    ("M18", &["not in lower case", "a role that urn:ebu does not have", "an unknown scheme"]),
    ("M19", &["relationship is missing or invalid", "an unknown type", "no type", "no country code", "a second one of the same type", "a type that Google does not read", "it \
    allows no country"]),
    ("M20", &["an unknown type, or a price that is not a number", "no currency", "an unknown currency", "no type"]),
    ("M21", &["not a time", "it ends before it starts"]),
    ("M22", &["stars out of their range", "a count that is not a whole number"]),
    ("M23", &["an unknown value", "the video is blocked or deleted"]),
    ("M27", &["not a period", "the period has ended", "it ends before it starts", "no scheme"]),
    ("M30", &["a URL that is not fetched", "a page or a Flash file", "a type that Google does not list", "a page of a video platform"]),
    ("V17", &["not a W3C date", "a placeholder for a missing date"]),
    ("V20", &["after it expires", "in the future"]),
    ("V25", &["no country code", "in lower case", "separators other than spaces"]),
    ("V32", &["another domain", "another host of the same domain"]),
    ("V35", &["not allowed by the schema", "own, documented by Google until 2022"]),
    ("L08", &["it cannot be read", "a placeholder for a missing date"]),
    ("X01", &["not a W3C date", "a placeholder for a missing date"]),
    ("V40", &["a type that Google does not list", "not an http(s) URL"]),
];

/// The cases that the rule with this code distinguishes; empty if all have the same severity.
pub fn cases(code: &str) -> &'static [&'static str] {
    CASES.iter().find(|(of, _)| *of == code).map_or(&[], |(_, cases)| *cases)
}

#[cfg(test)]
mod tests {
    use super::super::super::all;
    use super::*;

    #[test]
    fn every_letter_has_a_case() {
        for rule in all() {
            let letters = rule.levels.iter().map(|(_, letters)| letters.split(';').count()).max().unwrap_or(0);
            let wanted = if letters > 1 { letters } else { 0 };
            assert_eq!(cases(rule.code).len(), wanted, "{}", rule.code);
        }
        assert!(CASES.iter().all(|(code, _)| all().any(|rule| rule.code == *code)));
    }
}
