//! Repairs invalid URLs where no guess is needed, and makes relative ones absolute: by `xml:base`, else by the URL of
//! the input, else by the feed's own URL (RFC 3986 section 5.1). One without a base is kept and reported. The model
//! defines which values are URLs (`refers`). Elements of an entry or a head may have bases of their own. Those of Atom's
//! own elements are resolved by the reader of Atom.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::model::origin::{self, EntryRepair, LeafRecord, Origin, Preset, Syntax};
use crate::model::refers::{UrlContent, refers};
use crate::model::{Entry, Feed, Field, LeafView, Mark, Module, Str, Text, TextKind, Value, Video, Walk};
use crate::options::Options;
use crate::reason::Reason;
use crate::text::{html, url};
use crate::tree::{Node, NodeKind};
use crate::xml::names::Ns;

/// An element with `xml:base` in an entry or a head.
pub(crate) struct InnerBase {
    /// Its place in the markup.
    start: u32,
    end: u32,
    base: String,
    /// The one around it.
    around: Option<usize>,
}

/// The elements below this one with a base of their own, in order.
pub(crate) fn inner_bases(root: Node<'_, '_>) -> Vec<InnerBase> {
    let elements = root.and_behind().skip(1).filter(|node| node.kind() == NodeKind::Element);
    let based = elements.filter_map(|el| {
        let base = el.attribute_ns(Ns::Xml, "base")?.value().trim().to_owned();
        Some(InnerBase { start: el.raw().at, end: el.raw().end, base, around: None })
    });
    let mut found: Vec<InnerBase> = based.collect();
    found.sort_by_key(|inner| inner.start);
    for index in 1..found.len() {
        found[index].around = covering(&found, Some(index - 1), found[index].start);
    }
    found
}

/// Of elements that begin before a place, the innermost that ends behind it: one of them, or one around it.
fn covering(bases: &[InnerBase], from: Option<usize>, at: u32) -> Option<usize> {
    let around = |index: &usize| bases.get(*index).and_then(|inner| inner.around);
    std::iter::successors(from, around).find(|index| bases.get(*index).is_some_and(|inner| at < inner.end))
}

/// The base of an entry's relative URLs.
struct BaseUrls<'b> {
    base: Option<Cow<'b, str>>,
    inner: &'b [InnerBase],
    /// The one that is `base` itself.
    own: Option<usize>,
    /// The host of the page.
    host: Option<String>,
    remarks: Vec<EntryRepair>,
    untold: u64,
    /// The leaves already reported: an inherited one is in the model several times.
    told: HashSet<u32>,
}

impl<'b> BaseUrls<'b> {
    /// The base of an entry is its `own`, that of the feed, or that of the run; `page` is the URL of the document that it is.
    fn new(
        (own, page): (Option<&Str<'_>>, Option<&'b str>),
        feed: Option<&'b Feed<'_>>,
        options: &'b Options,
    ) -> BaseUrls<'b> {
        let of_run = page.or(options.base.as_deref());
        let of_feed = feed.and_then(|feed| feed.base.as_ref()).map(|base| base.as_str());
        let outer = of_feed.and_then(|base| below(of_run, base)).or(of_run.map(Cow::Borrowed));
        let base = match own {
            Some(own) => below(outer.as_deref(), own.as_str()).map(|base| Cow::Owned(base.into_owned())),
            None => outer,
        };
        let document = || feed.and_then(|feed| feed.self_url.as_ref()).map(|link| Cow::Borrowed(link.as_str()));
        let base = base.or_else(document);
        let base = base.filter(|base| url::is_http(base));
        BaseUrls { base, inner: &[], own: None, host: None, remarks: Vec::new(), untold: 0, told: HashSet::new() }
    }

    /// The same with the bases of elements.
    fn with(self, inner: &'b [InnerBase]) -> BaseUrls<'b> {
        BaseUrls { inner, ..self }
    }

    /// The base at a place of the markup.
    fn base_at(&self, at: u32) -> Option<Cow<'b, str>> {
        let before = self.inner.partition_point(|inner| inner.start <= at).checked_sub(1);
        let innermost = covering(self.inner, before, at);
        let chain = std::iter::successors(innermost, |index| self.inner.get(*index)?.around);
        let chain = chain.filter(|index| Some(*index) != self.own);
        let mut chain: Vec<&InnerBase> = chain.filter_map(|index| self.inner.get(index)).collect();
        // what is around an absolute one does not matter
        if let Some(whole) = chain.iter().position(|inner| url::is_http(&inner.base)) {
            chain.truncate(whole + 1);
        }
        let base = chain.iter().rev().try_fold(self.base.clone(), |outer, inner| {
            below(outer.as_deref(), &inner.base).map(|base| Some(Cow::Owned(base.into_owned())))
        });
        base.flatten()
    }

    /// The same on the page with this URL.
    fn on(self, page: Option<&Str<'_>>) -> BaseUrls<'b> {
        BaseUrls { host: page.and_then(|page| url::host(&page.value)).map(str::to_owned), ..self }
    }

    /// Whether a URL begins with a host: that of the page, that of the base, or one that shows it is one.
    fn begins_with_host(&self, text: &str) -> bool {
        let first = text.split(['/', '?', '#']).next().unwrap_or("");
        let known = self.host.as_deref().into_iter().chain(self.base.as_deref().and_then(url::host));
        let is_web = |first: &str| {
            let rest = first.get(..4).filter(|start| start.eq_ignore_ascii_case("www.")).and(first.get(4..));
            rest.and_then(|rest| rest.split_once('.')).is_some_and(|(name, top)| !name.is_empty() && !top.is_empty())
        };
        first.contains('.') && (is_web(first) || known.into_iter().any(|host| host.eq_ignore_ascii_case(first)))
    }

    /// The URL that a leaf means, if it differs from its text.
    fn address(&mut self, seen: LeafView<'_>, origin: &mut Origin<'_>, feed: bool) -> Option<String> {
        let Value::Str(said) = seen.value else { return None };
        let by_path = || said.trim_start().starts_with(['/', '.']);
        if url::is_whole(said) || refers(seen.field) == UrlContent::Perhaps && !by_path() {
            return None;
        }
        let mended = url::repair(said);
        let is_whole = |text: &str| {
            text.is_empty()
                || url::scheme(text).is_some() && !text.contains(char::is_whitespace)
                || text.starts_with('<')
        };
        if mended.is_none() && is_whole(said.trim()) {
            return None;
        }
        let is_host = self.begins_with_host(mended.as_ref().map_or(said, |mended| &mended.address).trim());
        let own = seen.mark.is_some() && seen.mark.of_feed() == feed;
        let number = seen.mark.0 & !Mark::FEED;
        let at = origin.records.get(number as usize).filter(|_| own).map(|record| record.at);
        let inner = at.filter(|_| !self.inner.is_empty()).and_then(|at| self.base_at(at));
        let mut book = ResolutionBook {
            record: if own { origin.records.get_mut(number as usize) } else { None },
            remarks: (own && self.told.insert(number)).then_some((&mut self.remarks, &mut self.untold)),
        };
        let mended = mended.map(|mended| {
            book.remark("url.lenient", said, format!("{}: {}", mended.said, mended.address).into());
            book.adjusted(if mended.snippet { Reason::PlayerUrl } else { Reason::ValidUrl });
            mended.address
        });
        let text = mended.as_deref().unwrap_or(said).trim();
        if is_whole(text) {
            return mended;
        }
        let is_absolute = url::scheme(text).is_some() || text.starts_with("//");
        if text.contains(char::is_whitespace) && (is_absolute || !text.contains('/')) {
            book.remark("url.unclear", text, "not one URL; kept as written".into());
            return mended;
        }
        let base = inner.as_deref().or(self.base.as_deref()).filter(|_| !is_host);
        let absolute = match (text.strip_prefix("//"), base) {
            (_, Some(base)) => url::resolve(base, text),
            (Some(rest), None) => Some(format!("https://{rest}")),
            (None, None) => is_host.then(|| format!("https://{text}")),
        };
        match (&absolute, base) {
            (Some(_), Some(_)) => (),
            (Some(_), None) => book.remark("url.scheme", text, "added https:".into()),
            (None, _) => {
                book.remark("url.relative", text, "no base URL to resolve it; pass --base".into());
            }
        }
        if absolute.is_some() {
            book.adjusted(if base.is_some() { Reason::ResolvedUrl } else { Reason::ValidUrl });
        }
        absolute.or(mended)
    }

    /// The links inside a text with markup, which has its own base or that of its entry (rule A15).
    fn text(&mut self, slot: &mut Option<Text<'_>>, origin: &mut Origin<'_>, feed: bool) {
        let Some(text) = slot.as_mut().filter(|text| text.kind != TextKind::Plain) else { return };
        let base = match (&text.base, &self.base) {
            (Some(own), _) if url::is_http(own) => Some(Cow::Borrowed(own.as_str())),
            (Some(own), Some(outer)) => url::resolve(outer, own).map(Cow::Owned),
            (_, outer) => outer.as_deref().map(Cow::Borrowed),
        };
        let Some(base) = base else { return };
        let relative = |address: &str| url::scheme(address).is_none() && !address.starts_with('#');
        let done =
            html::absolutize(
                &text.value.value,
                |address| {
                    if relative(address) { url::resolve(&base, address) } else { None }
                },
            );
        let Cow::Owned(done) = done else { return };
        text.value.value = Cow::Owned(done);
        let mark = text.value.mark;
        if mark.is_some()
            && mark.of_feed() == feed
            && let Some(record) = origin.records.get_mut((mark.0 & !Mark::FEED) as usize)
            && record.preset == Preset::Open
        {
            record.preset = Preset::Adjusted(Reason::ResolvedUrl);
        }
    }

    fn texts_of_video(&mut self, video: &mut Video<'_>, origin: &mut Origin<'_>, feed: bool) {
        self.text(&mut video.title, origin, feed);
        self.text(&mut video.description, origin, feed);
    }

    /// The URLs in elements of modules that would be URLs in their own field: the module and the field are resolved
    /// alike.
    fn modules(&mut self, modules: &mut [Module<'_>], origin: &mut Origin<'_>, feed: bool) {
        for module in modules {
            let field = match &*module.name {
                "itunes:image" | "googleplay:image" => Field::ImageLoc,
                "dcterms:license" | "creativeCommons:license" | "cc:license" => Field::License,
                "wfw:commentRss" | "wfw:commentRSS" => Field::CommentFeed,
                "atom:icon" => Field::FeedIcon,
                _ => continue,
            };
            let attributes = module.attributes.iter_mut().filter(|it| matches!(&*it.name, "href" | "rdf:resource"));
            let attributes = attributes.filter_map(|attribute| attribute.value.as_mut());
            for leaf in attributes.chain(&mut module.value) {
                let seen = LeafView {
                    field,
                    mark: leaf.mark,
                    via: None,
                    within: None,
                    kind: None,
                    value: Value::Str(leaf.value.as_ref()),
                };
                if let Some(address) = self.address(seen, origin, feed) {
                    leaf.value = Cow::Owned(address);
                }
            }
        }
    }

    /// The numbers of a video that are URLs by their type.
    fn ids(&mut self, video: &mut Video<'_>, origin: &mut Origin<'_>) {
        let is_url = |kind: &Str<'_>| kind.value.trim().eq_ignore_ascii_case("url");
        let urls = video.ids.iter_mut().filter(|id| id.kind.as_ref().is_some_and(is_url));
        for leaf in urls.filter_map(|id| id.value.as_mut()) {
            let value = Value::Str(leaf.value.as_ref());
            let (field, mark) = (Field::VideoIdsValue, leaf.mark);
            let seen = LeafView { field, mark, via: None, within: None, kind: None, value };
            if let Some(address) = self.address(seen, origin, false) {
                origin.restate(mark, &address);
                leaf.value = Cow::Owned(address);
            }
        }
    }

    /// Hands over what was noted.
    fn close(self, origin: &mut Origin<'_>) {
        self.remarks.into_iter().for_each(|remark| origin.remark(remark));
        origin.untold += self.untold;
    }
}

/// Records the repair of a URL; empty for copies of inherited values.
struct ResolutionBook<'b> {
    record: Option<&'b mut LeafRecord>,
    remarks: Option<(&'b mut Vec<EntryRepair>, &'b mut u64)>,
}

impl ResolutionBook<'_> {
    fn remark(&mut self, code: &'static str, found: &str, done: Cow<'static, str>) {
        if let (Some(record), Some((remarks, untold))) = (&self.record, &mut self.remarks) {
            let found = found.trim().chars().take(200).collect();
            origin::note(EntryRepair { code, part: 0, at: record.at, found, done }, remarks, untold);
        }
    }

    fn adjusted(&mut self, why: Reason) {
        if let Some(record) = &mut self.record
            && record.preset == Preset::Open
        {
            record.preset = Preset::Adjusted(why);
        }
    }
}

/// The URL of the document that an entry is; `None` for one that is only a part of a document.
fn page(entry: &Entry<'_>, is_page: bool) -> Option<String> {
    entry.loc.as_ref().filter(|loc| is_page && url::is_http(&loc.value)).map(|loc| loc.value.to_string())
}

/// The base that a value names: itself, or what it means below another.
fn below<'b>(outer: Option<&str>, base: &'b str) -> Option<Cow<'b, str>> {
    match url::is_http(base) {
        true => Some(Cow::Borrowed(base)),
        false => url::resolve(outer?, base).map(Cow::Owned),
    }
}

/// What relative URLs in an entry are resolved against; `is_page` if it is a whole document.
pub(crate) fn base(entry: &Entry<'_>, is_page: bool, feed: &Feed<'_>, options: &Options) -> Option<String> {
    let page = page(entry, is_page);
    BaseUrls::new((entry.base.as_ref(), page.as_deref()), Some(feed), options).base.map(Cow::into_owned)
}

/// Makes the URLs of an entry absolute, in which some elements may have a base of their own.
pub(crate) fn entry(entry: &mut Entry<'_>, inner: &[InnerBase], feed: Option<&Feed<'_>>, options: &Options) {
    let is_page = entry.origin.parts.first().is_some_and(|part| part.syntax == Syntax::Html);
    let page = page(entry, is_page);
    let bases = BaseUrls::new((entry.base.as_ref(), page.as_deref()), feed, options);
    let mut bases = bases.with(inner).on(entry.loc.as_ref());
    let mut origin = std::mem::take(&mut entry.origin);
    entry.addresses((), &mut |seen| {
        let mark = seen.mark;
        let address = bases.address(seen, &mut origin, false)?;
        origin.restate(mark, &address);
        Some(address)
    });
    entry.videos.iter_mut().for_each(|video| bases.ids(video, &mut origin));
    bases.modules(&mut entry.modules, &mut origin, false);
    if options.absolutize_html {
        for text in [&mut entry.title, &mut entry.summary, &mut entry.content, &mut entry.rights] {
            bases.text(text, &mut origin, false);
        }
        for level in entry.media.as_deref_mut().into_iter().chain(&mut entry.videos) {
            bases.texts_of_video(level, &mut origin, false);
        }
    }
    bases.close(&mut origin);
    entry.origin = origin;
}

/// Makes the URLs of a head absolute.
pub(crate) fn feed(feed: &mut Feed<'_>, inner: &[InnerBase], options: &Options) {
    let bases = BaseUrls::new((feed.base.as_ref(), None), None, options);
    let mut bases = bases.with(inner).on(feed.home.as_ref());
    // the base of a channel is in that of the feed
    let place = feed.base.as_ref().and_then(|base| feed.origin.records.get((base.mark.0 & !Mark::FEED) as usize));
    bases.own = place.and_then(|place| {
        covering(inner, inner.partition_point(|inner| inner.start <= place.at).checked_sub(1), place.at)
    });
    if bases.base.is_none() {
        bases.base = feed.self_url.as_ref().map(|link| Cow::Owned(link.to_string())).filter(|link| url::is_http(link));
    }
    let mut origin = std::mem::take(&mut feed.origin);
    feed.addresses((), &mut |seen| bases.address(seen, &mut origin, true));
    bases.modules(&mut feed.modules, &mut origin, true);
    if options.absolutize_html {
        for text in [&mut feed.title, &mut feed.subtitle, &mut feed.rights] {
            bases.text(text, &mut origin, true);
        }
        if let Some(media) = feed.media.as_deref_mut() {
            bases.texts_of_video(media, &mut origin, true);
        }
    }
    bases.close(&mut origin);
    feed.origin = origin;
}
