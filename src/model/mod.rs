//! The model: pages with their videos, and the head of the document they came from. Every format is read into it
//! and written from it. It knows no syntax, and does no input or output.

pub(crate) mod category;
pub mod date;
pub(crate) mod episode;
pub mod field;
pub mod leaf;
pub mod lent;
pub mod origin;
pub(crate) mod page;
pub(crate) mod record;
pub(crate) mod refers;
pub(crate) mod renumber;
pub mod value;
mod video;
pub mod wanted;

pub use category::Category;
pub use date::{Date, Precision};
pub use field::{Field, ModelPart};
pub use leaf::{Leaf, Mark, Str, Text, TextKind};
pub use origin::Origin;
pub(crate) use page::LinkFields;
pub use page::{
    Cloud, DataAttribute, DataObject, EmptyContent, Enclosure, Entry, Feed, FeedImage, Flag, Foreign, Generator, Image,
    InReplyTo, Link, Location, Module, ModuleAttribute, News, PageMap, Person, Source, SourceImage, TextInput,
};
pub use record::{IntoOwned, LeafType, LeafView, Value, ValueType, Walk, WalkStep};
pub use value::{Decimal, Seconds};
pub(crate) use video::VideoUploader;
pub use video::{
    Audience, Available, Copyright, Credit, Embed, File, Gallery, Hash, License, Param, PeerLink, Platform, Player,
    Price, Rating, Restriction, Scene, Segment, Status, Subtitle, TagWeight, Thumbnail, TimedText, Tv, TypedId,
    Uploader, UriRestriction, Video, VideoLocation,
};
