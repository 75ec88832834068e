//! Pages for people: what a conversion lost, what a migration did, what changed between documents, what is in one. Each
//! is one file that loads nothing, shows nothing of a document as markup, and can be read without its script.
//!
//! A page is a template with a small view behind it; what it shows is counted elsewhere, and files are the command line's.

mod bar;
pub mod escape;
mod losses;

use std::io::{self, Write};

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub use losses::losses;

/// So many rows a table lists; the rest is counted.
pub const LISTED: usize = 10_000;
/// So many characters of a path, a name or a message are shown.
const SHOWN: usize = 400;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What all pages have in common.
struct Shell {
    style: &'static str,
    script: &'static str,
    policy: String,
    version: &'static str,
}

impl Shell {
    fn new() -> Shell {
        // a browser runs what has these sums, and nothing else
        let sum = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
            sum(STYLE),
            sum(SCRIPT)
        );
        Shell { style: STYLE, script: SCRIPT, policy, version: env!("CARGO_PKG_VERSION") }
    }
}

/// A section of a page, for its table of contents.
struct Section {
    id: &'static str,
    name: &'static str,
    count: String,
}

/// Writes a page as it is made.
fn write(page: &impl Template, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    Template::write_into(page, &mut out)?;
    out.flush()
}
