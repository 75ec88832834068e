//! Which rendition of a video is the best (rule A8), for every target that takes one of them or puts one first.
//! Not whether a target takes a rendition at all: that is for its writer to say.

use std::cmp::Reverse;

use crate::format::contract::Setup;
use crate::model::{File, Leaf, Str};
use crate::options::RenditionRule;
use crate::text::bytes::trimmed;
use crate::text::{mime, url};

/// What is known of a rendition.
pub(super) struct RenditionCandidate<'c, 'e> {
    /// Where its bytes are.
    pub url: Option<&'c Str<'e>>,
    /// Its MIME type.
    pub kind: Option<&'c Str<'e>>,
    /// Its bytes.
    pub size: Option<&'c Leaf<u64>>,
    /// Its further values.
    pub file: Option<&'c File<'e>>,
    /// The extension of its name.
    pub extension: Option<&'c str>,
}

impl<'c, 'e> RenditionCandidate<'c, 'e> {
    /// A rendition with its own values.
    pub fn new(file: &'c File<'e>) -> RenditionCandidate<'c, 'e> {
        RenditionCandidate::named(file, file.url.as_ref().and_then(|url| url::extension(&url.value)))
    }

    /// The same, where the extension of its name is known.
    pub fn named(file: &'c File<'e>, extension: Option<&'c str>) -> RenditionCandidate<'c, 'e> {
        let File { url, kind, size, .. } = file;
        RenditionCandidate { url: url.as_ref(), kind: kind.as_ref(), size: size.as_ref(), file: Some(file), extension }
    }
}

/// How good a rendition is: the least is the best, and of equal ones the first.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// What `--rendition` asks for, before all else.
    asked: [u64; 3],
    not_default: bool,
    expression: u8,
    manifest: bool,
    container: u8,
    other_language: bool,
    height: Reverse<u64>,
    width: Reverse<u64>,
    bitrate: Reverse<i128>,
    size: Reverse<u64>,
}

impl Rank {
    /// The same where the order of the source decides: quality does not count.
    pub fn in_order(self) -> Rank {
        let Rank { asked, not_default, expression, manifest, .. } = self;
        Rank { asked, not_default, expression, manifest, ..Rank::default() }
    }
}

/// The rank of a rendition where one represents its video. That of an episode is its enclosure, which is the first one: who
/// reads the podcast knows the episode by it.
pub(super) fn rank_as_first(file: &File<'_>, setup: &Setup<'_>) -> Rank {
    let language = setup.own_feed.language.as_ref().map(Leaf::as_str);
    let rank = rank(&RenditionCandidate::new(file), &setup.options.rendition, language);
    if setup.source.id == "rss-podcast" { rank.in_order() } else { rank }
}

/// The rank of a rendition in a feed of this language.
pub(super) fn rank(candidate: &RenditionCandidate<'_, '_>, rule: &RenditionRule, language: Option<&str>) -> Rank {
    if *rule == RenditionRule::First {
        return Rank::default();
    }
    let RenditionCandidate { url, kind, size, file, extension } = candidate;
    let address = url.map_or("", |url| url.as_str());
    let kind = kind.map(|kind| kind.as_str());
    let said = |slot: fn(&File<'_>) -> Option<u64>| file.and_then(slot);
    let height = said(|file| file.height.as_ref().map(|leaf| leaf.value));
    let width = said(|file| file.width.as_ref().map(|leaf| leaf.value));
    let size = size.map(|leaf| leaf.value);
    let lang = file.and_then(|file| file.lang.as_ref()).map(Leaf::as_str);
    let expression = file.and_then(|file| file.expression.as_ref()).map_or("", |said| trimmed(&said.value));
    Rank {
        asked: rank_by_rule(rule, kind, address, [height, width, size]),
        not_default: !file.and_then(|file| file.is_default.as_ref()).is_some_and(|said| said.value),
        expression: match () {
            () if expression.eq_ignore_ascii_case("nonstop") => 1,
            () if expression.eq_ignore_ascii_case("sample") => 2,
            () => 0,
        },
        manifest: kind.is_some_and(mime::is_manifest) || extension.is_some_and(mime::is_manifest),
        container: mime::container_rank(kind, *extension),
        other_language: lang.zip(language).is_some_and(|(lang, language)| !is_same_language(lang, language)),
        height: Reverse(height.unwrap_or(0)),
        width: Reverse(width.unwrap_or(0)),
        bitrate: Reverse(
            file.and_then(|file| file.bitrate.as_ref()).and_then(|rate| rate.value.scaled(6)).unwrap_or(0),
        ),
        size: Reverse(size.unwrap_or(0)),
    }
}

/// The rank by the rule of a rendition with this height, width and size; unknown ones come last.
fn rank_by_rule(rule: &RenditionRule, kind: Option<&str>, address: &str, of: [Option<u64>; 3]) -> [u64; 3] {
    let height = of[0];
    match rule {
        RenditionRule::Best | RenditionRule::First => [0; 3],
        RenditionRule::Smallest => of.map(|number| number.unwrap_or(u64::MAX)),
        RenditionRule::Largest => of.map(|number| u64::MAX - number.unwrap_or(0)),
        RenditionRule::Type(wanted) => [u64::from(!is_type(kind, address, wanted)), 0, 0],
        // one that is not higher, else one that does not say, else the least high
        RenditionRule::Height(most) => match height {
            Some(height) if height <= *most => [0; 3],
            None => [1, 0, 0],
            Some(height) => [2, height, 0],
        },
    }
}

/// Whether a file is of this type: by its declared type, else by its name.
fn is_type(kind: Option<&str>, address: &str, wanted: &str) -> bool {
    let by_name = || url::extension(address).and_then(mime::by_extension);
    kind.or_else(by_name).is_some_and(|kind| essence(kind).eq_ignore_ascii_case(essence(wanted)))
}

fn essence(kind: &str) -> &str {
    kind.split(';').next().unwrap_or_default().trim()
}

fn primary(tag: &str) -> &str {
    trimmed(tag).split(['-', '_']).next().unwrap_or_default()
}

/// `en` and `en-GB` are one language here.
fn is_same_language(one: &str, other: &str) -> bool {
    one == other || primary(one).eq_ignore_ascii_case(primary(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Decimal;

    fn best(files: &[File<'_>], rule: &str) -> String {
        let rule = rule.parse().expect("a rule");
        let best = files.iter().min_by_key(|file| rank(&RenditionCandidate::new(file), &rule, Some("en")));
        best.and_then(|file| file.url.as_ref()).map(|url| url.value.to_string()).unwrap_or_default()
    }

    fn file(name: &str) -> File<'_> {
        File { url: Some(name.into()), ..File::default() }
    }

    fn with(name: &str, more: impl FnOnce(&mut File<'_>)) -> File<'_> {
        let mut file = file(name);
        more(&mut file);
        file
    }

    #[test]
    fn every_position_counts_before_the_next() {
        let rate = |text: &str| Decimal::parse(text.to_owned().into()).map(|(rate, _)| Leaf::new(rate));
        // each pair differs in one position; the second is the better one, although the first is larger
        let pairs = [
            [file("a.mp4"), with("b.avi", |file| file.is_default = Some(Leaf::new(true)))],
            [with("a.mp4", |file| file.expression = Some("sample".into())), file("b.avi")],
            [with("a.mp4", |file| file.expression = Some("Nonstop".into())), file("b.avi")],
            [
                with("a.mp4", |file| file.expression = Some("sample".into())),
                with("b.avi", |file| file.expression = Some("nonstop".into())),
            ],
            [with("a.m3u8", |file| file.height = Some(Leaf::new(2160))), file("b.avi")],
            [with("a.webm", |file| file.height = Some(Leaf::new(2160))), file("b.mp4")],
            [with("a.mov", |file| file.height = Some(Leaf::new(2160))), file("b.webm")],
            [with("a.avi", |file| file.height = Some(Leaf::new(2160))), file("b.mov")],
            [with("a.mkv2", |file| file.height = Some(Leaf::new(2160))), file("b.avi")],
            [
                with("a.mp4", |file| (file.lang, file.height) = (Some("fr".into()), Some(Leaf::new(2160)))),
                with("b.mp4", |file| file.lang = Some("en-GB".into())),
            ],
            [
                with("a.mp4", |file| file.width = Some(Leaf::new(9999))),
                with("b.mp4", |file| file.height = Some(Leaf::new(1))),
            ],
            [with("a.mp4", |file| file.bitrate = rate("9999")), with("b.mp4", |file| file.width = Some(Leaf::new(1)))],
            [with("a.mp4", |file| file.size = Some(Leaf::new(9999))), with("b.mp4", |file| file.bitrate = rate("0.5"))],
            [file("a.mp4"), with("b.mp4", |file| file.size = Some(Leaf::new(1)))],
        ];
        for (number, pair) in pairs.iter().enumerate() {
            assert!(best(pair, "best").starts_with('b'), "pair {number}");
        }
        assert_eq!(best(&[file("a.mp4"), file("b.mp4")], "best"), "a.mp4");
    }

    #[test]
    fn rules_that_are_asked_for() {
        let high = |name, height| with(name, |file: &mut File<'_>| file.height = Some(Leaf::new(height)));
        let files = [high("a.webm", 720), high("b.mp4", 1080), high("c.mp4", 360), file("d.mov")];
        let cases = [
            ("best", "b.mp4"),
            ("smallest", "c.mp4"),
            ("largest", "b.mp4"),
            ("first", "a.webm"),
            ("type=video/webm", "a.webm"),
            ("type=Video/QuickTime", "d.mov"),
            ("type=video/ogg", "b.mp4"),
            ("height<=720", "c.mp4"),
            ("height<=1080", "b.mp4"),
            ("height<=100", "d.mov"),
        ];
        for (rule, expected) in cases {
            assert_eq!(best(&files, rule), expected, "{rule}");
        }
        assert_eq!(best(&files[..3], "height<=100"), "c.mp4");
        assert!("tallest".parse::<RenditionRule>().is_err());
        assert!("height<=x".parse::<RenditionRule>().is_err());
        assert!("type=".parse::<RenditionRule>().is_err());
    }
}
