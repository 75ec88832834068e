//! Gates: limits of losses that a result must meet to be published. Checks of inputs and minimum numbers of entries are
//! in convert/refusal.rs.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use clap::Args;

use super::argument::REPORT;
use super::file::InputSource;
use crate::code::{Class, Code, LossKind, Severity};
use crate::convert::{DropGroup, DroppedKind, FiredGate, Input, Objects, Summary};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::ledger::{Ledger, NamedKey, Row};
use crate::model::Field;
use crate::model::wanted::{is_pattern, is_within};
use crate::options::Options;
use crate::rules::{self, Check, Finding, Profile, Settings};
use crate::text::{distance, grouped, many, nearest};
use crate::xml::spelling;

/// The options. A gate that fires publishes nothing and makes exit code 1.
#[derive(Args, Default, PartialEq, Debug)]
pub struct GateArgs {
    /// Fail on a kind, class or code of loss, or a field
    ///
    /// Kinds: lost, changed, unread, merged, made, all. Severities: error, warning, info. Classes: attention, unsupported,
    /// technical. `dropped`: a video or an entry. Fields: video.title, lost:video.file, *.url. Elements as the summary names
    /// them: guid, media:content@width, itunes:*. A gate that fires publishes nothing and makes exit code 1.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = selector, help_heading = REPORT)]
    pub fail_on: Vec<Selector>,
    /// Fail if more videos or entries are dropped (5, 2%)
    #[arg(long, value_name = "N|N%", allow_negative_numbers = true, help_heading = REPORT)]
    pub max_dropped: Option<LossLimit>,
    /// Fail if more values of a field are lost (video.title=5%); repeatable
    ///
    /// Counts values that are lost, or unread and not written. Elements work too: itunes:*=0.
    #[arg(long, value_name = "FIELD=N|N%", value_delimiter = ',', value_parser = lost_bound, help_heading = REPORT, hide_short_help = true)]
    pub max_lost: Vec<(NamePattern, LossLimit)>,
    /// Fail if the output breaks a rule of its format
    ///
    /// Checks what `transfeed validate` reports as an error: the rules of --for, or those of the format with --for none.
    #[arg(long, help_heading = REPORT)]
    pub validate: bool,
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

    /// The figure that is compared with it; `what` names all, with their number.
    pub fn figure(self, count: u64, all: u64, what: &str) -> String {
        let of = format!("{} of {what}", grouped(count));
        match self {
            LossLimit::Count(_) => of,
            LossLimit::Percent(_) => format!("{of} ({:.1}%)", percent(count, all)),
        }
    }
}

impl Display for LossLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LossLimit::Count(most) => write!(f, "{most}"),
            LossLimit::Percent(most) => write!(f, "{most}%"),
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

/// Names of fields, as `diff --ignore` takes them, or of elements and attributes, as the summary shows them: whole, by
/// their beginnings (`video.file`, `media:content`), with globs.
#[derive(Clone, PartialEq, Debug)]
pub struct NamePattern {
    text: String,
    /// No field and no element of a known vocabulary has this name: it must be in the input.
    is_unknown: bool,
    /// Elements or attributes of the source may have this name, and not only fields.
    is_of_source: bool,
}

impl NamePattern {
    /// # Errors
    /// A name that can only be a slip.
    fn new(text: &str) -> Result<NamePattern, String> {
        let text = text.trim();
        let is_of_source = is_known_element(text);
        if is_of_source || Field::ALL.iter().any(|field| is_within(field.name(), text)) {
            return Ok(NamePattern { text: text.to_owned(), is_unknown: false, is_of_source });
        }
        // the prefix of a module may be anything, but hardly a kind with a slip in it
        let slip = text.split_once(':').and_then(|(prefix, _)| {
            let kind = LossKind::ALL.into_iter().find(|kind| distance(prefix, kind.name()) == 1)?;
            Some(format!("no kind named {prefix:?}; did you mean {}:?", kind.name()))
        });
        if let Some(slip) = slip {
            return Err(slip);
        }
        let is_element = text.contains([':', '@', '/']) && !text.starts_with('@');
        if !is_element && (text.contains(['.', '@']) || text.is_empty() || near_name(text).is_some()) {
            return Err(unknown(text));
        }
        Ok(NamePattern { text: text.to_owned(), is_unknown: true, is_of_source: true })
    }

    fn matches(&self, key: &NamedKey) -> bool {
        is_within(key.field, &self.text) || !key.name.is_empty() && self.matches_element(&key.name)
    }

    fn matches_element(&self, name: &str) -> bool {
        if is_pattern(&self.text) {
            return is_within(name, &self.text);
        }
        // the summary folds attributes: media:content@width/height
        match self.text.split_once('@') {
            Some((element, attributes)) => name.split_once('@').is_some_and(|(of, attribute)| {
                of == element && attributes.split('/').any(|wanted| wanted == attribute)
            }),
            None => name.strip_prefix(&*self.text).is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', '/'])),
        }
    }
}

/// Attributes of any element.
const COMMON_ATTRIBUTES: [&str; 3] = ["xml:lang", "xml:base", "xsi:schemaLocation"];

/// Whether an element of a known vocabulary can have this name: `guid`, `author/name`, `media:content@width`.
fn is_known_element(name: &str) -> bool {
    let (elements, attributes) = spelling::all_names();
    let (element, attribute) = name.split_once('@').map_or((name, None), |(element, rest)| (element, Some(rest)));
    let fits = |known: &str, wanted: &str| known == wanted || is_pattern(wanted) && is_within(known, wanted);
    let is_element = element.split('/').all(|step| elements.iter().any(|known| fits(known, step)));
    let is_attribute = |wanted: &str| attributes.iter().chain(&COMMON_ATTRIBUTES).any(|known| fits(known, wanted));
    is_element && attribute.is_none_or(|names| names.split('/').all(is_attribute))
}

/// The field or the element of a known vocabulary that is nearly called this.
fn near_name(text: &str) -> Option<String> {
    let (elements, attributes) = spelling::all_names();
    let elements = || elements.iter().map(String::as_str);
    if let Some((element, attribute)) = text.split_once('@') {
        let attributes = attributes.iter().copied().chain(COMMON_ATTRIBUTES.iter().copied());
        return Some(format!("{}@{}", nearest(element, elements())?, nearest(attribute, attributes)?));
    }
    nearest(text, Field::ALL.iter().map(|field| field.name()).chain(elements())).map(str::to_owned)
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
    let near = nearest(text, known).map(str::to_owned).or_else(|| near_name(text));
    let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("no kind, class, severity, code, field or element named {text:?}{near}")
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

    /// Whether some of them need values counted by the names of their elements, which takes twice the time of a
    /// conversion. Names of fields alone do not.
    pub fn are_named(&self) -> bool {
        self.named().any(|(_, pattern)| pattern.is_of_source)
    }

    /// The names in them, each with its option.
    fn named(&self) -> impl Iterator<Item = (String, &NamePattern)> {
        let failing = self.fail_on.iter().filter_map(|selector| match &selector.what {
            GateCondition::Field(_, pattern) => Some((format!("--fail-on {}", selector.text), pattern)),
            _ => None,
        });
        let bounded =
            self.max_lost.iter().map(|(pattern, bound)| (format!("--max-lost {}={bound}", pattern.text), pattern));
        failing.chain(bounded)
    }

    /// Refuses names of no known vocabulary that the input does not have either: their gates would never fire.
    ///
    /// # Errors
    /// The first of these names.
    pub fn check_names(&self, ledger: &Ledger) -> Result<(), Error> {
        let is_absent = |pattern: &NamePattern| !ledger.named().iter().any(|(key, _)| pattern.matches(key));
        let unmet = self.named().find(|(_, pattern)| pattern.is_unknown && is_absent(pattern));
        let Some((option, pattern)) = unmet else { return Ok(()) };
        let named = ledger.named();
        let met = named.iter().map(|(key, _)| key.name.as_str());
        let near = near_name(&pattern.text).or_else(|| nearest(&pattern.text, met).map(str::to_owned));
        Err(unknown_element(&option, near))
    }

    /// Refuses names of no known vocabulary, where there are many inputs.
    ///
    /// # Errors
    /// The first of these names.
    pub fn refuse_unknown_names(&self) -> Result<(), Error> {
        match self.named().find(|(_, pattern)| pattern.is_unknown) {
            Some((option, pattern)) => Err(unknown_element(&option, near_name(&pattern.text))),
            None => Ok(()),
        }
    }

    /// The gates that this result does not pass.
    pub fn refusal(&self, summary: &Summary, to: &Format) -> Vec<FiredGate> {
        let fired = self.dropped(summary, to).into_iter().chain(self.lost(&summary.ledger));
        fired.chain(self.failed_on(summary, to)).collect()
    }

    /// The errors that the rules of the profile it was written for find in an output.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn invalid(
        &self,
        documents: &[InputSource],
        to: &Format,
        options: &Options,
    ) -> Result<Option<FiredGate>, Error> {
        let settings = Settings {
            profiles: profiles(to, options),
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
            let shown = many(errors, "error", "errors");
            let found = format!("{shown} in the output, the first at {name}:{line}: {code}, {message}");
            FiredGate { option: "--validate".to_owned(), figure: errors, of: None, bound: None, found }
        }))
    }

    fn dropped(&self, summary: &Summary, to: &Format) -> Option<FiredGate> {
        let bound = self.max_dropped?;
        let Objects { entries, videos, .. } = summary.objects;
        let (videos_dropped, entries_dropped) = dropped(summary, to);
        let found = [
            (videos_dropped, videos, many(videos, "video", "videos")),
            (entries_dropped, entries, many(entries, "entry", "entries")),
        ];
        let (count, all, what) = found.into_iter().find(|(count, all, _)| bound.is_passed(*count, *all))?;
        let found = bound.figure(count, all, &format!("{what} dropped"));
        let found = main_drop(summary).map_or_else(|| found.clone(), |why| format!("{found}: {why}"));
        let (option, bound) = ("--max-dropped".to_owned(), Some(bound.to_string()));
        Some(FiredGate { option, figure: count, of: Some(all), bound, found })
    }

    fn lost(&self, ledger: &Ledger) -> Vec<FiredGate> {
        let fired = |(pattern, bound): &(NamePattern, LossLimit)| {
            let (mut lost, mut all) = (0, 0);
            for (key, count) in ledger.named().iter().filter(|(key, _)| pattern.matches(key)) {
                lost += if key.is_lost() { count } else { 0 };
                all += if key.row.is_some_and(|(kind, _)| kind == LossKind::Made) { 0 } else { count };
            }
            bound.is_passed(lost, all).then(|| FiredGate {
                option: format!("--max-lost {}", pattern.text),
                figure: lost,
                of: Some(all),
                bound: Some(bound.to_string()),
                found: bound.figure(lost, all, &format!("{} lost", many(all, "value", "values"))),
            })
        };
        self.max_lost.iter().filter_map(fired).collect()
    }

    fn failed_on(&self, summary: &Summary, to: &Format) -> Vec<FiredGate> {
        let mut inherited = None;
        let fired = self.fail_on.iter().filter_map(|selector| {
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
            let (figure, found) = what.found(summary, to)?;
            Some(FiredGate { option: format!("--fail-on {}", selector.text), figure, of: None, bound: None, found })
        });
        fired.collect()
    }
}

/// The profiles that an output is checked with: an empty list if no profile has rules for its format.
pub fn profiles(to: &Format, options: &Options) -> Vec<Profile> {
    let is_engine = |profile: &Profile| matches!(profile, Profile::Google | Profile::Yandex);
    match Profile::by_name(to.profile_name(options)).filter(|profile| profile.fits(to)) {
        Some(profile) => vec![profile],
        // no search engine's rules are applied, or can be: those of the format are left
        None => Profile::defaults(to).iter().copied().filter(|profile| !is_engine(profile)).collect(),
    }
}

fn unknown_element(option: &str, near: Option<String>) -> Error {
    let hint = match near {
        Some(near) => format!("did you mean {near}?"),
        None => "use a field of `transfeed explain --list`, or an element as the summary names it".to_owned(),
    };
    Error::format(format!("{option}: no field or known element has this name"), hint)
}

/// Videos and entries that a rule dropped. A video that the target has no place for is not dropped.
fn dropped(summary: &Summary, to: &Format) -> (u64, u64) {
    let groups = || summary.drops.groups().iter().filter(|group| group.reason.class() == Class::Attention);
    let videos = if to.has_videos() { groups().map(|group| group.videos).sum() } else { 0 };
    let entries = groups().filter(|group| group.kind == DroppedKind::Entry).map(|group| group.count).sum();
    (videos, entries)
}

/// Why most objects are dropped, with the option that would keep them.
fn main_drop(summary: &Summary) -> Option<String> {
    let groups = || summary.drops.groups().iter().filter(|group| group.reason.class() == Class::Attention);
    let most = groups().max_by_key(|group| group.count)?;
    let mainly = if groups().count() > 1 { "mainly " } else { "" };
    let fix = most.fixes.first().map(|(fix, _)| match fix.starts_with("--") {
        true => format!("; pass {fix}"),
        false => format!("; {fix}"),
    });
    let fix = fix.unwrap_or_default();
    Some(format!("{mainly}{}{fix}", most.reason.text()))
}

/// One error for all gates that fired, where there is one for a file.
pub fn error_of(fired: &[FiredGate]) -> Option<Error> {
    let says = fired.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let hint = "fix the source or relax the gate".to_owned();
    (!fired.is_empty()).then(|| ErrorKind::Refused { at: None, says, hint, finding: true }.into())
}

impl GateCondition {
    /// How much there is of it, as a number and as text.
    fn found(&self, summary: &Summary, to: &Format) -> Option<(u64, String)> {
        let ledger = &summary.ledger;
        if let GateCondition::Dropped = self {
            let (videos, entries) = dropped(summary, to);
            return objects(videos, entries).map(|found| (videos + entries, format!("{found} dropped")));
        }
        if let GateCondition::Field(kind, pattern) = self {
            let is_meant = |key: &NamedKey| match key.row {
                Some((of, _)) => kind.is_none_or(|kind| kind == of) && pattern.matches(key),
                None => false,
            };
            let count = ledger.named().iter().filter(|(key, _)| is_meant(key)).map(|(_, count)| count).sum();
            return (count > 0).then(|| (count, many(count, "value", "values")));
        }
        let is_meant = |row: &Row| match self {
            GateCondition::Any => true,
            GateCondition::Kind(kind) => row.kind == *kind,
            GateCondition::Severity(least) => row.severity() <= *least,
            GateCondition::Class(class) => row.class() == *class,
            GateCondition::Code(code) => row.code() == *code,
            GateCondition::Repair(_) | GateCondition::Field(..) | GateCondition::Dropped => false,
        };
        let is_repair = |code: &str| match self {
            GateCondition::Any => true,
            GateCondition::Severity(least) => *least != Severity::Error || diagnostic::severity(code) == "error",
            GateCondition::Class(class) => *class == Class::Attention && diagnostic::needs_attention(code),
            GateCondition::Repair(wanted) => *wanted == code,
            _ => false,
        };
        let rows: Vec<&Row> = ledger.rows().into_iter().filter(|row| is_meant(row)).collect();
        let count = |is_of_object: bool| -> u64 {
            rows.iter().filter(|row| row.code().is_of_object() == is_of_object).map(|row| row.count).sum()
        };
        let (inside, others) = (count(true), count(false));
        let repairs: u64 = ledger.diagnostic_codes().filter(|(code, _)| is_repair(code)).map(|(_, count)| count).sum();
        let is_meant =
            |group: &&DropGroup| rows.iter().any(|row| row.code().is_of_object() && row.reason == group.reason);
        let objects_of = |kind| -> u64 {
            let groups = summary.drops.groups().iter().filter(is_meant);
            groups.filter(|group| group.kind == kind).map(|group| group.count).sum()
        };
        let (videos, entries) = (objects_of(DroppedKind::Video), objects_of(DroppedKind::Entry));
        let values = |count| many(count, "value", "values");
        let mut found = Vec::new();
        match objects(videos, entries) {
            Some(objects) => found.push(format!("{objects} dropped ({})", values(inside))),
            None if inside > 0 => found.push(values(inside)),
            None => (),
        }
        match (others, found.is_empty()) {
            (0, _) => (),
            (_, true) => found.push(values(others)),
            (_, false) => found.push(many(others, "other value", "other values")),
        }
        if repairs > 0 {
            found.push(many(repairs, "repair of the input", "repairs of the input"));
        }
        (!found.is_empty()).then(|| (inside + others + repairs, found.join(", ")))
    }
}

/// Videos and entries as text.
fn objects(videos: u64, entries: u64) -> Option<String> {
    let (some, more) = (many(videos, "video", "videos"), many(entries, "entry", "entries"));
    match (videos, entries) {
        (0, 0) => None,
        (0, _) => Some(more),
        (_, 0) => Some(some),
        (_, _) => Some(format!("{some} and {more}")),
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
