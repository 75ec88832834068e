//! Writes lists of URLs, one per line: the page of each entry, and nothing else (sitemaps.org, "Text file").

use crate::emit::{Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::{FormatWriter, Setup, profile};
use crate::ledger::Books;
use crate::model::{Entry, Feed, Field, Video};
use crate::options::Options;
use crate::pages;
use crate::reason::Reason;
use crate::text::url;

/// Writes `text`.
pub struct TextWriter;

impl FormatWriter for TextWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "yes", no: "no", date: |date| (date.to_w3c(), None) }
    }
    fn groups(&self, _options: &Options) -> bool {
        true
    }
    fn videos(&self, _entry: &Entry<'_>, _written: &[u8], _books: &Books) -> u64 {
        0
    }
    fn is_apart(&self, _video: &Video<'_>, _setup: &Setup<'_>) -> bool {
        true
    }
    fn head<'e>(&self, _feed: &'e Feed<'e>, _setup: &Setup<'_>, _out: &mut Out<'_, 'e>) {}
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let Some(page) = pages::address(entry, setup.source.family) else {
            if pages::is_unread(entry) {
                return;
            }
            return out.drop_entry(pages::no_page(entry));
        };
        if let Some(why) = profile::refusal(&page.url, setup) {
            return out.drop_entry(why);
        }
        let page = page.spelt(setup.options.iri);
        let line = if setup.options.keep_fragments { &*page.url } else { url::fragmentless(&page.url) };
        out.prolog(line);
        let books = out.books();
        if page.field != Field::Loc {
            books.changed(page.mark, Reason::UsedAsPage, line.to_owned());
            books.made(Field::Loc, Reason::GeneratedPageUrl, Some(page.mark), line.to_owned());
        } else if line.len() < page.url.len() {
            books.changed(page.mark, Reason::PageWithoutFragment, line.to_owned());
        } else if line != page.given.trim() {
            books.changed(page.mark, Reason::ValidUrl, line.to_owned());
        } else {
            books.kept_as(page.mark, || line.to_owned());
        }
        out.drop(&entry.loc, Field::Loc, Reason::NotPage);
    }
    fn address_alone(&self, _setup: &Setup<'_>) -> Option<fn(&str, &mut Vec<u8>)> {
        Some(|address, buf| buf.extend_from_slice(address.as_bytes()))
    }
    fn tail(&self, _setup: &Setup<'_>, _buf: &mut Vec<u8>) {}
}
