//! Values that a video sitemap omits although the extension has an element for them: another value was chosen, or no
//! video uses the value of a level above. Each case is listed with its condition, so that a value forgotten by a writer
//! stays open in the books. Values that the extension never holds are only in fate.rs.

use std::collections::{HashMap, HashSet};

use super::choice::Rendition;
use crate::emit::Out;
use crate::format::choice::ChosenValue;
use crate::model::category::CategoryFields;
use crate::model::{Audience, Category, Entry, Feed, Field, LeafView, Mark, Str, Video, Walk};
use crate::reason::Reason;
use crate::text::url;

/// Whether a value is not settled yet although the extension has an element for it.
#[inline]
fn is_hidden(seen: &LeafView<'_>, out: &mut Out<'_, '_>) -> bool {
    let table = out.table();
    !out.books().settled(seen.mark) && table(seen.field).name().is_some()
}

/// Settles what is left of a part, for a reason that is known to hold for all of it.
fn settle_all<W: Walk>(part: &W, names: W::Names, why: Reason, out: &mut Out<'_, '_>) {
    part.walk(names, &mut |seen| {
        if is_hidden(&seen, out) {
            out.books().lost(seen.mark, why);
        }
    });
}

/// Merges a value with another one that repeats it.
fn merge(seen: LeafView<'_>, with: Mark, out: &mut Out<'_, '_>) {
    if is_hidden(&seen, out) {
        out.books().merged_with(seen.mark, with, Reason::SameValue);
    }
}

/// What was written of a video where the extension has room for one value.
pub(super) struct WrittenVideo<'w, 'e> {
    pub rendition: &'w Rendition<'e>,
    pub player: Option<&'w ChosenValue>,
    pub title: Option<&'w ChosenValue>,
    pub description: Option<&'w ChosenValue>,
}

/// Settles the values of a video for which another value was written.
pub(super) fn video<'e>(video: &'e Video<'e>, written: &WrittenVideo<'_, 'e>, out: &mut Out<'_, 'e>) {
    if let Some(media) = written.rendition.file.and_then(|file| file.media.as_deref()) {
        deeper(media, video, out);
        texts(media, written, out);
        categories(media, out);
        settle_all(&media.files, (), Reason::PageValue, out);
    }
    texts(video, written, out);
    categories(video, out);
    played(written, out);
}

/// The chosen rendition's own values win over those of the whole video.
fn deeper<'e>(media: &'e Video<'e>, video: &'e Video<'e>, out: &mut Out<'_, 'e>) {
    video.walk_shared(media, (), &mut |seen, with| merge(seen, with, out));
    macro_rules! hidden {
        ($($member:ident $names:expr,)*) => {$(
            if !media.$member.is_blank() {
                settle_all(&video.$member, $names, Reason::OtherValue, out);
            }
        )*};
    }
    if community(media) {
        settle_all(&video.rating, (), Reason::OtherValue, out);
        settle_all(&video.views, Field::VideoViews, Reason::OtherValue, out);
    }
    if credits(media) {
        settle_all(&video.uploader, (), Reason::OtherValue, out);
    }
    hidden! {
        title Field::VideoTitle,
        description Field::VideoDescription,
        thumbnails (),
        player (),
        published Field::VideoPublished,
        available (),
        family_friendly Field::VideoFamilyFriendly,
        restriction (),
        platform (),
        allow_embed Field::VideoAllowEmbed,
        autoplay Field::VideoAutoplay,
        prices (),
        requires_subscription Field::VideoRequiresSubscription,
        live Field::VideoLive,
        tags Field::VideoTag,
        tv (),
        ids (),
        gallery (),
        segments (),
    }
}

/// Whether a level speaks of what viewers think: several members, but one element in Media RSS, which the deepest level
/// has as a whole (A1.1).
pub(super) fn community(level: &Video<'_>) -> bool {
    let said = level.rating.is_some() || level.views.is_some() || level.favorites.is_some();
    said || !level.tag_weights.is_empty()
}

/// The same for those who took part: one list in Media RSS.
pub(super) fn credits(level: &Video<'_>) -> bool {
    level.uploader.is_some() || !level.credits.is_empty()
}

/// Texts that are only markup.
fn texts(level: &Video<'_>, written: &WrittenVideo<'_, '_>, out: &mut Out<'_, '_>) {
    let pairs = [
        (&level.title, Field::VideoTitle, written.title),
        (&level.description, Field::VideoDescription, written.description),
    ];
    for (text, field, instead) in pairs {
        let Some(text) = text else { continue };
        let mut hidden = false;
        text.walk(field, &mut |seen| hidden |= is_hidden(&seen, out));
        if hidden && !crate::format::choice::has_words(text) {
            match instead {
                Some(_) => {
                    settle_all(text, field, Reason::OtherValue, out);
                }
                None => settle_all(text, field, Reason::NoText, out),
            }
        }
    }
}

/// A player among the files, where the video names one by itself.
fn played(written: &WrittenVideo<'_, '_>, out: &mut Out<'_, '_>) {
    let Some(url) = written.rendition.plays.and_then(|file| file.url.as_ref()) else { return };
    match written.player {
        Some(player) if url::key(&player.text) == url::key(&url.value) => {
            url.walk(Field::VideoFileUrl, &mut |seen| merge(seen, player.mark, out));
        }
        Some(_) => settle_all(url, Field::VideoFileUrl, Reason::OtherValue, out),
        None => (),
    }
}

/// Settles what is left of categories that were written, or merged with another of the same name (A1.4).
fn categories(level: &Video<'_>, out: &mut Out<'_, '_>) {
    for category in &level.categories {
        if category.label.as_ref().is_some_and(|label| out.books().settled(label.mark)) {
            settle_all(&category.term, Field::VideoCategoryTerm, Reason::LabelInstead, out);
        }
    }
}

/// Settles the values of the level above the videos that none of them uses. A value that a video uses has the same mark
/// there, and is settled there.
pub(super) fn settle_page<'e>(entry: &'e Entry<'e>, feed: &Feed<'_>, out: &mut Out<'_, 'e>) {
    let graded = out.table()(Field::VideoFamilyFriendly).name().is_some();
    for level in entry.media.as_deref().into_iter().chain(feed.media.as_deref()).filter(|_| graded) {
        settle_ratings(level, &entry.videos, out);
    }
    let Some(media) = entry.media.as_deref() else { return };
    let mut open = HashSet::new();
    media.walk((), &mut |seen| {
        if is_hidden(&seen, out) {
            open.insert(seen.mark);
        }
    });
    if open.is_empty() {
        return;
    }
    entry.videos.walk((), &mut |seen| {
        open.remove(&seen.mark);
    });
    let is_open = |seen: &LeafView<'_>, out: &mut Out<'_, '_>| open.contains(&seen.mark) && is_hidden(seen, out);
    // a value repeated on a deeper level is merged with that one, if that one is written
    let mut written = Vec::new();
    for video in &entry.videos {
        let mut is_written = false;
        video.walk((), &mut |seen| is_written |= out.books().is_written(seen.mark));
        written.extend(is_written.then_some(video));
    }
    for video in &written {
        let chosen = video.files.iter().filter_map(|file| file.media.as_deref());
        for level in chosen.chain([*video]) {
            media.walk_shared(level, (), &mut |seen, with| {
                if is_open(&seen, out) {
                    out.books().merged_with(seen.mark, with, Reason::SameValue);
                }
            });
        }
    }
    let known = written.iter().flat_map(|video| &video.categories);
    let known: HashMap<_, _> = known.filter_map(|own| Some((name(own), own.term.as_ref()?.mark))).collect();
    for own in &media.categories {
        let Some(with) = known.get(&name(own)) else { continue };
        own.walk(CategoryFields::VIDEO, &mut |seen| {
            if is_open(&seen, out) {
                out.books().merged_with(seen.mark, *with, Reason::SameValue);
            }
        });
    }
    let deep = overruled(media, &entry.videos);
    media.walk((), &mut |seen| {
        if is_open(&seen, out) {
            let is_overruled = !written.is_empty() && deep.contains(&seen.mark);
            out.books().lost(seen.mark, if is_overruled { Reason::OtherValue } else { Reason::PageValue });
        }
    });
}

/// Grades of a level that every video has otherwise, in the same scheme (A1.3).
fn settle_ratings(level: &Video<'_>, videos: &[Video<'_>], out: &mut Out<'_, '_>) {
    let scheme = |rating: &Audience<'_>| {
        rating.scheme.as_ref().map_or(String::new(), |leaf| leaf.value.trim().to_ascii_lowercase())
    };
    let usual = |scheme: String| if scheme.is_empty() { "urn:simple".to_owned() } else { scheme };
    let value = |rating: &Audience<'_>| rating.value.as_ref().map(|leaf| leaf.mark);
    for rating in level.ratings.iter().take(GRADES) {
        let hides =
            |other: &Audience<'_>| value(other) != value(rating) && usual(scheme(other)) == usual(scheme(rating));
        if !videos.is_empty() && videos.iter().all(|video| video.ratings.iter().take(GRADES).any(hides)) {
            for leaf in rating.value.iter().chain(&rating.scheme).filter(|leaf| leaf.mark.is_some()) {
                if !out.books().settled(leaf.mark) {
                    out.books().lost(leaf.mark, Reason::OtherValue);
                }
            }
        }
    }
}

/// How many grades are looked at: there are four schemes, and a longer list must not cost more than its length.
const GRADES: usize = 64;

/// The scheme and the name of a category.
fn name<'c>(category: &'c Category<'_>) -> (Option<&'c str>, Option<&'c str>) {
    let text = |leaf: &'c Option<Str<'_>>| leaf.as_ref().map(|leaf| &*leaf.value);
    (text(&category.scheme), text(&category.term))
}

/// The marks of members that every video has its own value for.
fn overruled(media: &Video<'_>, videos: &[Video<'_>]) -> HashSet<Mark> {
    let mut deep = HashSet::new();
    let said = |of: fn(&Video<'_>) -> bool| !videos.is_empty() && videos.iter().all(of);
    macro_rules! members {
        ($($member:ident $names:expr, $of:expr;)*) => {$(
            if said($of) {
                media.$member.walk($names, &mut |seen| {
                    deep.insert(seen.mark);
                });
            }
        )*};
    }
    members! {
        title Field::VideoTitle, |video| video.title.is_some();
        description Field::VideoDescription, |video| video.description.is_some();
        thumbnails (), |video| !video.thumbnails.is_empty();
        player (), |video| video.player.is_some();
        files (), |video| !video.files.is_empty();
        duration Field::VideoDuration, |video| video.duration.is_some();
        published Field::VideoPublished, |video| video.published.is_some();
        available (), |video| video.available.is_some();
        rating (), community;
        views Field::VideoViews, community;
        family_friendly Field::VideoFamilyFriendly, |video| video.family_friendly.is_some();
        restriction (), |video| video.restriction.is_some();
        platform (), |video| video.platform.is_some();
        allow_embed Field::VideoAllowEmbed, |video| video.allow_embed.is_some();
        autoplay Field::VideoAutoplay, |video| video.autoplay.is_some();
        prices (), |video| !video.prices.is_empty();
        requires_subscription Field::VideoRequiresSubscription, |video| video.requires_subscription.is_some();
        uploader (), credits;
        live Field::VideoLive, |video| video.live.is_some();
        tags Field::VideoTag, |video| !video.tags.is_empty();
        tv (), |video| video.tv.is_some();
        ids (), |video| !video.ids.is_empty();
        gallery (), |video| video.gallery.is_some();
        segments (), |video| !video.segments.is_empty();
    }
    deep
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::contract::{Setup, Survey};
    use crate::format::sitemap::{SITEMAP, VIDEO};
    use crate::ledger::Books;
    use crate::model::{Feed, File, IntoOwned};
    use crate::options::Options;

    /// Something of everything that the extension has a place for.
    const VIDEO_SAID: &str = r#"{"title": {"kind": "plain", "value": "t"}, "description": {"kind": "plain", "value": "d"},
        "thumbnails": [{"url": "t"}], "player": {"url": "p"}, "duration": 7, "published": "2024-05-01",
        "available": {"end": "2030-05-01"}, "rating": {"average": "4"}, "views": 3, "family_friendly": true,
        "restriction": {"relationship": "deny", "countries": ["DE"]},
        "platform": {"relationship": "deny", "platforms": ["tv"]}, "allow_embed": true, "autoplay": "a=1",
        "prices": [{"amount": "1", "currency": "EUR", "type": "rent", "resolution": "hd"}],
        "requires_subscription": true, "uploader": {"name": "u", "uri": "u"}, "live": true, "tags": ["t"],
        "categories": [{"term": "c"}], "tv": {"show_title": "s", "type": "full"}, "ids": [{"type": "url", "value": "u"}],
        "gallery": {"url": "g", "title": "g"}, "segments": [{"url": "s", "duration": 3}]}"#;

    /// A video on a page, each value with a mark of its own; the level above it says the same by the same leaves.
    fn entry(deeper: &str) -> Entry<'static> {
        let video: Video<'static> = serde_json::from_str::<Video<'_>>(VIDEO_SAID).expect("it is a video").into_owned();
        let media: Video<'static> = serde_json::from_str::<Video<'_>>(deeper).expect("it is a video").into_owned();
        let file = File { media: Some(Box::new(media)), ..File::default() };
        let mut video = Video { files: vec![file], ..video };
        let mut next = 0;
        video.marks(&mut |mark| {
            *mark = Mark(next);
            next += 1;
        });
        let media = Some(Box::new(Video { files: Vec::new(), ..video.clone() }));
        Entry { media, videos: vec![video], ..Entry::default() }
    }

    fn settled(entry: &Entry<'static>) -> Vec<&'static str> {
        let (feed, options, survey) = (Feed::default(), Options::default(), Survey::default());
        let setup = Setup {
            source: &SITEMAP,
            target: &VIDEO,
            same_family: true,
            options: &options,
            feed: &feed,
            own_feed: &feed,
            survey: &survey,
        };
        let (mut buf, mut books) = (Vec::new(), Books::default());
        let writer = crate::format::sitemap::write::SitemapWriter { video: true };
        let style = setup.style(&writer, &[]);
        let mut out = Out::new(&style, &mut buf, &mut books, 0);
        let said = &entry.videos[0];
        let rendition = Rendition { file: said.files.first(), content: None, plays: None };
        let written = WrittenVideo { rendition: &rendition, player: None, title: None, description: None };
        video(said, &written, &mut out);
        settle_page(entry, &feed, &mut out);
        let mut names = Vec::new();
        said.walk((), &mut |seen| {
            if books.settled(seen.mark) {
                names.push(seen.field.name());
            }
        });
        names
    }

    #[test]
    fn a_value_that_its_writer_forgot_stays_open() {
        assert_eq!(settled(&entry("{}")), [] as [&str; 0]);
    }

    #[test]
    fn a_value_is_hidden_by_one_of_its_kind_only() {
        let deeper = r#"{"title": {"kind": "plain", "value": "deeper"}, "favorites": 3}"#;
        assert_eq!(settled(&entry(deeper)), ["video.title", "video.rating.average", "video.views"]);
    }
}
