//! Which outputs should not take the place of the ones before, although the conversion came to its end: what was cut off, and
//! what has less in it than was asked for. That a sitemap is beyond the limits of the protocol is an error of the run
//! (sink.rs).

use super::Summary;
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::ledger::Diagnostic;
use crate::options::Options;
use crate::text::grouped;

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
    pub fn refusal_of_output(&self, options: &Options) -> Option<Error> {
        let bounds = [
            (self.entries_written(), options.min_entries, ("entry", "entries"), "--min-entries"),
            (self.objects.videos_written, options.min_videos, ("video", "videos"), "--min-videos"),
        ];
        let missed =
            |(has, least, what, option)| Some((has, Option::filter(least, |least| has < *least)?, what, option));
        let (has, least, (one, more), option): (u64, u64, _, _) = bounds.into_iter().find_map(missed)?;
        let error = ErrorKind::Refused {
            at: None,
            says: format!(
                "the output has {} {}, fewer than {}",
                grouped(has),
                if has == 1 { one } else { more },
                grouped(least)
            ),
            hint: format!("lower {option} to publish it"),
            finding: true,
        };
        Some(error.into())
    }
}
