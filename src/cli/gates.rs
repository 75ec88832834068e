//! Gates: limits of losses that a result must meet to be published. Checks of inputs and minimum numbers of entries are
//! in convert/refusal.rs.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use clap::Args;

use super::file::InputSource;
use crate::code::{Class, Code, LossKind, Severity};
use crate::convert::{Input, Summary};
use crate::diagnostic;
use crate::diff::wanted::is_within;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::ledger::{Ledger, Row};
use crate::model::Field;
use crate::options::Options;
use crate::rules::{self, Check, Finding, Profile, Settings};
use crate::text::{distance, grouped, many, nearest};

/// Heading of the help.
pub const HEADING: &str = "Report and gates";

/// The options. A gate that fires publishes nothing and makes exit code 1.
#[derive(Args, Default, PartialEq, Debug)]
pub struct GateArgs {
    /// Fail on a kind, class or code of loss, or a field
    ///
    /// Kinds: lost, changed, unread, merged, made, all. Severities: error, warning, info. Classes: attention, unsupported,
    /// technical. `dropped`: a video or an entry. Fields: video.title, lost:video.file, *.url. A gate that fires publishes
    /// nothing and makes exit code 1.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = selector, help_heading = HEADING)]
    pub fail_on: Vec<Selector>,
    /// Fail if more videos or entries are dropped (5, 2%)
    #[arg(long, value_name = "N|N%", allow_negative_numbers = true, help_heading = HEADING)]
    pub max_dropped: Option<LossLimit>,
    /// Fail if more values of a field are lost (video.title=5%); repeatable
    ///
    /// Counts values that are lost, or unread and not written. Elements work too: itunes:*=0.
    #[arg(long, value_name = "FIELD=N|N%", value_delimiter = ',', value_parser = lost_bound, help_heading = HEADING, hide_short_help = true)]
    pub max_lost: Vec<(NamePattern, LossLimit)>,
    /// Fail if the output breaks a rule of its format
    ///
    /// Checks what `transfeed validate` reports as an error: the rules of --for, or those of the format with --for none.
    #[arg(long, help_heading = HEADING)]
    pub validate: bool,
    /// Fail if the output has fewer entries
    #[arg(long, value_name = "N", help_heading = HEADING, hide_short_help = true)]
    pub min_entries: Option<u64>,
    /// Fail if the output has fewer videos
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub min_videos: Option<u64>,
}

/// At most so many, or such a share of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LossLimit {
    Count(u64),
    Percent(f64),
}

impl LossLimit {
    /// Whether `count` of `all` are too many.
    pub fn is_passed(self, count: u64, all: u64) -> bool {
        match self {
            LossLimit::Count(most) => count > most,
            LossLimit::Percent(most) => percent(count, all) > most,
        }
    }

    /// The figure that is held against it.
    pub fn figure(self, count: u64, all: u64, what: &str) -> String {
        let of = format!("{} of {} {what}", grouped(count), grouped(all));
        match self {
            LossLimit::Count(_) => of,
            LossLimit::Percent(_) => format!("{of} ({:.1} %)", percent(count, all)),
        }
    }
}

impl Display for LossLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LossLimit::Count(most) => write!(f, "{}", grouped(*most)),
            LossLimit::Percent(most) => write!(f, "{most} %"),
        }
    }
}

fn percent(count: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * count as f64 / all as f64 }
}

impl FromStr for LossLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<LossLimit, String> {
        let wrong = || format!("expected a number or a percentage such as 5 or 2.5%, not {text:?}");
        match text.trim().strip_suffix('%') {
            None => text.trim().parse().map(LossLimit::Count).map_err(|_| wrong()),
            Some(share) => {
                let share: f64 = share.trim().parse().map_err(|_| wrong())?;
                if (0.0..=100.0).contains(&share) { Ok(LossLimit::Percent(share)) } else { Err(wrong()) }
            }
        }
    }
}

/// Names of fields, or of elements and attributes of the source, as `diff --ignore` takes them: whole, by their beginnings
/// (`video.file`), with globs.
#[derive(Clone, PartialEq, Debug)]
pub struct NamePattern(String);

impl NamePattern {
    /// A pattern that can match: that of no known field must be of an element (`itunes:*`) or an attribute (`@length`).
    fn new(text: &str) -> Result<NamePattern, String> {
        let pattern = NamePattern(text.trim().to_owned());
        let is_known = Field::ALL.iter().any(|field| pattern.matches_name(field.name()));
        // the prefix of a module may be anything, but hardly a kind with a slip in it
        let slip = pattern.0.split_once(':').and_then(|(prefix, _)| {
            let kind = LossKind::ALL.into_iter().find(|kind| distance(prefix, kind.name()) == 1)?;
            Some(format!("no kind named {prefix:?}; did you mean {}:?", kind.name()))
        });
        match slip {
            _ if is_known => Ok(pattern),
            Some(slip) => Err(slip),
            None if pattern.0.contains([':', '@']) => Ok(pattern),
            None => Err(unknown(text)),
        }
    }

    fn matches_name(&self, name: &str) -> bool {
        is_within(name, &self.0)
    }

    fn matches(&self, row: &Row) -> bool {
        self.matches_name(row.field) || row.element.as_deref().is_some_and(|element| self.matches_name(element))
    }
}

/// One word of `--fail-on`.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector {
    text: String,
    what: GateCondition,
}

#[derive(Clone, PartialEq, Debug)]
enum GateCondition {
    Any,
    Kind(LossKind),
    Severity(Severity),
    Class(Class),
    Dropped,
    Code(Code),
    Repair(&'static str),
    /// A field without a kind takes the kind of the field before it in the list.
    Field(Option<LossKind>, NamePattern),
}

fn selector(text: &str) -> Result<Selector, String> {
    let text = text.trim();
    let what = if text == "all" {
        GateCondition::Any
    } else if text == "dropped" {
        GateCondition::Dropped
    } else if let Some(kind) = LossKind::by_name(text) {
        GateCondition::Kind(kind)
    } else if let Some(severity) = Severity::ALL.into_iter().find(|severity| severity.name() == text) {
        GateCondition::Severity(severity)
    } else if let Some(class) = Class::ALL.into_iter().find(|class| class.name() == text) {
        GateCondition::Class(class)
    } else if let Some(code) = Code::by_name(text) {
        GateCondition::Code(code)
    } else if let Some(repair) = diagnostic::ALL.iter().find(|repair| repair.code == text) {
        GateCondition::Repair(repair.code)
    } else {
        let kind = text.split_once(':').and_then(|(kind, field)| Some((LossKind::by_name(kind)?, field)));
        match kind {
            Some((kind, field)) => GateCondition::Field(Some(kind), NamePattern::new(field)?),
            None => GateCondition::Field(None, NamePattern::new(text)?),
        }
    };
    Ok(Selector { text: text.to_owned(), what })
}

fn unknown(text: &str) -> String {
    let words =
        ["all", "dropped"].into_iter().chain(Severity::ALL.map(Severity::name)).chain(Class::ALL.map(Class::name));
    let kinds = LossKind::ALL.map(LossKind::name);
    let codes = Code::ALL.iter().map(|code| code.name());
    let fields = Field::ALL.iter().map(|field| field.name());
    let known = words.chain(kinds).chain(codes).chain(fields);
    let near = nearest(text, known).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("no kind, class, severity, code or field named {text:?}{near}")
}

fn lost_bound(text: &str) -> Result<(NamePattern, LossLimit), String> {
    let (field, bound) = text.rsplit_once('=').ok_or_else(|| format!("expected FIELD=N or FIELD=N%, not {text:?}"))?;
    let is_word =
        |name: &str| selector(name).is_ok_and(|selector| !matches!(selector.what, GateCondition::Field(None, _)));
    if is_word(field) {
        return Err(format!("expected a field before the '=', such as video.title, not {field:?}"));
    }
    Ok((NamePattern::new(field)?, bound.parse()?))
}

impl GateArgs {
    /// Whether there is any, so that a stream has to wait for the end of the run.
    pub fn is_any(&self) -> bool {
        *self != GateArgs::default()
    }

    /// What an output depends on besides its input; nothing without gates.
    pub fn essence(&self) -> String {
        if self.is_any() { format!(" {self:?}") } else { String::new() }
    }

    /// Why this result is not to be published: the gate, the figure, the bound.
    pub fn refusal(&self, summary: &Summary) -> Option<Error> {
        let says = self.dropped(summary).or_else(|| self.lost(&summary.ledger)).or_else(|| self.failed_on(summary))?;
        Some(fired(says))
    }

    /// The errors that the rules of the profile it was written for find in an output.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn invalid(&self, documents: &[InputSource], to: &Format, options: &Options) -> Result<Option<Error>, Error> {
        let profiles = Profile::ALL.into_iter().filter(|profile| profile.name() == options.profile_name(to));
        let settings = Settings {
            profiles: profiles.collect(),
            level: Some(rules::Severity::Error),
            now: options.now,
            most: Some(1),
            ..Settings::default()
        };
        let check = Check { settings, options: options.clone(), ..Check::default() };
        let (mut errors, mut first) = (0, None);
        for document in documents {
            let mut found: Vec<Finding> = Vec::new();
            let checked = check.run(document, &mut found)?;
            errors += checked.totals.error;
            first = first.or_else(|| found.into_iter().next().map(|finding| (document.name().to_owned(), finding)));
        }
        Ok(first.map(|(name, Finding { code, line, message, .. })| {
            let errors = many(errors, "error", "errors");
            fired(format!("--validate: {errors} in the output, the first at {name}:{line}: {code}, {message}"))
        }))
    }

    fn dropped(&self, summary: &Summary) -> Option<String> {
        let bound = self.max_dropped?;
        let videos = summary.objects.videos.saturating_sub(summary.objects.videos_written);
        let found = [
            (videos, summary.objects.videos, "videos dropped"),
            (summary.objects.dropped, summary.objects.entries, "entries dropped"),
        ];
        let (count, all, what) = found.into_iter().find(|(count, all, _)| bound.is_passed(*count, *all))?;
        Some(format!("--max-dropped {bound}: {}", bound.figure(count, all, what)))
    }

    fn lost(&self, ledger: &Ledger) -> Option<String> {
        self.max_lost.iter().find_map(|(pattern, bound)| {
            let rows = || ledger.rows().into_iter().filter(|row| pattern.matches(row) && row.kind != LossKind::Made);
            let kept: u64 =
                ledger.kept_by_name().iter().filter(|(name, _)| pattern.matches_name(name)).map(|kept| kept.1).sum();
            let is_lost = |row: &&Row| {
                row.kind == LossKind::Lost || matches!(row.code(), Code::ExtensionDropped | Code::InvalidDropped)
            };
            let lost = rows().filter(is_lost).map(|row| row.count).sum();
            let all = kept + rows().map(|row| row.count).sum::<u64>();
            let says = || format!("--max-lost {}={bound}: {}", pattern.0, bound.figure(lost, all, "values lost"));
            bound.is_passed(lost, all).then(says)
        })
    }

    fn failed_on(&self, summary: &Summary) -> Option<String> {
        let mut inherited = None;
        self.fail_on.iter().find_map(|selector| {
            let what = match &selector.what {
                GateCondition::Field(None, pattern) => GateCondition::Field(inherited, pattern.clone()),
                GateCondition::Field(kind, pattern) => {
                    inherited = *kind;
                    GateCondition::Field(*kind, pattern.clone())
                }
                other => {
                    inherited = None;
                    other.clone()
                }
            };
            what.found(summary).map(|found| format!("--fail-on {}: {found}", selector.text))
        })
    }
}

/// That a gate fired.
fn fired(says: String) -> Error {
    let hint = "fix the source or relax the gate".to_owned();
    ErrorKind::Refused { at: None, says, hint, finding: true }.into()
}

impl GateCondition {
    /// What the condition found, as text.
    fn found(&self, summary: &Summary) -> Option<String> {
        let ledger = &summary.ledger;
        let rows = |is_meant: &dyn Fn(&Row) -> bool| -> u64 {
            ledger.rows().into_iter().filter(|row| is_meant(row)).map(|row| row.count).sum()
        };
        let values = |count| many(count, "value", "values");
        let repairs = |count| many(count, "repair of the input", "repairs of the input");
        let (first, second) = match self {
            GateCondition::Any => (rows(&|_| true), 0),
            GateCondition::Kind(kind) => (rows(&|row| row.kind == *kind), 0),
            GateCondition::Severity(least) => {
                let is_meant = |code: &str| *least != Severity::Error || diagnostic::severity(code) == "error";
                let counts = ledger.diagnostic_codes().filter(|(code, _)| is_meant(code));
                (rows(&|row| row.severity() <= *least), counts.map(|(_, count)| count).sum())
            }
            GateCondition::Class(class) => (rows(&|row| row.class() == *class), 0),
            GateCondition::Code(code) => (rows(&|row| row.code() == *code), 0),
            GateCondition::Repair(code) => (0, ledger.diagnostics_of(code)),
            GateCondition::Field(kind, pattern) => {
                (rows(&|row| kind.is_none_or(|kind| kind == row.kind) && pattern.matches(row)), 0)
            }
            GateCondition::Dropped => {
                let videos = summary.objects.videos.saturating_sub(summary.objects.videos_written);
                return match (videos, summary.objects.dropped) {
                    (0, 0) => None,
                    (0, entries) => Some(format!("{} dropped", many(entries, "entry", "entries"))),
                    (videos, 0) => Some(format!("{} dropped", many(videos, "video", "videos"))),
                    (videos, entries) => {
                        let entries = many(entries, "entry", "entries");
                        Some(format!("{} and {entries} dropped", many(videos, "video", "videos")))
                    }
                };
            }
        };
        match (first, second) {
            (0, 0) => None,
            (0, second) => Some(repairs(second)),
            (first, 0) => Some(values(first)),
            (first, second) => Some(format!("{}, {}", values(first), repairs(second))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let what = |text| selector(text).map(|selector| selector.what);
        assert_eq!(what("lost"), Ok(GateCondition::Kind(LossKind::Lost)));
        assert_eq!(what("attention"), Ok(GateCondition::Class(Class::Attention)));
        assert_eq!(what("no_carrier"), Ok(GateCondition::Code(Code::NoCarrier)));
        assert!(matches!(what("lost:video.*"), Ok(GateCondition::Field(Some(LossKind::Lost), _))));
        assert!(matches!(what("itunes:duration"), Ok(GateCondition::Field(None, _))));
        let wrong = what("vidoe.title").expect_err("no such field");
        assert!(wrong.contains("did you mean video.title?"), "{wrong}");
        assert!(what("lost:video.titel").is_err() && what("losst:video.title").is_err());
        assert!(what("media:title").is_ok() && what("lh:shelf@position").is_ok());
        assert!(lost_bound("video.title=5%").is_ok() && lost_bound("lost:video.title=0").is_err());
    }

    #[test]
    fn bounds_are_read() {
        assert_eq!("5".parse(), Ok(LossLimit::Count(5)));
        assert_eq!("2.5%".parse(), Ok(LossLimit::Percent(2.5)));
        for wrong in ["", "%", "-1", "101%", "NaN%", "five"] {
            assert!(wrong.parse::<LossLimit>().is_err(), "{wrong}");
        }
        assert!(LossLimit::Percent(2.0).is_passed(3, 100) && !LossLimit::Percent(2.0).is_passed(2, 100));
        assert!(!LossLimit::Percent(0.0).is_passed(0, 0) && LossLimit::Count(0).is_passed(1, 1));
    }
}
