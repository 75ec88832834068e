//! Divides the lists of a page among its items if every video of a page becomes an item (rule A13), so that work and
//! output stay proportional to the page. Single values are in every item; the writers repeat them.

use std::collections::{HashMap, HashSet};

use super::choice::repeated;
use crate::emit::is_below;
use crate::model::{Enclosure, Entry, Image, Str, Video};
use crate::text::url;
use crate::work;

/// How many of the people and subjects of a page are repeated.
const REPEATED: usize = 32;

/// The files and the unknown elements that a page attaches, by the items they go with: a file of a video goes with that
/// video (A2.4), and so does an element that names such a file.
#[derive(Default)]
pub struct AttachedShares {
    /// The numbers of the enclosures of each item.
    items: HashMap<usize, Vec<usize>>,
    /// The items of unknown elements, by the numbers of these.
    markup: HashMap<usize, usize>,
    /// The items of which an earlier one has the video.
    repeated: HashSet<usize>,
}

impl AttachedShares {
    /// Those of a page of which each video becomes an item.
    pub fn new(entry: &Entry<'_>) -> AttachedShares {
        let mut shares = AttachedShares { repeated: repeated(&entry.videos), ..AttachedShares::default() };
        if entry.enclosures.is_empty() && entry.foreign.is_empty() {
            return shares;
        }
        let key = |address: &Option<Str<'_>>| address.as_ref().map(|url| url::key(&url.value).into_owned());
        let mut places: HashMap<String, usize> = HashMap::new();
        for (number, video) in entry.videos.iter().enumerate() {
            for key in video.files.iter().inspect(|_| work::count(1)).filter_map(|file| key(&file.url)) {
                places.entry(key).or_insert(number);
            }
        }
        for (index, enclosure) in entry.enclosures.iter().enumerate() {
            let number = key(&enclosure.url).and_then(|key| places.get(&key)).copied().unwrap_or(0);
            shares.items.entry(number).or_default().push(index);
        }
        let mut outer: (usize, &str) = (0, "");
        for (index, item) in entry.foreign.iter().enumerate() {
            if index == 0 || !is_below(&item.path, outer.1) {
                outer = (index, &item.path);
            }
            let is_of_page = outer.1.matches('/').count() == 1;
            let address = item.value.as_ref().map(|value| value.value.trim()).filter(|text| url::is_http(text));
            if let Some(number) = address.filter(|_| is_of_page).and_then(|text| places.get(&*url::key(text))) {
                shares.markup.entry(outer.0).or_insert(*number);
            }
        }
        shares
    }

    /// The item of the unknown element with this number.
    pub fn of_markup(&self, number: usize) -> usize {
        self.markup.get(&number).copied().unwrap_or(0)
    }

    /// The item with this number, for this video.
    pub fn item(&self, number: usize, video: &Video<'_>) -> Share<'_> {
        let attached = self.items.get(&number).map_or(&[][..], Vec::as_slice);
        let repeats = self.repeated.contains(&number);
        Share { attached: Some(attached), ..Share::new(number, video, repeats) }
    }
}

/// One of the items of a page.
#[derive(Clone, Copy)]
pub struct Share<'s> {
    /// Its number among them.
    pub number: usize,
    /// An earlier one has its video.
    pub repeats: bool,
    /// Its video has no thumbnail with an HTTP URL.
    bare: bool,
    /// The numbers of its enclosures, if it does not have all.
    attached: Option<&'s [usize]>,
}

impl<'s> Share<'s> {
    /// The only item of its page.
    pub const WHOLE: Share<'static> = Share { number: 0, repeats: false, bare: false, attached: None };

    /// The item with this number, for this video, which an earlier one has if it repeats that.
    pub fn new(number: usize, video: &Video<'_>, repeats: bool) -> Share<'s> {
        let mut addresses = video.thumbnails.iter().filter_map(|thumbnail| thumbnail.url.as_ref());
        let bare = !addresses.any(|address| url::is_http(&address.value));
        Share { number, repeats, bare, attached: None }
    }

    /// The enclosures of the page that go with the item.
    pub fn enclosures<'e>(self, entry: &'e Entry<'_>) -> impl Iterator<Item = &'e Enclosure<'e>> + use<'s, 'e> {
        let (some, all) = match self.attached {
            Some(numbers) => (numbers, &[][..]),
            None => (&[][..], self.once(&entry.enclosures)),
        };
        some.iter().filter_map(|number| entry.enclosures.get(*number)).chain(all)
    }

    /// Whether it is the first, or only, item of its page.
    pub fn is_first(self) -> bool {
        self.number == 0
    }

    /// Of what belongs to the page: all in the first item, where entries of one page that become one again find it (A5).
    pub fn once<T>(self, list: &[T]) -> &[T] {
        if self.is_first() { list } else { &[] }
    }

    /// For lists that describe every item, like authors and categories: all in the first item, a few in the others.
    pub fn few<T>(self, list: &[T]) -> &[T] {
        if self.is_first() { list } else { list.get(..REPEATED).unwrap_or(list) }
    }

    /// For images: one may replace the missing thumbnail of a later item's video (S-V1).
    pub fn pictures<'e>(self, entry: &'e Entry<'_>) -> &'e [Image<'e>] {
        match entry.images.first_chunk::<1>() {
            Some(first) if !self.is_first() && self.bare => first,
            _ => self.once(&entry.images),
        }
    }
}
