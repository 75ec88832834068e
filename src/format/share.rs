//! Divides the lists of a page among its items if every video of a page becomes an item (rule A13), so that work and
//! output stay proportional to the page. Single values are in every item; the writers repeat them.

use crate::model::{Entry, Image, Video};
use crate::text::url;

/// How many of the people and subjects of a page are repeated.
const REPEATED: usize = 32;

/// One of the items of a page.
#[derive(Clone, Copy)]
pub struct Share {
    /// Its number among them.
    pub number: usize,
    /// Its video has no thumbnail with an HTTP URL.
    bare: bool,
}

impl Share {
    /// The only item of its page.
    pub const WHOLE: Share = Share { number: 0, bare: false };

    /// The item with this number, for this video.
    pub fn new(number: usize, video: &Video<'_>) -> Share {
        let mut addresses = video.thumbnails.iter().filter_map(|thumbnail| thumbnail.url.as_ref());
        Share { number, bare: !addresses.any(|address| url::is_http(&address.value)) }
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
