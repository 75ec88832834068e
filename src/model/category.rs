//! Subjects of a feed, a page, a video or the source of an entry.

use super::field::Field;
use super::leaf::{Mark, Str};
use super::record::{IntoOwned, LeafView, Walk, record};

/// What the leaves of a category are called in a place.
#[derive(Clone, Copy)]
pub struct CategoryFields {
    term: Field,
    scheme: Field,
    label: Field,
}

impl CategoryFields {
    pub(crate) const FEED: CategoryFields = CategoryFields {
        term: Field::FeedCategoryTerm,
        scheme: Field::FeedCategoryScheme,
        label: Field::FeedCategoryLabel,
    };
    pub(crate) const PAGE: CategoryFields =
        CategoryFields { term: Field::CategoryTerm, scheme: Field::CategoryScheme, label: Field::CategoryLabel };
    pub(crate) const VIDEO: CategoryFields = CategoryFields {
        term: Field::VideoCategoryTerm,
        scheme: Field::VideoCategoryScheme,
        label: Field::VideoCategoryLabel,
    };
    pub(crate) const SOURCE: CategoryFields = CategoryFields {
        term: Field::SourceCategoryTerm,
        scheme: Field::SourceCategoryScheme,
        label: Field::SourceCategoryLabel,
    };
}

record! {
    /// A subject (RFC 4287 section 4.2.2; RSS `category`, whose `domain` is the scheme).
    pub struct Category(CategoryFields as f) {
        /// The subject, as a term of the scheme.
        term: Option<Str<'a>> = f.term,
        /// The URL of the scheme.
        scheme: Option<Str<'a>> = f.scheme,
        /// The subject, for people.
        label: Option<Str<'a>> = f.label,
        /// It is nested in the category before it (`itunes:category`; structure, no leaf).
        sub: bool = (),
    }
}

impl Category<'_> {
    /// The mark of its first value.
    pub(crate) fn first_mark(&self) -> Mark {
        let values = [&self.term, &self.scheme, &self.label];
        values.into_iter().flatten().next().map_or(Mark::NONE, |value| value.mark)
    }
}
