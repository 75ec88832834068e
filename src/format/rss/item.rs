//! An item that is written: what it has, and which of its values the only video may lend it. The elements themselves are
//! written in write.rs, files.rs and left.rs.

use super::read::is_older;
use crate::format::choice::readable_content;
use crate::format::contract::Setup;
use crate::format::medium::{is_film, is_platform_page, medium_of};
use crate::format::ns::media;
use crate::format::share::Share;
use crate::format::sitemap::carry::CarriedValues;
use crate::model::{Entry, File, Str, Text, Video};
use crate::pages::Address;
use crate::reason::Reason;
use crate::text::mime::Medium;
use crate::xml::names::Ns;

/// What is written besides RSS itself and the modules that all feeds share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// Nothing.
    None,
    /// Media RSS.
    Media,
    /// The elements of podcasts: those of iTunes and of Podcasting 2.0.
    Podcast,
}

/// One item to be written.
pub struct RssItem<'w, 'e> {
    /// The page.
    pub entry: &'e Entry<'e>,
    /// The page that it names, where Google's rules are applied.
    pub page: Option<&'w Address<'e>>,
    /// The videos it speaks of.
    pub videos: &'e [Video<'e>],
    /// Those of the page that items before this one speak of.
    pub earlier: media::EarlierObjects,
    /// What the writing has to go by.
    pub setup: &'w Setup<'w>,
    /// What is written besides RSS.
    pub extension: Extension,
    /// It is one of several items of the same page.
    pub split: bool,
    /// What it has of the lists of its page.
    pub share: Share<'w>,
    /// What travels in the words of other formats.
    pub carry: CarriedValues,
}

impl<'e> RssItem<'_, 'e> {
    /// Whether Media RSS is written.
    pub fn media(&self) -> bool {
        self.extension == Extension::Media
    }

    /// Whether the elements of podcasts are written.
    pub fn podcast(&self) -> bool {
        self.extension == Extension::Podcast
    }

    /// Whether it may lack what RSS 2.0 requires, because it does so in the source.
    pub fn may_lack_required(&self) -> bool {
        let tags = || self.entry.origin.parts.first().map(|part| &*part.context.tags);
        self.setup.same_family && !is_of_rdf(self.setup) && !tags().is_some_and(is_older)
    }

    pub fn has_description(&self) -> bool {
        let lent = || self.writes_description() && self.described().is_some_and(|video| video.description.is_some());
        self.entry.summary.is_some() || self.content_as_description().is_some() || lent()
    }

    /// The content, if it is the only text of an item from another family: many readers know no other element than the
    /// description (RSS Best Practices Profile).
    pub fn content_as_description(&self) -> Option<&'e Text<'e>> {
        let is_alone = !self.setup.same_family && !self.split && self.entry.summary.is_none();
        readable_content(self.entry).filter(|_| is_alone)
    }

    /// Whether it gives what RSS requires: a title, or a description (S-R4).
    pub fn has_words(&self) -> bool {
        let of_video = || self.writes_title() && self.only().is_some_and(|video| video.title.is_some());
        self.entry.title.is_some() || self.has_description() || of_video() || self.title_beside().is_some()
    }

    /// The title of the article or of an image of the page.
    pub fn title_beside(&self) -> Option<&'e Str<'e>> {
        let news = self.entry.news.as_ref().and_then(|news| news.title.as_ref());
        let image = || self.share.pictures(self.entry).iter().find_map(|image| Some(&image.title.as_ref()?.value));
        news.or_else(image)
    }

    /// The video, if the item is about one.
    pub fn only(&self) -> Option<&'e Video<'e>> {
        match self.videos {
            [video] => Some(video),
            _ => None,
        }
    }

    /// What Media RSS gives for the file that is the episode of an item without videos, in a podcast.
    pub fn values_of_file(&self) -> Option<&'e Video<'e>> {
        let free = self.podcast() && self.writes_video_values() && !self.split;
        let file = super::podcast::episode_file(self.entry).filter(|_| free)?;
        file.file.as_ref()?.media.as_deref()
    }

    /// The video, or the values of the file that is the episode.
    pub fn described(&self) -> Option<&'e Video<'e>> {
        self.only().or_else(|| self.values_of_file())
    }

    /// Whether values for Media RSS may go into RSS's own elements, because they would be lost otherwise.
    pub fn writes_video_values(&self) -> bool {
        !self.media() && !self.carry.holds()
    }

    /// Why a value of a video has no place here.
    pub fn no_element(&self) -> Reason {
        if self.podcast() { Reason::PodcastElement } else { Reason::RssVideo }
    }

    // --- values of the item's only video, for elements that the item leaves empty ---

    /// S-R4.
    pub fn writes_title(&self) -> bool {
        let is_held = self.carry.holds() && self.entry.summary.is_some();
        let kept_apart = self.may_lack_required() && (self.media() || is_held);
        self.split || self.only().is_some() && self.entry.title.is_none() && !kept_apart
    }

    /// Its description.
    pub fn writes_description(&self) -> bool {
        let free = self.entry.summary.is_none() && readable_content(self.entry).is_none();
        self.split || self.described().is_some() && free && !self.media() && !self.carry.levels
    }

    /// Who put it up; that of several videos too.
    pub fn writes_uploader(&self) -> bool {
        self.writes_video_values() && self.entry.authors.is_empty()
    }

    /// Whether the element for the author of an episode is free for the one who put up its video, beside other authors.
    pub fn is_author_free(&self) -> bool {
        let is_itunes = |name: &Str<'_>| name.via == Some(Ns::Itunes);
        let named =
            self.share.few(&self.entry.authors).iter().any(|author| author.name.as_ref().is_some_and(is_itunes));
        self.podcast() && self.writes_video_values() && !named && self.entry.module("itunes:author").is_none()
    }

    /// Its rights.
    pub fn writes_rights(&self) -> bool {
        self.lends() && self.entry.rights.is_none()
    }

    /// Where it was made.
    pub fn writes_location(&self) -> bool {
        self.extension == Extension::None && self.lends() && self.entry.location.is_empty()
    }

    /// Whether the item has elements for values of its only video that no other element holds.
    fn lends(&self) -> bool {
        !self.media() && !self.carry.holds() && (self.split || self.only().is_some())
    }

    /// Its license.
    pub fn writes_license(&self) -> bool {
        let named = |video: &Video<'_>| self.podcast() && is_episode(video) && named_license(video).is_some();
        // all videos are looked at only where nothing else decides
        self.entry.license.is_none() && self.lends() && !self.videos.iter().any(named)
    }
}

/// Whether a video becomes an episode of a podcast: it must have a file, which the other values describe.
pub fn is_episode(video: &Video<'_>) -> bool {
    let is_enclosed = |url: &Str<'_>| url.via == Some(Ns::Rss2);
    let plays = |file: &File<'_>| file.url.as_ref().is_some_and(|url| is_enclosed(url) || !is_platform_page(file));
    episode_files(video).any(plays)
}

/// The files that the episode may be: the films, or the sounds where there are no films.
pub fn episode_files<'v, 'e>(video: &'v Video<'e>) -> impl Iterator<Item = &'v File<'e>> {
    let sounds = is_sound(video);
    video.files.iter().filter(move |file| is_film(file) || sounds && medium_of(file) == Some(Medium::Audio))
}

/// Whether an episode is a sound: some of its files are, and none is a film.
pub fn is_sound(video: &Video<'_>) -> bool {
    let is_audio = |file: &File<'_>| medium_of(file) == Some(Medium::Audio);
    !video.files.iter().any(is_film) && video.files.iter().any(is_audio)
}

/// The license whose element is `podcast:license`: the first with a name, which is the text of the element.
pub fn named_license(video: &Video<'_>) -> Option<usize> {
    video.license.iter().position(|license| license.text.as_ref().is_some_and(|name| !name.value.trim().is_empty()))
}

/// Whether the source is RSS in RDF, which has other rules than RSS 2.0: nobody writes it any more.
pub fn is_of_rdf(setup: &Setup<'_>) -> bool {
    setup.source.family.is_rss() && setup.source.writer.is_none()
}
