//! Videos in HTML: players of known platforms (`iframe`) and `video` elements, in the texts of entries and in pages. Only on
//! request; links are no videos. Their values have no leaf, so the report has each written one as generated.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::model::origin::{EntryRepair, GeneratedLeaf, LeafRecord, Origin, Preset, Role};
use crate::model::{Entry, Field, File, Leaf, Mark, Player, Str, Subtitle, Text, TextKind, Thumbnail, Video};
use crate::reason::Reason;
use crate::text::html::{PageElement, PageElements};
use crate::text::{embed, url};

/// How many videos are read from one entry.
const MOST: usize = 1000;

/// The attributes with the URL of a player: that of HTML, and those of scripts that load it when it is seen.
const PLAYERS: [&str; 4] = ["src", "data-src", "data-lazy-src", "data-litespeed-src"];

/// A player or a video element.
#[derive(Default)]
struct EmbeddedVideo {
    player: Option<String>,
    files: Vec<(String, Option<String>)>,
    /// Subtitles with their languages.
    tracks: Vec<(String, Option<String>)>,
    poster: Option<String>,
    title: Option<String>,
    /// Offset of its start tag.
    at: usize,
}

impl EmbeddedVideo {
    /// The same with absolute URLs.
    fn resolved(mut self, base: &str) -> EmbeddedVideo {
        let files = self.files.iter_mut().chain(&mut self.tracks).map(|(address, _)| address);
        for address in self.player.iter_mut().chain(files).chain(&mut self.poster) {
            if url::scheme(address).is_none()
                && let Some(absolute) = url::resolve(base, address)
            {
                *address = absolute;
            }
        }
        self
    }
}

/// Adds the videos in the texts of an entry, or in the page that it was read from.
pub(crate) fn add_videos(entry: &mut Entry<'_>, page: Option<&str>) {
    let mut found: Vec<(EmbeddedVideo, Mark)> = Vec::new();
    match page {
        Some(html) => found.extend(embedded(html).into_iter().map(|video| (video, Mark::NONE))),
        None => {
            let of_entry = [&entry.base, &entry.loc].into_iter().flatten().find(|base| url::is_http(&base.value));
            for text in [&entry.content, &entry.summary].into_iter().flatten().filter(|text| is_html(text)) {
                let base = text.base.as_ref().filter(|base| url::is_http(&base.value)).or(of_entry);
                let resolved = |video: EmbeddedVideo| match base {
                    Some(base) => video.resolved(&base.value),
                    None => video,
                };
                let all = embedded(&text.value.value).into_iter();
                found.extend(all.map(|video| (resolved(video), text.value.mark)));
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let mut known: HashSet<String> = entry.videos.iter().flat_map(keys).collect();
    let mut origin = std::mem::take(&mut entry.origin);
    if let Some((video, from)) = found.get(MOST) {
        let at = origin.record(*from).map_or(video.at as u32, |record| record.at);
        let (found, done) = (format!("more than {MOST} players and videos"), Cow::Borrowed("read the first of them"));
        origin.remark(EntryRepair { code: "html.videos", part: 0, at, found, done });
    }
    for (video, from) in found.into_iter().take(MOST) {
        let own: Vec<String> =
            video.player.iter().chain(video.files.iter().map(|(url, _)| url)).map(|url| key(url)).collect();
        if own.iter().any(|key| known.contains(key)) {
            continue;
        }
        known.extend(own);
        let mut maker = LeafMaker { origin: &mut origin, from, at: video.at };
        entry.videos.push(maker.video(video));
    }
    entry.origin = origin;
}

fn is_html(text: &Text<'_>) -> bool {
    text.kind != TextKind::Plain
}

/// What two videos have in common that are the same: a file, or a player in any spelling.
fn keys(video: &Video<'_>) -> Vec<String> {
    let player = video.player.as_ref().and_then(|player| player.url.as_ref());
    let urls = video.files.iter().filter_map(|file| file.url.as_ref()).chain(player);
    urls.map(|leaf| key(&leaf.value)).collect()
}

/// The parameters of a player are about its looks, unless they name the video.
fn key(address: &str) -> String {
    embed::identity(address).unwrap_or_else(|| url::key(address).into_owned())
}

/// Makes values that no leaf gave.
struct LeafMaker<'m, 'a> {
    origin: &'m mut Origin<'a>,
    from: Mark,
    at: usize,
}

impl<'a> LeafMaker<'_, 'a> {
    fn leaf(&mut self, field: Field, text: String) -> Option<Str<'a>> {
        let at = self.origin.record(self.from).map_or(self.at as u32, |record| record.at);
        let mark = Mark(self.origin.records.len() as u32);
        self.origin.records.push(LeafRecord { at, role: Role::Silent, preset: Preset::Implied });
        let from = if self.from.is_some() { self.from } else { mark };
        self.origin.generated.push(GeneratedLeaf { field, why: Reason::VideoInHtml, mark, from, text: text.clone() });
        Some(Leaf { value: Cow::Owned(text), mark, via: None })
    }

    fn video(&mut self, found: EmbeddedVideo) -> Video<'a> {
        let title = found.title.and_then(|title| self.leaf(Field::VideoTitle, title));
        let title = title.map(|title| Text::new(TextKind::Plain, title));
        let mut video = Video { title, ..Video::default() };
        if let Some(player) = found.player {
            let url = self.leaf(Field::VideoPlayerUrl, player);
            video.player = Some(Player { url, ..Player::default() });
        }
        for (url, kind) in found.files {
            let url = self.leaf(Field::VideoFileUrl, url);
            let kind = kind.and_then(|kind| self.leaf(Field::VideoFileType, kind));
            video.files.push(File { url, kind, ..File::default() });
        }
        for (href, lang) in found.tracks {
            let href = self.leaf(Field::VideoSubtitleHref, href);
            let lang = lang.and_then(|lang| self.leaf(Field::VideoSubtitleLang, lang));
            video.subtitles.push(Subtitle { href, lang, ..Subtitle::default() });
        }
        if let Some(poster) = found.poster {
            let url = self.leaf(Field::VideoThumbnailUrl, poster);
            video.thumbnails.push(Thumbnail { url, ..Thumbnail::default() });
        }
        video
    }
}

/// Whether a page has players or videos.
pub(crate) fn has_videos(html: &str) -> bool {
    !embedded(html).is_empty()
}

/// The players and videos in a piece of HTML.
fn embedded(html: &str) -> Vec<EmbeddedVideo> {
    let mut found: Vec<EmbeddedVideo> = Vec::new();
    let mut in_video = false;
    for element in PageElements::new(html) {
        let is = |name: &str| element.name.eq_ignore_ascii_case(name);
        if found.len() > MOST {
            break;
        }
        if is("iframe") {
            let players = PLAYERS.iter().filter_map(|name| address(&element, name));
            let known = players.into_iter().find(|src| embed::is_embed_host(src));
            found.extend(known.map(|src| EmbeddedVideo {
                player: Some(src),
                title: title(&element),
                at: element.at,
                ..EmbeddedVideo::default()
            }));
        } else if is("video") {
            in_video = true;
            let poster = address(&element, "poster");
            found.push(EmbeddedVideo { poster, title: title(&element), at: element.at, ..EmbeddedVideo::default() });
            add_file(&element, &mut found);
        } else if is("source") && in_video {
            add_file(&element, &mut found);
        } else if is("track") && in_video {
            add_track(&element, &mut found);
        } else if is("/video") {
            in_video = false;
        }
    }
    found.retain(|video| video.player.is_some() || !video.files.is_empty());
    found
}

fn add_file(element: &PageElement<'_>, found: &mut [EmbeddedVideo]) {
    if let (Some(src), Some(video)) = (address(element, "src"), found.last_mut()) {
        let kind = element.attribute("type").map(Cow::into_owned).filter(|kind| !kind.is_empty());
        video.files.push((src, kind));
    }
}

/// Adds a file of subtitles, which a track is unless it is of another kind.
fn add_track(element: &PageElement<'_>, found: &mut [EmbeddedVideo]) {
    let kind = element.raw("kind").map_or("subtitles", str::trim);
    let is_text = ["subtitles", "captions"].iter().any(|known| kind.eq_ignore_ascii_case(known));
    if let (true, Some(src), Some(video)) = (is_text, address(element, "src"), found.last_mut()) {
        let lang = element.attribute("srclang").map(Cow::into_owned).filter(|lang| !lang.is_empty());
        video.tracks.push((src, lang));
    }
}

/// Words that describe any player: platforms write them as the title of each.
const OF_ANY_PLAYER: [&str; 18] = [
    "a",
    "dailymotion",
    "embed",
    "embedded",
    "facebook",
    "from",
    "iframe",
    "of",
    "online",
    "peertube",
    "player",
    "rutube",
    "the",
    "twitch",
    "video",
    "vimeo",
    "vk",
    "youtube",
];

/// The title of a player or a video, if it is its own.
fn title(element: &PageElement<'_>) -> Option<String> {
    let title = element.attribute("title")?;
    let of_any = |word: &str| OF_ANY_PLAYER.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = title.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
    words.any(|word| !of_any(word)).then(|| title.trim().to_owned())
}

/// The URL in an attribute; one without a scheme is that of `https`. What is in the page itself has no URL.
fn address(element: &PageElement<'_>, name: &str) -> Option<String> {
    let value = element.attribute(name).filter(|value| !value.is_empty())?;
    let is_inside = url::scheme(&value).is_some_and(|scheme| !url::is_http(&value) && !scheme.is_empty());
    if is_inside || value.contains(char::is_whitespace) {
        return None;
    }
    Some(if value.starts_with("//") { format!("https:{value}") } else { value.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        let show = |video: EmbeddedVideo| {
            let files: Vec<String> =
                video.files.into_iter().map(|(url, kind)| format!("{url} {}", kind.unwrap_or_default())).collect();
            format!("{:?} {files:?} {:?} {:?}", video.player, video.poster, video.title)
        };
        embedded(html).into_iter().map(show).collect()
    }

    #[test]
    fn players_of_known_platforms_and_videos_are_found() {
        let html = "<iframe src='//www.youtube.com/embed/abcdefghijk?a=1&amp;b' title='YouTube video player'></iframe><iframe src=https://ads.example/x></iframe>\
            <a href='https://youtu.be/abcdefghijk'>x</a><video poster='p.jpg' title='A &amp; b'><source src='a.mp4' type=video/mp4><source src='a.webm'></video>\
            <video src=blob:x></video><source src=c.mp4>";
        let want = [
            "Some(\"https://www.youtube.com/embed/abcdefghijk?a=1&b\") [] None None",
            "None [\"a.mp4 video/mp4\", \"a.webm \"] Some(\"p.jpg\") Some(\"A & b\")",
        ];
        assert_eq!(shown(html), want);
    }

    #[test]
    fn videos_that_a_parameter_names_are_several() {
        let vk = |id: u32| format!("<iframe src='https://vk.com/video_ext.php?oid=-1&amp;id={id}'></iframe>");
        let content = Some(Text::new(TextKind::Html, [vk(1), vk(2), vk(1)].concat().into()));
        let mut entry = Entry { content, ..Entry::default() };
        add_videos(&mut entry, None);
        assert_eq!(entry.videos.len(), 2);
    }

    #[test]
    fn what_is_known_already_is_not_added() {
        let mut entry = Entry::default();
        let html = "<iframe src=https://www.youtube.com/embed/abcdefghijk></iframe>";
        entry.content = Some(Text::new(TextKind::Html, html.repeat(3).into()));
        let url = Some("https://youtu.be/abcdefghijk".into());
        entry.videos.push(Video { player: Some(Player { url, ..Player::default() }), ..Video::default() });
        add_videos(&mut entry, None);
        assert_eq!(entry.videos.len(), 1);
        entry.videos.clear();
        add_videos(&mut entry, None);
        assert_eq!((entry.videos.len(), entry.origin.generated.len()), (1, 1));
    }
}
