//! What a comparison is asked for.

use crate::format::Format;
use crate::model::Field;
use crate::model::wanted::{is_pattern, is_within};
use crate::options::Options;
use crate::text::nearest;

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

/// Names that are not fields of the model.
const OWN: [&str; 2] = ["order", "video"];

/// The names of fields that a comparison can be limited to.
pub fn field_names() -> Vec<&'static str> {
    Field::ALL.iter().map(|field| field.name()).chain(OWN).collect()
}

/// The name of a field, of its kind, what names of fields begin with, or a pattern of names, as
/// [`Comparison::only`] and [`Comparison::ignore`] take it.
///
/// # Errors
/// There is no such field; with a name that is nearly the same.
pub fn field(name: &str) -> Result<String, String> {
    let known = |known: &str| is_within(known, name);
    let of_kind = |text: &str| is_pattern(name) && is_within(&format!("{text}.kind"), name);
    let is_kind = name.strip_suffix(".kind").is_some_and(|text| Field::by_name(text).is_some());
    if is_kind || field_names().iter().any(|text| known(text) || of_kind(text)) {
        return Ok(name.to_owned());
    }
    // the beginning of a name selects all fields below it, so it is a candidate too
    let beginnings = Field::ALL.iter().flat_map(|field| {
        let name = field.name();
        name.match_indices('.').filter_map(move |(dot, _)| name.get(..dot))
    });
    let (stem, star) = name.strip_suffix(".*").map_or((name, ""), |stem| (stem, ".*"));
    Err(match nearest(stem, field_names().into_iter().chain(beginnings)) {
        Some(known) => format!("no field with this name; did you mean {known}{star}?"),
        None => "no field with this name; `transfeed formats` lists them".to_owned(),
    })
}
