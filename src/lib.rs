//! transfeed converts video and page feeds between formats and names every value that a conversion loses.

pub mod detect;
pub mod model;
pub mod xml;
