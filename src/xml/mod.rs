//! Everything that knows what markup looks like. The only folder that names quick-xml.

mod entities;
pub mod escape;
pub mod names;
pub mod parse;
pub mod serialize;
pub mod split;
