//! Reads XML sitemaps with their video, image and news extensions, and sitemap indexes.
use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::tree::{Node, Take};
#[allow(unused_imports)]
use crate::xml::split::Shape;

/// Reads `sitemap`.
pub struct Sitemap;

impl Reader for Sitemap {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::SITEMAP)
    }
    fn head<'t, 'a>(&self, _root: Node<'t, 'a>, _take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {}
    fn entry<'t, 'a>(
        &self,
        _root: Node<'t, 'a>,
        _take: &mut Take<'t, 'a>,
        _entry: &mut Entry<'a>,
        _around: Around<'a>,
    ) {
    }
}

/// Reads `video-sitemap`.
pub struct VideoSitemap;

impl Reader for VideoSitemap {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::SITEMAP)
    }
    fn head<'t, 'a>(&self, _root: Node<'t, 'a>, _take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {}
    fn entry<'t, 'a>(
        &self,
        _root: Node<'t, 'a>,
        _take: &mut Take<'t, 'a>,
        _entry: &mut Entry<'a>,
        _around: Around<'a>,
    ) {
    }
}

/// Reads `sitemap-index`.
pub struct SitemapIndex;

impl Reader for SitemapIndex {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::SITEMAP)
    }
    fn head<'t, 'a>(&self, _root: Node<'t, 'a>, _take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {}
    fn entry<'t, 'a>(
        &self,
        _root: Node<'t, 'a>,
        _take: &mut Take<'t, 'a>,
        _entry: &mut Entry<'a>,
        _around: Around<'a>,
    ) {
    }
}
