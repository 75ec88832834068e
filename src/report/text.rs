//! The report as text: objects first, then problems with options that would fix them, then the other losses by their
//! causes, values last. A table has all rows and repairs instead.

use unicode_width::UnicodeWidthStr;

use crate::code::{Class, Code, LossKind, Severity};
use crate::convert::{DropGroup, DroppedKind, Drops, SourceInfo, Summary};
use crate::diagnostic;
use crate::format::Format;
use crate::ledger::{Diagnostic, Example, Ledger, Row, Totals};
use crate::model::Field;
use crate::place::element_name;
use crate::reason::Reason;
use crate::report::visible::make_visible;
use crate::text::{grouped, many};

/// How much of the report a text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportDetail {
    /// About a screen.
    Summary,
    /// All rows; repairs of which there are many by their code.
    Table,
    /// All rows and all repairs.
    Whole,
}

/// How a text is shown.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions<'s> {
    /// How much.
    pub detail: ReportDetail,
    /// What the output is called; its format, if it has no name.
    pub name: Option<&'s str>,
    /// Columns of a line of a summary.
    pub width: usize,
    /// The report with all details, or how to get one.
    pub details: Option<&'s str>,
}

impl TextOptions<'_> {
    /// Without names, for a terminal of 80 columns.
    pub fn plain(detail: ReportDetail) -> TextOptions<'static> {
        TextOptions { detail, name: None, width: 80, details: None }
    }
}

/// The report as text.
pub fn text(summary: &Summary, target: &Format, shown: &TextOptions<'_>) -> String {
    let mut blocks = vec![vec![headline(summary, target, shown.name)]];
    match shown.detail {
        ReportDetail::Summary => {
            blocks.push(attention(summary, shown.width));
            blocks.push(cause_lines(&causes(summary, target), shown.width));
        }
        ReportDetail::Table | ReportDetail::Whole => {
            blocks.push(dropped(&summary.drops).iter().flat_map(|found| found.lines(usize::MAX)).collect());
            blocks.push(table(&summary.ledger));
            blocks.push(repairs(&summary.ledger, shown.detail));
        }
    }
    let details = shown.details.filter(|_| shown.detail == ReportDetail::Summary);
    blocks.push(wrapped(&values(summary, target, details), " ", " ", shown.width));
    let blocks = blocks.into_iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + "\n");
    blocks.collect::<Vec<_>>().join("\n")
}

/// How many there are of all: `3 of 5 videos`, or `5 videos`.
pub(crate) fn out_of(count: u64, all: u64, (one, more): (&str, &str)) -> String {
    match count == all {
        true => many(all, one, more),
        false => format!("{} of {}", grouped(count), many(all, one, more)),
    }
}

/// What was written: entries by the name they have in the target, videos out of videos, files.
pub fn headline(summary: &Summary, target: &Format, name: Option<&str>) -> String {
    let objects = &summary.objects;
    let written = objects.entries_written;
    // an entry may become several objects of the target, and then these are not counted against dropped entries
    let is_one_each = objects.pages_written == written;
    let selected = objects.entries - objects.unselected;
    let all = if is_one_each { written + objects.dropped } else { written };
    let entries = out_of(written, all, target.family.entry);
    let from = match (is_one_each, objects.joined, objects.dropped) {
        (true, 0, _) => String::new(),
        (true, _, _) | (false, _, 0) => format!(" (from {})", many(selected, "entry", "entries")),
        (false, _, dropped) => {
            format!(" (from {} of {})", grouped(selected.saturating_sub(dropped)), many(selected, "entry", "entries"))
        }
    };
    let unselected = match objects.unselected {
        0 => String::new(),
        count => format!(", {} not selected", many(count, "entry", "entries")),
    };
    let videos = match objects.videos {
        0 => String::new(),
        all => format!(", {}", out_of(objects.videos_written, all, ("video", "videos"))),
    };
    let files = match summary.parts.len() as u64 {
        0 | 1 => String::new(),
        files => format!(", {} files", grouped(files)),
    };
    format!("{}: {entries}{from}{videos}{files}{unselected}", make_visible(name.unwrap_or(target.id)))
}

/// The findings that even a quiet run prints: dropped objects and lost values that a user of the target would miss.
pub fn quiet(summary: &Summary) -> Vec<String> {
    let severe = |found: &ReportFinding<'_>| found.severity == Severity::Error;
    let found = dropped(&summary.drops).into_iter().chain(attentive_rows(&summary.ledger));
    let mut lines: Vec<String> =
        found.filter(severe).map(|found| format!("{} ({})", found.says, found.places)).collect();
    // a list beyond the limits that is not in parts
    let whole =
        summary.ledger.diagnostics().iter().filter(|found| found.code == "limit_split" && summary.parts.len() == 1);
    let title = |code| diagnostic::by_code(code).map_or(code, |row| row.title);
    lines.extend(whole.map(|found| format!("{}: {}; {}", title(found.code), found.found, found.done)));
    lines
}

/// Something that a user of the target would miss.
pub(crate) struct ReportFinding<'s> {
    pub(crate) severity: Severity,
    pub(crate) count: u64,
    pub(crate) says: String,
    /// Lines of the source, or files.
    pub(crate) places: String,
    pub(crate) fix: Option<String>,
    #[cfg_attr(not(feature = "html"), expect(dead_code, reason = "only pages show it"))]
    pub(crate) subject: FindingSubject<'s>,
}

/// The part of the books that a finding sums up.
#[cfg_attr(not(feature = "html"), allow(dead_code, reason = "only pages show it"))]
pub(crate) enum FindingSubject<'s> {
    /// Objects that were dropped for one reason.
    Dropped(&'s DropGroup),
    /// Rows of one kind and reason.
    Rows(Vec<&'s Row>),
    /// Repairs with one code.
    Repairs,
    /// The same of many files.
    Files,
}

impl ReportFinding<'_> {
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
    finding_lines(&findings(summary), "-v shows all", width)
}

/// The first findings, in order; `more` names the option that lists the others.
pub(crate) fn finding_lines(found: &[ReportFinding<'_>], more: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = found.iter().take(FINDINGS).flat_map(|found| found.lines(width)).collect();
    if let rest @ 1.. = found.len().saturating_sub(FINDINGS) {
        lines.push(format!("   and {} more; {more}", grouped(rest as u64)));
    }
    lines
}

/// All that a user of the target would miss: dropped objects, then values and repairs, the worst first.
pub(crate) fn findings(summary: &Summary) -> Vec<ReportFinding<'_>> {
    let mut found = dropped(&summary.drops);
    let mut others: Vec<ReportFinding<'_>> = attentive_rows(&summary.ledger).chain(repaired(&summary.ledger)).collect();
    others.sort_by_key(|found| (found.severity, std::cmp::Reverse(found.count)));
    found.extend(others);
    found
}

/// Dropped objects by reason, with the options that would keep them.
pub(crate) fn dropped(drops: &Drops) -> Vec<ReportFinding<'_>> {
    let mut groups: Vec<&DropGroup> =
        drops.groups().iter().filter(|group| group.reason.class() == Class::Attention).collect();
    groups.sort_by_key(|group| (group.kind != DroppedKind::Entry, std::cmp::Reverse(group.count)));
    groups.into_iter().map(dropped_group).collect()
}

/// Objects that were dropped for one reason.
pub(crate) fn dropped_group(group: &DropGroup) -> ReportFinding<'_> {
    let objects = match group.kind {
        DroppedKind::Video => many(group.count, "video", "videos"),
        DroppedKind::Entry => many(group.count, "entry", "entries"),
    };
    let videos = match (group.kind, group.videos) {
        (DroppedKind::Video, _) | (_, 0) => String::new(),
        (DroppedKind::Entry, videos) => format!(" with {}", many(videos, "video", "videos")),
    };
    let files = match group.inputs.len() {
        0 | 1 => String::new(),
        inputs => format!(" in {}", many(inputs as u64, "file", "files")),
    };
    let places = group.places.iter().map(|(input, line)| (input.as_deref(), line.to_string()));
    ReportFinding {
        severity: Severity::Error,
        count: group.count,
        says: format!("{objects} dropped{videos}{files}: {}", group.reason.text()),
        places: lines_of(places, group.count),
        fix: fix_of(&group.fixes, group.listed, group.count)
            .or_else(|| remedy(group.reason).filter(|_| group.listed == 0)),
        subject: FindingSubject::Dropped(group),
    }
}

/// The options that would keep so many dropped objects, of which so many were `tried`; with numbers, where they would not
/// keep all of them.
pub(crate) fn fix_of(fixes: &[(&str, u64)], tried: u64, count: u64) -> Option<String> {
    let shown = |(option, kept): &(&str, u64)| match *kept == tried {
        true => (*option).to_owned(),
        false => format!("{option} ({} of them)", grouped(*kept)),
    };
    let (lax, others): (Vec<_>, Vec<_>) = fixes.iter().partition(|(option, _)| option.starts_with("--for"));
    let others: Vec<String> = others.iter().map(shown).collect();
    let lax = lax.first().map(|fix| {
        let them = if count == 1 { "it" } else { "them" };
        shown(fix).replacen("--for none", &format!("--for none keeps {them}"), 1)
    });
    let ways = [Some(others.join(", ")).filter(|others| !others.is_empty()), lax];
    let ways: Vec<String> = ways.into_iter().flatten().collect();
    (!ways.is_empty()).then(|| format!("fix: {}", ways.join("; ")))
}

/// What avoids a loss, where that is known.
fn remedy(reason: Reason) -> Option<String> {
    (!reason.remedy().is_empty()).then(|| format!("fix: {}", reason.remedy()))
}

/// Values of class `attention`, by outcome and reason. Those of dropped objects are not repeated.
fn attentive_rows<'l>(ledger: &'l Ledger) -> impl Iterator<Item = ReportFinding<'l>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in ledger.rows().into_iter().filter(|row| row.class() == Class::Attention && !row.code().is_of_object()) {
        match groups.iter_mut().find(|group| group[0].kind == row.kind && group[0].reason == row.reason) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let finding = |group: Vec<&'l Row>| {
        let (first, count) = (group[0], group.iter().map(|row| row.count).sum());
        // the text of a generated value already mentions it
        let done = if first.kind == LossKind::Made { String::new() } else { format!(" {}", first.kind.name()) };
        let names: Vec<String> = group.iter().map(|row| source_name(row)).collect();
        let places = group.iter().flat_map(|row| &row.examples);
        let mut places: Vec<_> = places.filter_map(|example| Some((example.input.as_deref(), example.line?))).collect();
        if places.iter().all(|(input, _)| input.is_none()) {
            places.sort_unstable();
        }
        let places = places.into_iter().map(|(input, line)| (input, line.to_string()));
        let value = example_of(first, ": ", 40);
        ReportFinding {
            severity: first.severity(),
            count,
            says: format!("{} {}{done}: {}", grouped(count), listed(&folded(names), 4), first.why()),
            places: lines_of(places, count) + &value,
            fix: remedy(first.reason),
            subject: FindingSubject::Rows(group),
        }
    };
    groups.into_iter().map(finding)
}

/// A value of a row, and how it was written, behind this sign; so many characters of each.
fn example_of(row: &Row, sign: &str, most: usize) -> String {
    let quoted = |text: &str| {
        let tame = make_visible(text);
        let cut: String = tame.chars().take(most).collect();
        if cut.len() < tame.len() { format!("\"{cut}…\"") } else { format!("\"{cut}\"") }
    };
    let Some(Example { from, to, .. }) = row.best_examples().next() else { return String::new() };
    match (from.as_deref().map(quoted), to.as_deref().map(quoted)) {
        (Some(from), Some(to)) if from != to => format!("{sign}{from} → {to}"),
        (Some(value), _) | (None, Some(value)) => format!("{sign}{value}"),
        (None, None) => String::new(),
    }
}

/// Repairs of the input by code.
fn repaired(ledger: &Ledger) -> impl Iterator<Item = ReportFinding<'_>> {
    let all = ledger.worst_first();
    let finding = |group: Vec<&Diagnostic>| {
        let first = group[0];
        let count = ledger.diagnostics_of(first.code);
        let places = group.iter().map(|found| (found.input.as_deref(), found.line.to_string()));
        ReportFinding {
            severity: if first.severity == "error" { Severity::Error } else { Severity::Warning },
            count,
            says: repair_heading(first.code, count, ledger),
            places: format!(
                "{}: {}; {}",
                lines_of(places, count),
                make_visible(&first.found),
                make_visible(&first.done)
            ),
            fix: diagnostic::remedy(first.code).map(|remedy| format!("fix: {remedy}")),
            subject: FindingSubject::Repairs,
        }
    };
    let groups = groups(&all).into_iter().filter(|group| diagnostic::needs_attention(group[0].code));
    groups.map(finding).collect::<Vec<_>>().into_iter()
}

/// What was repaired and why: values by their kind, where all have one cause, else by the code.
fn repair_heading(code: &str, count: u64, ledger: &Ledger) -> String {
    let title = diagnostic::by_code(code).map_or("", |known| known.title);
    if code.starts_with("limit_") {
        return format!("{title} ({code})");
    }
    let Some((one, more)) = diagnostic::object(code) else {
        return format!("{}: {title} ({code})", many(count, "repair", "repairs"));
    };
    let cause = |found: &'_ Diagnostic| found.done.split_once(": ").map(|(cause, _)| cause.to_owned());
    let causes: Vec<_> = ledger.diagnostics().iter().filter(|found| found.code == code).map(cause).collect();
    // repairs that are only counted may have other causes
    let is_whole = causes.len() as u64 == count;
    let first = causes.first().cloned().flatten().filter(|_| is_whole);
    let shared = first.filter(|first| causes.iter().all(|cause| cause.as_ref() == Some(first)));
    let cause = shared.as_deref().unwrap_or(title);
    let bare = ["ignored a ", "ignored ", "read an ", "read a ", "read ", "an ", "a "];
    let cause = bare.iter().find_map(|begin| cause.strip_prefix(begin)).unwrap_or(cause);
    format!("{} repaired: {}", many(count, one, more), make_visible(cause))
}

/// `lines 6, 18, 30 and 425 more`; where there are several inputs, the first place of each one's names it.
fn lines_of<'p>(places: impl Iterator<Item = (Option<&'p str>, String)>, count: u64) -> String {
    let mut places = places.peekable();
    let is_named = places.peek().is_some_and(|(name, _)| name.is_some());
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
        // lines follow the name of their file
        lines if is_named => format!("{}{more}", lines.join(", ")),
        [line] => format!("line {line}{more}"),
        lines => format!("lines {}{more}", lines.join(", ")),
    }
}

/// Why values of the other classes are not in the output as they were, with a heading each.
const CAUSES: [&str; 12] = [
    "Same value under another name",
    "Written with another syntax",
    "No element in {}",
    "Head of a later input",
    "Not in --columns",
    "Not chosen",
    "Repeated or overridden",
    "Unrecognized, copied",
    "Unrecognized, not written",
    "Not selected",
    "Not needed",
    "Generated from given values",
];

/// The cause of values that need no attention.
fn cause_of(sum: &Sum<'_>) -> &'static str {
    let cause = match (sum.kind, sum.code) {
        (_, Code::ForeignKept) => 7,
        (LossKind::Unread, Code::InvalidDropped) => 2,
        (LossKind::Unread, _) => 8,
        (LossKind::Merged, Code::Shadowed | Code::ConflictFirstWins) => 6,
        (LossKind::Merged, _) if sum.is_repeated => 6,
        (LossKind::Merged, _) => 0,
        (LossKind::Made, _) => 11,
        (LossKind::Changed, _) => 1,
        (LossKind::Lost, Code::ColumnNotChosen) => 4,
        (LossKind::Lost, Code::RenditionDropped | Code::ListReduced) => 5,
        (LossKind::Lost, Code::Shadowed | Code::DuplicateMerged | Code::ConflictFirstWins) => 6,
        (LossKind::Lost, Code::NotSelected | Code::FieldDropped) => 9,
        (LossKind::Lost, _) if sum.class == Class::Technical => 10,
        (LossKind::Lost, _) if sum.row.is_some_and(|row| row.reason == Reason::FurtherHead) => 3,
        (LossKind::Lost, _) => 2,
    };
    CAUSES[cause]
}

/// Values of a field that met the same fate.
pub(crate) struct Sum<'s> {
    pub kind: LossKind,
    pub code: Code,
    pub class: Class,
    pub field: &'s str,
    /// The name that is shown.
    pub name: String,
    pub count: u64,
    /// It is equal to another value of the same field.
    pub is_repeated: bool,
    /// The row of a single run.
    pub row: Option<&'s Row>,
}

/// Values that share a cause and need no attention.
pub(crate) struct Cause<'s> {
    pub(crate) heading: String,
    /// The fields by the names that are shown.
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

/// Losses of a run that need no attention, by their causes.
pub(crate) fn causes<'s>(summary: &'s Summary, target: &Format) -> Vec<Cause<'s>> {
    let sum = |row: &'s Row| Sum {
        kind: row.kind,
        code: row.code(),
        class: row.class(),
        field: row.field,
        name: source_name(row),
        count: row.count,
        is_repeated: row.same.is_some_and(|same| same.name() == row.field),
        row: Some(row),
    };
    causes_of(summary.ledger.rows().into_iter().map(sum).collect(), Some(target))
}

/// Losses that need no attention, by their causes, those of most values first within each.
pub(crate) fn causes_of<'s>(mut sums: Vec<Sum<'s>>, target: Option<&Format>) -> Vec<Cause<'s>> {
    sums.retain(|sum| sum.class != Class::Attention);
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.count));
    let mut shown = Vec::new();
    for cause in CAUSES {
        let sums: Vec<&Sum<'_>> = sums.iter().filter(|sum| cause_of(sum) == cause).collect();
        if sums.is_empty() {
            continue;
        }
        let count = sums.iter().map(|sum| sum.count).sum();
        // a file that was not chosen is one thing
        let is_file = |sum: &&&Sum<'_>| sum.code == Code::RenditionDropped;
        let files = sums.iter().filter(is_file).filter(|sum| sum.field == Field::VideoFileUrl.name());
        let files: u64 = files.map(|sum| sum.count).sum();
        let whole = (files > 0).then(|| many(files, "other rendition", "other renditions"));
        let others = sums.iter().filter(|sum| files == 0 || !is_file(sum)).map(|sum| sum.name.clone());
        let names = whole.into_iter().chain(folded(others.collect())).collect();
        let heading = cause.replace("{}", &target.map_or("the target".to_owned(), a_document));
        shown.push(Cause { heading, names, count, rows: sums.iter().filter_map(|sum| sum.row).collect() });
    }
    shown
}

/// Causes as two columns.
pub(crate) fn cause_lines(causes: &[Cause<'_>], width: usize) -> Vec<String> {
    let wide = causes.iter().map(|cause| cause.heading.width()).max().unwrap_or(0);
    let line = |cause: &Cause<'_>| {
        let space = " ".repeat(wide - cause.heading.width());
        let names = format!("{} ({})", cause.names(), grouped(cause.count));
        wrapped(&names, &format!(" {}{space}   ", cause.heading), &" ".repeat(wide + 4), width)
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
        "rss-podcast" => "a podcast".to_owned(),
        id => id.to_owned(),
    }
}

/// What a field is called in the source: `guid`, `media:content@width`. Of a source without markup, and of what was
/// generated, the model's name.
pub(crate) fn source_name(row: &Row) -> String {
    let path = row.best_examples().find_map(|example| example.path.as_deref());
    match path.filter(|path| row.kind != LossKind::Made && path.contains('/')) {
        Some(path) => make_visible(&element_name(path)),
        None => make_visible(row.name()),
    }
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
pub(crate) fn wrapped(text: &str, first: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut is_begun) = (first.to_owned(), false);
    for word in text.split(' ') {
        // the attributes of an element in one name may be longer than a line
        let is_broken = word.contains('@') && indent.width() + word.width() > width;
        let pieces: Vec<&str> = if is_broken { word.split_inclusive('/').collect() } else { vec![word] };
        let spaces = std::iter::once(" ").chain(std::iter::repeat(""));
        for (piece, space) in pieces.into_iter().zip(spaces) {
            if is_begun && line.width() + space.len() + piece.width() > width {
                lines.push(std::mem::replace(&mut line, indent.to_owned()));
            } else if is_begun {
                line.push_str(space);
            }
            line.push_str(piece);
            is_begun = true;
        }
    }
    lines.push(line);
    lines
}

/// The sums of values: `10 kept, 0 changed, 2 lost`, others where there are any.
pub(crate) fn sums_of(totals: &Totals) -> String {
    let Totals { leaves: _, kept, changed, lost, unread, merged, made } = *totals;
    let always = [(kept, "kept"), (changed, "changed"), (lost, "lost")];
    let others = [(unread, "unread"), (merged, "merged")].into_iter().filter(|(count, _)| *count > 0);
    let sums = always.into_iter().chain(others).map(|(count, word)| format!("{} {word}", grouped(count)));
    let generated = if made > 0 { format!("; {} generated", grouped(made)) } else { String::new() };
    sums.collect::<Vec<_>>().join(", ") + &generated
}

/// The sums of the values.
pub(crate) fn values(summary: &Summary, target: &Format, details: Option<&str>) -> String {
    let source = source(summary);
    let dialect = if source.dialect.is_empty() { String::new() } else { format!(" ({})", source.dialect) };
    let totals = summary.ledger.totals();
    let (values, sums) = (many(totals.leaves, "value", "values"), sums_of(&totals));
    let mut says = format!("{}{dialect} → {}, {values}: {sums}", source.format, target.id);
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
    let value = example_of(row, ", e.g. ", 48);
    let (kind, field, count, why) = (row.kind.name(), make_visible(row.name()), row.count, row.why());
    format!("{kind:<8}{field:<wide$}  ×{count} ({why}{lines}{value})")
}

/// Repairs, errors first: grouped by code with their first places, or each in a line. In a table those are grouped that
/// are many; where all are shown and are more than a screen, a line for each code follows.
fn repairs(ledger: &Ledger, detail: ReportDetail) -> Vec<String> {
    let all = ledger.worst_first();
    let groups = groups(&all);
    let counted: u64 = groups.iter().map(|group| ledger.diagnostics_of(group[0].code)).sum();
    let is_many = |group: &[&Diagnostic]| ledger.diagnostics_of(group[0].code) > PLACES as u64;
    let mut lines: Vec<String> = match detail {
        ReportDetail::Whole if counted > SCREEN => {
            let each = all.iter().map(|diagnostic| diagnostic_line(diagnostic));
            each.chain(groups.iter().map(|group| group_line(group, ledger))).collect()
        }
        ReportDetail::Whole => all.iter().map(|diagnostic| diagnostic_line(diagnostic)).collect(),
        ReportDetail::Summary | ReportDetail::Table => {
            let lines = groups.iter().flat_map(|group| match detail == ReportDetail::Summary || is_many(group) {
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
    let input = input.as_deref().map_or(String::new(), |input| format!("{}, ", make_visible(input)));
    format!("{severity:<8}{code}  {input}line {line}, column {column}: {}; {}", make_visible(found), make_visible(done))
}

/// Places in a row; with several inputs, the first place of each names its input.
fn places_of<'p>(places: impl Iterator<Item = (Option<&'p str>, String)>) -> Vec<String> {
    let mut last = None;
    let mut all: Vec<(Option<&str>, String)> = places.collect();
    all.dedup();
    let shown = all.into_iter().map(|(input, place)| match input {
        Some(name) if last.replace(name) != Some(name) => format!("{}:{place}", make_visible(name)),
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

/// How many places the line of a code shows.
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
    let (places, found, done) = (places.join(" "), make_visible(found), make_visible(done));
    format!("{severity:<8}{code}  ×{count} ({places}{more}: {found}; {done}{others})")
}

/// Several inputs are one source in the report.
pub(crate) fn source(summary: &Summary) -> SourceInfo {
    let join = |part: fn(&SourceInfo) -> &str| {
        let mut parts: Vec<&str> = summary.sources.iter().map(part).collect();
        parts.dedup();
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    };
    SourceInfo {
        name: join(|source| &source.name),
        format: join(|source| &source.format),
        encoding: join(|source| &source.encoding),
        dialect: join(|source| &source.dialect),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn fields_have_the_names_of_their_source() {
        for (path, name) in [
            ("rss/channel/item/guid/@isPermaLink", "guid@isPermaLink"),
            ("rss/channel/item/media:group/media:content/@width", "media:content@width"),
            ("feed/entry/author/name", "author/name"),
            ("rss/channel/title", "channel/title"),
            ("urlset/url/video:video/video:title", "video:title"),
            ("rss/channel/item/media:content[2]/media:title", "media:title"),
        ] {
            assert_eq!(element_name(path), name, "{path}");
        }
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
        let folded = "media:content@width/height/type, b";
        assert_eq!(wrapped(folded, " ", "  ", 22), [" media:content@width/", "  height/type, b"]);
        let long = "word ".repeat(100);
        assert!(wrapped(long.trim(), " ! ", "     ", 40).iter().all(|line| line.width() <= 40));
    }
}
