//! An option that is called unused has no effect: with it, the output is the same.

use crate::common;

use common::{scratch, transfeed};

/// Videos in which each option can find something: renditions, a small and no thumbnail, a watch page, long titles, inactive
/// ones, relative links, a fragment, dates.
const VIDEOS: &str = r#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Pond</title><link>https://pond.example/</link><description>d</description><language>en</language>
<image><url>https://pond.example/logo.png</url><title>Pond</title><link>https://pond.example/</link></image><sy:updatePeriod>daily</sy:updatePeriod>
<item><title>Frogs that sit on leaves all day long and wait for flies, then for the night, then for the day again, as frogs do</title><link>https://pond.example/1#top</link><guid>https://pond.example/1</guid><description>&lt;a href="/x"&gt;They&lt;/a&gt; sit. &lt;img src="https://pond.example/frog.jpg"&gt; &lt;iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"&gt;&lt;/iframe&gt;</description><pubDate>Sun, 01 Mar 2026 08:00:00 GMT</pubDate>
<media:group><media:content url="https://pond.example/240.mp4" type="video/mp4" height="240" fileSize="10"/><media:content url="https://pond.example/1080.mp4" type="video/mp4" height="1080" fileSize="1000"/></media:group>
<media:thumbnail url="https://pond.example/small.jpg" width="200" height="100"/><media:thumbnail url="https://pond.example/large.jpg" width="800" height="400"/><media:price type="rent" price="1" currency="EUR"/></item>
<item><title>Newts</title><link>https://pond.example/2</link><description>They swim.</description><pubDate>Sun, 01 Mar 2026 08:00:00 GMT</pubDate><media:content url="https://pond.example/2.mp4" type="video/mp4"/><media:content url="https://pond.example/3.mp4"/></item>
<item><title>Toads</title><link>https://www.youtube.com/watch?v=bbbbbbbbbbb</link><description>They walk.</description><atom:updated>2026-03-02T08:00:00Z</atom:updated><media:content medium="video" duration="5"><media:player url="https://www.youtube.com/watch?v=bbbbbbbbbbb"/><media:thumbnail url="https://pond.example/t.jpg"/><media:status state="blocked"/></media:content></item>
<item><link>https://pond.example/d%C3%A4mmerung/four</link><description>Без слов</description></item>
</channel></rss>"#;

const OPTIONS: [&[&str]; 30] = [
    &["--rendition", "smallest"],
    &["--no-merge-ungrouped"],
    &["--assume-video"],
    &["--no-rewrite"],
    &["--thumbnail", "first"],
    &["--thumbnail-from-feed"],
    &["--thumbnail-from-html"],
    &["--default-thumbnail", "https://pond.example/any.jpg"],
    &["--keep-inactive"],
    &["--no-deprecated"],
    &["--fit-titles"],
    &["--thumbnails-as-images"],
    &["--title-from", "slug"],
    &["--feed-changefreq"],
    &["--lastmod-from-published"],
    &["--pubdate-from-lastmod"],
    &["--keep-fragments"],
    &["--iri"],
    &["--absolutize-html"],
    &["--pretty"],
    &["--self", "https://pond.example/out.xml"],
    &["--foreign", "keep"],
    &["--foreign", "drop"],
    &["--no-synth"],
    &["--for", "google"],
    &["--for", "yandex"],
    &["--for", "none"],
    &["--one-item-per-video"],
    &["--one-item-per-page"],
    &["--no-group"],
];

#[test]
fn unused_options_have_no_effect() {
    let dir = scratch("unused-options");
    std::fs::write(dir.join("in.rss"), VIDEOS).expect("a document");
    let (mut unused, mut wrong) = (0, Vec::new());
    for target in transfeed::format::targets().map(|format| format.id) {
        let convert = |options: &[&str]| {
            let args = [&["convert", "in.rss", "--to", target, "--now", "2026-03-03T00:00:00Z"], options].concat();
            let run = transfeed(&dir, &args, None);
            (run.code, run.stdout, run.stderr)
        };
        let (_, plain, _) = convert(&[]);
        for options in OPTIONS {
            let (code, output, says) = convert(options);
            if !says.contains("has no effect") {
                continue;
            }
            unused += 1;
            if code != 0 || output != plain {
                wrong.push(format!("{target} {options:?}: {says}"));
            }
        }
    }
    assert!(unused > 100 && wrong.is_empty(), "{unused} unused\n{}", wrong.join("\n"));
}
