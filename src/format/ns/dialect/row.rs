//! The form of a table of a dialect, and of its rows. The tables are in tables.rs, their use in apply.rs.

use crate::model::Field;

/// The item of a podcast for a live stream. The attributes of the element itself are kept as a module of this name.
pub const LIVE_ITEM: &str = "podcast:liveItem";

/// The feeds of one platform.
pub struct Dialect {
    /// What reports call it.
    pub name: &'static str,
    /// Whose feeds they are.
    pub title: &'static str,
    /// Its namespaces, in all spellings but for `https` and a slash at the end. One of them in use names the dialect.
    pub namespaces: &'static [&'static str],
    /// Words that name the dialect where the generator of the feed has them.
    pub generators: &'static [&'static str],
    /// Hosts that name the dialect where they are that of the feed's home page or of the feed itself.
    pub hosts: &'static [&'static str],
    /// What its elements mean.
    pub rows: &'static [DialectRow],
    /// Its elements of which each is a separate video.
    pub videos: &'static [&'static str],
    /// Its elements that are understood although the model has no field for them: they are lost rather than unread.
    pub known: &'static [&'static str],
    /// Where it has an image of each of its videos.
    pub thumbnails: &'static [ThumbnailRow],
}

/// Where a platform has an image of each of its videos.
pub struct ThumbnailRow {
    /// Hosts of the URLs that have the id of a video, without `www.`.
    pub hosts: &'static [&'static str],
    /// Where the id is in them.
    pub ids: IdSource,
    /// The URL of the image, with `{id}` and `{account}`.
    pub image: &'static str,
    /// Who documents the pattern, with the year.
    pub source: &'static str,
}

/// Where the id of a video is in a URL.
pub enum IdSource {
    /// Where the table of players has it (`text::embed`).
    Players,
    /// Behind one of these beginnings of a path with its query.
    Addresses {
        /// They end in `{id}`; `{account}` is a number, and `*` is anything.
        patterns: &'static [&'static str],
        /// The bytes of an id.
        in_id: fn(u8) -> bool,
        /// The length of an id.
        length: usize,
    },
}

/// What one element, or one attribute of it, means.
#[derive(Clone, Copy)]
pub struct DialectRow {
    /// The element, without prefix: a child of the item or entry, or of `media:group` or `media:content`.
    pub element: &'static str,
    /// The attribute; empty for the text of the element. `child@name` is an attribute of its children with that name:
    /// each child adds one item, for example a file.
    pub attribute: &'static str,
    /// Restricts the row to elements where this attribute is, or has among its words, one of these values; an empty value
    /// means an absent attribute.
    pub only: Option<(&'static str, &'static [&'static str])>,
    /// The attribute of `only` adds something for which the model has no field.
    pub adds: bool,
    /// The field of the model.
    pub means: Field,
    /// The notation of its value.
    pub form: ValueForm,
}

impl DialectRow {
    /// The text of an element.
    pub(in crate::format) const fn text(element: &'static str, means: Field) -> DialectRow {
        DialectRow { element, attribute: "", only: None, adds: false, means, form: ValueForm::Plain }
    }
    /// An attribute of an element.
    pub(in crate::format) const fn attr(element: &'static str, attribute: &'static str, means: Field) -> DialectRow {
        DialectRow { element, attribute, only: None, adds: false, means, form: ValueForm::Plain }
    }
    pub(in crate::format) const fn with_form(self, form: ValueForm) -> DialectRow {
        DialectRow { form, ..self }
    }
    pub(in crate::format) const fn only(self, attribute: &'static str, values: &'static [&'static str]) -> DialectRow {
        DialectRow { only: Some((attribute, values)), ..self }
    }
    /// The same for an attribute that is lost where the element itself is not written.
    pub(in crate::format) const fn only_with(
        self,
        attribute: &'static str,
        values: &'static [&'static str],
    ) -> DialectRow {
        DialectRow { only: Some((attribute, values)), adds: true, ..self }
    }
}

/// The notation of a value.
#[derive(Clone, Copy)]
pub enum ValueForm {
    /// As everywhere else.
    Plain,
    /// A duration in milliseconds.
    Millis,
    /// A moment in seconds since 1970.
    Epoch,
    /// A rate in bits a second.
    Bits,
    /// A number of bytes, of which 0 means that it is not known.
    Bytes,
    /// A whole number; numbers with a fraction mean nothing of the field.
    Whole,
    /// A list with commas, or else with semicolons.
    List,
    /// A URI of a place on Earth (RFC 5870), without its accuracy and further parameters.
    Geo,
    /// A checksum as Subresource Integrity has it.
    Integrity,
    /// One of these words, each with its equivalent in the model; other words are kept.
    Words(&'static [(&'static str, &'static str)]),
    /// The same; other words mean nothing of the field.
    OnlyWords(&'static [(&'static str, &'static str)]),
}

impl ValueForm {
    pub(super) fn title(self) -> String {
        match self {
            ValueForm::Plain => String::new(),
            ValueForm::Millis => "milliseconds".to_owned(),
            ValueForm::Epoch => "seconds since 1970".to_owned(),
            ValueForm::Bits => "bits a second".to_owned(),
            ValueForm::Bytes => "0 is unknown".to_owned(),
            ValueForm::Whole => "whole numbers".to_owned(),
            ValueForm::List => "list with commas or semicolons".to_owned(),
            ValueForm::Geo => "a `geo` URI".to_owned(),
            ValueForm::Integrity => "the algorithm, and the bytes in Base64".to_owned(),
            ValueForm::Words(words) | ValueForm::OnlyWords(words) => {
                let words: Vec<String> = words.iter().map(|(said, meant)| format!("`{said}` is `{meant}`")).collect();
                words.join(", ")
            }
        }
    }
}
