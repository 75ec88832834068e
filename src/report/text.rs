//! The report as text: objects first, then what needs attention with what would mend it, then the other losses by their
//! causes, values last. A table has all rows and repairs instead.

use unicode_width::UnicodeWidthStr;

use super::{source, tame};
use crate::code::{Class, Code, LossKind, Severity};
use crate::convert::{DropGroup, Object, Summary};
use crate::diagnostic;
use crate::format::{Family, Format};
use crate::ledger::{Diagnostic, Ledger, Row, Totals};
use crate::model::Field;
use crate::text::{grouped, many};

/// How much of the report a text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// About a screen.
    Summary,
    /// All rows; repairs of which there are many by their code.
    Table,
    /// All rows and all repairs.
    Whole,
}

/// How a text is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'s> {
    /// How much.
    pub detail: Detail,
    /// What the output is called; its format, if it has no name.
    pub name: Option<&'s str>,
    /// Columns of a line of a summary.
    pub width: usize,
    /// The report with all details, or how to get one.
    pub details: Option<&'s str>,
}

impl Shown<'_> {
    /// Without names, for a terminal of 80 columns.
    pub fn plain(detail: Detail) -> Shown<'static> {
        Shown { detail, name: None, width: 80, details: None }
    }
}

/// The report as text.
pub fn text(summary: &Summary, target: &Format, shown: &Shown<'_>) -> String {
    let mut blocks = vec![vec![headline(summary, target, shown.name)]];
    match shown.detail {
        Detail::Summary => {
            blocks.push(attention(summary, shown.width));
            blocks.push(cause_lines(&causes(summary, target), shown.width));
        }
        Detail::Table | Detail::Whole => {
            blocks.push(dropped(summary).iter().flat_map(|found| found.lines(usize::MAX)).collect());
            blocks.push(table(&summary.ledger));
            blocks.push(repairs(&summary.ledger, shown.detail));
        }
    }
    let details = shown.details.filter(|_| shown.detail == Detail::Summary);
    blocks.push(wrapped(&values(summary, target, details), " ", " ", shown.width));
    let blocks = blocks.into_iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + "\n");
    blocks.collect::<Vec<_>>().join("\n")
}

/// What was written: entries by the name they have in the target, videos out of videos, files.
pub fn headline(summary: &Summary, target: &Format, name: Option<&str>) -> String {
    let objects = &summary.objects;
    let (one, more) = match target.family {
        Family::Sitemap => ("page", "pages"),
        Family::Text => ("URL", "URLs"),
        Family::Rss => ("item", "items"),
        Family::Atom | Family::Json => ("entry", "entries"),
    };
    let written = objects.entries_written;
    let entries = match objects.dropped {
        0 => many(written, one, more),
        dropped => format!("{} of {}", grouped(written), many(written + dropped, one, more)),
    };
    let from = match objects.pages_written == written && objects.joined == 0 {
        true => String::new(),
        false => format!(" (from {})", many(objects.entries, "entry", "entries")),
    };
    let videos = match (objects.videos, objects.videos_written) {
        (0, _) => String::new(),
        (all, written) if all == written => format!(", {}", many(all, "video", "videos")),
        (all, written) => format!(", {} of {}", grouped(written), many(all, "video", "videos")),
    };
    let files = match summary.parts.len() as u64 {
        0 | 1 => String::new(),
        files => format!(", {} files", grouped(files)),
    };
    format!("{}: {entries}{from}{videos}{files}", tame(name.unwrap_or(target.id)))
}

/// What a run that is otherwise silent has to tell: dropped objects and lost values that a user of the target would miss.
pub fn quiet(summary: &Summary) -> Vec<String> {
    let severe = |found: &Finding<'_>| found.severity == Severity::Error;
    let found = dropped(summary).into_iter().chain(attentive_rows(&summary.ledger));
    found.filter(severe).map(|found| format!("{} ({})", found.says, found.places)).collect()
}

/// Something that a user of the target would miss.
pub(crate) struct Finding<'s> {
    pub(crate) severity: Severity,
    count: u64,
    pub(crate) says: String,
    /// Lines of the source.
    pub(crate) places: String,
    pub(crate) fix: Option<String>,
    #[cfg_attr(not(feature = "html"), expect(dead_code, reason = "only pages show it"))]
    pub(crate) subject: Subject<'s>,
}

/// The part of the books that a finding sums up.
#[cfg_attr(not(feature = "html"), allow(dead_code, reason = "only pages show it"))]
pub(crate) enum Subject<'s> {
    /// Objects that were dropped for one reason.
    Dropped(&'s DropGroup),
    /// Rows of one kind and reason.
    Rows(Vec<&'s Row>),
    /// Repairs with one code.
    Repairs,
}

impl Finding<'_> {
    fn lines(&self, width: usize) -> Vec<String> {
        let mark = match self.severity {
            Severity::Error => " x ",
            Severity::Warning => " ! ",
            Severity::Info => " - ",
        };
        let mut lines = wrapped(&self.says, mark, "   ", width);
        for more in [Some(&self.places).filter(|places| !places.is_empty()), self.fix.as_ref()].into_iter().flatten() {
            lines.extend(wrapped(more, "     ", "       ", width));
        }
        lines
    }
}

/// So many findings are in a summary.
const FINDINGS: usize = 12;

fn attention(summary: &Summary, width: usize) -> Vec<String> {
    let found = findings(summary);
    let more = found.len().saturating_sub(FINDINGS);
    let mut lines: Vec<String> = found.iter().take(FINDINGS).flat_map(|found| found.lines(width)).collect();
    if more > 0 {
        lines.push(format!("   and {} more; -v shows all", grouped(more as u64)));
    }
    lines
}

/// All that a user of the target would miss: dropped objects, then values and repairs, the worst first.
pub(crate) fn findings(summary: &Summary) -> Vec<Finding<'_>> {
    let mut found = dropped(summary);
    let mut others: Vec<Finding<'_>> = attentive_rows(&summary.ledger).chain(repaired(&summary.ledger)).collect();
    others.sort_by_key(|found| (found.severity, std::cmp::Reverse(found.count)));
    found.extend(others);
    found
}

/// Dropped objects by reason, with the options that would keep them.
fn dropped(summary: &Summary) -> Vec<Finding<'_>> {
    let mut groups: Vec<&DropGroup> =
        summary.drops.groups().iter().filter(|group| group.class() == Class::Attention).collect();
    groups.sort_by_key(|group| (group.kind != Object::Entry, std::cmp::Reverse(group.count)));
    groups.into_iter().map(dropped_group).collect()
}

/// Objects that were dropped for one reason.
pub(crate) fn dropped_group(group: &DropGroup) -> Finding<'_> {
    let objects = match group.kind {
        Object::Video => many(group.count, "video", "videos"),
        Object::Entry => many(group.count, "entry", "entries"),
    };
    let videos = match (group.kind, group.videos) {
        (Object::Video, _) | (_, 0) => String::new(),
        (Object::Entry, videos) => format!(" with {}", many(videos, "video", "videos")),
    };
    let places = group.places.iter().map(|(input, line)| (input.as_deref(), line.to_string()));
    Finding {
        severity: Severity::Error,
        count: group.count,
        says: format!("{objects} dropped{videos}: {}", group.why),
        places: lines_of(places, group.count),
        fix: fix_of(group),
        subject: Subject::Dropped(group),
    }
}

/// The options that would keep the objects of a group; with numbers, where they would not keep all.
fn fix_of(group: &DropGroup) -> Option<String> {
    let shown = |(option, count): &(&str, u64)| match *count == group.listed {
        true => (*option).to_owned(),
        false => format!("{option} ({} of them)", grouped(*count)),
    };
    let (lax, others): (Vec<_>, Vec<_>) = group.fixes.iter().partition(|(option, _)| option.starts_with("--for"));
    let others: Vec<String> = others.iter().map(shown).collect();
    let lax = lax.first().map(|fix| {
        let them = if group.count == 1 { "it" } else { "them" };
        shown(fix).replacen("--for none", &format!("--for none keeps {them}"), 1)
    });
    let ways = [Some(others.join(", ")).filter(|others| !others.is_empty()), lax];
    let ways: Vec<String> = ways.into_iter().flatten().collect();
    (!ways.is_empty()).then(|| format!("fix: {}", ways.join("; ")))
}

/// Whether a row tells of the values of dropped objects.
pub(crate) fn is_of_object(row: &Row) -> bool {
    matches!(row.code, Code::VideoDropped | Code::EntryDropped | Code::PageMissing)
}

/// Values of class `attention`, by what happened to them and why. Those of dropped objects are not told again.
fn attentive_rows<'l>(ledger: &'l Ledger) -> impl Iterator<Item = Finding<'l>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in ledger.rows().into_iter().filter(|row| row.class() == Class::Attention && !is_of_object(row)) {
        match groups.iter_mut().find(|group| group[0].kind == row.kind && group[0].why == row.why) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let finding = |group: Vec<&'l Row>| {
        let (first, count) = (group[0], group.iter().map(|row| row.count).sum());
        let done = match first.kind {
            LossKind::Made => "generated",
            kind => kind.name(),
        };
        let names: Vec<String> = group.iter().map(|row| source_name(row)).collect();
        let places = group.iter().flat_map(|row| &row.examples);
        let mut places: Vec<_> = places.filter_map(|example| Some((example.input.as_deref(), example.line?))).collect();
        if places.iter().all(|(input, _)| input.is_none()) {
            places.sort_unstable();
        }
        let places = places.into_iter().map(|(input, line)| (input, line.to_string()));
        let value = first.examples.first().map(example_of).unwrap_or_default();
        Finding {
            severity: first.severity(),
            count,
            says: format!("{} {} {done}: {}", grouped(count), listed(&folded(names), 4), first.why),
            places: lines_of(places, count) + &value,
            fix: None,
            subject: Subject::Rows(group),
        }
    };
    groups.into_iter().map(finding)
}

/// A value of a row, and how it was written.
fn example_of(example: &crate::ledger::Example) -> String {
    let quoted = |text: &str| {
        let tame = tame(text);
        let cut: String = tame.chars().take(40).collect();
        if cut.len() < tame.len() { format!("\"{cut}…\"") } else { format!("\"{cut}\"") }
    };
    let (from, to) = (example.from.as_deref().map(quoted), example.to.as_deref().map(quoted));
    match (from, to) {
        (Some(from), Some(to)) if from != to => format!(": {from} → {to}"),
        (Some(value), _) | (None, Some(value)) => format!(": {value}"),
        (None, None) => String::new(),
    }
}

/// Repairs of the input by code.
fn repaired(ledger: &Ledger) -> impl Iterator<Item = Finding<'_>> {
    let all = ledger.worst_first();
    let finding = |group: Vec<&Diagnostic>| {
        let first = group[0];
        let count = ledger.diagnostics_of(first.code);
        let places = group.iter().map(|found| (found.input.as_deref(), found.line.to_string()));
        let title = diagnostic::by_code(first.code).map_or("", |known| known.title);
        let repairs = match first.code.starts_with("limit_") {
            true => String::new(),
            false => many(count, "repair", "repairs") + ": ",
        };
        Finding {
            severity: if first.severity == "error" { Severity::Error } else { Severity::Warning },
            count,
            says: format!("{repairs}{title} ({})", first.code),
            places: format!("{}: {}; {}", lines_of(places, count), tame(&first.found), tame(&first.done)),
            fix: diagnostic::option(first.code).map(|option| format!("fix: {option} N")),
            subject: Subject::Repairs,
        }
    };
    groups(&all).into_iter().map(finding).collect::<Vec<_>>().into_iter()
}

/// `lines 6, 18, 30 and 425 more`; where there are several inputs, the first place of each one's names it.
fn lines_of<'p>(places: impl Iterator<Item = (Option<&'p str>, String)>, count: u64) -> String {
    let places = places_of(places);
    let shown = &places[..places.len().min(PLACES)];
    let more = count.saturating_sub(shown.len() as u64);
    let more = match more {
        0 => String::new(),
        // several values of one line are one place
        _ if places.len() < PLACES => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    match shown {
        [] => String::new(),
        [line] => format!("line {line}{more}"),
        lines => format!("lines {}{more}", lines.join(", ")),
    }
}

/// Why values of the other classes are not in the output as they were, with a heading each.
const CAUSES: [&str; 8] = [
    "Same value under another name",
    "Written in another form",
    "No element in {}",
    "Not chosen",
    "Overridden",
    "Unrecognized, copied",
    "Unrecognized, not written",
    "Not needed",
];

/// The cause of a row that needs no attention.
fn cause_of(row: &Row) -> &'static str {
    let cause = match (row.kind, row.code) {
        (_, Code::ForeignKept) => 5,
        (LossKind::Unread, _) => 6,
        (LossKind::Merged, Code::Shadowed | Code::ConflictFirstWins) => 4,
        (LossKind::Merged, _) => 0,
        (LossKind::Changed | LossKind::Made, _) => 1,
        (LossKind::Lost, Code::RenditionDropped | Code::ListReduced) => 3,
        (LossKind::Lost, Code::Shadowed | Code::DuplicateMerged | Code::ConflictFirstWins) => 4,
        (LossKind::Lost, _) if row.class() == Class::Technical => 7,
        (LossKind::Lost, _) => 2,
    };
    CAUSES[cause]
}

/// Values that share a cause and need no attention.
pub(crate) struct Cause<'s> {
    pub(crate) heading: String,
    /// The fields, in the source's names.
    names: Vec<String>,
    pub(crate) count: u64,
    #[cfg_attr(not(feature = "html"), expect(dead_code, reason = "only pages show it"))]
    pub(crate) rows: Vec<&'s Row>,
}

impl Cause<'_> {
    /// The first fields, and how many there are more.
    pub(crate) fn names(&self) -> String {
        listed(&self.names, 6)
    }
}

/// The other losses by their causes, those of most values first within each.
pub(crate) fn causes<'s>(summary: &'s Summary, target: &Format) -> Vec<Cause<'s>> {
    let rows: Vec<&Row> = summary.ledger.rows().into_iter().filter(|row| row.class() != Class::Attention).collect();
    let mut shown = Vec::new();
    for cause in CAUSES {
        let mut rows: Vec<&Row> = rows.iter().copied().filter(|row| cause_of(row) == cause).collect();
        if rows.is_empty() {
            continue;
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        let count = rows.iter().map(|row| row.count).sum();
        // a file that was not chosen is one thing
        let is_file = |row: &&&Row| row.code == Code::RenditionDropped;
        let files = rows.iter().filter(is_file).filter(|row| row.field == Field::VideoFileUrl.name());
        let files: u64 = files.map(|row| row.count).sum();
        let whole = (files > 0).then(|| many(files, "other rendition", "other renditions"));
        let others = rows.iter().filter(|row| files == 0 || !is_file(row)).map(|row| source_name(row));
        let names: Vec<String> = whole.into_iter().chain(folded(others.collect())).collect();
        shown.push(Cause { heading: cause.replace("{}", &a_document(target)), names, count, rows });
    }
    shown
}

fn cause_lines(causes: &[Cause<'_>], width: usize) -> Vec<String> {
    let wide = causes.iter().map(|cause| cause.heading.width()).max().unwrap_or(0);
    let line = |cause: &Cause<'_>| {
        let heading = &cause.heading;
        let space = " ".repeat(wide - heading.width());
        let names = format!("{} ({})", cause.names(), grouped(cause.count));
        wrapped(&names, &format!(" {heading}{space}   "), &" ".repeat(wide + 4), width)
    };
    causes.iter().flat_map(line).collect()
}

/// A document of a format, in a sentence.
fn a_document(target: &Format) -> String {
    match target.id {
        "sitemap" => "a sitemap".to_owned(),
        "video-sitemap" => "a video sitemap".to_owned(),
        "text" => "a text sitemap".to_owned(),
        "atom" => "Atom".to_owned(),
        "atom-media" => "Atom with Media RSS".to_owned(),
        "rss" => "RSS".to_owned(),
        "mrss" => "RSS with Media RSS".to_owned(),
        id => id.to_owned(),
    }
}

/// What a field is called in the source: `guid`, `media:content@width`. Of a source without markup, and of what was
/// generated, the model's name.
fn source_name(row: &Row) -> String {
    let path = row.examples.iter().find_map(|example| example.path.as_deref());
    let named = row.kind != LossKind::Made;
    let name = path.filter(|path| named && path.contains('/')).map_or(row.name(), |path| {
        let steps: Vec<&str> = path.split('/').map(|step| step.split('[').next().unwrap_or(step)).collect();
        let at = if steps.last().is_some_and(|last| last.starts_with('@')) { steps.len() - 1 } else { steps.len() };
        let element = steps[..at].last().copied().unwrap_or_default();
        let prefixed = element.contains(':');
        // an element without a prefix is that of the one around it: author/name
        let around = at.checked_sub(2).and_then(|at| steps.get(at)).copied().unwrap_or_default();
        let is_entry = ["item", "entry", "url", "sitemap"].contains(&around);
        let from = if prefixed || is_entry || around.is_empty() { at.saturating_sub(1) } else { at.saturating_sub(2) };
        let start = steps[..from].iter().map(|step| step.len() + 1).sum::<usize>();
        // steps with an index are as long as they are written
        if path.contains('[') { element } else { path.get(start..).unwrap_or(element) }
    });
    tame(&name.replace("/@", "@"))
}

/// So many attributes of an element are named.
const ATTRIBUTES: usize = 5;

/// Attributes of one element in one name (`media:content@width/height`), in the order of the first of each.
fn folded(names: Vec<String>) -> Vec<String> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for name in names {
        let (element, attribute) = match name.split_once('@') {
            Some((element, attribute)) => (element.to_owned(), Some(attribute.to_owned())),
            None => (name, None),
        };
        let attributed = attribute.is_some();
        match all.iter_mut().find(|(known, attributes)| *known == element && attributes.is_empty() != attributed) {
            Some((_, attributes)) => {
                attributes.extend(attribute.filter(|attribute| !attributes.contains(attribute)));
            }
            None => all.push((element, attribute.into_iter().collect())),
        }
    }
    let name = |(element, attributes): (String, Vec<String>)| match attributes.is_empty() {
        true => element,
        false if attributes.len() <= ATTRIBUTES => format!("{element}@{}", attributes.join("/")),
        false => format!("{element}@{}/…", attributes[..ATTRIBUTES].join("/")),
    };
    all.into_iter().map(name).collect()
}

/// The first so many of these, and how many there are more.
fn listed(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {} more", grouped(more as u64)),
    }
}

/// A text on lines of so many columns, as far as its words allow.
fn wrapped(text: &str, first: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut is_begun) = (first.to_owned(), false);
    for word in text.split(' ') {
        if is_begun && line.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    lines.push(line);
    lines
}

/// The sums of the values.
pub(crate) fn values(summary: &Summary, target: &Format, details: Option<&str>) -> String {
    let Totals { leaves, kept, changed, lost, unread, merged, made } = summary.ledger.totals();
    let source = source(summary);
    let dialect = if source.dialect.is_empty() { String::new() } else { format!(" ({})", source.dialect) };
    let mut says = format!("{}{dialect} → {}, {}: ", source.format, target.id, many(leaves, "value", "values"));
    let always = [(kept, "kept"), (changed, "changed"), (lost, "lost")];
    let others = [(unread, "unread"), (merged, "merged")].into_iter().filter(|(count, _)| *count > 0);
    let sums = always.into_iter().chain(others).map(|(count, word)| format!("{} {word}", grouped(count)));
    says.push_str(&sums.collect::<Vec<_>>().join(", "));
    if made > 0 {
        says.push_str(&format!("; {} generated", grouped(made)));
    }
    if let Some(details) = details {
        says.push_str(&format!(". Details: {details}"));
    }
    says
}

// --- the table ---

fn table(ledger: &Ledger) -> Vec<String> {
    let mut rows = ledger.rows();
    rows.sort_by_key(|row| (row.severity(), row.kind));
    let wide = rows.iter().map(|row| row.name().chars().count()).max().unwrap_or(0);
    rows.iter().map(|row| row_line(row, wide)).collect()
}

fn row_line(row: &Row, wide: usize) -> String {
    let places = row.examples.iter().filter_map(|example| Some((example.input.as_deref(), example.line?.to_string())));
    let places = places_of(places);
    let lines = match places.as_slice() {
        [] => String::new(),
        [line] => format!(", line {line}"),
        [first @ .., _] if first.len() >= PLACES => format!(", lines {} …", first[..PLACES].join(" ")),
        all => format!(", lines {}", all.join(" ")),
    };
    let example = row.examples.first();
    let quoted = |text: &str| {
        let tame = tame(text);
        let cut: String = tame.chars().take(48).collect();
        if cut.len() < tame.len() { format!("\"{cut}…\"") } else { format!("\"{cut}\"") }
    };
    let from = example.and_then(|example| example.from.as_deref()).map(quoted);
    let to = example.and_then(|example| example.to.as_deref()).map(quoted);
    let value = match (from, to) {
        (Some(from), Some(to)) if from != to => format!(", e.g. {from} → {to}"),
        (Some(value), _) | (None, Some(value)) => format!(", e.g. {value}"),
        (None, None) => String::new(),
    };
    let (kind, field, count, why) = (row.kind.name(), tame(row.name()), row.count, row.why);
    format!("{kind:<8}{field:<wide$}  ×{count} ({why}{lines}{value})")
}

/// Repairs, errors first: grouped by code with their first places, or each in a line. In a table those are grouped that
/// are many; where all are shown and are more than a screen, a line for each code follows.
fn repairs(ledger: &Ledger, detail: Detail) -> Vec<String> {
    let all = ledger.worst_first();
    let groups = groups(&all);
    let counted: u64 = groups.iter().map(|group| ledger.diagnostics_of(group[0].code)).sum();
    let is_many = |group: &[&Diagnostic]| ledger.diagnostics_of(group[0].code) > PLACES as u64;
    let mut lines: Vec<String> = match detail {
        Detail::Whole if counted > SCREEN => {
            let each = all.iter().map(|diagnostic| diagnostic_line(diagnostic));
            each.chain(groups.iter().map(|group| group_line(group, ledger))).collect()
        }
        Detail::Whole => all.iter().map(|diagnostic| diagnostic_line(diagnostic)).collect(),
        Detail::Summary | Detail::Table => {
            let lines = groups.iter().flat_map(|group| match detail == Detail::Summary || is_many(group) {
                true => vec![group_line(group, ledger)],
                false => group.iter().map(|diagnostic| diagnostic_line(diagnostic)).collect(),
            });
            lines.collect()
        }
    };
    let rest = ledger.diagnostics_seen().saturating_sub(counted);
    if rest > 0 {
        lines.push(format!("… and {}", many(rest, "more repair", "more repairs")));
    }
    lines
}

fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let Diagnostic { input, code, severity, line, column, found, done } = diagnostic;
    let input = input.as_deref().map_or(String::new(), |input| format!("{}, ", tame(input)));
    format!("{severity:<8}{code}  {input}line {line}, column {column}: {}; {}", tame(found), tame(done))
}

/// Places in a row; where there are several inputs, the first of each one's says whose it is.
fn places_of<'p>(places: impl Iterator<Item = (Option<&'p str>, String)>) -> Vec<String> {
    let mut last = None;
    let mut all: Vec<(Option<&str>, String)> = places.collect();
    all.dedup();
    let shown = all.into_iter().map(|(input, place)| match input {
        Some(name) if last.replace(name) != Some(name) => format!("{}:{place}", tame(name)),
        _ => place,
    });
    shown.collect()
}

/// The first repairs of each code, in the order of their first ones.
fn groups<'d>(all: &[&'d Diagnostic]) -> Vec<Vec<&'d Diagnostic>> {
    let mut groups: Vec<Vec<&Diagnostic>> = Vec::new();
    for diagnostic in all {
        match groups.iter_mut().find(|group| group[0].code == diagnostic.code) {
            Some(group) if group.len() < PLACES => group.push(diagnostic),
            Some(_) => (),
            None => groups.push(vec![diagnostic]),
        }
    }
    groups
}

/// So many places stand in the line of a code.
const PLACES: usize = 5;

/// So many repairs fit on a screen.
const SCREEN: u64 = 20;

fn group_line(group: &[&Diagnostic], ledger: &Ledger) -> String {
    let places = group.iter().map(|found| (found.input.as_deref(), format!("{}:{}", found.line, found.column)));
    let places = places_of(places);
    let Some(Diagnostic { code, severity, found, done, .. }) = group.first() else { return String::new() };
    let count = ledger.diagnostics_of(code);
    let more = if count > group.len() as u64 { " …" } else { "" };
    let others = if group.iter().any(|other| other.found != *found) { "; and others" } else { "" };
    let (places, found, done) = (places.join(" "), tame(found), tame(done));
    format!("{severity:<8}{code}  ×{count} ({places}{more}: {found}; {done}{others})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Example;

    fn named(path: &str, field: &'static str, kind: LossKind) -> String {
        let example = Example { path: Some(path.to_owned()), ..Example::default() };
        let code = Code::NoCarrier;
        let row = Row { kind, code, field, element: None, why: "", count: 1, examples: vec![example], wanted: 1 };
        source_name(&row)
    }

    #[test]
    fn fields_have_the_names_of_their_source() {
        let of = |path| named(path, "field", LossKind::Lost);
        for (path, name) in [
            ("rss/channel/item/guid/@isPermaLink", "guid@isPermaLink"),
            ("rss/channel/item/media:group/media:content/@width", "media:content@width"),
            ("feed/entry/author/name", "author/name"),
            ("rss/channel/title", "channel/title"),
            ("urlset/url/video:video/video:title", "video:title"),
            ("rss/channel/item/media:content[2]/media:title", "media:title"),
            ("title", "field"),
        ] {
            assert_eq!(of(path), name, "{path}");
        }
        assert_eq!(named("rss/channel/item/title", "video.title", LossKind::Made), "video.title");
    }

    #[test]
    fn attributes_of_an_element_are_one_name() {
        let names = ["a@x", "b", "a@y", "a", "a@x", "b"].map(str::to_owned);
        assert_eq!(folded(names.to_vec()), ["a@x/y", "b", "a"]);
        let many: Vec<String> = (0..9).map(|n| format!("a@{n}")).collect();
        assert_eq!(folded(many), ["a@0/1/2/3/4/…"]);
    }

    #[test]
    fn lines_are_no_longer_than_the_terminal() {
        let text = "one two three 日本語 four";
        assert_eq!(wrapped(text, " x ", "   ", 12), [" x one two", "   three", "   日本語", "   four"]);
        assert_eq!(wrapped("a-word-that-has-no-end", "", "  ", 5), ["a-word-that-has-no-end"]);
        let long = "word ".repeat(100);
        assert!(wrapped(long.trim(), " ! ", "     ", 40).iter().all(|line| line.width() <= 40));
    }
}
