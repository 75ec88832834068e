//! The library as its users have it: documents read, edited, written. What is not edited is written as the command writes
//! it; what is edited is in the output and in the books.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use transfeed::{
    Code, Conversion, Document, Entry, Error, ErrorKind, Input, LossKind, Options, Reader, Report, Target, Text, Video,
};

use crate::common::{scratch, transfeed};

/// Documents of all formats: samples, and specimens with every element of a format.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["samples", "tests/fixtures/specimen"] {
        let found = std::fs::read_dir(root.join(folder)).expect("a folder of documents");
        files.extend(found.flatten().map(|file| file.path()));
    }
    if let Some(more) = std::env::var_os("TRANSFEED_LIBRARY") {
        files.extend(std::fs::read_dir(more).expect("a folder of documents").flatten().map(|file| file.path()));
    }
    files.retain(|path| path.is_file() && path.extension().is_some_and(|ending| ending != "md"));
    files.retain(|path| is_feed(path));
    files.sort();
    assert!(files.len() > 15, "{files:?}");
    files
}

/// Options that make the same of a document at any time.
fn options() -> Options {
    Options { now: transfeed::Date::from_unix(1_780_000_000), threads: 1, ..Options::default() }
}

fn read(path: &Path) -> Document {
    let read = Document::read(path, None, &options());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether it is a feed at all.
fn is_feed(path: &Path) -> bool {
    !matches!(Document::read(path, None, &options()), Err(error) if matches!(error.kind(), ErrorKind::Format { .. }))
}

/// The report as JSON, as the command writes it.
fn books(report: &Report) -> String {
    let mut json = Vec::new();
    report.write_json(&mut json).expect("memory");
    String::from_utf8(json).expect("JSON")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn balance(report: &Report) -> bool {
    let sums = report.totals();
    sums.leaves == sums.kept + sums.changed + sums.lost + sums.unread + sums.merged
}

/// Writes it, or says which limit the document passes: an index of sitemaps becomes no feed.
fn write(document: &Document, target: Target) -> Option<(String, Report)> {
    match document.write_with(target, &options()) {
        Ok((bytes, report)) => {
            assert!(balance(&report), "{target}: {:?}", report.totals());
            Some((text(&bytes), report))
        }
        Err(error) => {
            assert!(!error.is_bug(), "{target}: {error}");
            None
        }
    }
}

const FEED: &[u8] = br#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:x="https://example.com/x"><channel>
<title>Lights</title><link>https://example.com/</link><description>Of the coast</description>
<item><title>One</title><link>https://example.com/1</link><x:ours by="us">kept</x:ours>
  <media:title>On the item</media:title><media:thumbnail url="https://example.com/item.jpg"/><media:keywords>sea, light, night</media:keywords>
  <media:group><media:content url="https://example.com/1.mp4" bitrate="800"/><media:description>First</media:description></media:group>
  <media:group><media:content url="https://example.com/2.mp4"/><media:title>Its own</media:title></media:group>
</item>
<item><title>Two</title><link>https://example.com/2</link>
  <media:player url="https://example.com/embed/2"/><media:thumbnail url="https://example.com/2.jpg"/>
</item></channel></rss>"#;

fn file_of(video: &Video) -> &str {
    video.files.first().and_then(|file| file.url.as_deref()).unwrap_or("")
}

fn losses(report: &Report, reason: &str) -> Vec<String> {
    let mut fields: Vec<String> =
        report.losses().filter(|loss| loss.reason == reason).map(|loss| loss.field.clone()).collect();
    fields.sort();
    fields
}

const REMOVED: &str = "removed by the calling program";

#[test]
fn what_is_not_edited_is_written_as_the_command_writes_it() {
    for path in documents() {
        let document = read(&path);
        for target in Target::all() {
            let mut bytes = Vec::new();
            let usual = Conversion::to(target).with(options()).run(path.as_path(), &mut bytes);
            let Some((written, report)) = write(&document, target) else {
                assert!(usual.is_err(), "{} to {target}", path.display());
                continue;
            };
            let usual = usual.unwrap_or_else(|error| panic!("{} to {target}: {error}", path.display()));
            assert!(written == text(&bytes), "{} to {target}: {written}", path.display());
            assert_eq!(books(&report), books(&usual), "{} to {target}", path.display());
        }
    }
}

#[test]
fn the_command_and_the_library_say_the_same() {
    let dir = scratch("library-command");
    std::fs::write(dir.join("feed.xml"), FEED).unwrap();
    for target in ["video-sitemap", "mrss", "atom", "json"] {
        let report = format!("{target}.json");
        let args = ["convert", "feed.xml", "--to", target, "--report", &report, "-o", target];
        transfeed(&dir, &args, None).ok(target);
        let read = transfeed::read(dir.join("feed.xml")).unwrap();
        let (bytes, library) = read.write(Target::by_id(target).unwrap()).unwrap();
        assert_eq!(text(&bytes), std::fs::read_to_string(dir.join(target)).unwrap(), "{target}");
        let command = std::fs::read_to_string(dir.join(&report)).unwrap();
        let name = format!("{:?}", dir.join("feed.xml").display().to_string());
        assert_eq!(books(&library).replace(&name, "\"feed.xml\""), command, "{target}");
    }
}

#[test]
fn a_video_is_removed_and_told() {
    let mut document = transfeed::read(FEED).unwrap();
    document.entries[0].videos.retain(|video| file_of(video) != "https://example.com/2.mp4");
    for target in Target::all() {
        let (written, report) = write(&document, target).unwrap();
        assert_eq!(losses(&report, REMOVED), ["video.file.url", "video.title"], "{target}");
        assert!(!written.contains("2.mp4"), "{target}: {written}");
        assert!(report.losses().all(|loss| loss.line.is_some() && loss.path.is_some()), "{target}");
        if target == Target::MRSS {
            // what no reader knows is there, and what the other video has from the item
            assert!(written.contains(r#"by="us">kept</x:ours>"#), "{written}");
            assert!(written.contains("On the item"), "{written}");
        }
    }
    assert_eq!(document.entries[1].videos.len(), 1);
    document.entries[1].videos.clear();
    let (written, report) = write(&document, Target::MRSS).unwrap();
    // a player on the item would be a video again when it is read
    assert!(!written.contains("embed/2"), "{written}");
    assert_eq!(losses(&report, REMOVED).len(), 4, "{report}");
    assert!(transfeed::read(written.as_bytes()).unwrap().entries[1].videos.is_empty());
}

#[test]
fn a_podcast_loses_its_film() {
    let feed =
        br#"<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>P</title>
        <item><title>E</title><guid>e1</guid><enclosure url="https://example.com/e.mp4" length="9" type="video/mp4"/>
        <itunes:duration>77</itunes:duration></item></channel></rss>"#;
    let mut document = transfeed::read(feed).unwrap();
    document.entries[0].videos.clear();
    for target in Target::all() {
        let (written, report) = write(&document, target).unwrap();
        let gone = losses(&report, REMOVED);
        assert!(gone.contains(&"video.file.url".to_owned()), "{target}: {gone:?}");
        assert!(!written.contains("e.mp4"), "{target}: {written}");
    }
}

#[test]
fn a_value_is_changed_and_told() {
    let mut document = transfeed::read(FEED).unwrap();
    let entry = &mut document.entries[0];
    entry.title = Some("Another".into());
    entry.videos[0].title = Some("For the first".into());
    entry.videos[0].tags[1] = "lamp".into();
    entry.videos[0].files[0].bitrate = Some(900.into());
    let (written, report) = write(&document, Target::MRSS).unwrap();
    assert!(written.contains("<title>Another</title>"), "{written}");
    assert!(!written.contains("<title>One</title>") && !written.contains("On the item"), "{written}");
    assert!(written.contains("bitrate=\"900\""), "{written}");
    let edited: Vec<_> = report.notes().filter(|note| note.code == Code::EditedByCaller).collect();
    let told = |field: &str| edited.iter().find(|note| note.field == field);
    let title = told("title").expect("a changed title");
    assert_eq!(
        (title.kind, title.value.as_deref(), title.written.as_deref()),
        (LossKind::Changed, Some("One"), Some("Another"))
    );
    assert_eq!(title.line, Some(3));
    assert_eq!(told("video.file.bitrate").and_then(|note| note.value.as_deref()), Some("800"));
    let again = transfeed::read(written.as_bytes()).unwrap();
    let videos = &again.entries[0].videos;
    assert_eq!(videos[0].title.as_ref().map(Text::as_str), Some("For the first"));
    assert_eq!(videos[1].title.as_ref().map(Text::as_str), Some("Its own"));
    assert!(videos[0].tags.iter().any(|tag| tag == "lamp"), "{:?}", videos[0].tags);
    assert!(videos[1].tags.iter().any(|tag| tag == "light"), "{:?}", videos[1].tags);
}

#[test]
fn a_member_of_a_list_is_removed_and_told() {
    let mut document = transfeed::read(FEED).unwrap();
    for video in &mut document.entries[0].videos {
        video.tags.retain(|tag| tag != "light");
    }
    let (written, report) = write(&document, Target::VIDEO_SITEMAP).unwrap();
    assert!(!written.contains("<video:tag>light"), "{written}");
    let tags = report.notes().find(|note| note.field == "video.tags").expect("the tags are told");
    assert_eq!(tags.value.as_deref(), Some("sea, light, night"));
    assert_eq!(tags.written.as_deref(), Some("sea, night"));
}

/// Text with markup, which a feed takes along in the words of sitemaps.
#[test]
fn markup_in_a_video_of_a_plain_feed_is_told() {
    let feed =
        b"<rss version='2.0'><channel><title>C</title><item><title>One</title><link>https://example.com/1</link>\
        <enclosure url='https://example.com/1.mp4' length='9' type='video/mp4'/></item></channel></rss>";
    let mut document = transfeed::read(feed).unwrap();
    let title = Some(Text::html("a <b>title</b>"));
    document.entries[0].videos.push(Video { title, ..Video::default() });
    let (written, report) = write(&document, Target::RSS).unwrap();
    assert!(written.contains("<video:title>a title</video:title>"), "{written}");
    assert_eq!(report.notes().next().map(|note| note.code), Some(Code::MarkupStripped), "{report}");
}

/// XHTML that somebody wrote, in an element of Atom in a feed of RSS: it could end the document.
#[test]
fn broken_markup_is_written_as_html() {
    let feed = b"<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>C</title><item><title>One</title>\
        <link>https://example.com/1</link><atom:summary type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><b>x</b></div></atom:summary></item></channel></rss>";
    let mut document = transfeed::read(feed).unwrap();
    document.entries[0].summary.as_mut().unwrap().value = "<b>broken</div></rss>".into();
    for target in Target::all() {
        let (written, _) = write(&document, target).unwrap();
        let is_markup = written.starts_with('<');
        assert!(!is_markup || roxmltree::Document::parse(&written).is_ok(), "{target}: {written}");
    }
    let (written, report) = write(&document, Target::RSS).unwrap();
    assert!(written.contains("<atom:summary type=\"html\">&lt;b"), "{written}");
    assert!(report.notes().any(|note| note.code == Code::TypeChanged), "{report}");
}

/// What the target has an element for, but not there.
#[test]
fn values_where_no_document_has_them_are_lost_and_told() {
    let file = transfeed::File { width: Some(5), ..transfeed::File::default() };
    let mut made = Entry { title: Some("T".into()), ..Entry::at("https://example.com/1") };
    made.images.push(transfeed::Image { caption: Some("C".into()), ..transfeed::Image::default() });
    made.enclosures.push(transfeed::Enclosure { file: Some(Box::new(file)), ..transfeed::Enclosure::default() });
    made.media =
        Some(Box::new(Video { files: vec![transfeed::File::at("https://example.com/1.mp4")], ..Video::default() }));
    let mut edited = transfeed::read(FEED).unwrap();
    edited.entries.push(made.clone());
    let taken = edited.entries[0].videos[0].files.pop();
    edited.entries[0].media = Some(Box::new(Video { files: taken.into_iter().collect(), ..Video::default() }));
    let by_hand = Document { entries: vec![made], ..Document::default() };
    for document in [by_hand, edited] {
        for target in Target::all() {
            write(&document, target).unwrap();
        }
        let (_, report) = write(&document, Target::MRSS).unwrap();
        let lost = losses(&report, "the target has no element for it");
        assert!(lost.iter().any(|field| field == "image.caption"), "{lost:?}");
        assert!(lost.iter().any(|field| field == "video.file.url"), "{lost:?}");
    }
}

#[test]
fn entries_are_removed_moved_and_cloned() {
    let mut document = transfeed::read(FEED).unwrap();
    document.entries.reverse();
    let twice = document.entries[0].clone();
    document.entries.push(twice);
    let (written, report) = write(&document, Target::JSONL).unwrap();
    assert_eq!(written.lines().count(), 4, "{written}");
    assert!(losses(&report, REMOVED).is_empty(), "{report}");
    document.entries.retain(|entry| entry.loc.as_deref() != Some("https://example.com/2"));
    let (_, report) = write(&document, Target::RSS).unwrap();
    assert_eq!(losses(&report, REMOVED).len(), 4, "{report}");
    document.entries.clear();
    document.head = transfeed::Head::default();
    let (_, report) = write(&document, Target::SITEMAP).unwrap();
    // the version of RSS says what every document of it says
    assert_eq!((report.totals().leaves, report.totals().kept), (report.totals().lost + 1, 1), "{report}");
    assert!(report.losses().all(|loss| loss.reason == REMOVED && loss.value.is_some()), "{report}");
}

#[test]
fn a_document_is_made_of_parts_of_others() {
    let first = transfeed::read(FEED).unwrap();
    let atom = br#"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:y="https://example.com/y"><title>A</title><entry><id>urn:a</id>
        <title>Three</title><link href="https://example.com/3"/><y:z>unknown</y:z></entry></feed>"#;
    let mut document = transfeed::read(atom).unwrap();
    document.entries.extend(first.entries.iter().cloned());
    let video = first.entries[1].videos[0].clone();
    document.entries[0].videos.push(video);
    for target in Target::all() {
        let (_, report) = write(&document, target).unwrap();
        assert!(losses(&report, REMOVED).is_empty(), "{target}: {report}");
    }
}

#[test]
fn a_video_sitemap_becomes_items_with_titles() {
    let sitemap = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
        <url><loc>https://example.com/1</loc><video:video><video:thumbnail_loc>https://example.com/1.jpg</video:thumbnail_loc>
        <video:title>A lighthouse</video:title><video:description>It turns.</video:description>
        <video:content_loc>https://example.com/1.mp4</video:content_loc></video:video></url></urlset>"#;
    let document = transfeed::read(sitemap).unwrap();
    let (written, _) = write(&document, Target::MRSS).unwrap();
    let channel = rss::Channel::read_from(written.as_bytes()).unwrap();
    assert!(channel.items().iter().all(|item| item.title() == Some("A lighthouse")), "{written}");
}

#[test]
fn a_podcast_becomes_atom_without_foreign_elements() {
    let podcast = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/podcast.rss")).unwrap();
    let document = Document::read(podcast.clone(), None, &options()).unwrap();
    let (written, _) = write(&document, Target::ATOM).unwrap();
    let mut command = Vec::new();
    Conversion::to(Target::ATOM).with(options()).run(podcast, &mut command).unwrap();
    assert_eq!(written, text(&command));
    let feed = roxmltree::Document::parse(&written).unwrap();
    let mut foreign: BTreeMap<&str, usize> = BTreeMap::new();
    for name in feed.descendants().filter(roxmltree::Node::is_element).map(|node| node.tag_name()) {
        if name.namespace().is_some_and(|ns| ns.starts_with("http://www.itunes.com/")) {
            *foreign.entry(name.name()).or_default() += 1;
        }
    }
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn a_document_made_by_hand_is_written_and_nothing_of_it_is_lost_in_silence() {
    let mut entry =
        Entry { title: Some("T".into()), summary: Some(Text::html("<p>S</p>")), ..Entry::at("https://example.com/1") };
    entry.authors.push(transfeed::Person::named("Anna"));
    entry.categories.push(transfeed::Category::named("sea"));
    entry.videos.push(Video {
        title: Some("V".into()),
        duration: Some(std::time::Duration::from_millis(77_500)),
        tags: vec!["a".into(), "b".into()],
        thumbnails: vec![transfeed::Thumbnail::at("https://example.com/1.jpg")],
        files: vec![transfeed::File {
            bitrate: Some("800".parse().unwrap()),
            ..transfeed::File::at("https://example.com/1.mp4")
        }],
        ..Video::default()
    });
    entry.foreign.push(transfeed::Foreign {
        path: "item/x:a".into(),
        ns: "https://example.com/x".into(),
        name: "a".into(),
        value: Some("v".into()),
        ..transfeed::Foreign::default()
    });
    let document = Document { entries: vec![entry], ..Document::default() };
    let mut leaves = Vec::new();
    for target in Target::all() {
        let (_, report) = write(&document, target).unwrap();
        leaves.push(report.totals().leaves);
        for note in report.losses() {
            assert!(note.line.is_none() && note.value.is_some(), "{target}: {note}");
        }
    }
    assert!(leaves.iter().all(|count| *count == 13), "{leaves:?}");
}

#[test]
fn a_stream_is_mapped_as_a_document_is_edited() {
    let edit = |mut entry: Entry| {
        entry.videos.retain(|video| file_of(video) != "https://example.com/1.mp4");
        entry.title = Some("T".into());
        (entry.loc.as_deref() != Some("https://example.com/2")).then_some(entry)
    };
    let mut document = transfeed::read(FEED).unwrap();
    document.entries = std::mem::take(&mut document.entries).into_iter().filter_map(edit).collect();
    for target in Target::all() {
        let (written, report) = write(&document, target).unwrap();
        let mut mapped = Vec::new();
        let books_of = Conversion::to(target).with(options()).map(edit).run(FEED, &mut mapped).unwrap();
        assert_eq!(written, text(&mapped), "{target}");
        assert_eq!(books(&report), books(&books_of), "{target}");
    }
}

#[test]
fn many_entries_are_mapped_on_all_cores() {
    let list: String = (0..3_000).map(|number| format!("https://example.com/{number}\n")).collect();
    let odd = |entry: Entry| {
        entry.loc.as_deref().is_some_and(|loc| loc.ends_with(['1', '3', '5', '7', '9'])).then_some(entry)
    };
    for target in [Target::TEXT, Target::SITEMAP, Target::ATOM] {
        let mut out = Vec::new();
        let mut options = Options::default();
        options.limits.chunk = 4 << 10;
        let report = Conversion::to(target).with(options).map(odd).run(list.as_bytes(), &mut out).unwrap();
        assert_eq!((report.entries(), report.dropped()), (3_000, 0), "{target}");
        assert_eq!((report.totals().leaves, report.totals().lost), (3_000, 1_500), "{target}");
        assert!(!text(&out).contains("example.com/2998") && text(&out).contains("example.com/2999"), "{target}");
    }
}

#[test]
fn a_stream_is_read_entry_by_entry() -> Result<(), Error> {
    let reader = transfeed::reader(FEED)?;
    assert_eq!(reader.head().title.as_ref().map(Text::as_str), Some("Lights"));
    let entries = reader.collect::<Result<Vec<Entry>, Error>>()?;
    assert_eq!(entries, transfeed::read(FEED)?.entries);
    // longer than what is held in memory, with an entry that cannot be read
    let items: String = (0..20_000)
        .map(|number| format!("<item><title>{number}</title><link>https://example.com/{number}</link></item>"))
        .collect();
    let long = format!("<rss version=\"2.0\"><channel>{items}<title>late</title></channel></rss>");
    let mut reader = transfeed::Reader::open(Input::stream(long.as_bytes())?, None, &Options::default())?;
    assert_eq!(reader.head().title.as_ref().map(Text::as_str), Some("late"));
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 20_000);
    assert_eq!(reader.diagnostics().count(), 0);
    Ok(())
}

#[test]
fn what_cannot_be_read_is_told_and_counted_as_ever() {
    let feed =
        b"\xef\xbb\xbf<rss version='2.0'><channel><title>a & b</title><item><title>One</title></item><item><title>cut";
    let document = transfeed::read(feed).unwrap();
    assert!(!document.diagnostics.is_empty());
    let (written, report) = write(&document, Target::RSS).unwrap();
    let mut usual = Vec::new();
    let command = Conversion::to(Target::RSS).with(options()).run(feed, &mut usual).unwrap();
    assert_eq!((written, books(&report)), (text(&usual), books(&command)));
}

/// A number from a seed: the same edits in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> bool {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).is_multiple_of(sides)
    }
}

/// Edits of all kinds, here and there.
fn edit(document: &mut Document, dice: &mut Dice) {
    let spare: Vec<Video> = document.entries.iter().flat_map(|entry| entry.videos.clone()).take(3).collect();
    if dice.roll(2) {
        document.head.title = Some("edited".into());
        document.head.media = None;
        document.head.authors.clear();
        document.head.language = None;
    }
    document.entries.retain(|_| !dice.roll(5));
    for entry in &mut document.entries {
        entry.videos.retain(|_| !dice.roll(3));
        if dice.roll(3) {
            entry.title = None;
            entry.media = None;
            entry.modules.clear();
        }
        if dice.roll(4) {
            entry.foreign.clear();
            entry.links.clear();
            entry.source = None;
            entry.enclosures.clear();
            entry.images.reverse();
        }
        if dice.roll(3) {
            entry.videos.extend(spare.iter().cloned());
        }
        entry.id.as_mut().filter(|_| dice.roll(3)).into_iter().for_each(|id| id.push_str("-edited"));
        for video in &mut entry.videos {
            if dice.roll(3) {
                video.title = Some(Text::html("<b>edited</b>"));
                video.thumbnails.truncate(1);
            }
            if dice.roll(3) {
                video.description = None;
                video.thumbnails.clear();
                video.player = None;
            }
            if dice.roll(3) {
                video.tags.push("edited".into());
                video.categories.clear();
                video.ratings.clear();
                video.credits.reverse();
                video.restriction.as_mut().into_iter().for_each(|restriction| restriction.countries.truncate(1));
            }
            if dice.roll(4) {
                video.files.iter_mut().for_each(|file| file.media = None);
                video.duration = Some(std::time::Duration::from_secs(1));
            }
            if dice.roll(4) {
                video.files.clear();
                video.hashes.clear();
            }
            video.inherited.retain(|_| !dice.roll(3));
        }
        if dice.roll(6) {
            entry.videos.reverse();
        }
    }
}

#[test]
fn books_balance_after_any_edit() {
    let rounds = std::env::var("TRANSFEED_EDITS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2);
    for path in documents() {
        let read = read(&path);
        let leaves = write(&read, Target::JSON).map(|(_, report)| report.totals().leaves);
        for round in 0..rounds {
            let mut document = read.clone();
            edit(&mut document, &mut Dice(round));
            for target in Target::all() {
                let written = document.write_with(target, &options());
                let (_, report) = match written {
                    Ok(written) => written,
                    Err(error) => {
                        let alone = |entry: &&Entry| {
                            let entries = vec![(*entry).clone()];
                            let one = Document { entries, ..document.clone() };
                            one.write_with(target, &options()).is_err_and(|error| error.is_bug())
                        };
                        let guilty = document.entries.iter().find(alone);
                        assert!(!error.is_bug(), "{} to {target}, {round}: {error}: {guilty:#?}", path.display());
                        continue;
                    }
                };
                assert!(balance(&report), "{} to {target}, {round}", path.display());
                // nothing that was read is out of the books
                assert!(Some(report.totals().leaves) >= leaves, "{} to {target}, {round}", path.display());
            }
        }
    }
}

#[test]
fn errors_name_the_input_as_the_caller_did() {
    let broken = b"<rss version='2.0'><channel><item>";
    let refused = |input: Input| Conversion::to(Target::JSON).run(input, Vec::new()).unwrap_err().to_string();
    let page = Input::from(b"<html><title>No</title></html>");
    assert!(refused(page.clone()).starts_with("bytes: "), "{}", refused(page.clone()));
    assert!(refused(page.clone().named("gs://b/a.rss")).starts_with("gs://b/a.rss: "));
    let stream = Input::stream(&b"<html>"[..]).unwrap();
    assert!(refused(stream).starts_with("stream: "));
    let missing = refused(Input::from("no/such.rss"));
    assert!(missing.starts_with("cannot use no/such.rss: "), "{missing}");
    let folder = refused(Input::from("src"));
    assert!(folder.starts_with("src: is a folder"), "{folder}");
    let named = Input::from(broken).named("cut.rss");
    let dir = scratch("library-names");
    let cut = Conversion::to(Target::JSON).run_to_file(named, dir.join("cut.json")).unwrap_err();
    assert_eq!((cut.input(), cut.position()), (Some("cut.rss"), Some((1, 29))));
    let report = Conversion::to(Target::JSON).run(Input::from(FEED).named("a.rss"), Vec::new()).unwrap();
    assert!(books(&report).contains(r#""name": "a.rss""#));
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_an_input() {
    let dir = scratch("library-pipe");
    let pipe = dir.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, FEED)
    });
    let (bytes, _) = Conversion::to(Target::VIDEO_SITEMAP).with(options()).run_to_memory(pipe).unwrap();
    writer.join().unwrap().unwrap();
    let (usual, _) = Conversion::to(Target::VIDEO_SITEMAP).with(options()).run_to_memory(FEED).unwrap();
    assert_eq!(text(&bytes), text(&usual));
}

/// The names in a folder.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_appears_once_it_is_complete() {
    let dir = scratch("library-file");
    let out = dir.join("out.xml");
    let convert = |target: Target| Conversion::to(target).with(options());
    let report = convert(Target::VIDEO_SITEMAP).run_to_file_with_losses(FEED, &out, dir.join("losses.jsonl")).unwrap();
    let (bytes, whole) = convert(Target::VIDEO_SITEMAP).run_to_memory(FEED).unwrap();
    assert_eq!(text(&bytes), std::fs::read_to_string(&out).unwrap());
    assert_eq!(books(&report), books(&whole));
    let lines = std::fs::read_to_string(dir.join("losses.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), whole.notes().count() + 1);
    // what is refused leaves the file as it was, and nothing beside it
    let cut = &FEED[..FEED.len() - 40];
    assert!(convert(Target::MRSS).run_to_file(cut, &out).is_err());
    let few = Options { min_entries: Some(3), ..options() };
    let few = Conversion::to(Target::MRSS).with(few).run_to_file(FEED, &out).unwrap_err();
    assert_eq!(few.to_string(), "bytes: --min-entries 3: 2 entries in the output; the previous output is kept");
    assert!(convert(Target::MRSS).run_to_file(FEED, dir.join("no/such/folder.xml")).is_err());
    assert_eq!(text(&bytes), std::fs::read_to_string(&out).unwrap());
    assert_eq!(names(&dir), ["losses.jsonl", "out.xml"]);
    convert(Target::VIDEO_SITEMAP).run_to_file(FEED, dir.join("out.xml.gz")).unwrap();
    let unpacked = transfeed::read(dir.join("out.xml.gz")).unwrap();
    assert_eq!(unpacked.entries, transfeed::read(&out).unwrap().entries);
    convert(Target::VIDEO_SITEMAP).run_to_file(FEED, "/dev/null").unwrap();
}

#[test]
fn no_output_has_the_name_of_an_input_or_of_another_output() {
    let dir = scratch("library-names");
    let feed = dir.join("feed.mrss");
    std::fs::write(&feed, FEED).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("feed.mrss", dir.join("link")).unwrap();
    let before = names(&dir);
    let convert = || Conversion::to(Target::VIDEO_SITEMAP).with(options());
    let refused = |output: &str, losses: &str| {
        let input = Input::from(&feed).named("a feed").watched(std::sync::Arc::new(|| Ok(())));
        let error = convert().run_to_file_with_losses(input, dir.join(output), dir.join(losses)).unwrap_err();
        error.to_string()
    };
    assert!(refused("out.xml", "feed.mrss").ends_with("feed.mrss: it is an input; rename the output"));
    assert!(refused("./feed.mrss", "losses.jsonl").contains("it is an input"));
    assert!(cfg!(not(unix)) || refused("out.xml", "link").contains("it is an input"));
    assert!(refused("same.xml", "./same.xml").ends_with("have this name; use each name once"));
    assert_eq!((std::fs::read(&feed).unwrap(), names(&dir)), (FEED.to_vec(), before));
    convert().run_to_file_with_losses(&feed, "/dev/null", "/dev/null").unwrap();
}

#[test]
fn streams_are_copied_to_the_folder_that_is_named() {
    let long = "https://example.com/\n".repeat(100_000);
    let dir = scratch("library-streams");
    let stream = Input::stream_in(long.as_bytes(), &dir).unwrap();
    assert_eq!(names(&dir).len(), 1);
    assert_eq!(transfeed::read(stream).unwrap().entries.len(), 100_000);
    assert_eq!(names(&dir).len(), 0);
    let error = Input::stream_in(long.as_bytes(), dir.join("no")).err().unwrap();
    assert!(error.to_string().starts_with("cannot use a temporary file: no such file"), "{error}");
}

#[test]
fn a_check_ends_what_inflates_and_what_is_written() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let dir = scratch("library-checks");
    let packed = dir.join("pages.txt.gz");
    let lines: String = (0..20_000).map(|number| format!("https://example.com/{number}\n")).collect();
    transfeed::save(lines.as_bytes(), &packed).unwrap();
    assert!(std::fs::metadata(&packed).unwrap().len() < 1 << 18);
    let count = Arc::new(AtomicU32::new(0));
    let counted = |most: u32| {
        let count = count.clone();
        count.store(0, Ordering::Relaxed);
        Input::from(&packed).watched(Arc::new(move || match count.fetch_add(1, Ordering::Relaxed) < most {
            true => Ok(()),
            false => Err(std::io::Error::other("stopped")),
        }))
    };
    let convert = Conversion::to(Target::TEXT).with(Options { no_limits: true, ..options() });
    convert.run_to_memory(counted(u32::MAX)).unwrap();
    // one for each kibibyte that inflates, and those of the output
    let all = count.load(Ordering::Relaxed);
    assert!(all > 20, "{all}");
    for most in [0, 5, all - 1] {
        assert!(convert.run_to_memory(counted(most)).unwrap_err().to_string().contains("stopped"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_has_the_permissions_of_its_predecessor_or_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = scratch("library-modes");
    let mode = |name: &str| std::fs::metadata(dir.join(name)).unwrap().permissions().mode() & 0o777;
    std::fs::write(dir.join("usual"), "").unwrap();
    std::fs::write(dir.join("private"), "").unwrap();
    std::fs::set_permissions(dir.join("private"), std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("private", dir.join("link")).unwrap();
    for name in ["new", "link"] {
        Conversion::to(Target::TEXT).run_to_file(FEED, dir.join(name)).unwrap();
    }
    assert_eq!((mode("new"), mode("private")), (mode("usual"), 0o600));
    assert!(dir.join("link").symlink_metadata().unwrap().is_symlink());
    assert!(!std::fs::read(dir.join("private")).unwrap().is_empty());
}

#[test]
fn the_same_file_written_by_many_threads_is_whole() {
    let dir = scratch("library-race");
    let out = dir.join("out.xml");
    let (bytes, _) = Conversion::to(Target::MRSS).with(options()).run_to_memory(FEED).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    Conversion::to(Target::MRSS).with(options()).run_to_file(FEED, &out).unwrap();
                    assert_eq!(std::fs::read(&out).unwrap(), bytes);
                }
            });
        }
    });
    assert_eq!(names(&dir), ["out.xml"]);
}

#[test]
fn entries_are_lines_of_jsonl() {
    for path in documents() {
        let Ok(mut reader) = Reader::open(path.as_path(), None, &options()) else { continue };
        let mut lines = vec![text(&reader.head_json())];
        while let Some(line) = reader.next_json() {
            lines.extend(line.ok().map(|line| text(&line)));
        }
        let options = Options { no_group: true, accept_truncated: true, ..options() };
        let converted = Conversion::to(Target::JSONL).with(options).run_to_memory(path.as_path());
        let (usual, _) = converted.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(lines.join("\n") + "\n", text(&usual), "{}", path.display());
    }
}

#[test]
fn a_feed_for_yandex_is_refused() {
    let options = Options { profile: transfeed::options::Profile::Yandex, ..options() };
    let document = transfeed::read(FEED).unwrap();
    for target in Target::all() {
        let is_feed = ["rss", "mrss", "rss-podcast", "atom", "atom-media", "jsonfeed"].contains(&target.id());
        let converted = Conversion::to(target).with(options.clone()).run_to_memory(FEED);
        let written = document.write_with(target, &options);
        for refused in [converted.map(drop), written.map(drop)].map(Result::err) {
            let says = refused.map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(says.contains("cannot write a feed for Yandex"), is_feed, "{}: {says}", target.id());
        }
    }
}

#[test]
fn options_are_data() {
    let given = r#"{"base": "https://example.com/", "profile": "yandex", "ext": ["news"], "foreign": "keep",
        "rendition": "height<=720", "items": "per-video", "now": "2026-05-01T00:00:00Z", "threads": 1, "split": 3,
        "limits": {"entry": 1000, "tree": {"depth": 7}, "gzip": {"ratio": 9}}}"#;
    let options: Options = serde_json::from_str(given).unwrap();
    let again: Options = serde_json::from_value(serde_json::to_value(&options).unwrap()).unwrap();
    assert_eq!(format!("{options:?}"), format!("{again:?}"));
    assert_eq!((options.limits.entry, options.limits.tree.depth, options.limits.gzip.ratio), (1000, 7, 9));
    assert_eq!(options.rendition, "height<=720".parse().unwrap());
    assert!(options.ext.is_some_and(|ext| ext.news && !ext.image));
    let usual: Options = serde_json::from_str("{}").unwrap();
    assert_eq!(format!("{usual:?}"), format!("{:?}", Options::default()));
    for (given, says) in [
        (r#"{"prety": true}"#, "no option is called prety; did you mean pretty?"),
        (r#"{"colour": true}"#, "no option is called colour; there are absolutize_html, accept_truncated,"),
        (r#"{"pretty": 1}"#, "cannot read the option pretty: invalid type: integer `1`, expected a boolean"),
        (r#"{"items": "page"}"#, "cannot read the option items: unknown variant `page`, expected one of"),
        (r#"{"rendition": "big"}"#, "cannot read the option rendition: expected best, smallest,"),
        (r#"{"limits": {"entri": 1}}"#, "cannot read the option limits: no limit is called entri; did you mean entry?"),
        (r#"{"threads": -1}"#, "cannot read the option threads: invalid value: integer `-1`, expected usize"),
    ] {
        let error = serde_json::from_str::<Options>(given).unwrap_err().to_string();
        assert!(error.starts_with(says), "{error}");
    }
}

#[test]
fn reports_rows_and_findings_are_data() {
    let (_, report) = Conversion::to(Target::VIDEO_SITEMAP).with(options()).run_to_memory(FEED).unwrap();
    let mut written = serde_json::to_string_pretty(&report).unwrap();
    written.push('\n');
    assert_eq!(written, books(&report));
    let rows: Vec<serde_json::Value> = report.rows().iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    assert!(rows.iter().all(|row| row["kind"].is_string() && row["count"].as_u64() > Some(0)), "{rows:?}");
    let dir = scratch("library-data");
    std::fs::write(dir.join("feed.xml"), FEED).unwrap();
    let args = ["convert", "feed.xml", "--to", "video-sitemap", "-o", "out", "--report", "all.jsonl"];
    transfeed(&dir, &args, None).ok("losses");
    let lines = std::fs::read_to_string(dir.join("all.jsonl")).unwrap();
    for (loss, line) in report.notes().zip(lines.lines()) {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().retain(|name, _| !["class", "reason", "element"].contains(&name.as_str()));
        assert_eq!(serde_json::to_value(loss).unwrap(), line);
    }
    let check = transfeed::rules::Check { options: options(), ..Default::default() };
    let mut findings: Vec<transfeed::rules::Finding> = Vec::new();
    let feed = transfeed::convert::Bytes { name: "feed.xml", bytes: FEED };
    check.run(&feed, &mut findings).unwrap();
    let finding = serde_json::to_value(&findings[0]).unwrap();
    assert!(finding["code"].is_string() && finding["line"].is_u64() && finding["fingerprint"].is_string(), "{finding}");
}

#[cfg(target_os = "linux")]
#[test]
fn one_thread_is_the_calling_one() {
    // the name of a thread is inherited by those that it starts, unless they are given another
    let dir = scratch("library-threads");
    let item = |n: usize| format!("<item><link>https://example.com/{n}</link><title>One of many</title></item>\n");
    let items: String = (0..5_000).map(item).collect();
    let feed = format!("<rss version=\"2.0\"><channel>{items}</channel></rss>");
    std::fs::write(dir.join("feed.xml"), &feed).unwrap();
    let path = dir.join("feed.xml");
    // a name for each run: the kernel still lists a thread for a moment after it was joined
    let started = |name: &str, work: &(dyn Fn() + Sync)| {
        let count = || {
            let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
            tasks
                .filter(|task| std::fs::read_to_string(task.path().join("comm")).is_ok_and(|comm| comm.trim() == name))
                .count()
        };
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, work).unwrap();
            let mut most = 0;
            while !worker.is_finished() {
                most = most.max(count());
            }
            worker.join().unwrap();
            most
        })
    };
    let input = Input::from(path.as_path());
    let options = options();
    let convert = || drop(Conversion::to(Target::SITEMAP).with(options.clone()).run_to_memory(input.clone()).unwrap());
    let inspect = || {
        drop(transfeed::inspect::InspectOptions::default().with(options.clone()).document(&input).unwrap());
    };
    let check = || {
        let mut found: Vec<transfeed::rules::Finding> = Vec::new();
        transfeed::rules::Check { options: options.clone(), ..Default::default() }.run(&input, &mut found).unwrap();
    };
    let compare = || {
        let side = transfeed::diff::Inputs { name: "feed.xml", inputs: &[&input] };
        let mut found: Vec<transfeed::diff::Difference> = Vec::new();
        let comparison = transfeed::diff::Comparison { options: options.clone(), ..Default::default() };
        comparison.run(side, side, &mut found).unwrap();
    };
    let works: [(&str, &(dyn Fn() + Sync)); 4] =
        [("convert", &convert), ("inspect", &inspect), ("check", &check), ("compare", &compare)];
    for (name, work) in works {
        assert_eq!(started(name, work), 1, "{name}");
    }
    // and the measure sees threads where there are some
    let several = Options { threads: 3, ..options.clone() };
    let parallel = || drop(Conversion::to(Target::SITEMAP).with(several.clone()).run_to_memory(input.clone()).unwrap());
    assert!(started("parallel", &parallel) > 1);
}
