//! What a comparison is asked for.

use crate::format::Format;
use crate::options::Options;

/// A comparison to be made.
///
/// ```
/// use transfeed::convert::Bytes;
/// use transfeed::diff::{Comparison, Difference, Inputs};
///
/// let old = Bytes { name: "old.txt", bytes: b"https://example.com/a\nhttps://example.com/b\n" };
/// let new = Bytes { name: "new.txt", bytes: b"https://example.com/b\nhttps://example.com/c\n" };
/// let mut found: Vec<Difference> = Vec::new();
/// let sums = Comparison::default().run(
///     Inputs { name: "old.txt", inputs: &[&old] },
///     Inputs { name: "new.txt", inputs: &[&new] },
///     &mut found,
/// )?;
/// assert_eq!((sums.same, sums.added, sums.removed), (1, 1, 1));
/// assert!(matches!(&found[0], Difference::Added(page) if page.key == "https://example.com/c" && page.line == 2));
/// # Ok::<(), transfeed::error::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The format of both, if their contents should not decide.
    pub from: Option<&'static Format>,
    /// Limits, memory, threads, and `base`.
    pub options: Options,
    /// Whether the order of entries counts.
    pub order: bool,
    /// Fields that are not looked at: names, what names begin with (`video.file`), or patterns (`video.*.url`).
    pub ignore: Vec<String>,
    /// The only fields that are looked at; all, if empty.
    pub only: Vec<String>,
    /// What a conversion to the format of the other side drops is not missed there.
    pub allow_conversion_drops: bool,
}
