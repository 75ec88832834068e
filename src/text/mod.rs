//! Rules about strings that several formats share: markup inside values, URLs, cutting, MIME types, country codes.
//! Pure functions over `&str`; nothing here knows a feed format, the model or the ledger.

pub(crate) mod bytes;
pub mod cut;
pub mod embed;
pub mod html;
pub mod language;
pub mod mime;
pub mod region;
pub mod url;
