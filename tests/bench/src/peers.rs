//! Peers.
use crate::check::Kind;
use crate::session::{Document, Row, Session};
pub const COMPLETE: &str = "peer: ";
pub fn run(_: &[String]) -> Result<(), String> {
    Err("none".to_owned())
}
pub fn rows(_: &Session<'_>, _: &str, _: &Document, _: Kind) -> Vec<Row> {
    vec![]
}
