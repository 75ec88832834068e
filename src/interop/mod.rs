//! To and from the types of the `rss` and `atom_syndication` crates, through the wire: what their types hold they
//! write, and our readers read; what our writers write they parse. So each mapping exists once, in the formats.
//! They are never the road of a conversion (docs/DESIGN.md): their types hold too little.
//!
//! Both crates recurse once for every level of nested extensions, so they are only ever given what is nested less
//! deeply than [`DEEPEST`].

#[cfg(feature = "atom")]
mod atom;
#[cfg(any(feature = "rss", feature = "atom"))]
mod document;
#[cfg(feature = "rss")]
mod rss;
#[cfg(test)]
mod tests;
pub mod verify;

#[cfg(any(feature = "rss", feature = "atom"))]
pub use document::{InteropDocument, Losses};

use crate::error::{Error, ErrorKind};
use crate::markup;
use crate::tree::Tree;
use crate::xml::limits::TreeLimits;

/// Elements inside each other that the other crates are given; they end a thread of 2 MiB at some 3,000.
pub const DEEPEST: usize = 256;

/// Reads our own bytes again, which are well-formed and within the depth that the other crates can bear.
fn shallow(text: &str) -> Result<Tree<'_>, Error> {
    let most = usize::MAX;
    let limits =
        TreeLimits { depth: DEEPEST, attributes: most, namespaces: most, text: most, attribute: most, nodes: most };
    markup::parse(text, "", &limits).map_err(|bad| match bad.code {
        "limit.depth" => too_deep(),
        _ => ErrorKind::Verify { says: format!("it is not well-formed: {}", bad.says) }.into(),
    })
}

fn too_deep() -> Error {
    let says = format!("elements are nested more than {DEEPEST} deep, which the other crates cannot bear");
    ErrorKind::Limit { option: "nothing", says }.into()
}
