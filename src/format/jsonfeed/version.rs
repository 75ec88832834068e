//! The versions of JSON Feed, by the URLs that documents give. What the versions differ in is for the reader to know.

/// The version that is written.
pub(super) const VERSION: &str = "https://jsonfeed.org/version/1.1";

/// How all begin that are read.
pub(crate) const VERSIONS: &str = "jsonfeed.org/version/1";
