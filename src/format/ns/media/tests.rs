//! Media RSS read and written again, without RSS or Atom around it.

use super::*;
use crate::emit::{Out, Style, ValueSpelling};
use crate::fate::Fate;
use crate::format::share::Share;
use crate::format::{Format, Setup, Survey, ns::georss};
use crate::ledger::Books;
use crate::model::origin::{Preset, SourcePart, Syntax};
use crate::model::{Enclosure, Entry, Feed, Field, File, Leaf, Restriction, Video};
use crate::options::Options;
use crate::reason::Reason;
use crate::tree::Take;
use crate::xml::limits::TreeLimits;
use crate::xml::names::Ns;
use crate::xml::parse::parse;
use crate::xml::scope::Scope;

const NAMES: &str = r#"xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:georss="http://www.georss.org/georss" xmlns:gml="http://www.opengis.net/gml" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#""#;

/// An item read as an RSS reader would, and what nobody took of it.
fn read(inside: &str, feed: Option<&'static Feed<'static>>) -> Entry<'static> {
    use crate::model::IntoOwned;
    let options = Options::default();
    let text = format!("<item {NAMES}>{inside}</item>");
    let tree = parse(&text, &Scope::default(), &TreeLimits::default()).unwrap();
    let mut take = Take::new(&tree, false);
    let mut entry = Entry::default();
    let root = tree.root().unwrap();
    take.known(root);
    let mut found = Vec::new();
    for child in root.children() {
        if child.ns() == Ns::None && child.name() == "enclosure" {
            let mut enclosure = Enclosure::default();
            take.attr(child, "url", &mut enclosure.url);
            take.attr(child, "type", &mut enclosure.kind);
            take.attr(child, "length", &mut enclosure.length);
            found.push(enclosure);
        } else {
            item_child(child, &mut take, &mut entry, &options);
        }
    }
    georss::read(root, &mut take, &mut entry);
    let around = crate::format::around(feed, &options);
    gather(&mut entry, around);
    enclosures(found, Ns::Rss2, &mut entry, false, (root, &mut take));
    finish(&mut entry, around);
    let mut foreign = Vec::new();
    entry.origin = take.rest(usize::MAX, &mut foreign).unwrap();
    entry.origin.parts.push(SourcePart {
        first: 0,
        entry: None,
        raw: "".into(),
        syntax: Syntax::Xml,
        context: Default::default(),
        places: Vec::new(),
    });
    entry.foreign = foreign;
    entry.into_owned()
}

/// A head with these elements, for the rest of the run.
fn head(inside: &str) -> &'static Feed<'static> {
    use crate::model::IntoOwned;
    let text = format!("<channel {NAMES}>{inside}</channel>");
    let tree = parse(&text, &Scope::default(), &TreeLimits::default()).unwrap();
    let mut take = Take::new(&tree, true);
    let mut feed = Feed::default();
    for child in tree.root().unwrap().children() {
        feed_child(child, &mut take, &mut feed);
    }
    Box::leak(Box::new(feed.into_owned()))
}

struct Written {
    text: String,
    /// Leaves of the entry that nothing was said of.
    open: Vec<&'static str>,
}

/// Writes an entry as from a source of this family.
fn write(entry: &Entry<'_>, feed: &Feed<'_>, source: &'static Format, target: &'static Format) -> Written {
    let same_family = source.family == target.family;
    let prefixes = ["media", "dcterms", "georss", "gml", "geo"];
    let declared: Vec<(String, String)> =
        prefixes.iter().map(|prefix| (prefix.to_string(), Ns::by_prefix(prefix).unwrap().uri().to_owned())).collect();
    let style = Style {
        table: video_fate,
        spelling: ValueSpelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) },
        carrier: same_family.then_some(|_, _| None),
        declared: &declared,
        foreign_dropped: false,
        foreign: false,
        pretty: false,
        roots: &[],
    };
    let (options, survey) = (Options::default(), Survey::default());
    let setup = Setup { source, target, same_family, options: &options, feed, own_feed: feed, survey: &survey };
    let (mut buf, mut books) = (Vec::new(), Books::default());
    books.open(&entry.origin.records);
    let mut out = Out::new(&style, &mut buf, &mut books, 0);
    out.enter("item");
    out.pause();
    let videos: Vec<&Video<'_>> = entry.videos.iter().collect();
    write_item(entry, Share::WHOLE, &mut out, &setup, &videos);
    georss::write(&entry.location, &mut out);
    let mut open = Vec::new();
    entry.each_leaf(&mut |seen| {
        if !seen.mark.of_feed() && !books.settled(seen.mark) && !matches!(video_fate(seen.field), Fate::Lost(..)) {
            open.push(seen.field.name());
        }
    });
    Written { text: String::from_utf8(buf).unwrap().trim_start_matches("<item>").to_owned(), open }
}

/// Back into Media RSS in RSS.
fn back(entry: &Entry<'_>, feed: &Feed<'_>) -> Written {
    write(entry, feed, &crate::format::rss::RSS, &crate::format::rss::MRSS)
}

/// What is read and written again must be the same characters, with every leaf settled and none foreign.
fn same(inside: &str) -> Entry<'static> {
    let entry = read(inside, None);
    assert_eq!(entry.foreign, [], "{inside}");
    let written = back(&entry, &Feed::default());
    assert_eq!(written.text, inside);
    assert_eq!(written.open, [""; 0], "{inside}");
    entry
}

/// Every element of one level, in the order in which it is written.
const LEVEL: &str = concat!(
    r#"<media:rating scheme="urn:mpaa">pg</media:rating><media:rating>adult</media:rating><media:adult>true</media:adult>"#,
    r#"<media:title type="html">&lt;b&gt;a&lt;/b&gt;</media:title><media:description xml:lang="en">d</media:description>"#,
    r#"<media:keywords>k, l</media:keywords><media:thumbnail url="u" width="1" height="2" time="0:01"/>"#,
    r#"<media:category scheme="s" label="l">a/b</media:category>"#,
    r#"<media:category scheme="urn:transfeed:tag">a, b</media:category>"#,
    r#"<media:hash algo="md5">ab</media:hash><media:hash algo="sha-1">cd</media:hash>"#,
    r#"<media:player url="p" width="3" height="4"/><media:credit role="actor" scheme="urn:ebu">c</media:credit>"#,
    r#"<media:credit role="uploader" scheme="urn:yvs">me</media:credit><media:copyright url="cu">ct</media:copyright>"#,
    r#"<media:text lang="en" start="0:01" end="0:02">t</media:text>"#,
    r#"<media:restriction relationship="allow" type="country">us ca</media:restriction>"#,
    r#"<dcterms:valid>start=2026-01-01T10:00Z; end=2027-01-01; scheme=W3C-DTF; name=n</dcterms:valid>"#,
    r#"<dcterms:type>live-video</dcterms:type>"#,
    r#"<media:restriction relationship="deny" type="uri">http://a/ http://b/</media:restriction>"#,
    r#"<media:restriction relationship="deny" type="sharing"/>"#,
    r#"<media:community><media:starRating average="4.50" count="5" min="1" max="6"/>"#,
    r#"<media:statistics views="7" favorites="8"/><media:tags>a:5, b:c:6, d</media:tags></media:community>"#,
    r#"<media:comments><media:comment>x</media:comment><media:comment>y</media:comment></media:comments>"#,
    r#"<media:embed url="e" width="9" height="10"><media:param name="n">v</media:param></media:embed>"#,
    r#"<media:responses><media:response>r</media:response></media:responses>"#,
    r#"<media:backLinks><media:backLink>b</media:backLink></media:backLinks>"#,
    r#"<media:status state="active" reason="why"/>"#,
    r#"<media:price type="rent" price="1.90" currency="EUR" info="i"/><media:price price="0"/>"#,
    r#"<media:license type="text/html" href="h">l</media:license>"#,
    r#"<media:subTitle type="text/vtt" lang="fi" href="s"/><media:peerLink type="t" href="p"/>"#,
    r#"<media:location description="d" start="0:01" end="0:02"><georss:where><gml:Point><gml:pos>1 2</gml:pos>"#,
    r#"</gml:Point></georss:where></media:location><media:rights status="official"/>"#,
    r#"<media:scenes><media:scene><sceneTitle>t</sceneTitle><sceneDescription>d</sceneDescription>"#,
    r#"<sceneStartTime>0:01</sceneStartTime><sceneEndTime>0:02</sceneEndTime></media:scene></media:scenes>"#,
);

const ATTRIBUTES: &str = r#"fileSize="1" type="video/mp4; codecs=&quot;a&quot;" medium="video" isDefault="true" expression="full" bitrate="1.5" framerate="25" samplingrate="44.1" channels="2""#;

#[test]
fn every_element_on_every_level() {
    let content = format!(
        r#"<media:content url="http://h/a" {ATTRIBUTES} height="1" width="2" lang="en" duration="9.5">{LEVEL}</media:content>"#
    );
    same(&content);
    same(&format!("{LEVEL}{content}"));
    let second = r#"<media:content url="http://h/b" duration="9.5"/><media:content url="http://h/c" duration="8"/>"#;
    let entry = same(&format!("{LEVEL}<media:group>{LEVEL}{content}{second}</media:group>"));
    let video = &entry.videos[0];
    assert!(video.group && video.files.len() == 3 && entry.media.is_some());
    assert_eq!(video.duration.as_ref().unwrap().value.to_string(), "9.5");
    assert_eq!(video.files[2].duration.as_ref().unwrap().value.to_string(), "8");
    assert_eq!(video.tags.iter().map(Leaf::as_str).collect::<Vec<_>>(), ["k", "l", "a, b"]);
    assert_eq!(video.inherited, [""; 0]);
    same(LEVEL);
}

#[test]
fn the_nearest_level_wins() {
    let feed = head(concat!(
        "<media:title>feed</media:title><media:rating scheme=\"urn:mpaa\">g</media:rating>",
        "<media:rating>nonadult</media:rating><media:category>f</media:category><media:adult>false</media:adult>",
    ));
    let entry = read(
        concat!(
            "<media:title>item</media:title><media:description>item</media:description>",
            "<media:rating scheme=\"urn:mpaa\">pg</media:rating><media:thumbnail url=\"i\"/><media:category>i</media:category>",
            "<media:community><media:statistics views=\"1\"/></media:community><media:hash>h</media:hash>",
            "<media:group><media:content url=\"http://h/a\"><media:description>file a</media:description></media:content>",
            "<media:content url=\"http://h/b\" isDefault=\"true\"><media:title>file b</media:title></media:content>",
            "<media:description>group</media:description><media:category>g</media:category>",
            "<media:community><media:starRating average=\"4\"/></media:community></media:group>",
        ),
        Some(feed),
    );
    let video = &entry.videos[0];
    let text = |text: &Option<crate::model::Text<'_>>| text.as_ref().unwrap().value.value.to_string();
    assert_eq!((text(&video.title), text(&video.description)), ("item".into(), "group".into()));
    let ratings: Vec<&str> = video.ratings.iter().map(|rating| rating.value.as_ref().unwrap().as_str()).collect();
    assert_eq!(ratings, ["pg", "nonadult"]);
    assert!(video.ratings[1].value.as_ref().unwrap().mark.of_feed());
    let categories: Vec<&str> = video.categories.iter().map(|part| part.term.as_ref().unwrap().as_str()).collect();
    assert_eq!(categories, ["g", "i", "f"]);
    assert!(video.views.is_none() && video.hashes.is_empty());
    assert_eq!(video.inherited, ["title", "thumbnails", "adult", "ratings", "categories[1]"]);
    // every value goes back to its own level
    let written = back(&entry, feed);
    assert_eq!(written.text.matches("<media:category>").count(), 2);
    assert_eq!(written.text.matches("<media:title>").count(), 2);
    assert_eq!(written.open, [""; 0]);
}

#[test]
fn objects_of_a_page() {
    let entry = same(concat!(
        r#"<media:thumbnail url="t"/><media:content url="http://h/a.jpg" medium="image"><media:title>i</media:title>"#,
        r#"<media:description>c</media:description><media:license href="l"/><media:credit>x</media:credit></media:content>"#,
        r#"<media:content url="http://h/v.mp4" duration="5"/>"#,
        r#"<media:content url="http://h/a.mp3" fileSize="7" type="audio/mpeg" lang="de" medium="audio" bitrate="64" duration="3">"#,
        r#"<media:title>a</media:title></media:content>"#,
        r#"<media:content medium="video"><media:player url="p"/></media:content>"#,
    ));
    assert_eq!((entry.images.len(), entry.enclosures.len(), entry.videos.len()), (1, 1, 2));
    let player = same(r#"<media:title>t</media:title><media:player url="p"/>"#);
    assert_eq!(player.videos[0].player.as_ref().unwrap().url.as_ref().unwrap().value, "p");
    assert_eq!(player.videos[0].inherited, ["title", "player"]);
}

#[test]
fn enclosures_find_their_places() {
    let entry = read(
        concat!(
            r#"<enclosure url="http://H/a.mp4" type="video/mp4" length="1"/><enclosure url="http://h/b.mp4"/>"#,
            r#"<enclosure url="http://h/c.pdf"/><enclosure url="http://h/d.mp3" type="audio/mpeg"/>"#,
            r#"<media:content url="http://h/a.mp4"/>"#,
        ),
        None,
    );
    let urls: Vec<&str> = entry.enclosures.iter().map(|part| part.url.as_ref().unwrap().as_str()).collect();
    assert_eq!(urls, ["http://H/a.mp4", "http://h/c.pdf", "http://h/d.mp3"]);
    assert_eq!((entry.videos.len(), entry.videos[0].files.len()), (1, 2));
    assert_eq!(entry.videos[0].files[1].url.as_ref().unwrap().via, Some(Ns::Rss2));
    assert_eq!(back(&entry, &Feed::default()).text, r#"<media:content url="http://h/a.mp4"/>"#);
    let moved = write(&entry, &Feed::default(), &crate::format::rss::RSS, &crate::format::atom::ATOM_MEDIA);
    let both =
        r#"<media:group><media:content url="http://h/a.mp4"/><media:content url="http://h/b.mp4"/></media:group>"#;
    assert_eq!(moved.text, both);
    let alone = read(r#"<enclosure url="http://h/a" type="video/mp4"/><media:title>t</media:title>"#, None);
    assert_eq!(alone.videos[0].inherited, ["title"]);
}

#[test]
fn seconds_of_a_kind() {
    let entry = read(
        concat!(
            "<media:player url=\"a\"/><media:player url=\"b\" width=\"1\"/><media:title>x</media:title><media:title type=\"html\">y</media:title>",
            "<media:restriction relationship=\"allow\">de</media:restriction><media:restriction type=\"country\" relationship=\"deny\">us</media:restriction>",
            "<media:rating>adult</media:rating><media:rating scheme=\"urn:simple\">nonadult</media:rating>",
        ),
        None,
    );
    assert_eq!(entry.foreign, []);
    let count = |is: fn(&Preset) -> bool| entry.origin.records.iter().filter(|record| is(&record.preset)).count();
    assert_eq!(count(|preset| matches!(preset, Preset::Merged(..))), 1 + 2 + 2 + 1);
    // the width and the scheme have no counterpart
    assert_eq!(count(|preset| matches!(preset, Preset::Removed(_, Reason::ElementNotChosen))), 2);
    let media = entry.media.as_ref().unwrap();
    assert!(media.player.as_ref().unwrap().width.is_none());
    assert_eq!(media.restriction.as_ref().unwrap().countries[0].value, "de");
}

#[test]
fn unreadable_values_stay() {
    for inside in [
        "<media:adult>perhaps</media:adult>",
        "<media:restriction type=\"planet\" relationship=\"allow\">mars</media:restriction>",
        "<media:thumbnail width=\"wide\"/>",
        "<dcterms:valid>2026-01-01</dcterms:valid>",
        "<dcterms:type>MovingImage</dcterms:type>",
        "<media:content file_size=\"1\"/>",
        "<media:unheard-of>x</media:unheard-of>",
    ] {
        let entry = read(inside, None);
        assert!(!entry.foreign.is_empty(), "{inside}");
        assert!(entry.media.is_none() && entry.videos.is_empty(), "{inside}");
    }
    let one = read("<media:content url=\"http://h/a.mp4\" duration=\"long\" width=\"5\"/>", None);
    assert_eq!(one.foreign.len(), 1);
}

#[test]
fn a_sitemaps_video_in_googles_layout() {
    let file = File { url: Some("http://h/a.mp4".into()), ..File::default() };
    let video = Video {
        title: Some("T".into()),
        files: vec![file],
        duration: Some(Leaf::new(crate::model::Seconds::from_micros(60_000_000))),
        restriction: Some(Restriction {
            relationship: Some("allow".into()),
            countries: vec!["US".into(), "CA".into()],
        }),
        family_friendly: Some(Leaf::new(true)),
        requires_subscription: Some(Leaf::new(true)),
        allow_embed: Some(Leaf::new(false)),
        live: Some(Leaf::new(true)),
        tags: vec!["a".into(), "b, c".into()],
        rating: Some(crate::model::Rating {
            average: crate::model::Decimal::parse("4.2".into()).map(|(decimal, _)| Leaf::new(decimal)),
            ..Default::default()
        }),
        ..Video::default()
    };
    let entry = Entry { videos: vec![video], ..Entry::default() };
    let written = write(&entry, &Feed::default(), &crate::format::sitemap::SITEMAP, &crate::format::rss::MRSS);
    let expected = concat!(
        r#"<media:restriction relationship="allow" type="country">us ca</media:restriction><dcterms:type>live-video</dcterms:type>"#,
        r#"<media:content url="http://h/a.mp4" medium="video" duration="60">"#,
        r#"<media:rating scheme="urn:simple">nonadult</media:rating><media:title>T</media:title><media:keywords>a</media:keywords>"#,
        r#"<media:category scheme="urn:transfeed:tag">b, c</media:category>"#,
        r#"<media:restriction relationship="deny" type="sharing"/>"#,
        r#"<media:community><media:starRating average="4.2" min="0" max="5"/></media:community>"#,
        r#"<media:price type="subscription"/></media:content>"#,
    );
    assert_eq!(written.text, expected);
    let nobody = Restriction { relationship: Some("allow".into()), countries: Vec::new() };
    let entry = Entry { videos: vec![Video { restriction: Some(nobody), ..Video::default() }; 2], ..Entry::default() };
    let written = write(&entry, &Feed::default(), &crate::format::sitemap::SITEMAP, &crate::format::rss::MRSS);
    let one = r#"<media:content medium="video"><media:restriction relationship="allow" type="country">none</media:restriction></media:content>"#;
    assert_eq!(written.text, format!("{one}{one}"));
}

#[test]
fn places() {
    same(
        "<georss:point>1 2</georss:point><georss:featurename>n</georss:featurename><georss:line>1 2 3 4</georss:line>",
    );
    same("<georss:where><gml:Point><gml:pos>1 2</gml:pos></gml:Point></georss:where>");
    same(concat!(
        "<georss:where><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>1 2 3 4</gml:posList>",
        "</gml:LinearRing></gml:exterior></gml:Polygon></georss:where>",
        "<georss:where><gml:Envelope><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3 4</gml:upperCorner>",
        "</gml:Envelope></georss:where>",
    ));
    let entry = same("<geo:lat>1.5</geo:lat><geo:long>-2</geo:long>");
    assert_eq!(entry.location[0].point.as_ref().unwrap().value, "1.5 -2");
    let written = write(&entry, &Feed::default(), &crate::format::atom::ATOM, &crate::format::rss::MRSS);
    assert_eq!(written.text, "<georss:point>1.5 -2</georss:point>");
    assert_eq!(read("<geo:lat>1</geo:lat><georss:elev>5</georss:elev>", None).foreign.len(), 1);
}

#[test]
fn the_table_names_only_members_of_videos() {
    for field in Field::ALL {
        let of_video = field.name().starts_with("video.") || field.name().starts_with("text.");
        assert!(of_video || video_fate(*field) == Fate::NONE, "{}", field.name());
        if let Some((_, attribute)) = video_fate(*field).name().and_then(|name| name.rsplit_once('@')) {
            assert!(!attribute.contains('/'), "{attribute}");
        }
    }
}

#[test]
fn long_lists_are_not_handed_down() {
    let many: String = (0..1000).map(|n| format!("<media:thumbnail url=\"{n}\"/>")).collect();
    let contents = "<media:content url=\"http://h/a.mp4\"/>".repeat(1000);
    let entry = read(&format!("{many}{contents}"), None);
    assert_eq!(entry.videos.len(), 1000);
    assert!(entry.videos.iter().all(|video| video.thumbnails.is_empty()));
}
