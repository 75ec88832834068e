//! Writes `ovs:video`: an element for each video, with the URL of its page, all of them in one root. Yandex documents one
//! video a document: `--split 1`.

use std::cell::Cell;
use std::collections::HashSet;

use crate::emit::{Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::audience::{age_fitness, leaves_of};
use crate::format::choice::{
    ChosenValue, EntryTexts, PlayerChoice, VideoSurroundings, YANDEX_THUMBNAIL, date_of_video, effective,
    effective_list, episode_keywords, episode_length, explicit, is_small, lose_overruled, made_description,
    made_thumbnail, made_title, normalized, player_url, settle_head, settle_other_page, settle_unwritten,
    usable_thumbnail, words,
};
use crate::format::contract::{FormatWriter, Setup};
use crate::format::medium::{is_film, is_no_video, is_player};
use crate::format::rank::{RenditionCandidate, rank};
use crate::format::sitemap::date::date;
use crate::model::episode::keywords;
use crate::model::{Entry, Feed, Field, File, Leaf, Mark, Str, Video, Walk};
use crate::options::Options;
use crate::pages::{self, Address};
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::text::url;
use crate::xml::names::Ns;

/// Writes `yandex-video`.
pub struct YandexVideoWriter;

const PROLOG: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
const VIDEO: &str = "ovs:video";

impl FormatWriter for YandexVideoWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "yes", no: "no", date }
    }
    fn roots(&self) -> &'static [(&'static str, &'static str)] {
        &[("video", VIDEO)]
    }
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        vec![(Ns::Ovs.prefix().to_owned(), Ns::Ovs.uri().to_owned())]
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        out.prolog(PROLOG);
        if !is_alone(setup) {
            out.prolog("\n");
            out.place(&feed.foreign, SourceElements::of_head(feed));
            out.enter(VIDEO);
            out.declare_all();
            out.pause();
        }
        settle_head(feed, out);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if entry.videos.is_empty() {
            if !pages::is_unread(entry) {
                out.drop_entry(Reason::NoVideo);
            }
            return;
        }
        let page = pages::address(entry, setup.source.family);
        let writing = PageWriting { entry, setup, page, first_drop: Cell::new(None), texts: EntryTexts::default() };
        let mut written = 0;
        for (number, video) in entry.videos.iter().enumerate() {
            out.at_video(number);
            match writing.choose(video, out) {
                Ok(chosen) => {
                    match is_alone(setup) {
                        true if written > 0 => out.next_document(),
                        false if written > 0 && !setup.options.pretty => out.prolog("\n"),
                        _ => (),
                    }
                    // unknown markup of the entry is in its first video
                    let own: &[_] = if written == 0 { &entry.foreign } else { &[] };
                    out.place(own, SourceElements::of_entry(entry, setup.own_feed));
                    out.element_always(VIDEO, |out| {
                        if is_alone(setup) {
                            out.declare_all();
                        }
                        writing.video(video, &chosen, written == 0, out);
                    });
                    written += 1;
                }
                Err(why) => {
                    writing.first_drop.set(writing.first_drop.get().or(Some(why)));
                    out.drop_video(video, why);
                }
            }
        }
        out.at_video(entry.videos.len());
        match writing.first_drop.get().filter(|_| written == 0) {
            Some(why) => out.drop_entry(why),
            None => {
                for enclosure in &entry.enclosures {
                    out.drop(enclosure, (), Reason::YandexVideoElement);
                }
                if writing.page.as_ref().is_some_and(|page| page.field != Field::Loc) {
                    settle_other_page(entry, out);
                }
                settle_unwritten(out, |visit| entry.walk((), visit));
            }
        }
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        match (is_alone(setup), setup.options.pretty) {
            (false, _) => buf.extend_from_slice(b"</ovs:video>\n"),
            (true, pretty) => buf.extend(pretty.then_some(b'\n')),
        }
    }
}

/// Whether each document has one video (`--split 1`), as in the documentation of Yandex.
fn is_alone(setup: &Setup<'_>) -> bool {
    setup.options.split == Some(1)
}

/// The values of a video that Yandex requires.
struct ValuesForYandex<'e> {
    file: Option<&'e File<'e>>,
    title: Option<ChosenValue>,
    thumbnail: Option<ChosenValue>,
    description: Option<ChosenValue>,
    published: Option<ChosenValue>,
    player: Option<ChosenValue>,
    content: Option<&'e Str<'e>>,
}

/// The videos of one page on their way out.
struct PageWriting<'e, 's> {
    entry: &'e Entry<'e>,
    setup: &'s Setup<'s>,
    page: Option<Address<'e>>,
    /// Why the first video is not written that is not.
    first_drop: Cell<Option<Reason>>,
    texts: EntryTexts,
}

impl<'e> PageWriting<'e, '_> {
    fn choose(&self, video: &'e Video<'e>, out: &Out<'_, 'e>) -> Result<ValuesForYandex<'e>, Reason> {
        let options = self.setup.options;
        let strict = !out.same_family();
        if strict && is_no_video(video, options.assume_video) {
            return Err(Reason::YandexVideoElement);
        }
        if !options.keep_inactive && video.is_inactive() {
            return Err(Reason::InactiveVideo);
        }
        let file = self.file(video);
        let feed = self.setup.own_feed;
        let beside =
            VideoSurroundings { entry: self.entry, page: self.page.as_ref(), feed, options, texts: &self.texts };
        let title = words(effective!(video, file, title));
        let title = if strict { title.or_else(|| made_title(file, &beside)) } else { title };
        let least = strict.then_some(YANDEX_THUMBNAIL);
        let thumbnail = usable_thumbnail(video, file, options.thumbnail, least);
        let thumbnail = if strict { thumbnail.or_else(|| made_thumbnail(video, file, &beside)) } else { thumbnail };
        let description = words(effective!(video, file, description));
        let description =
            if strict { description.or_else(|| made_description(title.as_ref(), &beside)) } else { description };
        let published =
            date_of_video(video, file, self.entry, strict && !options.no_synth, |date| (date.to_w3c(), None));
        let player = self.player(video, file);
        let content = file.filter(|file| !(strict && self.is_no_file(file))).and_then(|file| file.url.as_ref());
        if strict {
            let plays = content.is_some() || player.is_some();
            let required = [
                (self.page.is_some(), pages::no_page(self.entry)),
                (title.is_some(), Reason::YandexNoTitle),
                (thumbnail.is_some(), no_thumbnail(video, file)),
                (description.is_some(), Reason::YandexNoDescription),
                (published.is_some(), Reason::YandexNoDate),
                (plays, Reason::YandexNoFile),
            ];
            if let Some((_, why)) = required.into_iter().find(|(there, _)| !there) {
                return Err(why);
            }
        }
        Ok(ValuesForYandex { file, title, thumbnail, description, published, player, content })
    }

    /// The rendition that represents the video (A8).
    fn file(&self, video: &'e Video<'e>) -> Option<&'e File<'e>> {
        let language = self.setup.own_feed.language.as_ref().map(Leaf::as_str);
        if self.setup.same_family {
            return video.files.first();
        }
        let films = video.files.iter().filter(|file| is_film(file));
        let rank = |file: &File<'_>| rank(&RenditionCandidate::new(file), &self.setup.options.rendition, language);
        // a player is no rendition, where there is another
        films.min_by_key(|file| (self.is_no_file(file), rank(file)))
    }

    /// Whether a file is a player or the page.
    fn is_no_file(&self, file: &File<'_>) -> bool {
        is_player(file) || file.url.as_ref().is_some_and(|url| self.is_page(&url.value))
    }

    fn is_page(&self, address: &str) -> bool {
        self.page.as_ref().is_some_and(|page| url::is_same(address, &page.url))
    }

    /// The player (A3); that of a description for Yandex goes back as it is.
    fn player(&self, video: &'e Video<'e>, file: Option<&'e File<'e>>) -> Option<ChosenValue> {
        let (options, strict, page) = (self.setup.options, !self.setup.same_family, self.page.as_ref());
        let own = effective!(video, file, player).and_then(|player| player.url.as_ref());
        let embed = effective!(video, file, embed).and_then(|embed| embed.url.as_ref());
        let films = file.into_iter().chain(video.files.iter().filter(|file| is_film(file)));
        let played = films.filter(|file| strict && self.is_no_file(file)).find_map(|file| file.url.as_ref());
        let has_file = file.is_some_and(|file| file.url.is_some() && !self.is_no_file(file));
        let how = PlayerChoice {
            takes: &|leaf| !strict || !self.is_page(&leaf.value),
            spelled: &|leaf| ChosenValue::own(leaf.mark, leaf.value.to_string(), None),
            rewritten: &|address| player_url(address, page).filter(|_| strict && !options.no_rewrite),
        };
        let is_made = strict && !has_file && !options.no_synth;
        let chosen = how.choose([own, embed, played]);
        chosen.or_else(|| is_made.then(|| how.of_platform(video, page)).flatten())
    }

    /// Writes the elements of a video; the first one has those of its page.
    fn video(&self, video: &'e Video<'e>, chosen: &ValuesForYandex<'e>, first: bool, out: &mut Out<'_, 'e>) {
        let file = chosen.file;
        out.put(Field::VideoId, &video.id);
        self.address(out);
        if let Some(thumbnail) = &chosen.thumbnail {
            thumbnail.write("ovs:thumbnail", Field::VideoThumbnailUrl, out);
        }
        let mark = chosen.thumbnail.as_ref().map(|thumbnail| thumbnail.mark);
        let others = effective_list!(video, file, thumbnails).iter().filter_map(|thumbnail| thumbnail.url.as_ref());
        let all = out.same_family();
        for other in others.filter(|other| all && Some(other.mark) != mark) {
            out.put_leaf(Field::VideoThumbnailUrl, other);
        }
        for (text, name, field) in [
            (&chosen.title, "ovs:title", Field::VideoTitle),
            (&chosen.description, "ovs:description", Field::VideoDescription),
            (&chosen.published, "ovs:upload_date", Field::VideoPublished),
        ] {
            if let Some(text) = text {
                text.write(name, field, out);
            }
        }
        self.duration(video, file, out);
        self.adult(video, file, out);
        if let Some(player) = &chosen.player {
            player.write("ovs:embed_url", Field::VideoPlayerUrl, out);
        }
        if let Some(url) = chosen.content {
            out.put_leaf(Field::VideoFileUrl, url);
        }
        if !out.same_family() {
            self.not_played(video, file, chosen, out);
        }
        out.put(Field::VideoAllowEmbed, &effective!(video, file, allow_embed).cloned());
        out.put(Field::VideoViews, &effective!(video, file, views).cloned());
        out.put(Field::VideoFavorites, &effective!(video, file, favorites).cloned());
        if first {
            out.put(Field::CommentCount, &self.entry.comment_count);
        }
        let named = |video: &'e Video<'e>| video.uploader_or_credit().and_then(|by| Some((by, by.name?)));
        if let Some((by, name)) = file.and_then(|file| named(file.media.as_ref()?)).or_else(|| named(video)) {
            out.put_leaf(Field::VideoUploaderName, name);
            by.implied().for_each(|mark| out.books().kept(mark));
        }
        self.tags(effective_list!(video, file, tags), out);
        let has_place = |field| field != Field::VideoFamilyFriendly && super::fate::fate(field).name().is_some();
        lose_overruled(self.entry, has_place, out.books());
    }

    /// Tags, or the keywords of the episode if the video has none.
    fn tags(&self, tags: &'e [Str<'e>], out: &mut Out<'_, 'e>) {
        let mut known = HashSet::new();
        for tag in tags {
            match out.same_family() || known.insert(tag.value.to_lowercase()) {
                true => out.elem_as("ovs:tag", tag.mark, &tag.value, None),
                false => out.books().merged(tag.mark, Reason::SameValue),
            }
        }
        let Some((mark, said)) = episode_keywords(self.entry).filter(|_| tags.is_empty()) else { return };
        let each: Vec<&str> = keywords(said).filter(|word| known.insert(word.to_lowercase())).collect();
        out.books().changed(mark, Reason::UsedForVideo, each.join(", "));
        for word in each {
            out.elem_as("ovs:tag", mark, word, Some(Reason::UsedForVideo));
        }
    }

    /// Settles the URLs of players that are not written.
    fn not_played(
        &self,
        video: &'e Video<'e>,
        file: Option<&'e File<'e>>,
        chosen: &ValuesForYandex<'e>,
        out: &mut Out<'_, 'e>,
    ) {
        let is_written = |leaf: &&Str<'_>| chosen.player.as_ref().is_some_and(|player| player.mark == leaf.mark);
        let own = effective!(video, file, player).and_then(|player| player.url.as_ref());
        let of_file = |file: &'e File<'e>| Some(file.url.as_ref()?).filter(|_| is_film(file) && self.is_no_file(file));
        for leaf in own.into_iter().chain(video.files.iter().filter_map(of_file)).filter(|leaf| !is_written(leaf)) {
            if self.is_page(&leaf.value) {
                out.books().lost(leaf.mark, Reason::SameAsPage);
            }
        }
        let players = video.files.iter().filter(|file| is_film(file) && is_player(file));
        for leaf in players.filter_map(|file| file.url.as_ref()).filter(|leaf| !is_written(leaf)) {
            out.books().lost(leaf.mark, Reason::PlayerFile);
        }
    }

    /// The URL of the page, which each of its videos has.
    fn address(&self, out: &mut Out<'_, 'e>) {
        let Some(page) = &self.page else { return out.put(Field::Loc, &self.entry.loc) };
        let change = normalized(page.given, &page.url);
        if page.field == Field::Loc {
            return out.elem_as("ovs:url", page.mark, &page.url, change);
        }
        out.elem_as("ovs:url", page.mark, &page.url, Some(Reason::UsedAsPage));
        out.books().made(Field::Loc, Reason::GeneratedPageUrl, Some(page.mark), page.url.to_string());
    }

    /// Whole seconds.
    fn duration(&self, video: &'e Video<'e>, file: Option<&'e File<'e>>, out: &mut Out<'_, 'e>) {
        let own = file.and_then(|file| file.duration.as_ref()).or(effective!(video, file, duration));
        let own = own.map(|leaf| (leaf.mark, leaf.value, None));
        let episode = || episode_length(self.entry).map(|(mark, length)| (mark, length, Some(Reason::UsedForVideo)));
        let Some((mark, length, moved)) = own.or_else(episode) else { return };
        match length.is_whole() {
            true => out.elem_as("ovs:duration", mark, &length.to_string(), moved),
            false => out.elem_as("ovs:duration", mark, &length.whole().to_string(), Some(Reason::RoundedNumber)),
        }
    }

    /// By the flag of the video, its opposite, its ratings, or the flag of the episode. One value for adults decides, and a
    /// rating that cannot be decided blocks a no (A10).
    fn adult(&self, video: &'e Video<'e>, file: Option<&'e File<'e>>, out: &mut Out<'_, 'e>) {
        let own = effective!(video, file, adult);
        let friendly = effective!(video, file, family_friendly);
        let ratings = effective_list!(video, file, ratings);
        let graded: Vec<_> =
            ratings.iter().filter(|one| one.value.is_some()).map(|one| (one, age_fitness(one))).collect();
        let episode = explicit(self.entry, self.setup.own_feed);
        let denied = own.is_some_and(|own| own.value)
            || friendly.is_some_and(|friendly| !friendly.value)
            || graded.iter().any(|(_, fit)| *fit == Some(false))
            || episode.is_some_and(|(_, is_explicit)| is_explicit);
        let word = if denied { "yes" } else { "no" };
        let agrees = |fit: Option<bool>| fit == Some(!denied);
        let is_decided = denied || graded.iter().all(|(_, fit)| fit.is_some());
        let mut written = true;
        if let Some(own) = own.filter(|own| own.value == denied) {
            out.put_leaf(Field::VideoAdult, own);
        } else if let Some(friendly) = friendly.filter(|friendly| friendly.value != denied) {
            out.elem_as("ovs:adult", friendly.mark, word, Some(Reason::UsualTerm));
        } else if is_decided && graded.iter().any(|(_, fit)| agrees(*fit)) {
            out.elem_as("ovs:adult", Mark::NONE, word, None);
        } else if let Some((mark, _)) = episode.filter(|(_, is_explicit)| is_decided && *is_explicit == denied) {
            out.elem_as("ovs:adult", mark, word, Some(Reason::OtherElement));
        } else {
            written = false;
        }
        for (rating, fit) in graded {
            for leaf in leaves_of(rating) {
                match fit {
                    Some(_) if written && agrees(fit) => {
                        out.books().changed(leaf.mark, Reason::UsualTerm, word.to_owned());
                    }
                    Some(_) if written => out.books().lost(leaf.mark, Reason::OtherValue),
                    _ => out.books().lost(leaf.mark, Reason::NoTerm),
                }
            }
        }
        // a value of the head may be written with another video
        if let Some((mark, is_explicit)) = episode.filter(|(mark, _)| written && !mark.of_feed()) {
            match is_explicit == denied {
                true => out.books().changed(mark, Reason::OtherElement, word.to_owned()),
                false => out.books().lost(mark, Reason::OtherValue),
            }
        }
    }
}

/// Why a video has no thumbnail.
fn no_thumbnail<'e>(video: &'e Video<'e>, file: Option<&'e File<'e>>) -> Reason {
    match effective_list!(video, file, thumbnails).iter().any(|thumbnail| is_small(thumbnail, YANDEX_THUMBNAIL)) {
        true => Reason::YandexSmallThumbnail,
        false => Reason::YandexNoThumbnail,
    }
}
