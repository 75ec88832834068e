//! The columns of a table: one for each value of an entry or of its video that fits into a cell, in the order of the
//! model. Reading and writing follow from one row here. Not how a table is cut and quoted (row.rs).

use std::collections::HashMap;
use std::sync::OnceLock;

use super::fill::{Filling, PartKey};
use crate::model::value::FromText;
use crate::model::{Entry, Field, Leaf, LeafType, Mark, Str, Text, TextKind, Value, Video, Walk};
use crate::reason::Reason;
use crate::text::{nearest, region};
use crate::tree::wild::is_separator;
use crate::tree::{Node, NodeKind, Take};

/// A cell, as a reader gets it: a text, or a list of texts with an empty element for each empty member.
#[derive(Clone, Copy)]
pub struct TableCell<'t, 'a> {
    node: Node<'t, 'a>,
    kind: TextKind,
    field: Field,
}

impl<'t, 'a> TableCell<'t, 'a> {
    /// The cell of a column at this node.
    pub fn new(node: Node<'t, 'a>, column: &TableColumn) -> TableCell<'t, 'a> {
        TableCell { node, kind: column.text.unwrap_or(TextKind::Plain), field: column.field }
    }

    /// Whether one of its values is not in the closed list of its field.
    pub fn is_unclear(self) -> bool {
        let mut open = vec![self.node];
        while let Some(node) = open.pop() {
            if node.kind() == NodeKind::Text && term(self.field, node.value()).is_none() {
                return true;
            }
            open.extend(node.nodes());
        }
        false
    }

    /// The cells of the videos of a page, each with the number of its video. A cell is a text, or a list of texts.
    pub fn videos(self, take: &mut Take<'t, 'a>) -> impl Iterator<Item = (usize, TableCell<'t, 'a>)> + use<'t, 'a> {
        let mut nodes: Vec<_> =
            self.node.nodes().enumerate().map(|(at, node)| (at, TableCell { node, ..self })).collect();
        nodes.retain(|(_, cell)| {
            take.known(cell.node);
            cell.node.kind() == NodeKind::Text || cell.node.nodes().next().is_some()
        });
        nodes.into_iter()
    }

    /// Its values with their places in the list.
    pub fn members(self, take: &mut Take<'t, 'a>) -> impl Iterator<Item = (usize, TableCell<'t, 'a>)> + use<'t, 'a> {
        let mut nodes: Vec<_> = match self.node.kind() {
            NodeKind::Text => vec![(0, self)],
            NodeKind::Element | NodeKind::Attribute => {
                self.node.nodes().enumerate().map(|(at, node)| (at, TableCell { node, ..self })).collect()
            }
        };
        nodes.retain(|(_, member)| {
            take.known(member.node);
            member.node.kind() == NodeKind::Text
        });
        nodes.into_iter()
    }
}

/// A value on its way into a cell.
#[derive(Clone, Copy)]
pub struct CellValue<'e> {
    /// The number of its leaf.
    pub mark: Mark,
    /// What is written.
    pub value: Value<'e>,
    /// The kind of a text; `None` for other values.
    pub text: Option<TextKind>,
}

/// The values of a cell; a member of a list may be absent.
pub type CellValues<'e> = Vec<Option<CellValue<'e>>>;

/// Takes a cell into an entry.
pub type ReadPage = for<'t, 'a, 'k> fn(&'k mut Entry<'a>, TableCell<'t, 'a>, &'k mut Take<'t, 'a>);
/// Takes a cell into a video.
pub type ReadVideo = for<'t, 'a, 'k> fn(&'k mut Video<'a>, TableCell<'t, 'a>, &'k mut Take<'t, 'a>);
/// The values of a cell from an entry.
pub type ShowPage = for<'e, 'a, 'k> fn(&'e Entry<'a>, &'k mut CellValues<'e>);
/// The values of a cell from a video.
pub type ShowVideo = for<'e, 'a, 'k> fn(&'e Video<'a>, &'k mut CellValues<'e>);

/// Moves a value into an entry that lacks it, from another.
pub type FillPage = for<'a, 'k> fn(&'k mut Entry<'a>, &'k mut Entry<'static>, &'k mut Filling);
/// Moves a value into a video that lacks it, from another.
pub type FillVideo = for<'a, 'k> fn(&'k mut Video<'a>, &'k mut Video<'static>, &'k mut Filling);

/// Where the values of a column are.
#[derive(Clone, Copy)]
pub enum Reach {
    /// In the entry.
    Page(ReadPage, ShowPage, FillPage),
    /// In a video of it.
    Video(ReadVideo, ShowVideo, FillVideo),
}

/// One column.
pub struct TableColumn {
    /// Its heading: the name of the field in reports, with `.html` for texts with markup.
    pub heading: &'static str,
    /// The field of its values.
    pub field: Field,
    /// It is written unless columns are chosen.
    pub core: bool,
    /// A cell may have several values.
    pub list: bool,
    /// The kind of its texts; `None` for other values.
    pub text: Option<TextKind>,
    /// Where its values are.
    pub reach: Reach,
}

/// A member of the model that holds one value of a cell.
trait CellSlot<'a> {
    fn read<'t>(&mut self, cell: TableCell<'t, 'a>, take: &mut Take<'t, 'a>);
    fn show(&self) -> Option<CellValue<'_>>;
    /// Takes a value into an empty slot, or in place of one that may be replaced. Returns true if it was taken.
    fn fill(&mut self, from: Self, filling: &mut Filling) -> bool;
}

impl<'a, T: FromText<'a> + LeafType + PartialEq> CellSlot<'a> for Option<Leaf<T>> {
    fn read<'t>(&mut self, cell: TableCell<'t, 'a>, take: &mut Take<'t, 'a>) {
        let Some(term) = term(cell.field, cell.node.value()) else {
            return take.unreadable(cell.node, cell.field);
        };
        let is_first = self.is_none();
        take.value(cell.node, None, self);
        if let (Some(leaf), Some(term)) = (self.as_mut().filter(|_| is_first), term) {
            leaf.value.rewrite(term);
        }
        let Some(leaf) = self.as_mut().filter(|_| is_first && is_language(cell.field)) else { return };
        if let Value::Str(found) = leaf.value.value()
            && let Some(tag) = take.repaired_language(cell.node, leaf.mark, found)
        {
            leaf.value.rewrite(tag);
        }
    }
    fn show(&self) -> Option<CellValue<'_>> {
        self.as_ref().map(|leaf| CellValue { mark: leaf.mark, value: leaf.value.value(), text: None })
    }
    fn fill(&mut self, from: Self, filling: &mut Filling) -> bool {
        let Some(new) = from else { return false };
        match self {
            None => *self = Some(new),
            Some(old) if filling.replaces(old.mark) && old.value != new.value => {
                filling.replace(old, &new);
                *old = new;
            }
            Some(_) => return false,
        }
        true
    }
}

impl<'a> CellSlot<'a> for Option<Text<'a>> {
    fn read<'t>(&mut self, cell: TableCell<'t, 'a>, take: &mut Take<'t, 'a>) {
        match self {
            Some(first) => {
                let is_same = cell.kind == first.kind && cell.node.value().trim() == first.value.value.trim();
                let why = if is_same { Reason::SameValue } else { Reason::FirstWins };
                take.merge(cell.node, why, first.value.mark);
            }
            None => *self = take.leaf(cell.node, None).map(|value| Text::new(cell.kind, value)),
        }
    }
    fn show(&self) -> Option<CellValue<'_>> {
        let text = self.as_ref()?;
        Some(CellValue { mark: text.value.mark, value: Value::Str(&text.value.value), text: Some(text.kind) })
    }
    fn fill(&mut self, from: Self, filling: &mut Filling) -> bool {
        let Some(new) = from else { return false };
        match self {
            None => *self = Some(new),
            Some(old) if filling.replaces(old.value.mark) && old.value.value != new.value.value => {
                filling.replace(&old.value, &new.value);
                // its language is still that of the text
                (old.kind, old.value) = (new.kind, new.value);
            }
            Some(_) => return false,
        }
        true
    }
}

/// Checks a value of a field with a closed list of words: `None` for any other word. With it comes the spelling that sitemaps
/// require, for the fields that only they have.
#[expect(clippy::option_option, reason = "no list of values, and no value of it, are two matters")]
fn term(field: Field, text: &str) -> Option<Option<String>> {
    let text = text.trim();
    if field == Field::VideoPriceCurrency {
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        return is_code.then_some(None);
    }
    match field.terms() {
        [] => Some(None),
        terms => {
            let usual = terms.iter().find(|term| term.eq_ignore_ascii_case(text))?;
            // Media RSS has the others in any case, and they are written as they are
            let is_of_sitemaps = matches!(field, Field::Changefreq | Field::VideoPriceResolution);
            Some(is_of_sitemaps.then(|| (*usual).to_owned()))
        }
    }
}

/// Whether the values of a field are tags of languages.
fn is_language(field: Field) -> bool {
    matches!(
        field,
        Field::Language
            | Field::LinkHreflang
            | Field::EnclosureLang
            | Field::NewsLanguage
            | Field::AlternateHreflang
            | Field::SourceLanguage
            | Field::VideoFileLang
            | Field::VideoTextLang
            | Field::VideoSubtitleLang
    )
}

fn read_one<'t, 'a>(slot: &mut impl CellSlot<'a>, cell: TableCell<'t, 'a>, take: &mut Take<'t, 'a>) {
    for (_, member) in cell.members(take) {
        slot.read(member, take);
    }
}

fn show_one<'e, 'a: 'e>(slot: &'e impl CellSlot<'a>, members: &mut CellValues<'e>) {
    members.push(slot.show());
}

/// Reads into a part that is there only if it holds something.
fn read_part<'t, 'a, P: Default + Walk>(
    part: &mut Option<P>,
    cell: TableCell<'t, 'a>,
    take: &mut Take<'t, 'a>,
    read: impl FnOnce(&mut P, TableCell<'t, 'a>, &mut Take<'t, 'a>),
) {
    let mut inner = part.take().unwrap_or_default();
    read(&mut inner, cell, take);
    *part = Some(inner).filter(|inner| !inner.is_blank());
}

/// Reads the members of a cell into one part each, by their places.
fn read_each<'t, 'a, P: Default>(
    parts: &mut Vec<P>,
    cell: TableCell<'t, 'a>,
    take: &mut Take<'t, 'a>,
    read: impl Fn(&mut P, TableCell<'t, 'a>, &mut Take<'t, 'a>),
) {
    for (at, member) in cell.members(take) {
        if parts.len() <= at {
            parts.resize_with(at + 1, P::default);
        }
        if let Some(part) = parts.get_mut(at) {
            read(part, member, take);
        }
    }
}

fn read_list<'t, 'a>(values: &mut Vec<Str<'a>>, cell: TableCell<'t, 'a>, take: &mut Take<'t, 'a>) {
    for (_, member) in cell.members(take) {
        values.extend(take.leaf(member.node, None));
    }
}

/// Reads a list of words. In a cell that holds nothing else, they may be separated as in other formats.
fn read_words<'t, 'a>(
    values: &mut Vec<Str<'a>>,
    cell: TableCell<'t, 'a>,
    take: &mut Take<'t, 'a>,
    is_word: fn(&str) -> bool,
) {
    for (_, member) in cell.members(take) {
        let mut words = member.node.value().split(is_separator).filter(|word| !word.is_empty()).peekable();
        match words.peek().is_some() && words.all(is_word) {
            true => take.parts(member.node, None, is_separator, values),
            false => values.extend(take.leaf(member.node, None)),
        }
    }
}

fn is_country(word: &str) -> bool {
    region::country(word).is_some() || matches!(word, "all" | "none")
}

fn is_platform(word: &str) -> bool {
    ["web", "mobile", "tv"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn show_list<'e>(values: &'e [Str<'_>], members: &mut CellValues<'e>) {
    let shown = |leaf: &'e Str<'_>| CellValue { mark: leaf.mark, value: leaf.value.value(), text: None };
    members.extend(values.iter().map(|leaf| Some(shown(leaf))));
}

/// Declares the columns. `one(member)` holds a value; `part(member, inner)` a value of a part; `each(list, inner)` a value of
/// each part of a list, or with `of_file` of its file; `list(member)` several values. A `text` has a second column for markup.
macro_rules! columns {
    ($($reach:ident { $($core:ident $field:ident $heading:literal $form:ident ($($at:tt)*);)* })*) => {
        /// All columns, in the order in which they are written.
        pub static COLUMNS: &[TableColumn] = &[
            $($(columns!(@column $reach $core $field $heading $form ($($at)*)),)*)*
        ];
        /// The columns for texts with markup, by the same order.
        static HTML: &[TableColumn] = &[
            $($(columns!(@html $reach $core $field $heading $form ($($at)*)),)*)*
        ];
    };
    (@core core) => { true };
    (@core more) => { false };
    (@core html) => { true };
    (@only core) => { false };
    (@only more) => { false };
    (@only html) => { true };
    (@reach Page ($read:expr) ($show:expr) ($fill:expr)) => { Reach::Page($read, $show, $fill) };
    (@reach Video ($read:expr) ($show:expr) ($fill:expr)) => { Reach::Video($read, $show, $fill) };
    (@access $reach:ident one ($member:ident)) => {
        columns!(@reach $reach
            (|part, cell, take| read_one(&mut part.$member, cell, take))
            (|part, members| show_one(&part.$member, members))
            (|part, from, filling| {
                if CellSlot::fill(&mut part.$member, from.$member.take(), filling) {
                    filling.touch(stringify!($member));
                }
            }))
    };
    (@access $reach:ident text ($member:ident)) => { columns!(@access $reach one ($member)) };
    (@access $reach:ident part ($member:ident, $inner:ident)) => {
        columns!(@reach $reach
            (|part, cell, take| {
                read_part(&mut part.$member, cell, take, |inner, cell, take| read_one(&mut inner.$inner, cell, take));
            })
            (|part, members| if let Some(inner) = &part.$member { show_one(&inner.$inner, members) })
            (|part, from, filling| if let Some(new) = &mut from.$member {
                let mut own = part.$member.take().unwrap_or_default();
                if CellSlot::fill(&mut own.$inner, new.$inner.take(), filling) {
                    filling.touch(stringify!($member));
                }
                part.$member = Some(own).filter(|own| !own.is_blank());
            }))
    };
    (@access $reach:ident part_text ($member:ident, $inner:ident)) => {
        columns!(@access $reach part ($member, $inner))
    };
    (@access $reach:ident part_list ($member:ident, $inner:ident)) => {
        columns!(@access $reach part_list ($member, $inner, read_list))
    };
    (@access $reach:ident part_words ($member:ident, $inner:ident, $is_word:ident)) => {
        columns!(@access $reach part_list ($member, $inner, |list, cell, take| read_words(list, cell, take, $is_word)))
    };
    (@access $reach:ident part_list ($member:ident, $inner:ident, $read:expr)) => {
        columns!(@reach $reach
            (|part, cell, take| {
                read_part(&mut part.$member, cell, take, |inner, cell, take| $read(&mut inner.$inner, cell, take));
            })
            (|part, members| if let Some(inner) = &part.$member { show_list(&inner.$inner, members) })
            (|part, from, filling| if let Some(new) = &mut from.$member {
                let mut own = part.$member.take().unwrap_or_default();
                if filling.fill_list(&mut own.$inner, std::mem::take(&mut new.$inner), |leaf| leaf.mark) {
                    filling.touch(stringify!($member));
                }
                part.$member = Some(own).filter(|own| !own.is_blank());
            }))
    };
    (@access $reach:ident each ($member:ident, $inner:ident)) => {
        columns!(@reach $reach
            (|part, cell, take| {
                read_each(&mut part.$member, cell, take, |inner, cell, take| read_one(&mut inner.$inner, cell, take));
            })
            (|part, members| part.$member.iter().for_each(|inner| show_one(&inner.$inner, members)))
            (|part, from, filling| {
                let is_new = part.$member.is_empty() && !from.$member.is_empty();
                if is_new {
                    part.$member = std::mem::take(&mut from.$member);
                }
                let pairs = part.$member.iter_mut().zip(&mut from.$member);
                let filled = pairs.filter_map(|(own, new)| {
                    CellSlot::fill(&mut own.$inner, new.$inner.take(), filling).then_some(())
                });
                if filled.count() > 0 || is_new {
                    filling.touch(stringify!($member));
                }
            }))
    };
    (@access $reach:ident of_file ($member:ident, $inner:ident)) => {
        columns!(@reach $reach
            (|part, cell, take| {
                read_each(&mut part.$member, cell, take, |inner, cell, take| {
                    read_part(&mut inner.file, cell, take, |file, cell, take| read_one(&mut file.$inner, cell, take));
                });
            })
            (|part, members| part.$member.iter().for_each(|inner| {
                members.push(inner.file.as_ref().and_then(|file| CellSlot::show(&file.$inner)));
            }))
            (|part, from, filling| {
                let pairs = part.$member.iter_mut().zip(&mut from.$member);
                pairs.for_each(|(own, new)| if let Some(new) = &mut new.file {
                    let mut file = own.file.take().unwrap_or_default();
                    CellSlot::fill(&mut file.$inner, new.$inner.take(), filling);
                    own.file = Some(file).filter(|file| !file.is_blank());
                });
            }))
    };
    (@access $reach:ident each_text ($member:ident, $inner:ident)) => {
        columns!(@access $reach each ($member, $inner))
    };
    (@access $reach:ident list ($member:ident)) => {
        columns!(@reach $reach
            (|part, cell, take| read_list(&mut part.$member, cell, take))
            (|part, members| show_list(&part.$member, members))
            (|part, from, filling| {
                if filling.fill_list(&mut part.$member, std::mem::take(&mut from.$member), |leaf| leaf.mark) {
                    filling.touch(stringify!($member));
                }
            }))
    };
    (@is_list one) => { false };
    (@is_list text) => { false };
    (@is_list part) => { false };
    (@is_list part_text) => { false };
    (@is_list part_list) => { true };
    (@is_list part_words) => { true };
    (@is_list each) => { true };
    (@is_list of_file) => { true };
    (@is_list each_text) => { true };
    (@is_list list) => { true };
    (@text text) => { Some(TextKind::Plain) };
    (@text part_text) => { Some(TextKind::Plain) };
    (@text each_text) => { Some(TextKind::Plain) };
    (@text $form:ident) => { None };
    (@column $reach:ident $core:ident $field:ident $heading:literal $form:ident ($($at:tt)*)) => {
        TableColumn {
            heading: $heading,
            field: Field::$field,
            core: columns!(@core $core),
            list: columns!(@is_list $form),
            text: columns!(@text $form),
            reach: columns!(@access $reach $form ($($at)*)),
        }
    };
    (@html $reach:ident $core:ident $field:ident $heading:literal $form:ident ($($at:tt)*)) => {
        TableColumn {
            heading: concat!($heading, ".html"),
            field: Field::$field,
            core: columns!(@only $core),
            list: columns!(@is_list $form),
            text: Some(TextKind::Html),
            reach: columns!(@access $reach $form ($($at)*)),
        }
    };
}

// `core` columns are written unless others are chosen, `html` ones with their column for markup
columns! {
    Page {
        core Loc "loc" one(loc);
        core Id "id" one(id);
        core IdIsPermalink "id_is_permalink" one(id_is_permalink);
        core Title "title" text(title);
        html Summary "summary" text(summary);
        html Content "content" text(content);
        more ContentSrc "content_src" one(content_src);
        more ContentType "content_type" one(content_type);
        core Published "published" one(published);
        core Updated "updated" one(updated);
        more Created "created" one(created);
        more Expires "expires" one(expires);
        core AuthorName "author.name" each(authors, name);
        more AuthorEmail "author.email" each(authors, email);
        more AuthorUri "author.uri" each(authors, uri);
        more ContributorName "contributor.name" each(contributors, name);
        more ContributorEmail "contributor.email" each(contributors, email);
        more ContributorUri "contributor.uri" each(contributors, uri);
        more Publisher "publisher" one(publisher);
        core CategoryTerm "category.term" each(categories, term);
        more CategoryScheme "category.scheme" each(categories, scheme);
        more CategoryLabel "category.label" each(categories, label);
        more LinkHref "link.href" each(links, href);
        more LinkRel "link.rel" each(links, rel);
        more LinkType "link.type" each(links, kind);
        more LinkHreflang "link.hreflang" each(links, hreflang);
        more LinkTitle "link.title" each(links, title);
        more LinkLength "link.length" each(links, length);
        more LinkMedia "link.media" each(links, media);
        core EnclosureUrl "enclosure.url" each(enclosures, url);
        core EnclosureType "enclosure.type" each(enclosures, kind);
        core EnclosureLength "enclosure.length" each(enclosures, length);
        more EnclosureTitle "enclosure.title" each(enclosures, title);
        more EnclosureLang "enclosure.lang" each(enclosures, lang);
        core ImageLoc "image.loc" each(images, loc);
        more ImageCaption "image.caption" each_text(images, caption);
        more ImageTitle "image.title" each_text(images, title);
        more ImageGeoLocation "image.geo_location" each(images, geo_location);
        more ImageLicense "image.license" each(images, license);
        more NewsName "news.name" part(news, name);
        more NewsLanguage "news.language" part(news, language);
        more NewsPublished "news.published" part(news, published);
        more NewsTitle "news.title" part(news, title);
        more NewsAccess "news.access" part(news, access);
        more NewsGenres "news.genres" part(news, genres);
        more NewsKeywords "news.keywords" part(news, keywords);
        more NewsStockTickers "news.stock_tickers" part(news, stock_tickers);
        more AlternateHref "alternate.href" each(alternates, href);
        more LinkRel "alternate.rel" each(alternates, rel);
        more AlternateHreflang "alternate.hreflang" each(alternates, hreflang);
        more AlternateType "alternate.type" each(alternates, kind);
        more AlternateTitle "alternate.title" each(alternates, title);
        more AlternateLength "alternate.length" each(alternates, length);
        more LinkMedia "alternate.media" each(alternates, media);
        more Changefreq "changefreq" one(changefreq);
        more Priority "priority" one(priority);
        core Language "language" one(language);
        more Base "base" one(base);
        more Rights "rights" text(rights);
        more License "license" one(license);
        more Comments "comments" one(comments);
        more CommentCount "comment_count" one(comment_count);
        more CommentFeed "comment_feed" one(comment_feed);
        more InReplyToRef "in_reply_to.ref" each(in_reply_to, reference);
        more InReplyToHref "in_reply_to.href" each(in_reply_to, href);
        more InReplyToType "in_reply_to.type" each(in_reply_to, kind);
        more InReplyToSource "in_reply_to.source" each(in_reply_to, source);
        more SourceId "source.id" part(source, id);
        more SourceTitle "source.title" part_text(source, title);
        more SourceSubtitle "source.subtitle" part_text(source, subtitle);
        more SourceHome "source.home" part(source, home);
        more SourceSelf "source.self" part(source, self_url);
        more SourceUpdated "source.updated" part(source, updated);
        more SourceRights "source.rights" part_text(source, rights);
        more SourceIcon "source.icon" part(source, icon);
        more SourceLanguage "source.language" part(source, language);
        more LocationPoint "location.point" each(location, point);
        more LocationName "location.name" each(location, name);
        more Mobile "mobile" one(mobile);
    }
    Video {
        more VideoId "video.id" one(id);
        core VideoTitle "video.title" text(title);
        html VideoDescription "video.description" text(description);
        core VideoThumbnailUrl "video.thumbnail.url" each(thumbnails, url);
        more VideoThumbnailWidth "video.thumbnail.width" each(thumbnails, width);
        more VideoThumbnailHeight "video.thumbnail.height" each(thumbnails, height);
        more VideoThumbnailTime "video.thumbnail.time" each(thumbnails, time);
        core VideoPlayerUrl "video.player.url" part(player, url);
        more VideoPlayerWidth "video.player.width" part(player, width);
        more VideoPlayerHeight "video.player.height" part(player, height);
        core VideoFileUrl "video.file.url" each(files, url);
        core VideoFileType "video.file.type" each(files, kind);
        more VideoFileCodecs "video.file.codecs" each(files, codecs);
        more VideoFileMedium "video.file.medium" each(files, medium);
        core VideoFileWidth "video.file.width" each(files, width);
        core VideoFileHeight "video.file.height" each(files, height);
        core VideoFileBitrate "video.file.bitrate" each(files, bitrate);
        more VideoFileFramerate "video.file.framerate" each(files, framerate);
        more VideoFileSamplingrate "video.file.samplingrate" each(files, samplingrate);
        more VideoFileChannels "video.file.channels" each(files, channels);
        core VideoFileSize "video.file.size" each(files, size);
        more VideoFileLang "video.file.lang" each(files, lang);
        more VideoFileDuration "video.file.duration" each(files, duration);
        more VideoFileIsDefault "video.file.is_default" each(files, is_default);
        more VideoFileExpression "video.file.expression" each(files, expression);
        more VideoFileTitle "video.file.title" each(files, title);
        core VideoDuration "video.duration" one(duration);
        core VideoPublished "video.published" one(published);
        core VideoAvailableStart "video.available.start" part(available, start);
        core VideoAvailableEnd "video.available.end" part(available, end);
        more VideoAvailableName "video.available.name" part(available, name);
        core VideoRatingAverage "video.rating.average" part(rating, average);
        more VideoRatingCount "video.rating.count" part(rating, count);
        more VideoRatingMin "video.rating.min" part(rating, min);
        more VideoRatingMax "video.rating.max" part(rating, max);
        more VideoRatingsValue "video.ratings.value" each(ratings, value);
        more VideoRatingsScheme "video.ratings.scheme" each(ratings, scheme);
        more VideoAdult "video.adult" one(adult);
        core VideoViews "video.views" one(views);
        more VideoFavorites "video.favorites" one(favorites);
        core VideoFamilyFriendly "video.family_friendly" one(family_friendly);
        core VideoRestrictionRelationship "video.restriction.relationship" part(restriction, relationship);
        core VideoRestrictionCountry "video.restriction.countries" part_words(restriction, countries, is_country);
        more VideoPlatformRelationship "video.platform.relationship" part(platform, relationship);
        more VideoPlatform "video.platform.platforms" part_words(platform, platforms, is_platform);
        more VideoUriRestrictionRelationship "video.uri_restriction.relationship" part(uri_restriction, relationship);
        more VideoUriRestriction "video.uri_restriction.values" part_list(uri_restriction, values);
        more VideoSharing "video.sharing" one(sharing);
        more VideoAllowEmbed "video.allow_embed" one(allow_embed);
        more VideoAutoplay "video.autoplay" one(autoplay);
        more VideoPriceAmount "video.price.amount" each(prices, amount);
        more VideoPriceCurrency "video.price.currency" each(prices, currency);
        more VideoPriceType "video.price.type" each(prices, kind);
        more VideoPriceResolution "video.price.resolution" each(prices, resolution);
        more VideoPriceInfo "video.price.info" each(prices, info);
        core VideoRequiresSubscription "video.requires_subscription" one(requires_subscription);
        core VideoUploaderName "video.uploader.name" part(uploader, name);
        more VideoUploaderUri "video.uploader.uri" part(uploader, uri);
        more VideoCreditName "video.credit.name" each(credits, name);
        more VideoCreditRole "video.credit.role" each(credits, role);
        more VideoCreditScheme "video.credit.scheme" each(credits, scheme);
        core VideoLive "video.live" one(live);
        core VideoTag "video.tags" list(tags);
        more VideoTagWeightTag "video.tag_weights.tag" each(tag_weights, tag);
        more VideoTagWeightWeight "video.tag_weights.weight" each(tag_weights, weight);
        core VideoCategoryTerm "video.category.term" each(categories, term);
        more VideoCategoryScheme "video.category.scheme" each(categories, scheme);
        more VideoCategoryLabel "video.category.label" each(categories, label);
        more VideoCopyrightText "video.copyright.text" part(copyright, text);
        more VideoCopyrightUrl "video.copyright.url" part(copyright, url);
        more VideoLicenseText "video.license.text" each(license, text);
        more VideoLicenseHref "video.license.href" each(license, href);
        more VideoLicenseType "video.license.type" each(license, kind);
        more VideoHashValue "video.hash.value" each(hashes, value);
        more VideoHashAlgo "video.hash.algo" each(hashes, algo);
        more VideoTextValue "video.text.value" each_text(texts, value);
        more VideoTextLang "video.text.lang" each(texts, lang);
        more VideoTextStart "video.text.start" each(texts, start);
        more VideoTextEnd "video.text.end" each(texts, end);
        more VideoSubtitleHref "video.subtitle.href" each(subtitles, href);
        more VideoSubtitleLang "video.subtitle.lang" each(subtitles, lang);
        more VideoSubtitleType "video.subtitle.type" each(subtitles, kind);
        more VideoEmbedUrl "video.embed.url" part(embed, url);
        more VideoEmbedWidth "video.embed.width" part(embed, width);
        more VideoEmbedHeight "video.embed.height" part(embed, height);
        more VideoStatusState "video.status.state" part(status, state);
        more VideoStatusReason "video.status.reason" part(status, reason);
        more VideoRightsStatus "video.rights_status" one(rights_status);
        more VideoSceneTitle "video.scene.title" each(scenes, title);
        more VideoSceneDescription "video.scene.description" each(scenes, description);
        more VideoSceneStart "video.scene.start" each(scenes, start);
        more VideoSceneEnd "video.scene.end" each(scenes, end);
        more VideoLocationDescription "video.location.description" each(location, description);
        more VideoLocationStart "video.location.start" each(location, start);
        more VideoLocationEnd "video.location.end" each(location, end);
        more VideoLocationPoint "video.location.point" each(location, point);
        more VideoPeerLinkHref "video.peer_link.href" each(peer_links, href);
        more VideoPeerLinkType "video.peer_link.type" each(peer_links, kind);
        more VideoComment "video.comments" list(comments);
        more VideoResponse "video.responses" list(responses);
        more VideoBackLink "video.back_links" list(back_links);
        more VideoTvShowTitle "video.tv.show_title" part(tv, show_title);
        more VideoTvType "video.tv.type" part(tv, kind);
        more VideoTvEpisodeTitle "video.tv.episode_title" part(tv, episode_title);
        core VideoTvSeason "video.tv.season" part(tv, season);
        core VideoTvEpisode "video.tv.episode" part(tv, episode);
        more VideoTvPremiere "video.tv.premiere" part(tv, premiere);
        more VideoIdsValue "video.ids.value" each(ids, value);
        more VideoIdsType "video.ids.type" each(ids, kind);
        more VideoGalleryUrl "video.gallery.url" part(gallery, url);
        more VideoGalleryTitle "video.gallery.title" part(gallery, title);
        more VideoSegmentUrl "video.segment.url" each(segments, url);
        more VideoSegmentDuration "video.segment.duration" each(segments, duration);
    }
    Page {
        core VideoFileDuration "enclosure.duration" of_file(enclosures, duration);
    }
}

/// All columns, each text followed by its column for markup.
pub fn all() -> &'static [&'static TableColumn] {
    static ALL: OnceLock<Vec<&'static TableColumn>> = OnceLock::new();
    ALL.get_or_init(|| {
        let pairs = COLUMNS.iter().zip(HTML);
        pairs.flat_map(|(plain, html)| [Some(plain), plain.text.map(|_| html)]).flatten().collect()
    })
}

/// The first heading of the column for a field.
pub fn heading_of(field: Field) -> Option<&'static str> {
    static HEADINGS: OnceLock<Vec<Option<&'static str>>> = OnceLock::new();
    let headings = HEADINGS.get_or_init(|| {
        let mut headings = vec![None; Field::ALL.len()];
        for column in COLUMNS {
            if let Some(slot @ None) = headings.get_mut(column.field as usize) {
                *slot = Some(column.heading);
            }
        }
        headings
    });
    headings.get(field as usize).copied().flatten()
}

/// How the headings of videos begin in a row that holds a video, and in one that holds a page with all its videos.
const VIDEO: &str = "video.";
const VIDEOS: &str = "videos.";

/// A column as a heading names it.
#[derive(Clone, Copy)]
pub struct KnownColumn {
    /// The heading, in the usual spelling.
    pub heading: &'static str,
    /// The column.
    pub column: &'static TableColumn,
    /// A cell has one value of each video of a page.
    pub of_videos: bool,
}

impl PartialEq for KnownColumn {
    fn eq(&self, other: &KnownColumn) -> bool {
        self.heading == other.heading
    }
}

/// The column with this heading, in any case.
pub fn by_heading(heading: &str) -> Option<KnownColumn> {
    static KNOWN: OnceLock<HashMap<String, KnownColumn>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known = HashMap::new();
        for column in all() {
            known.insert(column.heading.to_owned(), KnownColumn { heading: column.heading, column, of_videos: false });
        }
        for (heading, column) in headings_of_videos() {
            known.insert((*heading).clone(), KnownColumn { heading, column, of_videos: true });
        }
        known
    });
    match known.get(heading) {
        None if heading.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            known.get(&heading.to_ascii_lowercase()).copied()
        }
        found => found.copied(),
    }
}

/// Names that people give to columns, with those of the fields that they mean.
const ALIASES: [(&str, &str); 30] = [
    ("url", "loc"),
    ("link", "loc"),
    ("page", "loc"),
    ("page_url", "loc"),
    ("permalink", "loc"),
    ("duration", "video.duration"),
    ("length", "video.duration"),
    ("thumbnail", "video.thumbnail.url"),
    ("thumbnail_url", "video.thumbnail.url"),
    ("poster", "video.thumbnail.url"),
    ("image", "image.loc"),
    ("image_url", "image.loc"),
    ("file", "video.file.url"),
    ("file_url", "video.file.url"),
    ("video", "video.file.url"),
    ("video_url", "video.file.url"),
    ("content_url", "video.file.url"),
    ("mp4", "video.file.url"),
    ("embed_url", "video.player.url"),
    ("player", "video.player.url"),
    ("player_url", "video.player.url"),
    ("upload_date", "video.published"),
    ("publication_date", "published"),
    ("pubdate", "published"),
    ("date", "published"),
    ("description", "video.description"),
    ("tags", "video.tags"),
    ("keywords", "video.tags"),
    ("author", "author.name"),
    ("category", "category.term"),
];

/// The field that an unknown heading may mean.
pub fn meant(heading: &str) -> Option<&'static str> {
    // no heading is so long, and the search costs as much as it has letters
    if heading.len() > 64 {
        return None;
    }
    let name = heading.trim().to_lowercase().replace([' ', '-'], "_");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, meant)| *meant);
    alias.or_else(|| {
        let of_video = by_heading(&format!("{VIDEO}{name}")).map(|known| known.heading);
        of_video.or_else(|| nearest(&name, COLUMNS.iter().map(|column| column.heading).filter(|known| known.len() > 4)))
    })
}

/// The headings of columns whose cells have one value of each video.
fn headings_of_videos() -> &'static [(String, &'static TableColumn)] {
    static HEADINGS: OnceLock<Vec<(String, &'static TableColumn)>> = OnceLock::new();
    HEADINGS.get_or_init(|| {
        let plural =
            |column: &&'static TableColumn| Some((format!("{VIDEOS}{}", column.heading.strip_prefix(VIDEO)?), *column));
        all().iter().filter_map(plural).collect()
    })
}

/// The same column for rows that hold a page with all its videos, or for rows with one video.
pub fn for_rows(named: KnownColumn, of_pages: bool) -> KnownColumn {
    if named.of_videos == of_pages || !matches!(named.column.reach, Reach::Video(..)) {
        return named;
    }
    let rest = named.column.heading.strip_prefix(VIDEO).unwrap_or_default();
    let heading = if of_pages { format!("{VIDEOS}{rest}") } else { named.column.heading.to_owned() };
    by_heading(&heading).unwrap_or(named)
}

/// The value that distinguishes parts of one kind.
fn key<'a>(slot: &impl CellSlot<'a>) -> Option<PartKey> {
    slot.show().map(|shown| (shown.mark, shown.value.to_string()))
}

/// Makes room for lists and parts that replace those of the first one as a whole. The values of those that cannot stay where they
/// are.
macro_rules! make_room {
    ($filling:ident $own:ident $from:ident; lists $($list:ident $of_list:ident),*; parts $($part:ident $of_part:ident),*) => {
        $(
            let keys: Vec<_> = $from.$list.iter().map(|part| key(&part.$of_list)).collect();
            if !$filling.replace_parts(&mut $own.$list, &keys, |part| key(&part.$of_list), stringify!($list)) {
                $from.$list.clear();
            }
        )*
        $(
            let new = $from.$part.as_ref().and_then(|part| key(&part.$of_part));
            if !$filling.replace_part(&mut $own.$part, new, |part| key(&part.$of_part)) {
                $from.$part = None;
            }
        )*
    };
}

/// Fills in the values of an entry, but for its videos.
pub fn fill_page(entry: &mut Entry<'_>, from: &mut Entry<'static>, filling: &mut Filling) {
    make_room!(filling entry from;
        lists authors name, contributors name, categories term, links href, enclosures url, images loc, alternates href,
            in_reply_to reference, location point;
        parts source id);
    for column in COLUMNS {
        if let Reach::Page(_, _, fill) = column.reach {
            fill(entry, from, filling);
        }
    }
    if filling.has_lists() {
        tidy_page(entry);
    }
    filling.end_page();
}

/// Fills in the values of a video.
pub fn fill_video(video: &mut Video<'_>, from: &mut Video<'static>, filling: &mut Filling) {
    make_room!(filling video from;
        lists thumbnails url, files url, ratings value, credits name, tag_weights tag, categories term, license text,
            hashes value, texts value, subtitles href, scenes title, location description, peer_links href, ids value,
            segments url;
        parts player url, uploader name, copyright text, embed url, status state, gallery url);
    // the currency is that of another amount, too
    let amounts: Vec<_> = from.prices.iter().map(|price| key(&price.amount)).collect();
    if !filling.shorten(&mut video.prices, &amounts, "prices") {
        from.prices.clear();
    }
    for column in COLUMNS {
        if let Reach::Video(_, _, fill) = column.reach {
            fill(video, from, filling);
        }
    }
    if filling.has_lists() {
        tidy_video(video);
    }
    filling.end_video(video);
}

/// Removes parts of lists that only kept the places of others.
pub fn tidy_page(entry: &mut Entry<'_>) {
    let Entry {
        authors, contributors, categories, links, enclosures, images, alternates, in_reply_to, location, ..
    } = entry;
    tidy(authors);
    tidy(contributors);
    tidy(categories);
    tidy(links);
    tidy(enclosures);
    tidy(images);
    tidy(alternates);
    tidy(in_reply_to);
    tidy(location);
}

/// The same for a video.
pub fn tidy_video(video: &mut Video<'_>) {
    let Video { thumbnails, files, ratings, prices, credits, tag_weights, categories, license, hashes, .. } = video;
    tidy(thumbnails);
    tidy(files);
    tidy(ratings);
    tidy(prices);
    tidy(credits);
    tidy(tag_weights);
    tidy(categories);
    tidy(license);
    tidy(hashes);
    let Video { texts, subtitles, scenes, location, peer_links, ids, segments, .. } = video;
    tidy(texts);
    tidy(subtitles);
    tidy(scenes);
    tidy(location);
    tidy(peer_links);
    tidy(ids);
    tidy(segments);
}

fn tidy<P: Walk>(parts: &mut Vec<P>) {
    parts.retain(|part| !part.is_blank());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_the_names_of_their_fields() {
        let mut seen = std::collections::HashSet::new();
        for column in all() {
            assert!(seen.insert(column.heading), "{}", column.heading);
            let name = match column.heading.trim_end_matches(".html") {
                "alternate.rel" => "link.rel",
                "alternate.media" => "link.media",
                "enclosure.duration" => "video.file.duration",
                name => name,
            };
            assert_eq!(name, column.field.name());
            assert!(by_heading(column.heading).is_some_and(|named| named.heading == column.heading));
        }
        assert_eq!(by_heading("Video.Duration").map(|named| named.heading), Some("video.duration"));
        assert!(by_heading("VIDEOS.DURATION").is_some_and(|named| named.of_videos));
        assert!(by_heading("duration").is_none() && by_heading("feed.title").is_none());
    }

    #[test]
    fn headings_that_people_use_mean_fields() {
        assert!(ALIASES.iter().all(|(alias, name)| by_heading(name).is_some() && by_heading(alias).is_none()));
        let meant = ["Duration", "upload date", "Thumbnail-URL", "video.duraton", "SKU", "Family friendly"].map(meant);
        let want = [
            Some("video.duration"),
            Some("video.published"),
            Some("video.thumbnail.url"),
            Some("video.duration"),
            None,
            Some("video.family_friendly"),
        ];
        assert_eq!(meant, want);
    }

    #[test]
    fn columns_follow_the_model() {
        let fields: Vec<u16> = COLUMNS
            .iter()
            .filter(|column| !column.heading.starts_with("alternate.") && column.heading != "enclosure.duration")
            .map(|column| column.field as u16)
            .collect();
        assert!(fields.is_sorted(), "{fields:?}");
    }

    #[test]
    fn every_list_of_parts_is_tidied() {
        let text = |name: &'static str| Some(Leaf::from(name));
        for column in all().iter().filter(|column| column.list) {
            // a part without values is blank, so what is left of one must be empty
            match column.reach {
                Reach::Page(..) => {
                    let mut entry = Entry { title: Some("t".into()), ..Entry::default() };
                    entry.authors.resize_with(2, Default::default);
                    entry.authors[1].name = text("a");
                    tidy_page(&mut entry);
                    assert_eq!(entry.authors.len(), 1);
                }
                Reach::Video(..) => {
                    let mut video = Video::default();
                    video.segments.resize_with(2, Default::default);
                    tidy_video(&mut video);
                    assert!(video.segments.is_empty());
                }
            }
        }
    }
}
