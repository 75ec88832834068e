//! Work grows with the input, not with its square: each element of the specimens is repeated in its place, with other
//! values and with the same, and each is given many unknown attributes. Every command and target does at most six times
//! the work on four times as many.
//!
//! Work is counted by the library (`transfeed::work`), not timed: the figures are exact, on any machine and under any load, so a
//! few dozen instances are enough. What grows faster there is asked again with hundreds, where the limits of the rules
//! (256 values handed down, 64 links looked at) no longer look like growth.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::count;

use transfeed::convert::Conversion;
use transfeed::convert::{Bytes, Input};
use transfeed::diff::{Comparison, Difference, Inputs};
use transfeed::format::{self, Format};
use transfeed::inspect::InspectOptions;
use transfeed::model::Date;
use transfeed::options::Options;
use transfeed::rules::{Check, Finding, Profile, Settings, Severity};
use transfeed::work;

const SPECIMENS: [(&str, &str); 6] = [
    ("full-video-sitemap.xml", include_str!("fixtures/specimen/full-video-sitemap.xml")),
    ("full.atom", include_str!("fixtures/specimen/full.atom")),
    ("full.mrss", include_str!("fixtures/specimen/full.mrss")),
    ("full.rss", include_str!("fixtures/specimen/full.rss")),
    ("google-mrss.xml", include_str!("fixtures/specimen/google-mrss.xml")),
    ("google-video-sitemap.xml", include_str!("fixtures/specimen/google-video-sitemap.xml")),
];

/// How many instances there are first, and where that grows too fast.
const FEW: usize = 24;
const MANY: usize = 300;

/// Four times as many may take so many times the work: a little more than linear where there are few, six times where
/// there are many. What is quadratic comes close to 16.
const QUICK: u64 = 9; // halves
const MOST: u64 = 12;

/// One in so many elements is repeated: few by default, one in four where properties are tried on much, all of them with
/// `TRANSFEED_GROWTH=1`.
fn every() -> usize {
    std::env::var("TRANSFEED_GROWTH").ok().and_then(|every| every.parse().ok()).unwrap_or(count(150, 4))
}

/// Elements that grew too fast once: they are always repeated.
const FOUND: [&str; 2] = ["urlset/url/video/publication_date", "feed/entry/group/keywords"];

/// Less work than this is none: it is what a longer number or one more table costs.
const NOTHING: u64 = 400;

/// Elements that stay beside the one that is repeated: without them an entry is dropped before anything is done with it.
const ANCHORS: [&str; 14] = [
    "title",
    "link",
    "guid",
    "id",
    "updated",
    "loc",
    "description",
    "thumbnail",
    "thumbnail_loc",
    "content_loc",
    "content",
    "group",
    "player_loc",
    "video",
];

/// What is repeated, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Distinct,
    Equal,
    Attributes,
}

/// A document around one element that is to be repeated.
struct Subject {
    specimen: &'static str,
    path: String,
    before: String,
    element: String,
    after: String,
}

impl Subject {
    fn times(&self, count: usize, way: Way) -> String {
        let mut text = self.before.clone();
        match way {
            Way::Equal => text.push_str(&self.element.repeat(count)),
            Way::Distinct => (0..count).for_each(|number| text.push_str(&renamed(&self.element, number))),
            Way::Attributes => {
                let name = self.element.find(|c: char| c.is_whitespace() || "/>".contains(c)).unwrap_or(0);
                text.push_str(&self.element[..name]);
                (0..count).for_each(|number| _ = write!(text, " acme:a{number}=\"v{number}\""));
                text.push_str(&self.element[name..]);
            }
        }
        text + &self.after
    }
}

/// The element with its tokens made its own.
fn renamed(element: &str, number: usize) -> String {
    let (mut text, mut rest) = (String::new(), element);
    while let Some(at) = rest.find("tk") {
        let end = at + 2 + rest[at + 2..].bytes().take_while(u8::is_ascii_digit).count();
        let _ = write!(text, "{}x{number}", &rest[..end]);
        rest = &rest[end..];
    }
    text + rest
}

/// Every element of the specimens below the root, once for each name and the name of its parent: with what stands around
/// it, and of that only what keeps an entry alive.
fn subjects() -> Vec<Subject> {
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for (specimen, text) in SPECIMENS {
        let document = roxmltree::Document::parse(text).expect("a specimen is well-formed");
        let root = document.root_element();
        for node in root.descendants().filter(roxmltree::Node::is_element) {
            let Some(parent) = node.parent_element() else { continue };
            let key = (specimen.ends_with("atom"), parent.tag_name(), node.tag_name());
            if !known.insert(format!("{key:?}")) {
                continue;
            }
            let above: Vec<_> = node.ancestors().skip(1).filter(roxmltree::Node::is_element).collect();
            let mut left_out: Vec<Range<usize>> = Vec::new();
            for level in &above {
                let others =
                    level.children().filter(|child| child.is_element() && *child != node && !above.contains(child));
                let mut seen = BTreeSet::new();
                let gone = others.filter(|other| {
                    let name = other.tag_name().name();
                    other.tag_name() == node.tag_name() || !ANCHORS.contains(&name) || !seen.insert(name)
                });
                left_out.extend(gone.map(|other| other.range()));
            }
            left_out.sort_by_key(|range| range.start);
            let path: Vec<_> = above.iter().rev().chain([&node]).map(|node| node.tag_name().name()).collect();
            all.push(Subject {
                specimen,
                path: path.join("/"),
                before: without(text, 0..node.range().start, &left_out),
                element: text[node.range()].to_owned(),
                after: without(text, node.range().end..text.len(), &left_out),
            });
        }
    }
    all
}

fn without(text: &str, part: Range<usize>, left_out: &[Range<usize>]) -> String {
    let (mut kept, mut at) = (String::new(), part.start);
    for gone in left_out.iter().filter(|gone| gone.start >= part.start && gone.end <= part.end) {
        kept.push_str(text.get(at..gone.start).unwrap_or_default());
        at = at.max(gone.end);
    }
    kept + &text[at..part.end]
}

/// What is done with a document.
#[derive(Clone, Copy)]
pub enum Job {
    Convert(&'static Format),
    Inspect,
    Diff,
    DiffFormats,
    Validate,
}

impl Job {
    /// All commands, and all targets.
    pub fn all() -> Vec<Job> {
        let converts = format::targets().map(Job::Convert);
        converts.chain([Job::Inspect, Job::Diff, Job::DiffFormats, Job::Validate]).collect()
    }

    fn name(self) -> String {
        match self {
            Job::Convert(to) => format!("convert --to {}", to.id),
            Job::Inspect => "inspect".to_owned(),
            Job::Diff => "diff of two versions".to_owned(),
            Job::DiffFormats => "diff with its video sitemap".to_owned(),
            Job::Validate => "validate".to_owned(),
        }
    }

    /// The work that it is, on this thread; nothing where it ends with an error, which is work too.
    fn work(self, text: &str) -> u64 {
        let options = Options { threads: 1, now: Date::ymd(2026, 1, 1), ..Options::default() };
        let input = Bytes { name: "growth", bytes: text.as_bytes() };
        let other = match self {
            Job::Diff => text.replacen("tk0", "tk9", 3),
            Job::DiffFormats => {
                let to = Conversion::to(&format::sitemap::VIDEO).with(options.clone());
                to.bytes(text.as_bytes()).map(|(other, _)| other).unwrap_or_default()
            }
            Job::Convert(_) | Job::Inspect | Job::Validate => String::new(),
        };
        let before = work::done();
        match self {
            Job::Convert(to) => {
                let (mut out, mut lines) = (Vec::new(), Vec::new());
                drop(Conversion::to(to).with(options).run(&[&input], &mut out, Some(&mut lines)));
            }
            Job::Inspect => drop(InspectOptions::default().with(options).document(&input)),
            Job::Diff | Job::DiffFormats => {
                let other = Bytes { name: "other", bytes: other.as_bytes() };
                let (a, b): ([&dyn Input; 1], [&dyn Input; 1]) = ([&input], [&other]);
                let comparison = Comparison { options, ..Comparison::default() };
                let mut found: Vec<Difference> = Vec::new();
                drop(comparison.run(Inputs { name: "a", inputs: &a }, Inputs { name: "b", inputs: &b }, &mut found));
            }
            Job::Validate => {
                let profiles = Profile::ALL.to_vec();
                let settings = Settings { profiles, level: Some(Severity::Info), ..Settings::default() };
                let mut found: Vec<Finding> = Vec::new();
                drop(Check { settings, options, ..Check::default() }.run(&input, &mut found));
            }
        }
        work::done() - before
    }

    /// What is wrong with the growth of its work, if anything is; `text` makes a document with so many.
    pub fn fault(self, subject: &str, text: impl Fn(usize) -> String) -> Option<String> {
        let mut told = String::new();
        for (count, most) in [(FEW, QUICK), (MANY, MOST)] {
            let [none, once, four] = [1, count + 1, 4 * count + 1].map(|count| self.work(&text(count)));
            let (once, four) = (once.saturating_sub(none), four.saturating_sub(none));
            if 2 * four <= most * once + 2 * NOTHING {
                return None;
            }
            told = format!("{count} take {once}, four times as many {four}");
        }
        Some(format!("{subject}: {}: {told}", self.name()))
    }
}

#[test]
fn four_times_as_many_take_four_times_the_work() {
    let (mut subjects, jobs, faults) = (subjects(), Job::all(), Mutex::new(Vec::new()));
    assert!(subjects.len() > 200, "only {} elements", subjects.len());
    let (mut number, every) = (0, every());
    subjects.retain(|subject| {
        number += 1;
        number % every == 0 || FOUND.contains(&subject.path.as_str())
    });
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for way in [Way::Distinct, Way::Equal, Way::Attributes] {
                        let name = format!("{} {way:?} {}", subject.specimen, subject.path);
                        let found = jobs.iter().filter_map(|job| job.fault(&name, |count| subject.times(count, way)));
                        let found: Vec<String> = found.collect();
                        faults.lock().expect("no thread has panicked").extend(found);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no thread has panicked");
    assert!(faults.is_empty(), "{} grow too fast:\n{}", faults.len(), faults.join("\n"));
}

/// Videos of a graph that each refer to an image in it.
#[test]
fn references_in_a_graph_take_four_times_the_work() {
    let graph = |count: usize| {
        let videos = (0..count).map(|number| {
            format!(
                "{{\"@type\":\"VideoObject\",\"name\":\"t{number}\",\"url\":\"https://e.com/{number}\",\
                 \"contentUrl\":\"https://e.com/{number}.mp4\",\"thumbnail\":{{\"@id\":\"#{number}\"}}}},"
            )
        });
        let images = (0..count).map(|number| {
            format!(
                "{{\"@type\":\"ImageObject\",\"@id\":\"#{number}\",\"contentUrl\":\"https://e.com/{number}.jpg\"}},"
            )
        });
        let objects: String = videos.chain(images).collect();
        format!("{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}", objects.trim_end_matches(','))
    };
    // an episode, which is the page of all its videos
    let episode = |count: usize| {
        let members: String = (0..count).map(|number| format!("\"x{number}\":\"y\",")).collect();
        let videos = (0..count).map(|number| {
            format!(
                "{{\"@type\":\"VideoObject\",\"name\":\"t{number}\",\"contentUrl\":\"https://e.com/{number}.mp4\"}},"
            )
        });
        let videos: String = videos.collect();
        format!(
            "{{\"@context\":\"https://schema.org\",\"@type\":\"TVEpisode\",\"url\":\"https://e.com/1\",{members}\
             \"video\":[{}]}}",
            videos.trim_end_matches(',')
        )
    };
    for job in [Job::Convert(&format::sitemap::VIDEO), Job::Convert(&format::jsonld::JSONLD)] {
        let [once, four] = [count(100, 500), count(400, 2000)].map(|count| job.work(&graph(count)));
        assert!(four <= 6 * once, "{}: so many take {once}, four times as many {four}", job.name());
        // more members than are looked at for each video
        let [once, four] = [1000, 4000].map(|count| job.work(&episode(count)));
        assert!(four <= 6 * once, "{}: an episode of so many takes {once}, of four times as many {four}", job.name());
    }
}

/// Documents of many entries that are one page, or one id.
#[test]
fn entries_that_become_one_take_four_times_the_work() {
    type Make = fn(usize) -> String;
    let item: Make = |number| {
        format!(
            "<item><link>https://e.com/1</link><title>t{number}</title><media:content url=\"https://e.com/{number}.mp4\" \
             duration=\"9\"><media:thumbnail url=\"https://e.com/t.jpg\"/></media:content></item>"
        )
    };
    let page: Make = |number| {
        format!(
            "<url><loc>https://e.com/1</loc>\
             <video:video><video:title>t{number}</video:title></video:video></url>"
        )
    };
    let page_with_images: Make = |number| {
        format!(
            "<url><loc>https://e.com/1</loc><image:image><image:loc>https://e.com/{number}.png</image:loc></image:image>\
             <video:video><video:title>t{number}</video:title></video:video><x:y xmlns:x=\"u\">{number}</x:y></url>"
        )
    };
    let entry: Make = |number| {
        format!(
            "<entry><id>urn:x</id><title>t{number}</title><updated>2026-01-{:02}T00:00:00Z</updated></entry>",
            number % 28 + 1
        )
    };
    const SITEMAP: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
        xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";
    let kinds: [(&str, Make, &str); 4] = [
        (
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>c</title>",
            item,
            "</channel></rss>",
        ),
        (SITEMAP, page, "</urlset>"),
        (SITEMAP, page_with_images, "</urlset>"),
        ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>f</id><title>f</title>", entry, "</feed>"),
    ];
    let mut faults = Vec::new();
    for (before, make, after) in kinds {
        let element = make(0);
        for job in Job::all() {
            let work = |count: usize| job.work(&format!("{before}{}{after}", (0..count).map(make).collect::<String>()));
            let [once, four] = [count(30, 50), count(120, 200)].map(work);
            if four > 6 * once {
                faults.push(format!("{}: of {element} so many take {once}, four times as many {four}", job.name()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Many videos of one entry of which each lacks the same: what is looked up for one of them is not looked up for all.
#[test]
fn videos_that_lack_something_take_four_times_the_work() {
    type Make = fn(usize) -> String;
    let titled: Make = |number| {
        format!(
            "<media:content url=\"https://e.com/{number}.mp4\"><media:title>t{number}</media:title></media:content>"
        )
    };
    let grouped: Make = |number| {
        format!(
            "<media:group><media:content url=\"https://e.com/{number}.mp4\"/><media:content \
             url=\"https://e.com/{number}b.mp4\"/></media:group>"
        )
    };
    let pictured: Make = |number| {
        format!(
            "<media:content url=\"https://e.com/{number}.mp4\"><media:title>t{number}</media:title></media:content>\
             <enclosure url=\"ftp://e.com/{number}.jpg\" type=\"image/jpeg\" length=\"1\"/>"
        )
    };
    let jobs = [Job::Convert(&format::sitemap::VIDEO), Job::Inspect, Job::DiffFormats, Job::Validate];
    let mut faults = Vec::new();
    for make in [titled, grouped, pictured] {
        for job in jobs {
            let work = |count: usize| {
                let videos = (0..count).map(make).collect::<String>();
                job.work(&format!(
                    "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>c</title>\
                     <link>https://e.com/</link><description>d</description><item><title>i</title>\
                     <link>https://e.com/p</link>{videos}</item></channel></rss>"
                ))
            };
            let [once, four] = [count(100, 400), count(400, 1_600)].map(work);
            if 2 * four > QUICK * once {
                faults.push(format!("{}: of {} so many take {once}, four times as many {four}", job.name(), make(0)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A group of many images of which each has values of its own, and so has the group.
#[test]
fn images_of_a_group_take_four_times_the_work() {
    let document = |count: usize| {
        let image = |number: usize| {
            format!(
                "<media:content url=\"https://e.com/{number}.jpg\" medium=\"image\"><media:title>t{number}</media:title>\
                 </media:content>"
            )
        };
        let images: String = (0..count).map(image).collect();
        format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>c</title>\
             <link>https://e.com/</link><description>d</description><item><title>i</title><link>https://e.com/p</link>\
             <media:group><media:title>all</media:title>{images}</media:group></item></channel></rss>"
        )
    };
    for job in Job::all() {
        let [once, four] = [count(30, 100), count(120, 400)].map(|count| job.work(&document(count)));
        assert!(2 * four <= QUICK * once, "{}: so many take {once}, four times as many {four}", job.name());
    }
}

/// Unknown markup finds its element, and unknown members their object, by the places of other values.
#[test]
fn unknown_values_of_siblings_take_four_times_the_work() {
    let markup = |count: usize| {
        let credit = |number| format!("<media:credit role=\"actor\" x:a=\"{number}\">n{number}</media:credit>");
        let credits: String = (0..count).map(credit).collect();
        format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:x=\"urn:x\"><channel>\
             <title>c</title><link>https://e.com/</link><description>d</description><item><title>i</title>\
             <link>https://e.com/p</link><media:group>{credits}<media:content url=\"https://e.com/1.mp4\"/>\
             </media:group></item></channel></rss>"
        )
    };
    let json = |count: usize| {
        let counter = |number: usize| {
            format!(
                r#"{{"@type":"InteractionCounter","interactionType":"LikeAction","userInteractionCount":{number},"x":1}}"#
            )
        };
        let video = |number: usize| {
            format!(
                r#"{{"@type":"VideoObject","name":"{number}","contentUrl":"https://e.com/{number}.mp4","interactionStatistic":[{}]}}"#,
                counter(number)
            )
        };
        let videos: Vec<String> = (0..count).map(video).collect();
        format!(r#"{{"@context":"https://schema.org","@type":"WebPage","video":[{}]}}"#, videos.join(","))
    };
    for job in Job::all() {
        for document in [&markup as &dyn Fn(usize) -> String, &json] {
            let [once, four] = [count(30, 100), count(120, 400)].map(|count| job.work(&document(count)));
            assert!(2 * four <= QUICK * once, "{}: so many take {once}, four times as many {four}", job.name());
        }
    }
}

/// Rows of a table that have one page: its values are not in each of them if they are many.
#[test]
fn rows_of_one_page_take_four_times_the_work_and_room() {
    let document = |count: usize| {
        let values: String = (0..count).map(|number| format!("<category>c{number}</category>")).collect();
        let videos: String = (0..count)
            .map(|number| format!("<media:group><media:content url=\"https://e.com/{number}.mp4\"/></media:group>"))
            .collect();
        format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>c</title>\
             <link>https://e.com/</link><description>d</description><item><title>i</title>\
             <link>https://e.com/p</link><guid>g</guid>{values}{videos}</item></channel></rss>"
        )
    };
    let table = |count: usize| {
        let (table, _) = Conversion::to(&format::csv::CSV).bytes(document(count).as_bytes()).expect("a table");
        assert_eq!(table.lines().count(), count + 1);
        assert!(table.lines().skip(1).all(|row| row.starts_with("https://e.com/p,g,,i,")), "{count}");
        assert_eq!(table.matches("|c999|").count(), usize::from(count > 1000));
        table.len()
    };
    assert!(table(6000) < 5 * table(1500));
    let work = |count: usize| Job::Convert(&format::csv::CSV).work(&document(count));
    let [once, four] = [1500, 6000].map(work);
    assert!(2 * four <= QUICK * once, "so many take {once}, four times as many {four}");
}

/// The count sees what it is there for.
#[test]
fn work_is_counted() {
    let document = |count: usize| format!("https://e.com/a?{}\n", "b".repeat(count));
    let job = Job::Convert(&format::rss::RSS);
    let (once, twice) = (job.work(&document(1)), job.work(&document(1).repeat(2)));
    assert!(once > 10 && twice > once, "{once}, {twice}");
}
