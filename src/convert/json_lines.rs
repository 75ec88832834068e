//! The lines of `jsonl` one after the other, for programs in other languages that read a document entry by entry. Conversions to
//! `jsonl`, with their books, are in run.rs.

use std::sync::Arc;

use super::document::Document;
use super::run::setup;
use crate::emit::Out;
use crate::format::ns::dialect;
use crate::format::{FormatWriter, Setup, Survey, json};
use crate::ledger::{Books, ReaderChanges};
use crate::model::Entry;
use crate::options::Options;

/// The head of a document as the first line of `jsonl`.
pub(crate) fn head_line(document: &Document<'_>, options: &Options) -> Vec<u8> {
    written(document, options, |writer, setup, books, bytes, style| {
        books.open_feed(&Arc::new(ReaderChanges::from_records(&setup.feed.origin.records)));
        writer.head(setup.feed, setup, &mut Out::new(style, bytes, books, 0));
    })
}

/// An entry of this document as a line of `jsonl`.
pub(crate) fn entry_line(document: &Document<'_>, options: &Options, mut entry: Entry<'static>) -> Vec<u8> {
    written(document, options, |writer, setup, books, bytes, style| {
        dialect::settle(&mut entry, setup.unknown());
        books.open_feed(&Arc::new(ReaderChanges::from_records(&setup.feed.origin.records)));
        books.open(&entry.origin.records);
        writer.entry(&entry, setup, &mut Out::new(style, bytes, books, setup.target.family.depth()));
    })
}

/// What a writer writes; the line feed is not part of it.
fn written(
    document: &Document<'_>,
    options: &Options,
    write: impl FnOnce(&dyn FormatWriter, &Setup<'_>, &mut Books, &mut Vec<u8>, &crate::emit::Style<'_>),
) -> Vec<u8> {
    let writer: &dyn FormatWriter = &json::write::JsonlWriter;
    let survey = Survey::default();
    let setup = setup(&json::JSONL, options, (document, document), &survey);
    let declared = writer.namespaces(&setup);
    let style = setup.style(writer, &declared);
    let (mut books, mut bytes) = (Books::default(), Vec::new());
    write(writer, &setup, &mut books, &mut bytes, &style);
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    bytes
}
