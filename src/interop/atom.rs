//! `atom_syndication::Feed` to a document and back. Not the reading of Atom (format/atom).

use std::collections::BTreeMap;

use atom_syndication::extension::{Extension, ExtensionMap};
use atom_syndication::{Feed, Person};

use super::document::{missing, refused, unread};
use super::{DEEPEST, InteropDocument, Losses, shallow, too_deep};
use crate::api::{Loss, shown};
use crate::error::Error;
use crate::format::atom::ATOM_MEDIA;
use crate::ledger::Ledger;
use crate::options::Options;
use crate::reason::Reason;

impl TryFrom<&Feed> for InteropDocument {
    type Error = Error;
    fn try_from(feed: &Feed) -> Result<InteropDocument, Error> {
        InteropDocument::read(&write(feed)?, &ATOM_MEDIA)
    }
}

impl TryFrom<Feed> for InteropDocument {
    type Error = Error;
    fn try_from(feed: Feed) -> Result<InteropDocument, Error> {
        InteropDocument::try_from(&feed)
    }
}

impl TryFrom<&InteropDocument> for Feed {
    type Error = Error;
    fn try_from(document: &InteropDocument) -> Result<Feed, Error> {
        Ok(document.to_atom()?.0)
    }
}

impl InteropDocument {
    /// The document in a feed, with the books of what our reader did with each value.
    ///
    /// # Errors
    /// Extensions nested more deeply than [`DEEPEST`], or values that cannot be written as XML.
    pub fn from_atom(feed: &Feed) -> Result<(InteropDocument, Ledger), Error> {
        let wire = write(feed)?;
        Ok((InteropDocument::read(&wire, &ATOM_MEDIA)?, unread(&wire, &ATOM_MEDIA)?))
    }

    /// The document as a feed, with what Atom, and then the feed, cannot hold of it.
    ///
    /// # Errors
    /// Unknown markup nested more deeply than [`DEEPEST`], or what `atom_syndication` cannot read.
    pub fn to_atom(&self) -> Result<(Feed, Losses), Error> {
        let (wire, format) = self.wire(&ATOM_MEDIA)?;
        let feed = Feed::read_from(wire.as_slice()).map_err(|error| refused("atom_syndication", error))?;
        let held = InteropDocument::read(&write(&feed)?, &ATOM_MEDIA)?;
        let types = missing(&InteropDocument::read(&wire, &ATOM_MEDIA)?, &held, Reason::CrateField)?;
        Ok((feed, Losses { format, types }))
    }
}

fn write(feed: &Feed) -> Result<Vec<u8>, Error> {
    check(feed)?;
    feed.write_to(Vec::new()).map_err(|error| refused("atom_syndication", error))
}

/// Refuses what its writer would end the thread with.
fn check(feed: &Feed) -> Result<(), Error> {
    check_map(&feed.extensions)?;
    check_people(feed.authors.iter().chain(&feed.contributors))?;
    for entry in &feed.entries {
        check_map(&entry.extensions)?;
        check_people(entry.authors.iter().chain(&entry.contributors))?;
        if let Some(source) = &entry.source {
            check_people(source.authors.iter().chain(&source.contributors))?;
        }
    }
    Ok(())
}

fn check_people<'p>(mut people: impl Iterator<Item = &'p Person>) -> Result<(), Error> {
    people.try_for_each(|person| check_map(&person.extensions))
}

fn check_map(extensions: &ExtensionMap) -> Result<(), Error> {
    extensions.values().try_for_each(check_children)
}

/// Without recursion: this is what it protects against.
fn check_children(children: &BTreeMap<String, Vec<Extension>>) -> Result<(), Error> {
    let mut open: Vec<(&Extension, usize)> = children.values().flatten().map(|child| (child, 0)).collect();
    while let Some((extension, depth)) = open.pop() {
        // the elements around them count too
        if depth + 8 > DEEPEST {
            return Err(too_deep());
        }
        open.extend(extension.children.values().flatten().map(|child| (child, depth + 1)));
    }
    Ok(())
}

impl TryFrom<&Feed> for crate::Document {
    type Error = Error;
    fn try_from(feed: &Feed) -> Result<crate::Document, Error> {
        crate::Document::read(write(feed)?, Some(crate::Format::ATOM_MEDIA), &Options::default())
    }
}

impl crate::Document {
    /// The document as an `atom_syndication::Feed`, and all values that neither the format nor the types of that crate
    /// can hold. `Document::try_from` turns an `atom_syndication::Feed` into a document.
    ///
    /// ```
    /// use transfeed::Document;
    ///
    /// let document = transfeed::read(b"<feed xmlns='http://www.w3.org/2005/Atom'><id>urn:f</id><title>T</title>\
    ///     <updated>2026-11-23T00:00:00Z</updated></feed>")?;
    /// let (feed, losses) = document.to_atom()?;
    /// assert_eq!(feed.title.value, "T");
    /// losses.iter().for_each(|loss| println!("{loss}"));
    /// assert_eq!(Document::try_from(&feed)?.head.title, document.head.title);
    /// # Ok::<(), transfeed::Error>(())
    /// ```
    ///
    /// # Errors
    /// Unknown markup nested more than 256 deep, or what the crate `atom_syndication` cannot read.
    pub fn to_atom(&self) -> Result<(Feed, Vec<Loss>), Error> {
        let (wire, report) = self.write(crate::Target::ATOM_MEDIA)?;
        shallow(&String::from_utf8_lossy(&wire))?;
        let made = Feed::read_from(wire.as_slice()).map_err(|error| refused("atom_syndication", error))?;
        let held = InteropDocument::read(&write(&made)?, &ATOM_MEDIA)?;
        let types = missing(&InteropDocument::read(&wire, &ATOM_MEDIA)?, &held, Reason::CrateField)?;
        let losses = report.losses().cloned().chain(shown(&types).into_iter().filter(Loss::is_loss)).collect();
        Ok((made, losses))
    }
}
