//! `rss::Channel` to a document and back. Not the reading of RSS (format/rss).

use std::collections::BTreeMap;

use rss::Channel;
use rss::extension::itunes::ITunesCategory;
use rss::extension::{Extension, ExtensionMap};

use super::document::{missing, refused, unread};
use super::{DEEPEST, InteropDocument, Losses, shallow, too_deep};
use crate::api::{Loss, shown};
use crate::error::Error;
use crate::format::rss::MRSS;
use crate::ledger::Ledger;
use crate::options::Options;
use crate::reason::Reason;

impl TryFrom<&Channel> for InteropDocument {
    type Error = Error;
    fn try_from(channel: &Channel) -> Result<InteropDocument, Error> {
        InteropDocument::read(&write(channel)?, &MRSS)
    }
}

impl TryFrom<Channel> for InteropDocument {
    type Error = Error;
    fn try_from(channel: Channel) -> Result<InteropDocument, Error> {
        InteropDocument::try_from(&channel)
    }
}

impl TryFrom<&InteropDocument> for Channel {
    type Error = Error;
    fn try_from(document: &InteropDocument) -> Result<Channel, Error> {
        Ok(document.to_rss()?.0)
    }
}

impl InteropDocument {
    /// The document in a channel, with the books of what our reader did with each value.
    ///
    /// # Errors
    /// Extensions nested more deeply than [`DEEPEST`], or values that cannot be written as XML.
    pub fn from_rss(channel: &Channel) -> Result<(InteropDocument, Ledger), Error> {
        let wire = write(channel)?;
        Ok((InteropDocument::read(&wire, &MRSS)?, unread(&wire, &MRSS)?))
    }

    /// The document as a channel, with what RSS, and then the channel, cannot hold of it.
    ///
    /// # Errors
    /// Unknown markup nested more deeply than [`DEEPEST`], or what `rss` cannot read.
    pub fn to_rss(&self) -> Result<(Channel, Losses), Error> {
        let (wire, format) = self.wire(&MRSS)?;
        let channel = Channel::read_from(wire.as_slice()).map_err(|error| refused("rss", error))?;
        let held = InteropDocument::read(&write(&channel)?, &MRSS)?;
        let types = missing(&InteropDocument::read(&wire, &MRSS)?, &held, Reason::CrateField)?;
        Ok((channel, Losses { format, types }))
    }
}

fn write(channel: &Channel) -> Result<Vec<u8>, Error> {
    check(channel)?;
    channel.write_to(Vec::new()).map_err(|error| refused("rss", error))
}

/// Refuses what its writer would end the thread with.
fn check(channel: &Channel) -> Result<(), Error> {
    check_map(&channel.extensions)?;
    for item in &channel.items {
        check_map(&item.extensions)?;
    }
    let categories = channel.itunes_ext.iter().flat_map(|itunes| &itunes.categories);
    for category in categories {
        let inner = |category: &&ITunesCategory| category.subcategory.is_some();
        let chain = std::iter::successors(Some(category), |category| category.subcategory.as_deref());
        if chain.filter(inner).nth(DEEPEST).is_some() {
            return Err(too_deep());
        }
    }
    Ok(())
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

impl TryFrom<&Channel> for crate::Document {
    type Error = Error;
    fn try_from(feed: &Channel) -> Result<crate::Document, Error> {
        crate::Document::read(write(feed)?, Some(crate::Format::MRSS), &Options::default())
    }
}

impl crate::Document {
    /// The document as an `rss::Channel`, and all values that neither the format nor the types of that crate can hold.
    /// `Document::try_from` turns an `rss::Channel` into a document.
    ///
    /// ```
    /// use transfeed::Document;
    ///
    /// let mut channel = rss::Channel::default();
    /// channel.items.push(rss::Item { title: Some("One".to_owned()), ..rss::Item::default() });
    /// let mut document = Document::try_from(&channel)?;
    /// assert_eq!(document.entries[0].title.as_ref().unwrap(), "One");
    /// document.entries[0].title = Some("Two".into());
    /// let (back, losses) = document.to_rss()?;
    /// assert_eq!(back.items[0].title.as_deref(), Some("Two"));
    /// losses.iter().for_each(|loss| println!("{loss}"));
    /// # Ok::<(), transfeed::Error>(())
    /// ```
    ///
    /// # Errors
    /// Unknown markup nested more than 256 deep, or what the crate `rss` cannot read.
    pub fn to_rss(&self) -> Result<(Channel, Vec<Loss>), Error> {
        let (wire, report) = self.write(crate::Target::MRSS)?;
        shallow(&String::from_utf8_lossy(&wire))?;
        let made = Channel::read_from(wire.as_slice()).map_err(|error| refused("rss", error))?;
        let held = InteropDocument::read(&write(&made)?, &MRSS)?;
        let types = missing(&InteropDocument::read(&wire, &MRSS)?, &held, Reason::CrateField)?;
        let losses = report.losses().cloned().chain(shown(&types).into_iter().filter(Loss::is_loss)).collect();
        Ok((made, losses))
    }
}
