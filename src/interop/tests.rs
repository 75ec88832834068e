//! Depth and books of the way through the types of other crates. A thread with a small stack stands for a worker:
//! what these tests hand over must never end it.

use crate::error::ErrorKind;
use crate::format::{atom, rss as rss_formats};
use crate::interop::verify::Verifier;
use crate::interop::{DEEPEST, InteropDocument};
use crate::model::{Entry, Foreign, Leaf};

/// Far more than either crate bears in a thread of 2 MiB.
const DEEP: usize = 5000;

/// Runs with the stack of a worker.
fn on_a_worker(test: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(test).expect("a thread starts");
    assert!(worker.join().is_ok());
}

/// An entry with unknown elements inside each other.
fn nested(depth: usize, root: &str) -> Entry<'static> {
    let mut path = root.to_owned();
    let foreign = (0..depth).map(|_| {
        path.push_str("/x:a");
        Foreign {
            path: path.clone().into(),
            ns: "https://example.com/x".into(),
            name: "a".into(),
            value: Some(Leaf::from("v")),
            ..Foreign::default()
        }
    });
    Entry { title: Some("t".into()), foreign: foreign.collect(), ..Entry::at("https://example.com/1") }
}

fn is_limit(error: &crate::error::Error) -> bool {
    matches!(error.kind(), ErrorKind::Limit { .. })
}

#[cfg(feature = "rss")]
fn extension(depth: usize) -> rss::extension::Extension {
    let mut inner = rss::extension::Extension { name: "x:a".to_owned(), ..Default::default() };
    for _ in 1..depth {
        let mut outer = rss::extension::Extension { name: "x:a".to_owned(), ..Default::default() };
        outer.children.insert("a".to_owned(), vec![inner]);
        inner = outer;
    }
    inner
}

#[cfg(feature = "rss")]
#[test]
fn deep_channels_are_refused_and_shallow_ones_read() {
    // the crate's own types free themselves by recursion, which takes less of the stack than writing does
    on_a_worker(|| {
        for (depth, good) in [(DEEPEST - 20, true), (DEEPEST, false), (3000, false)] {
            let mut channel = rss::Channel::default();
            channel.namespaces.insert("x".to_owned(), "https://example.com/x".to_owned());
            let mut item = rss::Item { title: Some("t".to_owned()), ..rss::Item::default() };
            item.extensions.entry("x".to_owned()).or_default().insert("a".to_owned(), vec![extension(depth)]);
            channel.items.push(item);
            let read = InteropDocument::try_from(&channel);
            assert_eq!(read.is_ok(), good, "{depth}: {read:?}");
        }
    });
}

#[cfg(feature = "rss")]
#[test]
fn deep_models_are_not_handed_to_rss() {
    on_a_worker(|| {
        for (depth, good) in [(DEEPEST - 20, true), (DEEP, false)] {
            let document = InteropDocument { entries: vec![nested(depth, "item")], ..InteropDocument::default() };
            let made = document.to_rss();
            let deepest = made.as_ref().map_or(DEEPEST as u64, |(_, losses)| losses.format.totals().kept);
            assert!(deepest >= DEEPEST as u64 - 20, "the markup is written");
            assert_eq!(made.is_ok(), good, "{depth}");
            assert!(made.err().is_none_or(|error| is_limit(&error)));
        }
    });
}

#[cfg(feature = "atom")]
#[test]
fn deep_models_are_not_handed_to_atom_syndication() {
    on_a_worker(|| {
        for (depth, good) in [(DEEPEST - 20, true), (DEEP, false)] {
            let document = InteropDocument { entries: vec![nested(depth, "entry")], ..InteropDocument::default() };
            let made = document.to_atom();
            let deepest = made.as_ref().map_or(DEEPEST as u64, |(_, losses)| losses.format.totals().kept);
            assert!(deepest >= DEEPEST as u64 - 20, "the markup is written");
            assert_eq!(made.is_ok(), good, "{depth}: {:?}", made.err());
            assert!(made.err().is_none_or(|error| is_limit(&error)));
        }
    });
}

#[test]
fn deep_entries_are_not_handed_to_the_auditors() {
    on_a_worker(|| {
        let deep = |name: &str| format!("<{name}>{}{}</{name}>", "<x:a>".repeat(DEEP), "</x:a>".repeat(DEEP));
        let x = "xmlns:x=\"https://example.com/x\"";
        let rss = Verifier::new(&rss_formats::RSS, format!("<rss version=\"2.0\" {x}><channel>").as_bytes());
        let atom = Verifier::new(&atom::ATOM, format!("<feed xmlns=\"http://www.w3.org/2005/Atom\" {x}>").as_bytes());
        for (verifier, name) in [(rss, "item"), (atom, "entry")] {
            let Ok(verifier) = verifier else { continue };
            assert!(verifier.entry(deep(name).as_bytes()).is_err_and(|error| is_limit(&error)));
        }
    });
}

#[cfg(feature = "rss")]
#[test]
fn differences_are_named() {
    let head = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title><link>l</link>";
    let verifier = Verifier::new(&rss_formats::RSS, head.as_bytes()).unwrap();
    verifier.entry(b"<item><title>a &amp; b</title><guid>1</guid><category>x</category></item>").unwrap();
    // well-formed, and yet another document to a reader that knows names only with their prefixes
    let foreign = verifier.entry(b"<item><m:content xmlns:m=\"http://search.yahoo.com/mrss/\" url=\"u\"/></item>");
    assert!(foreign.is_err());
    let broken = verifier.entry(b"<item><title>a</item>").unwrap_err();
    assert!(broken.is_bug(), "{broken}");
}

#[cfg(feature = "rss")]
#[test]
fn what_a_channel_cannot_hold_is_named() {
    let text = "<rss version=\"2.0\"><channel><title>T</title><link>https://example.com/</link><description>D</description>\
        <item><title>a</title><link>https://example.com/1</link><enclosure url=\"https://example.com/a.mp3\" length=\"1\" \
        type=\"audio/mpeg\"/><enclosure url=\"https://example.com/b.mp3\" length=\"2\" type=\"audio/mpeg\"/></item></channel></rss>";
    let document = InteropDocument::read(text.as_bytes(), &rss_formats::RSS).unwrap();
    let (channel, losses) = document.to_rss().unwrap();
    assert_eq!(channel.items[0].enclosure.as_ref().map(|file| file.url.as_str()), Some("https://example.com/b.mp3"));
    let lost: Vec<_> = losses.types.lost().map(|(field, row)| (field, row.count)).collect();
    assert!(lost.contains(&("enclosure.url", 1)), "{lost:?}");
    assert_eq!(losses.format.totals().lost, 0, "{:?}", losses.format.rows());
    let again = InteropDocument::try_from(&channel).unwrap();
    assert_eq!(again.feed.title, document.feed.title);
    let (_, books) = InteropDocument::from_rss(&channel).unwrap();
    assert_eq!(books.totals().lost, 0);
}

#[cfg(feature = "atom")]
#[test]
fn a_feed_of_atom_syndication_goes_there_and_back() {
    use atom_syndication::{Entry as AtomEntry, Feed as AtomFeed, Text};
    let mut feed = AtomFeed { title: Text::plain("T"), id: "urn:t".to_owned(), ..AtomFeed::default() };
    feed.entries.push(AtomEntry { title: Text::html("<b>a</b>"), id: "urn:a".to_owned(), ..AtomEntry::default() });
    let document = InteropDocument::try_from(&feed).unwrap();
    assert_eq!(document.entries[0].id.as_ref().map(Leaf::as_str), Some("urn:a"));
    let (back, losses) = document.to_atom().unwrap();
    assert_eq!((back.title, &back.entries[0].title), (feed.title, &feed.entries[0].title));
    assert_eq!(losses.types.totals().lost, 0, "{:?}", losses.types.rows());
}
