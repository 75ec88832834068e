//! How documents came from URLs: a table that all pages share. Nothing is fetched here.

use std::borrow::Cow;

use super::escape::{cut, link, many};
use super::{LISTED, PageSection, SHOWN, figures};
use crate::convert::Fetched;

/// The table; empty if no document came from a URL.
pub(super) struct FetchedTable<'f> {
    pub rows: Vec<FetchedRow<'f>>,
    pub untold: Option<String>,
}

/// A document in it.
pub(super) struct FetchedRow<'f> {
    pub of: &'f Fetched,
    pub url: Cow<'f, str>,
    pub link: Option<&'f str>,
    /// The URL after all redirects, if it is another one.
    pub to: Option<Cow<'f, str>>,
    /// Status, cache and repetitions as text.
    pub status: String,
    pub size: String,
    pub time: String,
    pub millis: u64,
}

impl<'f> FetchedTable<'f> {
    pub fn new(all: impl IntoIterator<Item = &'f Fetched>) -> FetchedTable<'f> {
        let mut all = all.into_iter();
        let rows = all.by_ref().take(LISTED).map(FetchedRow::new).collect();
        let untold = all.count() as u64;
        FetchedTable { rows, untold: (untold > 0).then(|| many(untold, "more URL", "more URLs")) }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Its entry in the table of contents; with a count of 0 if there is none.
    pub fn section(&self) -> Option<PageSection> {
        (!self.is_empty()).then(|| PageSection::new(("fetched", "URLs", self.rows.len() as u64)))
    }
}

impl<'f> FetchedRow<'f> {
    fn new(of: &'f Fetched) -> FetchedRow<'f> {
        let millis = (of.seconds * 1e3) as u64;
        let mut status = Vec::new();
        status.extend((of.status > 0).then(|| of.status.to_string()));
        status.extend(of.cached.then(|| "from the cache".to_owned()));
        status.extend((of.repeated > 0).then(|| many(of.repeated.into(), "repetition", "repetitions")));
        if status.is_empty() {
            status.push("no response".to_owned());
        }
        FetchedRow {
            of,
            url: cut(&of.url, SHOWN),
            link: link(&of.url),
            to: of.final_url.as_deref().map(|url| cut(url, SHOWN)),
            status: status.join(", "),
            size: figures::size(of.bytes),
            time: figures::time(millis),
            millis,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_how_a_document_came() {
        let says = |fetched: Fetched| FetchedRow::new(&fetched).status;
        assert_eq!(says(Fetched::default()), "no response");
        assert_eq!(says(Fetched { cached: true, ..Fetched::default() }), "from the cache");
        let repeated = Fetched { status: 304, cached: true, repeated: 2, ..Fetched::default() };
        assert_eq!(says(repeated), "304, from the cache, 2 repetitions");
        let many: Vec<Fetched> = (0..=LISTED).map(|_| Fetched::default()).collect();
        assert_eq!(FetchedTable::new(&many).untold.as_deref(), Some("1 more URL"));
        assert!(FetchedTable::new(&[]).section().is_none());
    }
}
