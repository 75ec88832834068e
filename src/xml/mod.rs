//! Everything about markup. The only folder that uses quick-xml. There is no file handling: the streaming parts are
//! generic over `std::io::Read`.

pub(crate) mod aside;
pub(crate) mod builder;
pub mod chunk;
pub mod decode;
mod entities;
pub mod escape;
pub mod frame;
pub(crate) mod input;
pub mod limits;
pub mod lines;
pub mod names;
pub mod parse;
pub mod place;
mod repair;
pub(crate) mod scan;
pub mod scope;
pub mod serialize;
pub(crate) mod spelling;
pub mod split;

pub(crate) use spelling::{is_known, is_whole, near_name};
