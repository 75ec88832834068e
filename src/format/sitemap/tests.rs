//! Rules of reading and writing sitemaps, each by the smallest input that shows it.

use std::borrow::Cow;

use super::{SITEMAP, VIDEO};
use crate::code::{Code, LossKind};
use crate::convert::Conversion;
use crate::emit::Out;
use crate::format::{Format, Setup, Survey, rss, text};
use crate::ledger::{Books, Ledger};
use crate::model::origin::{LeafRecord, Preset, Role};
use crate::model::{
    Audience, Available, Category, Credit, Date, Decimal, Embed, Enclosure, Entry, Feed, File, Image, Leaf, Mark,
    Module, Player, Price, Rating, Restriction, Seconds, Status, Text, TextKind, Thumbnail, Video, Walk,
};
use crate::options::{Options, Profile};

/// Writes one entry of a feed as one of a video sitemap; the books must balance.
fn from_feed(entry: Entry<'_>) -> (String, Ledger) {
    write(entry, &rss::MRSS, &VIDEO, &Options::default())
}

fn write(mut entry: Entry<'_>, source: &'static Format, to: &'static Format, options: &Options) -> (String, Ledger) {
    let mut records = Vec::new();
    entry.marks(&mut |mark: &mut Mark| {
        *mark = Mark(records.len() as u32);
        records.push(LeafRecord { at: 0, role: Role::Leaf, preset: Preset::Open });
    });
    entry.origin.records = records;
    let (feed, survey) = (Feed::default(), Survey::default());
    let same_family = source.family == to.family;
    let setup = Setup { source, target: to, same_family, options, feed: &feed, own_feed: &feed, survey: &survey };
    let writer = to.writer.unwrap();
    let declared = writer.namespaces(&setup);
    let style = setup.style(writer, &declared);
    let (mut books, mut ledger, mut buf) = (Books::default(), Ledger::new(false), Vec::new());
    books.open(&entry.origin.records);
    writer.entry(&entry, &setup, &mut Out::new(&style, &mut buf, &mut books, 1));
    if books.dropped() {
        buf.clear();
    }
    ledger.close(&mut books, &entry.origin, style.table, |visit| entry.walk((), visit)).unwrap();
    let declared = " xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"";
    (String::from_utf8(buf).unwrap().replace(declared, ""), ledger)
}

fn convert(input: &str, to: &'static Format) -> (String, Ledger) {
    Conversion::to(to).bytes(input.as_bytes()).unwrap()
}

fn url(inside: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">{inside}</urlset>"
    )
}

/// What happened to a field.
fn codes(ledger: &Ledger, field: &str) -> Vec<(LossKind, Code)> {
    ledger.rows().iter().filter(|row| row.field == field).map(|row| (row.kind, row.code())).collect()
}

/// The content of the elements of this name.
fn all<'x>(xml: &'x str, name: &str) -> Vec<&'x str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let pieces = xml.split(open.as_str()).skip(1).filter(|piece| piece.starts_with(['>', ' ']));
    pieces.filter_map(|piece| Some(piece.split_once('>')?.1.split_once(&close)?.0)).collect()
}

fn decimal(text: &str) -> Option<Leaf<Decimal<'static>>> {
    Some(Leaf::new(Decimal::parse(Cow::Owned(text.to_owned())).unwrap().0))
}

fn date(text: &str) -> Option<Leaf<Date>> {
    Some(Leaf::new(Date::parse(text).unwrap().0))
}

fn file(url: &str) -> File<'_> {
    File { url: Some(url.into()), ..File::default() }
}

/// A video that Google takes.
fn good<'a>() -> Video<'a> {
    Video {
        title: Some("Knives".into()),
        description: Some("Which knife for which bread".into()),
        thumbnails: vec![Thumbnail { url: Some("https://a.example/t.jpg".into()), ..Thumbnail::default() }],
        files: vec![file("https://a.example/v.mp4")],
        ..Video::default()
    }
}

fn page(video: Video<'_>) -> Entry<'_> {
    Entry { loc: Some("https://a.example/page".into()), videos: vec![video], ..Entry::default() }
}

#[test]
fn the_elements_stand_in_the_order_of_the_schema() {
    let video = Video {
        player: Some(Player { url: Some("https://a.example/p".into()), ..Player::default() }),
        duration: Some(Leaf::new(Seconds::from_micros(90_500_000))),
        views: Some(Leaf::new(7)),
        tags: vec!["a".into(), "A".into(), "b".into()],
        live: Some(Leaf::new(false)),
        ..good()
    };
    let (xml, ledger) = from_feed(page(video));
    assert_eq!(
        xml,
        "<url><loc>https://a.example/page</loc><video:video>\
         <video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc>\
         <video:title>Knives</video:title><video:description>Which knife for which bread</video:description>\
         <video:content_loc>https://a.example/v.mp4</video:content_loc>\
         <video:player_loc>https://a.example/p</video:player_loc><video:duration>91</video:duration>\
         <video:view_count>7</video:view_count><video:tag>a</video:tag><video:tag>b</video:tag>\
         <video:live>no</video:live></video:video></url>"
    );
    assert_eq!(codes(&ledger, "video.duration"), [(LossKind::Changed, Code::Rounded)]);
    assert_eq!(codes(&ledger, "video.tags"), [(LossKind::Merged, Code::DuplicateMerged)]);
}

#[test]
fn an_entry_without_a_page_is_dropped() {
    let (xml, ledger) = from_feed(Entry { loc: None, ..page(good()) });
    assert_eq!((xml.as_str(), ledger.totals().kept), ("", 0));
    assert_eq!(codes(&ledger, "video.title"), [(LossKind::Lost, Code::PageMissing)]);
}

#[test]
fn a_permanent_guid_stands_in_for_the_page() {
    let entry = Entry { loc: None, id: Some("https://a.example/guid".into()), ..page(good()) };
    let (xml, ledger) = from_feed(entry.clone());
    assert_eq!(all(&xml, "loc"), ["https://a.example/guid"]);
    assert_eq!(codes(&ledger, "loc"), [(LossKind::Made, Code::SynthLink)]);
    let (xml, _) = from_feed(Entry { id_is_permalink: Some(Leaf::new(false)), ..entry });
    assert_eq!(xml, "");
}

#[test]
fn a_page_that_is_the_media_file_is_none() {
    let entry =
        Entry { loc: Some("https://a.example/v.mp4".into()), id: Some("https://a.example/g".into()), ..page(good()) };
    let (xml, ledger) = from_feed(entry);
    assert_eq!((all(&xml, "loc"), all(&xml, "video:content_loc").len()), (vec!["https://a.example/g"], 1));
    assert_eq!(codes(&ledger, "loc")[0], (LossKind::Merged, Code::DuplicateMerged));
}

#[test]
fn what_google_requires_comes_from_the_page() {
    let entry = Entry {
        title: Some("Page".into()),
        summary: Some(Text::new(TextKind::Html, "<p>Of <b>bread</b></p>".into())),
        images: vec![Image { loc: Some("https://a.example/i.jpg".into()), ..Image::default() }],
        ..page(Video { files: vec![file("https://a.example/v.mp4")], ..Video::default() })
    };
    let (xml, ledger) = from_feed(entry);
    assert_eq!(all(&xml, "video:title"), ["Page"]);
    assert_eq!(all(&xml, "video:description"), ["Of bread"]);
    assert_eq!(all(&xml, "video:thumbnail_loc"), ["https://a.example/i.jpg"]);
    assert_eq!(codes(&ledger, "video.title"), [(LossKind::Made, Code::SynthTitle)]);
    assert_eq!(codes(&ledger, "title"), [(LossKind::Changed, Code::Moved)]);
    assert_eq!(ledger.totals().made, 3);
}

#[test]
fn nothing_is_made_if_that_is_forbidden() {
    let entry = Entry { title: Some("Page".into()), ..page(Video { title: None, ..good() }) };
    let options = Options { no_synth: true, ..Options::default() };
    let (xml, ledger) = write(entry, &rss::MRSS, &VIDEO, &options);
    assert_eq!(xml, "<url><loc>https://a.example/page</loc></url>");
    assert_eq!(codes(&ledger, "video.description"), [(LossKind::Lost, Code::VideoDropped)]);
}

#[test]
fn without_a_thumbnail_there_is_no_video_but_a_page() {
    let (xml, ledger) = from_feed(page(Video { thumbnails: Vec::new(), ..good() }));
    assert_eq!(xml, "<url><loc>https://a.example/page</loc></url>");
    assert_eq!(codes(&ledger, "video.file.url"), [(LossKind::Lost, Code::VideoDropped)]);
    let schema = Options { profile: Profile::None, ..Options::default() };
    let entry = page(Video { thumbnails: Vec::new(), ..good() });
    assert_eq!(all(&write(entry, &rss::MRSS, &VIDEO, &schema).0, "video:title"), ["Knives"]);
}

#[test]
fn a_blocked_video_is_not_written() {
    let status = Status { state: Some("Blocked".into()), ..Status::default() };
    let (xml, _) = from_feed(page(Video { status: Some(status), ..good() }));
    assert!(!xml.contains("video:"));
}

#[test]
fn thumbnails_without_a_time_go_first() {
    let thumbnail = |url: &'static str, time: Option<&'static str>, width| Thumbnail {
        url: Some(url.into()),
        time: time.map(Into::into),
        width: Some(Leaf::new(width)),
        ..Thumbnail::default()
    };
    let thumbnails = vec![
        thumbnail("https://a.example/1.jpg", Some("0:10"), 640),
        thumbnail("https://a.example/2.jpg", None, 20),
        thumbnail("https://a.example/3.jpg", None, 640),
    ];
    let (xml, ledger) = from_feed(page(Video { thumbnails, ..good() }));
    assert_eq!(all(&xml, "video:thumbnail_loc"), ["https://a.example/3.jpg"]);
    // one is too small, of the others one was chosen
    assert_eq!(codes(&ledger, "video.thumbnail.url"), [(LossKind::Lost, Code::ListReduced); 2]);
}

#[test]
fn one_rendition_is_chosen() {
    let with = |url: &'static str, height, is_default| File {
        height: Some(Leaf::new(height)),
        is_default: Some(Leaf::new(is_default)),
        ..file(url)
    };
    let mut files = vec![
        with("rtmp://a.example/v", 2160, true),
        with("https://a.example/720.mp4", 720, false),
        with("https://a.example/1080.mp4", 1080, false),
        with("https://a.example/1080.webm", 1080, false),
    ];
    let (xml, ledger) = from_feed(page(Video { files: files.clone(), ..good() }));
    assert_eq!(all(&xml, "video:content_loc"), ["https://a.example/1080.mp4"]);
    let lost = codes(&ledger, "video.file.url");
    assert_eq!(lost, [(LossKind::Lost, Code::SchemeUnsupported), (LossKind::Lost, Code::RenditionDropped)]);
    files[1].is_default = Some(Leaf::new(true));
    let (xml, _) = from_feed(page(Video { files, ..good() }));
    assert_eq!(all(&xml, "video:content_loc"), ["https://a.example/720.mp4"]);
}

#[test]
fn what_is_no_file_is_a_player() {
    let content = |url: &'static str| from_feed(page(Video { files: vec![file(url)], ..good() }));
    let (xml, ledger) = content("https://a.example/film.swf");
    assert_eq!(
        (all(&xml, "video:content_loc").len(), all(&xml, "video:player_loc")),
        (0, vec!["https://a.example/film.swf"])
    );
    assert_eq!(codes(&ledger, "video.file.url"), [(LossKind::Changed, Code::TypeChanged)]);
    let (xml, ledger) = content("https://www.youtube.com/watch?v=abcdefghijk");
    assert_eq!(all(&xml, "video:player_loc"), ["https://www.youtube.com/embed/abcdefghijk"]);
    assert_eq!(codes(&ledger, "video.file.url"), [(LossKind::Changed, Code::UrlRewritten)]);
}

#[test]
fn a_player_is_not_the_page() {
    let player = |url: &'static str| Some(Player { url: Some(url.into()), ..Player::default() });
    let embed = Embed { url: Some("https://a.example/embed".into()), ..Embed::default() };
    let video = Video { player: player("https://a.example/page"), embed: Some(embed), ..good() };
    let (xml, ledger) = from_feed(page(video));
    assert_eq!(all(&xml, "video:player_loc"), ["https://a.example/embed"]);
    assert_eq!(codes(&ledger, "video.player.url"), [(LossKind::Lost, Code::SameAsPage)]);
    assert_eq!(codes(&ledger, "video.embed.url"), [(LossKind::Changed, Code::Moved)]);
    // the page of a platform gives a player and a thumbnail
    let loc = "https://www.youtube.com/watch?v=abcdefghijk";
    let video = Video { files: Vec::new(), thumbnails: Vec::new(), ..good() };
    let (xml, ledger) = from_feed(Entry { loc: Some(loc.into()), ..page(video) });
    assert_eq!(all(&xml, "video:player_loc"), ["https://www.youtube.com/embed/abcdefghijk"]);
    assert_eq!(all(&xml, "video:thumbnail_loc"), ["https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg"]);
    assert_eq!((ledger.totals().made, ledger.totals().lost), (2, 0));
}

#[test]
fn a_file_that_is_the_page_is_dropped() {
    let (xml, ledger) = convert(
        &url("<url><loc>https://a.example/v.mp4</loc><video:video><video:thumbnail_loc>https://a.example/t.jpg\
              </video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description>\
              <video:content_loc>https://a.example/v.mp4</video:content_loc>\
              <video:player_loc>https://a.example/p</video:player_loc></video:video></url>"),
        &VIDEO,
    );
    assert_eq!((all(&xml, "video:content_loc").len(), all(&xml, "video:player_loc").len()), (0, 1));
    assert_eq!(codes(&ledger, "video.file.url"), [(LossKind::Lost, Code::SameAsPage)]);
}

#[test]
fn stars_are_five() {
    let stars = |average, max: Option<&str>| {
        let rating = Rating { average: decimal(average), max: max.and_then(decimal), ..Rating::default() };
        let (xml, _) = from_feed(page(Video { rating: Some(rating), ..good() }));
        all(&xml, "video:rating").first().map(|rating| (*rating).to_owned())
    };
    assert_eq!(stars("4.5", None).as_deref(), Some("4.5"));
    assert_eq!(stars("4.5", Some("5")).as_deref(), Some("4.5"));
    assert_eq!(stars("8.4", None).as_deref(), Some("4.20"));
    assert_eq!(stars("84", Some("100")).as_deref(), Some("4.20"));
    assert_eq!(stars("84", None).as_deref(), Some("4.20"));
    assert_eq!(stars("-1", None), None);
    assert_eq!(stars("6", Some("5")), None);
    assert_eq!(stars("400", None), None);
    assert_eq!(stars("99999999999999999999999999999999999999", Some("99999999999999999999999999999999999999")), None);
}

#[test]
fn grades_become_yes_or_no() {
    let friendly = |grades: &[(Option<&'static str>, &'static str)]| {
        let grade = |(scheme, value): &(Option<&'static str>, &'static str)| Audience {
            scheme: scheme.map(Into::into),
            value: Some((*value).into()),
        };
        let ratings = grades.iter().map(grade).collect();
        let (xml, _) = from_feed(page(Video { ratings, ..good() }));
        all(&xml, "video:family_friendly").first().map(|said| (*said).to_owned())
    };
    assert_eq!(friendly(&[(None, "adult")]).as_deref(), Some("no"));
    assert_eq!(friendly(&[(Some("urn:simple"), "nonadult"), (Some("urn:mpaa"), "NC-17")]).as_deref(), Some("no"));
    assert_eq!(friendly(&[(Some("urn:v-chip"), "TV-14")]).as_deref(), Some("yes"));
    assert_eq!(friendly(&[(Some("urn:mpaa"), "r")]), None);
}

#[test]
fn restrictions_keep_their_side() {
    let restriction = |relationship: Option<&'static str>, countries: &[&'static str]| {
        let countries = countries.iter().map(|code| (*code).into()).collect();
        let restriction = Restriction { relationship: relationship.map(Into::into), countries };
        let (xml, _) = from_feed(page(Video { restriction: Some(restriction), ..good() }));
        xml.split_once("<video:restriction").map(|(_, rest)| rest.split("</video:video>").next().unwrap().to_owned())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        restriction(Some("allow"), &["us", "UK", "us"]),
        some(" relationship=\"allow\">US GB</video:restriction>")
    );
    assert_eq!(restriction(Some("deny"), &["USA", "zz9"]), some(" relationship=\"deny\">US</video:restriction>"));
    assert_eq!(restriction(None, &["US"]), some(" relationship=\"allow\">US</video:restriction>"));
    // a video that no country may see is left out for Google
    assert_eq!(restriction(Some("allow"), &[]), None);
    assert_eq!(restriction(Some("deny"), &["all"]), None);
    assert_eq!(restriction(Some("allow"), &["all"]), None);
    assert_eq!(restriction(Some("deny"), &["none"]), None);
    assert_eq!(restriction(Some("deny"), &[]), None);
    assert_eq!(restriction(Some("deny"), &["zz9"]), None);
}

#[test]
fn prices_and_subscriptions() {
    let price = |amount: Option<&str>, currency: Option<&'static str>, kind: Option<&'static str>| {
        let price = Price {
            amount: amount.and_then(decimal),
            currency: currency.map(Into::into),
            kind: kind.map(Into::into),
            ..Price::default()
        };
        let (xml, _) = from_feed(page(Video { prices: vec![price], ..good() }));
        xml.split_once("</video:content_loc>").unwrap().1.replace("</video:video></url>", "")
    };
    assert_eq!(
        price(Some("1.50"), Some("eur"), Some("rent")),
        "<video:price currency=\"EUR\" type=\"rent\">1.50</video:price>"
    );
    assert_eq!(price(Some("1.50"), Some("EUR"), Some("purchase")), "<video:price currency=\"EUR\">1.50</video:price>");
    assert_eq!(price(None, None, Some("purchase")), "<video:price type=\"purchase\"/>");
    assert_eq!(price(Some("1.50"), None, None), "");
    assert_eq!(price(Some("9"), Some("EUR"), Some("package")), "");
    let subscription = "<video:requires_subscription>yes</video:requires_subscription>";
    assert_eq!(price(Some("9"), Some("EUR"), Some("subscription")), subscription);
}

#[test]
fn an_own_price_is_a_purchase() {
    let (xml, ledger) = convert(
        &url("<url><loc>https://a.example/</loc><video:video><video:thumbnail_loc>https://a.example/t.jpg\
              </video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description>\
              <video:content_loc>https://a.example/v.mp4</video:content_loc>\
              <video:price currency=\"EUR\" type=\"own\" resolution=\"HD\">1</video:price></video:video></url>"),
        &VIDEO,
    );
    assert!(xml.contains("<video:price currency=\"EUR\" resolution=\"hd\">1</video:price>"), "{xml}");
    assert_eq!(codes(&ledger, "video.price.type"), [(LossKind::Lost, Code::NoCarrier)]);
}

#[test]
fn dates_are_days_or_seconds() {
    let published = |text| {
        let (xml, ledger) = from_feed(page(Video { published: date(text), ..good() }));
        (all(&xml, "video:publication_date")[0].to_owned(), codes(&ledger, "video.published").first().map(|c| c.1))
    };
    let is = |text: &str, code| (text.to_owned(), code);
    assert_eq!(published("2026-01-02"), is("2026-01-02", None));
    assert_eq!(published("2026-01"), is("2026-01-01", Some(Code::PrecisionRaised)));
    assert_eq!(published("2026-01-02T03:04Z"), is("2026-01-02T03:04:00+00:00", Some(Code::PrecisionRaised)));
    assert_eq!(published("2026-01-02T03:04:05"), is("2026-01-02T03:04:05+00:00", Some(Code::ZoneAssumed)));
    assert_eq!(published("2026-01-02T03:04:05.6+01:00"), is("2026-01-02T03:04:05+01:00", Some(Code::PrecisionDropped)));
}

#[test]
fn the_publication_date_has_stand_ins() {
    let available = Available { start: date("2026-01-03"), end: date("2027-01-03"), ..Available::default() };
    let entry = page(Video { available: Some(available), ..good() });
    let (xml, ledger) = from_feed(entry.clone());
    assert_eq!(
        (all(&xml, "video:publication_date"), all(&xml, "video:expiration_date")),
        (vec!["2026-01-03"], vec!["2027-01-03"])
    );
    assert_eq!(codes(&ledger, "video.available.start"), [(LossKind::Changed, Code::Moved)]);
    let (xml, ledger) = from_feed(Entry { published: date("2026-01-01"), ..entry });
    assert_eq!(all(&xml, "video:publication_date"), ["2026-01-01"]);
    assert_eq!(codes(&ledger, "video.available.start"), [(LossKind::Lost, Code::NoCarrier)]);
}

#[test]
fn the_uploader_is_a_credit_or_an_author() {
    let credit = Credit { name: Some("Jo".into()), role: Some("uploader".into()), scheme: Some("urn:yvs".into()) };
    let author =
        crate::model::Person { name: Some("Al".into()), uri: Some("https://b.example/al".into()), email: None };
    let entry = Entry { authors: vec![author], ..page(good()) };
    let (xml, ledger) = from_feed(Entry { videos: vec![Video { credits: vec![credit], ..good() }], ..entry.clone() });
    assert_eq!(all(&xml, "video:uploader"), ["Jo"]);
    assert!(codes(&ledger, "video.credit.role").is_empty());
    let (xml, ledger) = from_feed(entry);
    assert!(xml.contains("<video:uploader>Al</video:uploader>"));
    assert_eq!(codes(&ledger, "author.uri"), [(LossKind::Lost, Code::AttributeDropped)]);
}

#[test]
fn tags_have_room_for_categories() {
    let category = |term: &'static str| Category { term: Some(term.into()), ..Category::default() };
    let video = Video { tags: vec!["bread".into()], categories: vec![category("Food"), category("Baking")], ..good() };
    let (xml, ledger) = from_feed(Entry { categories: vec![category("bread"), category("News")], ..page(video) });
    assert_eq!((all(&xml, "video:tag"), all(&xml, "video:category")), (vec!["bread", "Baking", "News"], vec!["Food"]));
    assert_eq!(codes(&ledger, "category.term")[0].1, Code::Moved);
    let tags = (0..40).map(|n| format!("t{n}").into()).collect();
    let (xml, ledger) = from_feed(page(Video { tags, ..good() }));
    assert_eq!(all(&xml, "video:tag").len(), 32);
    assert_eq!(codes(&ledger, "video.tags"), [(LossKind::Lost, Code::ListCut)]);
}

#[test]
fn what_a_podcast_says_of_its_episode() {
    let module = |name: &'static str, value: &'static str| Module {
        name: name.into(),
        value: Some(value.into()),
        ..Module::default()
    };
    let modules = vec![
        module("itunes:duration", "1:01"),
        module("itunes:explicit", "clean"),
        module("itunes:keywords", "a, b"),
        module("itunes:summary", "Words"),
    ];
    let enclosure = Enclosure { url: Some("https://a.example/v.mp4".into()), ..Enclosure::default() };
    let entry = Entry { modules, enclosures: vec![enclosure], ..page(Video { description: None, ..good() }) };
    let (xml, ledger) = from_feed(entry);
    assert_eq!(all(&xml, "video:duration"), ["61"]);
    assert_eq!(all(&xml, "video:family_friendly"), ["yes"]);
    assert_eq!(all(&xml, "video:tag"), ["a", "b"]);
    assert_eq!(all(&xml, "video:description"), ["Words"]);
    assert_eq!(codes(&ledger, "enclosure.url"), [(LossKind::Merged, Code::DuplicateMerged)]);
    assert_eq!(ledger.totals().lost, 0);
}

#[test]
fn a_long_description_is_cut() {
    let words = "word ".repeat(1000);
    let (xml, ledger) = from_feed(page(Video { description: Some(words.as_str().into()), ..good() }));
    assert!(all(&xml, "video:description")[0].chars().count() <= 2048);
    assert_eq!(codes(&ledger, "video.description"), [(LossKind::Changed, Code::Truncated)]);
}

#[test]
fn pages_of_one_address_become_one() {
    let entry = |loc: &str, rest: &str| format!("<url><loc>{loc}</loc>{rest}</url>");
    let input = [
        entry("https://a.example/1", "<lastmod>2026-01-01</lastmod><priority>0.2</priority>"),
        entry("https://a.example/2", ""),
        entry(
            "HTTPS://A.example:443/1",
            "<lastmod>2026-02-01</lastmod><priority>0.1</priority><changefreq>daily</changefreq>",
        ),
    ];
    let (xml, ledger) = convert(&url(&input.concat()), &SITEMAP);
    assert_eq!(all(&xml, "loc"), ["https://a.example/1", "https://a.example/2"]);
    assert_eq!((all(&xml, "lastmod"), all(&xml, "priority")), (vec!["2026-02-01"], vec!["0.2"]));
    assert_eq!(all(&xml, "changefreq"), ["daily"]);
    assert_eq!(codes(&ledger, "loc"), [(LossKind::Merged, Code::DuplicateMerged)]);
    assert_eq!(codes(&ledger, "updated"), [(LossKind::Merged, Code::ConflictFirstWins)]);
    assert_eq!(ledger.totals().leaves, 8);
}

#[test]
fn videos_of_one_page_come_together() {
    let video = |file: &str, more: &str| {
        format!(
            "<url><loc>https://a.example/</loc><video:video><video:thumbnail_loc>https://a.example/t.jpg\
             </video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description>\
             <video:content_loc>https://a.example/{file}</video:content_loc>{more}</video:video></url>"
        )
    };
    let rating = "<video:rating>4</video:rating>";
    let input = [video("1.mp4", ""), video("2.mp4", ""), video("1.mp4", rating)].concat();
    let (xml, ledger) = convert(&url(&input), &VIDEO);
    assert_eq!((all(&xml, "loc").len(), all(&xml, "video:content_loc").len()), (1, 2));
    assert_eq!(all(&xml, "video:rating"), ["4"]);
    assert_eq!(codes(&ledger, "video.title"), [(LossKind::Merged, Code::DuplicateMerged)]);
    assert_eq!(ledger.totals().lost, 0);
}

#[test]
fn wild_sitemaps_are_read() {
    let input = "<urlset><url><loc>\n https://a.example/x?a=1&amp;amp;b=2 </loc><changeFreq>Weekly</changeFreq>\
                 <lastmod>Sat, 03 Jan 2026 04:05:06 GMT</lastmod><priority>1.5</priority></url></urlset>";
    let (xml, ledger) = convert(input, &SITEMAP);
    assert_eq!(all(&xml, "loc"), ["https://a.example/x?a=1&amp;b=2"]);
    assert_eq!((all(&xml, "changefreq"), all(&xml, "lastmod")), (vec!["weekly"], vec!["2026-01-03T04:05:06+00:00"]));
    assert_eq!(codes(&ledger, "loc"), [(LossKind::Changed, Code::UrlNormalized)]);
    assert_eq!(codes(&ledger, "priority"), [(LossKind::Lost, Code::OutOfRange)]);
    let video = url("<url><loc>https://a.example/</loc><video:video><title>T</title><video:tag>a, b</video:tag>\
                     <video:description>caf&amp;eacute;</video:description>\
                     <video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc>\
                     <video:player_loc>&lt;iframe src=\"https://a.example/p\">&lt;/iframe></video:player_loc>\
                     </video:video></url>");
    let (xml, _) = convert(&video, &VIDEO);
    assert_eq!((all(&xml, "video:title"), all(&xml, "video:tag")), (vec!["T"], vec!["a", "b"]));
    assert_eq!(
        (all(&xml, "video:description"), all(&xml, "video:player_loc")),
        (vec!["café"], vec!["https://a.example/p"])
    );
}

#[test]
fn lists_of_addresses() {
    let (lines, ledger) =
        convert("https://a.example/\r\n# no\nhttps://a.example/#top\nhttps://a.example/\u{e9}\n", &text::TEXT);
    assert_eq!(lines, "https://a.example/\nhttps://a.example/%C3%A9\n");
    assert_eq!(
        codes(&ledger, "loc"),
        [(LossKind::Changed, Code::UrlNormalized), (LossKind::Merged, Code::DuplicateMerged)]
    );
    assert_eq!((ledger.totals().unread, ledger.totals().lost), (1, 0));
}

#[test]
fn an_index_has_the_urls_of_its_parts() {
    let index = |folder| {
        let parts = [(std::path::Path::new("x/пруд & more-0001.xml"), None)];
        super::indexes(folder, &parts).map(|bytes| String::from_utf8(bytes).unwrap()).collect::<Vec<_>>()
    };
    let found = index("https://pond.example");
    assert!(found[0].contains("<loc>https://pond.example/%D0%BF%D1%80%D1%83%D0%B4%20%26%20more-0001.xml</loc>"));
    assert_eq!((found.len(), index("https://pond.example/a/")), (1, index("https://pond.example/a")));
}
