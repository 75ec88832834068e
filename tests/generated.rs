//! docs/formats.md is what `transfeed formats --markdown` prints, and docs/dialects.md the tables of dialects, each under a
//! head written by hand.
//!
//! `TRANSFEED_BLESS=1` writes it. What the matrix says of each field is tested beside the tables themselves.

mod common;

use std::path::Path;

use common::{line_diff, scratch, transfeed};

/// What stands above the table.
const HEAD: &str = "\
# Formats and fields

What becomes of each field of the model in each target. A name is the element or attribute that carries the value as it
is; `~` goes before one that carries it changed, or in another place than its own; `–` is a loss, which every report
names. `@` stands before an attribute.

An element that a target has no place for goes back into the same family of formats: what this table says of a module
is true for values from another family.

Each reason, and what to do about it: [reasons.md](reasons.md).

The table is generated: `TRANSFEED_BLESS=1 cargo test --test generated`. One format with all its names:
`transfeed formats mrss`; reasons and codes too: `transfeed formats --json`.

";

/// What stands above the tables of dialects.
const DIALECTS: &str = "\
# Dialects

What single platforms say in namespaces of their own, and the field of the model that it means. The report names the
dialects of a document (`source.dialect`) by the namespaces that its head declares, by its generator, or by the host of its
home page or of itself.

A child of the item or entry describes all its videos; a child of one `media:group` or `media:content` describes the video
there. A value that the field has already remains: an equal one is a duplicate, another one is not chosen, and lists grow,
unless the item gives its videos the whole list. A rating, a period and a price are from one source. A value that only the
channel has is replaced. Into its own family of formats the element goes back as it was; what has no row here is unknown markup.

The page is generated: `TRANSFEED_BLESS=1 cargo test --test generated`.

";

#[test]
fn the_page_of_dialects_is_that_of_the_tables() {
    let page = DIALECTS.to_owned() + &transfeed::format::ns::dialect::markdown();
    is_the_page("docs/dialects.md", &page);
}

#[test]
fn the_page_of_formats_is_that_of_the_tables() {
    let printed = transfeed(&scratch("generated"), &["formats", "--markdown"], None).ok("formats --markdown").text();
    let page = HEAD.to_owned() + &printed;
    is_the_page("docs/formats.md", &page);
}

/// What stands above the table of reasons.
const REASONS: &str = "\
# Reasons

Why a value is not in the output as it was. A row of a report names the reason (`reason`), its text (`why`), its `code`
and its `class`:

- `attention`: users of the target would miss the value, and the last column shows how to avoid it.
- `unsupported`: the target has no place for the value.
- `technical`: a constant, another spelling, or a value that is in the output under another name.

The class is that of lost and changed values. Merged values are always `technical`. A required value is `technical` if it was
taken from an equivalent value of the same entry, or if an option selects it. It is `attention` if it is invented, a
placeholder, or of the feed, the file or the clock. `transfeed explain no-thumbnail`
shows one reason with the fields that meet it, and `--fail-on attention` fails on a class.

The page is generated: `TRANSFEED_BLESS=1 cargo test --test generated`.

| reason | text | class | severity | code | what to do |
|---|---|---|---|---|---|
";

#[test]
fn the_page_of_reasons_is_that_of_the_table() {
    is_the_page("docs/reasons.md", &(REASONS.to_owned() + &transfeed::reason::markdown()));
}

#[test]
fn the_page_of_rules_is_that_of_the_tables() {
    is_the_page("docs/rules.md", &transfeed::rules::manual::markdown());
}

fn is_the_page(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("TRANSFEED_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, page).expect("docs can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "{name} is old; TRANSFEED_BLESS=1 writes it\n{}", line_diff(&found, page));
}
