//! Limits on the size of a tree, and errors of what has none.

/// Limits on the size of a tree (each is an option of the command line).
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self", default)]
pub struct TreeLimits {
    /// Elements inside each other.
    pub depth: usize,
    /// Attributes of one element.
    pub attributes: usize,
    /// Namespace bindings in scope.
    pub namespaces: usize,
    /// Bytes of one run of text.
    pub text: usize,
    /// Bytes of one attribute value.
    pub attribute: usize,
    /// Nodes of the tree, see [`TreeLimits::nodes_of`]. What passes it is too large an entry.
    pub nodes: usize,
}

impl TreeLimits {
    /// How many nodes an entry may have that may have so many bytes. A tree of the smallest elements takes far more
    /// memory than they do as text.
    pub fn nodes_of(entry: usize) -> usize {
        entry / 128
    }
}

impl Default for TreeLimits {
    fn default() -> TreeLimits {
        TreeLimits {
            depth: 256,
            attributes: 10_000,
            namespaces: 1_000,
            text: 64 << 20,
            attribute: 1 << 20,
            nodes: TreeLimits::nodes_of(64 << 20),
        }
    }
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeError {
    /// Byte offset.
    pub at: usize,
    /// `xml.ill_formed`, or the limit that was passed.
    pub code: &'static str,
    /// The error message.
    pub says: String,
}

/// The code of what only the lenient way can read.
pub(crate) const ILL_FORMED: &str = "xml.ill_formed";

/// The error of an entry with too many nodes.
pub(crate) const TOO_MANY: &str = "too many elements and attributes";
