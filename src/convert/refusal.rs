//! Which outputs should not take the place of the ones before, although the conversion came to its end: what was cut off, and
//! what has less in it than was asked for. That a sitemap is beyond the limits of the protocol is an error of the run
//! (sink.rs).

use std::fmt::{self, Display, Formatter};

use super::document::Document;
use super::enrich::EnrichmentUse;
use super::fetched::Fetched;
use super::input::SourceInfo;
use super::objects::{Drops, Objects};
use super::sink::OutputPart;
use super::trouble;
use crate::diagnostic;
use crate::error::Error;
use crate::format::{self, Format, FormatWriter};
use crate::ledger::{Diagnostic, Ledger};
use crate::options::{Options, Profile};
use crate::text::many;

impl Summary {
    /// Entries of the output, as its format counts them.
    pub fn entries_written(&self) -> u64 {
        self.parts.iter().map(|part| part.entries).sum()
    }

    /// The diagnostic that reports a truncated input, if any.
    pub fn cut_off(&self) -> Option<&Diagnostic> {
        // the first of each code are listed, however many repairs there are
        self.ledger.diagnostics().iter().find(|diagnostic| diagnostic::is_cut_off(diagnostic.code))
    }

    /// What the output should have and has none of, with the option that asks for it: entries, or in a video sitemap of
    /// pages, videos.
    pub fn empty(&self, target: &Format) -> Option<(&'static str, &'static str)> {
        match (self.entries_written(), self.objects.videos_written) {
            (0, _) => Some(("entries", "--min-entries")),
            (_, 0) if target.id == "video-sitemap" => Some(("videos", "--min-videos")),
            (_, _) => None,
        }
    }

    /// That an input was cut off, unless the options accept it.
    pub fn refusal_of_input(&self, options: &Options) -> Option<Error> {
        let cut = self.cut_off().filter(|_| !options.accept_truncated)?;
        let error = trouble::cut_off((cut.line, cut.column), &cut.found);
        Some(match &cut.input {
            Some(name) => error.in_input(name),
            None => error,
        })
    }

    /// That the output has less in it than the options ask for.
    pub fn refusal_of_output(&self, options: &Options) -> Vec<FiredGate> {
        let bounds = [
            (self.entries_written(), options.min_entries, ("entry", "entries"), "--min-entries"),
            (self.objects.videos_written, options.min_videos, ("video", "videos"), "--min-videos"),
        ];
        let missed = |(has, least, (one, more), option): (u64, Option<u64>, (&str, &str), &str)| {
            let least = least.filter(|least| has < *least)?;
            let found = many(has, one, more);
            Some(FiredGate {
                option: option.to_owned(),
                figure: has,
                of: None,
                bound: Some(least.to_string()),
                found: format!("{found} in the output"),
            })
        };
        bounds.into_iter().filter_map(missed).collect()
    }
}

/// Whether the output of a run was published.
#[derive(Clone, PartialEq, Debug)]
pub struct Publication {
    /// Whether it was; a gate that fires keeps the previous output in place.
    pub is_published: bool,
    /// The gates that fired.
    pub gates: Vec<FiredGate>,
}

impl Default for Publication {
    fn default() -> Publication {
        Publication { is_published: true, gates: Vec::new() }
    }
}

/// A gate that fired.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FiredGate {
    /// The option and its subject: `--fail-on dropped`, `--max-lost video.title`.
    pub option: String,
    /// The number that was compared with the bound: dropped objects, values, errors.
    pub figure: u64,
    /// How many there are in all, where the bound is that of a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The bound; a gate without one allows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// The figure as text.
    pub found: String,
}

impl FiredGate {
    /// The option with its bound, as it is typed.
    pub fn condition(&self) -> String {
        match &self.bound {
            None => self.option.clone(),
            // the bound of a field is part of its pair
            Some(bound) if self.option.contains(' ') => format!("{}={bound}", self.option),
            Some(bound) => format!("{} {bound}", self.option),
        }
    }
}

/// The gate, its bound and its figure.
impl Display for FiredGate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.condition(), self.found)
    }
}

/// The result of a finished run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The sources, in order.
    pub sources: Vec<SourceInfo>,
    /// How the inputs that came from URLs were fetched. Only the command line fetches.
    pub fetched: Vec<Fetched>,
    /// How the rows of a file were used whose values were filled in.
    pub enrichment: Option<EnrichmentUse>,
    /// Entries, pages and videos read and written.
    pub objects: Objects,
    /// What was dropped, and what would keep it.
    pub drops: Drops,
    /// The documents that were written: one, or the parts of a split output.
    pub parts: Vec<OutputPart>,
    /// How many files they were cut into, if they were (`--per-page`). Only the command line does that.
    pub snippets: Option<u64>,
    /// Whether an index may name the parts.
    pub indexed: bool,
    /// The books.
    pub ledger: Ledger,
    /// Whether the output was published, and the gates that fired.
    pub publication: Publication,
}

/// Rejects a sitemap index unless the target can hold its entries, which are sitemaps, not pages. It cannot be joined
/// with pages either.
pub(crate) fn refuse_index(to: &Format, document: &Document<'_>, mixed: bool) -> Result<(), Error> {
    let takes = matches!(to.id, "sitemap" | "json" | "jsonl");
    if !document.is_index() || takes && !mixed {
        return Ok(());
    }
    let says = match takes {
        true => "a sitemap index and pages cannot be one document".to_owned(),
        false => format!("a sitemap index cannot become {}: its entries are other sitemaps, not pages", to.id),
    };
    Err(Error::format(says, "convert the sitemaps it names, or write it by itself as sitemap, json or jsonl"))
}

/// The writer of a target.
///
/// # Errors
/// A format that can only be read; the rules of Yandex for a feed, which it does not accept.
pub(crate) fn writer_for(to: &Format, options: &Options) -> Result<&'static dyn FormatWriter, Error> {
    if options.profile == Profile::Yandex && to.family.is_feed() {
        return Err(Error::format(
            "cannot write a feed for Yandex: it accepts only sitemaps and text",
            "try --to sitemap, or omit --for",
        ));
    }
    to.writer.ok_or_else(|| {
        let all: Vec<&str> = format::targets().map(|format| format.id).collect();
        Error::format(format!("{} can only be read", to.id), format!("targets are {}", all.join(", ")))
    })
}
