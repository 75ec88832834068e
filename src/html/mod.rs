//! Pages for people: what a conversion lost, what a migration did, what changed between documents, what is in one, which
//! rules it breaks. Each is one file that loads nothing, shows nothing of a document as markup, and can be read without its script.
//!
//! A page is a template with a small view behind it; what it shows is counted elsewhere, and files are the command line's.

mod bar;
mod changes;
mod contents;
pub mod escape;
mod fetched;
mod figures;
mod files;
mod findings;
mod losses;
mod migrated;
mod words;

use std::io::{self, Write};

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub use changes::changes;
pub use contents::contents;
pub use files::{FileState, FrequentEvent, MigratedFile, MigrationResult, files};
pub use findings::{CheckedDocument, ValidationResult, findings};
pub use losses::losses;
pub use migrated::{keep_listed, migrated};

/// So many rows a table lists; the rest is counted.
pub const LISTED: usize = 10_000;
/// Findings of one rule in one file that a page lists, if not all are asked for: it has room for others.
pub const LISTED_OF_A_RULE: u64 = 500;
/// So many characters of a path, a name or a message are shown.
const SHOWN: usize = 400;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Run before there is anything to see: where scripts run, the end of long tables need not be laid out first.
const FIRST: &str = "document.documentElement.className = \"js begin\"";

/// What all pages have in common.
struct PageShell {
    style: &'static str,
    first: &'static str,
    script: &'static str,
    policy: String,
    version: &'static str,
}

impl PageShell {
    fn new() -> PageShell {
        // a browser runs what has these sums, and nothing else
        let sum = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}' 'sha256-{}'; base-uri 'none'; form-action 'none'",
            sum(STYLE),
            sum(FIRST),
            sum(SCRIPT)
        );
        PageShell { style: STYLE, first: FIRST, script: SCRIPT, policy, version: env!("CARGO_PKG_VERSION") }
    }
}

/// A section of a page, for its table of contents.
struct PageSection {
    id: &'static str,
    name: &'static str,
    count: String,
}

impl PageSection {
    fn new((id, name, count): (&'static str, &'static str, u64)) -> PageSection {
        PageSection { id, name, count: escape::grouped(count) }
    }

    /// Those of these sections that have something in them.
    fn filled(all: impl IntoIterator<Item = (&'static str, &'static str, u64)>) -> Vec<PageSection> {
        all.into_iter().filter(|(.., count)| *count > 0).map(PageSection::new).collect()
    }
}

/// Writes a page as it is made.
fn write(page: &impl Template, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    Template::write_into(page, &mut out)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// What templates ask for by name; they hand over references or values as they come.
mod shown {
    use super::escape;

    pub trait Count {
        fn get(&self) -> u64;
    }

    impl Count for u64 {
        fn get(&self) -> u64 {
            *self
        }
    }

    impl<T: Count> Count for &T {
        fn get(&self) -> u64 {
            (*self).get()
        }
    }

    pub fn count(count: impl Count) -> String {
        escape::grouped(count.get())
    }

    pub fn many(count: impl Count, one: &str, more: &str) -> String {
        escape::many(count.get(), one, more)
    }
}
