//! Which outputs should not take the place of the ones before, although the conversion came to its end: what was cut off, and
//! what has less in it than was asked for. That a sitemap is beyond the limits of the protocol is an error of the run
//! (sink.rs).

use std::fmt::{self, Display, Formatter};

use super::Summary;
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::ledger::Diagnostic;
use crate::options::Options;
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
        let error = Error::from(ErrorKind::Refused {
            at: Some((cut.line, cut.column)),
            says: format!("cut off: {}", cut.found),
            hint: "pass --accept-truncated to use what is there".to_owned(),
            finding: false,
        });
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
