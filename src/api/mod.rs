//! What users of the library see: documents, entries and videos as plain structs with typed members, made from the model and
//! turned into it again when they are written. The pipeline never builds them.

mod conversion;
mod decimal;
mod document;
mod edit;
mod input;
mod levels;
mod page;
mod part;
mod report;
mod target;
mod text;
mod video;

pub use conversion::Conversion;
pub use decimal::{Decimal, NoDecimal};
pub use document::{Document, Reader, read, reader};
pub use input::Input;
pub use page::{
    Category, Cloud, DataAttribute, DataObject, Enclosure, Entry, FeedImage, Flag, Foreign, Generator, Head, Image,
    InReplyTo, Link, Location, Module, ModuleAttribute, News, PageMap, Person, Source, TextInput,
};
pub use part::Provenance;
pub use report::{Diagnostic, Loss, Report, Row};
pub use target::{Format, Target};
pub use text::{Text, TextKind};
pub use video::{
    Audience, Available, Copyright, Credit, Embed, File, Gallery, Hash, License, Param, PeerLink, Platform, Player,
    Price, Rating, Restriction, Scene, Segment, Status, Subtitle, TagWeight, Thumbnail, TimedText, Tv, TypedId,
    Uploader, UriRestriction, Video, VideoLocation,
};
