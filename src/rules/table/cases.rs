//! What the rules tell apart that are not equally bad in all cases, in the order of the letters of their levels.

/// Of a rule by its code: its cases, in a few words.
#[rustfmt::skip]
static CASES: &[(&str, &[&str])] = &[
    ("D13", &["in a sitemap", "in a feed"]),
    ("D14", &["an element of the format itself, or of Media RSS", "one of another module"]),
    ("D16", &["an element of the format itself", "one of Media RSS", "one of another vocabulary"]),
    ("D22", &["of an entry, a video, a player or a thumbnail", "of anything else", "a character that no URL may hold"]),
    ("U10", &["the address stands twice, letter by letter", "it stands there in another spelling"]),
    ("N04", &["the form of the date", "an article of more than two days ago"]),
    ("N05", &["the element is there", "its value is none that it may have"]),
    ("R04", &["no link at all", "a link that is no page of the web"]),
    ("R07", &["a guid stands twice", "a guid is a number of few digits"]),
    ("R08", &["no date of RFC 822", "another day of the week", "a year of two digits, a zone of one letter", "long ago, or in the future"]),
    ("R12", &["the width", "the height", "url, title or link is missing", "title or link are not those of the channel"]),
    ("R16", &["no address", "another address than --sitemap-url"]),
    ("A01", &["one is missing", "one stands twice", "the source of an entry lacks one"]),
    ("A02", &["one is missing", "one stands twice"]),
    ("A04", &["neither content nor a link", "no link that is a page of the web"]),
    ("A07", &["no absolute address", "not in its usual form", "white space around it"]),
    ("A08", &["an id stands twice", "all entries have one and the same", "an id stands twice with one date"]),
    ("A12", &["no href", "a type that is none", "a language that is none", "a relation that is not registered", "a length that is no number"]),
    ("M02", &["a file that is a video", "any other file"]),
    ("M03", &["none of the five words", "a video that does not say so", "nothing tells what the file is"]),
    ("M04", &["missing or empty", "too long"]),
    ("M05", &["missing or empty", "too long"]),
    ("M06", &["missing", "without url", "a type of pictures that Google does not list", "no URL of the web, or too small", "an enclosure that is a video"]),
    ("M07", &["the player or the file is the page", "without url"]),
    ("M08", &["missing", "no number"]),
    ("M10", &["no flag", "a second default in one group"]),
    ("M12", &["no MIME type", "it contradicts medium"]),
    ("M14", &["fewer than two files", "in the wrong place"]),
    ("M15", &["an unknown type", "markup that is not said to be there"]),
    ("M16", &["not of its scheme", "media:adult, which is deprecated", "a number, as for stars"]),
    ("M17", &["no hash of its algorithm", "a second one of the same algorithm"]),
    ("M18", &["not in small letters", "a role that urn:ebu does not have", "an unknown scheme"]),
    ("M19", &["relationship is missing, or no word for it", "an unknown type", "no type", "no country code", "a second one of the same type", "a type that Google does not read", "it allows nobody"]),
    ("M20", &["an unknown type", "no currency", "an unknown currency", "no type"]),
    ("M21", &["no time", "it ends before it starts"]),
    ("M22", &["stars out of their range", "a count that is no whole number"]),
    ("M23", &["none of its words", "the video is blocked or deleted"]),
    ("M27", &["no period", "the period has ended", "it ends before it starts", "no scheme"]),
    ("M30", &["no address that is fetched", "a page or a Flash film", "a type that Google does not list", "a page of a video platform"]),
    ("V20", &["after it expires", "in the future"]),
    ("V25", &["no country code", "in small letters", "other signs than blanks between codes"]),
    ("V32", &["another domain", "another host of the same domain"]),
    ("V35", &["not one that the schema allows", "own, which Google documented until 2022"]),
    ("V40", &["a type that Google does not list", "no URL of the web"]),
];

/// The cases that the rule with this code tells apart; none if all are equally bad.
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
