//! What was found, as text for people: aligned by what characters take on a terminal, a screen or two long, and with
//! everything that comes from documents shown rather than obeyed. It only shows; it counts nothing.

use unicode_width::UnicodeWidthStr;

use super::found::{
    Classes, Extreme, FieldStatistics, ForecastRow, ForecastSummary, InspectedInput, Inspection, RepairGroup, Repeat,
    Selection, SumOfForecasts, UnreadMarkup, ValueCount, fit,
};
use super::required::{Coverage, coverage};
use crate::code::{Class, Code};
use crate::diagnostic;
use crate::ledger::Totals;
use crate::report::{ObjectCounts, dropped, finding_lines, input_title, make_visible};
use crate::text::{grouped, many};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InspectDetail {
    /// A screen or two.
    Usual,
    /// All there is.
    All,
}

/// Columns of a line.
const WIDTH: usize = 110;
/// Fields, rows of a forecast, kinds of unknown markup that are usually shown.
const FIELDS: usize = 28;
const ROWS: usize = 12;
const STRANGE: usize = 6;
/// Columns of a value among others.
const VALUE: usize = 32;

/// The content of one document.
pub fn document(found: &InspectedInput, detail: InspectDetail) -> String {
    let mut text = format!("{}: {}\n\n", input_title(&found.name), describe(found));
    for (name, says) in facts(found, detail) {
        text.push_str(&line(&format!("  {name:<14}{says}"), detail));
    }
    for (title, table) in
        [required(found), fields(found, detail), foreign(found, detail), forecasts(&found.forecast, detail)]
            .into_iter()
            .flatten()
    {
        text.push_str(&format!("\n{title}\n"));
        table.lines().for_each(|row| text.push_str(&line(&format!("  {row}"), detail)));
    }
    text
}

/// What a document is, in a few words: format, version, entries, videos.
pub fn describe(found: &InspectedInput) -> String {
    let version = if found.version.is_empty() { String::new() } else { format!(" {}", make_visible(&found.version)) };
    let dialect = if found.dialect.is_empty() { String::new() } else { format!(" ({})", found.dialect) };
    let entries = match (found.selected, found.entries) {
        (Selection::All, _) => many(found.looked_at, "entry", "entries"),
        (Selection::First, None) => format!("the first {}", many(found.looked_at, "entry", "entries")),
        (_, Some(all)) => format!("{} of {}", grouped(found.looked_at), many(all, "entry", "entries")),
        (Selection::Sample, None) => many(found.looked_at, "entry", "entries"),
    };
    let videos = match found.videos {
        0 => String::new(),
        videos => format!(", {} in {}", many(videos, "video", "videos"), many(found.renditions, "file", "files")),
    };
    format!("{}{version}{dialect}, {entries}{videos}", found.format)
}

/// The problems of a document, one per line; empty if there are none.
pub fn trouble(found: &InspectedInput) -> Vec<String> {
    let mut lines = Vec::new();
    if found.unreadable > 0 {
        lines.push(format!("{} cannot be read", many(found.unreadable, "entry", "entries")));
    }
    let repairs = found.diagnostics.iter().filter(|repairs| diagnostic::needs_attention(repairs.code));
    lines.extend(repairs.map(repair_line));
    let repeats = [("page", &found.pages), ("id", &found.ids), ("video", &found.distinct_videos)];
    // duplicates in a list of URLs or videos are reported once, as pages
    for (name, repeat) in repeats.iter().filter(|(_, repeat)| repeat.again > 0) {
        lines.push(again_line(name, repeat));
    }
    let strange: u64 = found.foreign.iter().map(|foreign| foreign.count).sum::<u64>() + found.foreign_untold;
    if strange > 0 {
        let first = found.foreign.first().map(|foreign| format!(": {}", cut(&foreign.path, 60))).unwrap_or_default();
        lines.push(format!("{} in unrecognized elements{first}", many(strange, "value", "values")));
    }
    lines
}

fn repair_line(repairs: &RepairGroup) -> String {
    let places: Vec<String> = repairs.examples.iter().map(|found| format!("{}:{}", found.line, found.column)).collect();
    let first = repairs.examples.first();
    let says = first
        .map(|found| format!(": {}; {}", make_visible(&found.found), make_visible(&found.done)))
        .unwrap_or_default();
    let more = if repairs.count > places.len() as u64 { " …" } else { "" };
    format!("{} ×{} ({}{more}){says}", repairs.code, grouped(repairs.count), places.join(" "))
}

fn again_line(name: &str, repeat: &Repeat) -> String {
    let again = match repeat.again {
        1 => format!("1 duplicate {name}"),
        count => format!("{} duplicate {name}s", grouped(count)),
    };
    let Some(first) = repeat.examples.first() else { return again };
    format!("{again}: {} in lines {} and {}", cut(&first.value, 50), first.first_line, first.line)
}

/// Name and value of each fact.
fn facts(found: &InspectedInput, detail: InspectDetail) -> Vec<(&'static str, String)> {
    let mut facts = vec![("encoding", encoding(found)), ("size", size(found))];
    let title = found.head.iter().find(|value| value.field == "feed.title");
    facts.extend(title.map(|title| ("title", cut(&title.value, 80))));
    if found.unreadable > 0 {
        facts.push(("unreadable", many(found.unreadable, "entry", "entries")));
    }
    let repeats = [("pages", &found.pages), ("ids", &found.ids), ("videos", &found.distinct_videos)];
    for (name, repeat) in repeats {
        if repeat.different + repeat.again > 0 {
            let again = match repeat.again {
                0 => String::new(),
                _ => format!("; {}", again_line(name.trim_end_matches('s'), repeat)),
            };
            facts.push((name, format!("{} different{again}", grouped(repeat.different))));
        }
    }
    if let Some(dates) = &found.dates {
        let all = match dates.earliest == dates.latest {
            true => dates.earliest.clone(),
            false => format!("{} to {}", dates.earliest, dates.latest),
        };
        facts.push(("dates", all));
    }
    if !found.languages.is_empty() {
        facts.push(("languages", list(&found.languages, 12)));
    }
    for role in ["page", "file", "player", "picture", "link"] {
        let hosts: Vec<ValueCount> = found.hosts.iter().filter(|host| host.role == role).map(counted).collect();
        if !hosts.is_empty() {
            let name = match role {
                "page" => "page hosts",
                "file" => "file hosts",
                "player" => "player hosts",
                "picture" => "image hosts",
                _ => "link hosts",
            };
            facts.push((name, list(&hosts, 4)));
        }
    }
    let used: Vec<String> = found
        .namespaces
        .iter()
        .map(|used| {
            let name = if used.prefix.is_empty() { "(none)" } else { &used.prefix };
            let count = grouped(used.elements + used.attributes);
            if used.known {
                format!("{} {count}", make_visible(name))
            } else {
                format!("{} {count} (unknown)", cut(name, 20))
            }
        })
        .collect();
    if !used.is_empty() {
        let shown = if detail == InspectDetail::All { used.len() } else { 8 };
        let more = used.len().saturating_sub(shown);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        facts.push(("namespaces", used.iter().take(shown).cloned().collect::<Vec<_>>().join(", ") + &more));
    }
    let shown = if detail == InspectDetail::All { usize::MAX } else { 5 };
    facts.extend(found.diagnostics.iter().take(shown).map(|repairs| ("repair", repair_line(repairs))));
    let rest: u64 = found.diagnostics.iter().skip(shown).map(|repairs| repairs.count).sum();
    if rest > 0 {
        facts.push(("", format!("… and {}", many(rest, "more repair", "more repairs"))));
    }
    facts
}

fn counted(host: &super::found::Host) -> ValueCount {
    ValueCount { value: host.host.clone(), count: host.count }
}

fn encoding(found: &InspectedInput) -> String {
    let encoding = &found.encoding;
    let declared = match &encoding.declared {
        Some(declared) if declared.eq_ignore_ascii_case(&encoding.real) => ", as declared".to_owned(),
        Some(declared) => format!(", declared {}", cut(declared, 40)),
        None => String::new(),
    };
    let mark = if encoding.byte_order_mark { ", with a byte order mark" } else { "" };
    format!("{}{declared}{mark}", encoding.real)
}

fn size(found: &InspectedInput) -> String {
    let bytes = found.bytes.map_or("unknown".to_owned(), bytes);
    let packed = found.compression.map(|packed| format!(" of {packed}")).unwrap_or_default();
    format!("{bytes}{packed}")
}

/// A number of bytes for people.
fn bytes(bytes: u64) -> String {
    if bytes < 10_000 { many(bytes, "byte", "bytes") } else { crate::text::size(bytes) }
}

fn list(values: &[ValueCount], most: usize) -> String {
    let shown = values.iter().take(most).map(|value| format!("{} {}", cut(&value.value, 48), grouped(value.count)));
    let more = values.len().saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.collect::<Vec<_>>().join(", ") + &more
}

/// A table with its title.
type TitledTable = Option<(String, String)>;

/// The fields that the chosen target requires and some entries lack.
fn required(found: &InspectedInput) -> TitledTable {
    let [forecast] = found.forecast.as_slice() else { return None };
    let lacking = coverage(found, &[forecast]).into_iter().filter(|coverage| coverage.entries < found.looked_at);
    let row = |coverage: Coverage| {
        let share = coverage.entries as f64 / found.looked_at.max(1) as f64 * 100.0;
        [coverage.names.join(" or "), grouped(coverage.entries), format!("{share:.0} %")]
    };
    let rows: Vec<_> = lacking.map(row).collect();
    let title = format!("required by {}, and not in all {}", forecast.to, many(found.looked_at, "entry", "entries"));
    (!rows.is_empty()).then(|| (title, table(&rows, &[1, 2])))
}

fn fields(found: &InspectedInput, detail: InspectDetail) -> TitledTable {
    if found.fields.is_empty() {
        return None;
    }
    let shown = if detail == InspectDetail::All { found.fields.len() } else { FIELDS };
    // with little room, what most entries have comes first; the order of the model stays
    let mut chosen: Vec<usize> = (0..found.fields.len()).collect();
    chosen.sort_by_key(|index| std::cmp::Reverse(found.fields.get(*index).map_or(0, |field| field.entries)));
    chosen.truncate(shown);
    chosen.sort_unstable();
    let head = ["field", "entries", "", "values", "different", "most frequent; or from … to"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(chosen.iter().filter_map(|index| found.fields.get(*index)).map(field_row));
    let rest = found.fields.len() - chosen.len();
    let more = if rest > 0 {
        format!("… and {}; -v shows all\n", many(rest as u64, "more field", "more fields"))
    } else {
        String::new()
    };
    Some(("fields".to_owned(), table(&rows, &[1, 2, 3, 4]) + &more))
}

fn field_row(field: &FieldStatistics) -> [String; 6] {
    let different = format!("{}{}", if field.estimated { "~" } else { "" }, grouped(field.distinct));
    let percent = format!("{:.0} %", field.share * 100.0);
    let (entries, values) = (grouped(field.entries), grouped(field.values));
    [
        make_visible(field.element.as_deref().unwrap_or(field.field)),
        entries,
        percent,
        values,
        different,
        field_summary(field),
    ]
}

/// The one value there is, the most frequent ones, or what the values lie between.
fn field_summary(field: &FieldStatistics) -> String {
    let at_least = if field.at_least { "≥" } else { "" };
    let show = |value: &ValueCount| match field.distinct {
        1 => quoted(&value.value, 2 * VALUE),
        _ => format!("{} ×{at_least}{}", quoted(&value.value, VALUE), value.count),
    };
    let ends = field.least.as_ref().zip(field.greatest.as_ref());
    if let Some((least, greatest)) = ends.filter(|_| field.distinct > 3) {
        return format!("{} … {}", cut(&least.value, VALUE), cut(&greatest.value, VALUE));
    }
    let frequent: Vec<String> =
        field.frequent.iter().filter(|value| value.count > 1 || field.distinct < 3).take(3).map(show).collect();
    if !frequent.is_empty() {
        return frequent.join(", ");
    }
    let size = |end: &Extreme| end.characters.unwrap_or(0);
    match field.shortest.as_ref().zip(field.longest.as_ref()) {
        Some((shortest, longest)) if size(shortest) == size(longest) => format!("{} characters", size(shortest)),
        Some((shortest, longest)) => {
            format!(
                "{} (line {}) to {} characters (line {})",
                size(shortest),
                shortest.line,
                size(longest),
                longest.line
            )
        }
        None => String::new(),
    }
}

fn foreign(found: &InspectedInput, detail: InspectDetail) -> TitledTable {
    if found.foreign.is_empty() {
        return None;
    }
    let shown = if detail == InspectDetail::All { found.foreign.len() } else { STRANGE };
    let row = |foreign: &UnreadMarkup| {
        let example = foreign.example.as_deref().map(|value| quoted(value, VALUE)).unwrap_or_default();
        let line = foreign.line.map(|line| format!("line {line}")).unwrap_or_default();
        [cut(&foreign.path, 60), foreign.count.to_string(), line, example]
    };
    let rows: Vec<_> = found.foreign.iter().take(shown).map(row).collect();
    let rest = found.foreign.len().saturating_sub(shown) as u64;
    let more = if rest > 0 {
        format!("… and {}; -v shows all\n", many(rest, "more place", "more places"))
    } else {
        String::new()
    };
    Some(("values in unrecognized elements".to_owned(), table(&rows, &[1]) + &more))
}

/// The forecasts: sums where there are several, and the rows of a single one.
fn forecasts(all: &[ForecastSummary], detail: InspectDetail) -> TitledTable {
    let first = all.first()?;
    if all.len() > 1 {
        let leaves = all.iter().map(|forecast| forecast.totals.leaves).max().unwrap_or(0);
        let title = format!("conversion of {} to each target, the best fit first", many(leaves, "value", "values"));
        let sums = all.iter().map(|forecast| {
            let ForecastSummary { to, refused, totals, objects, classes, .. } = forecast;
            (*to, refused.is_none().then_some((*totals, *objects, *classes)))
        });
        let why = all.iter().find_map(|forecast| forecast.refused.as_ref());
        let why = why.map_or_else(String::new, |why| format!("not possible: {}\n", make_visible(why)));
        return Some((title, targets(sums.collect()) + &why));
    }
    if let Some(refused) = &first.refused {
        return Some((format!("to {}", first.to), format!("{}\n", make_visible(refused))));
    }
    let Classes { attention, unsupported, technical } = first.classes;
    let classes = [(attention, "attention"), (unsupported, "unsupported"), (technical, "technical")];
    let classes = classes.map(|(count, name)| format!("{} {name}", grouped(count))).join(", ");
    let title = format!("to {}: {}; values: {} kept, {classes}", first.to, first.objects, grouped(first.totals.kept));
    let mut text = finding_lines(&dropped(&first.drops), "-v shows all", WIDTH).join("\n");
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    let shown = if detail == InspectDetail::All { first.rows.len() } else { ROWS };
    let of_object = |row: &&ForecastRow| Code::by_name(row.code).is_some_and(Code::is_of_object);
    let mut rows: Vec<&ForecastRow> = first.rows.iter().filter(|row| !of_object(row)).collect();
    let place = |class: &str| Class::ALL.iter().position(|known| known.name() == class);
    rows.sort_by_key(|row| (place(row.class), std::cmp::Reverse(row.count)));
    let rest = rows.len().saturating_sub(shown) as u64;
    let rows: Vec<_> = rows.into_iter().take(shown).map(forecast_row).collect();
    let more = if rest > 0 {
        format!("… and {}; -v shows all\n", many(rest, "more row", "more rows"))
    } else {
        String::new()
    };
    text.push_str(&table(&rows, &[3]));
    Some((title, text + &more))
}

fn forecast_row(row: &ForecastRow) -> [String; 5] {
    let line = row.examples.iter().find_map(|example| example.line);
    let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
    [
        row.class.to_owned(),
        row.kind.to_owned(),
        make_visible(row.element.as_deref().unwrap_or(row.field)),
        row.count.to_string(),
        format!("{}{line}", row.why),
    ]
}

/// A target, with the sums of one document or of several; none, if there is no such conversion.
type Forecasts = (&'static str, Option<(Totals, ObjectCounts, Classes)>);

fn targets(mut sums: Vec<Forecasts>) -> String {
    sums.sort_by_key(|(_, sums)| {
        sums.as_ref().map_or((true, 0, 0, 0), |(_, objects, classes)| fit(true, objects, classes))
    });
    let head = ["target", "videos lost", "entries lost", "attention", "unsupported", "technical", "kept"];
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(sums.into_iter().map(|(to, sums)| match sums {
        None => [to, "–", "–", "–", "–", "–", "not possible"].map(str::to_owned),
        Some((Totals { kept, .. }, objects, Classes { attention, unsupported, technical })) => {
            let counts = [objects.videos_dropped(), objects.entries_dropped(), attention, unsupported, technical, kept];
            let [videos, entries, attention, unsupported, technical, kept] = counts.map(grouped);
            [to.to_owned(), videos, entries, attention, unsupported, technical, kept]
        }
    }));
    table(&lines, &[1, 2, 3, 4, 5, 6])
}

/// Several inputs: a line for each, and their sums.
pub fn several(all: &Inspection, detail: InspectDetail) -> String {
    let head = ["input", "format", "encoding", "size", "entries", "videos", "files", "repairs"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(all.inputs.iter().map(|found| {
        let version = if found.version.is_empty() { String::new() } else { format!(" {}", cut(&found.version, 12)) };
        let size = found.bytes.map_or("?".to_owned(), bytes);
        let [entries, videos, files, repairs] =
            [found.looked_at, found.videos, found.renditions, found.repairs].map(|count| count.to_string());
        let format = format!("{}{version}", found.format);
        [cut(&input_title(&found.name), 48), format, found.encoding.real.clone(), size, entries, videos, files, repairs]
    }));
    let sums = &all.totals;
    let [entries, videos, files, repairs] =
        [sums.looked_at, sums.videos, sums.renditions, sums.repairs].map(|count| count.to_string());
    let inputs = many(sums.inputs, "input", "inputs");
    rows.push([inputs, String::new(), String::new(), bytes(sums.bytes), entries, videos, files, repairs]);
    let mut text = table(&rows, &[3, 4, 5, 6, 7]);
    if !sums.forecast.is_empty() {
        text.push_str("\nconversion of each to each target, the best fit first\n");
        let sum = |sum: &SumOfForecasts| (sum.to, Some((sum.totals, sum.objects, sum.classes)));
        text.push_str(&targets(sums.forecast.iter().map(sum).collect()));
    }
    text.lines().map(|row| line(row, detail)).collect()
}

/// Rows with aligned columns; those in `right` end where the others begin.
fn table<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(widths).enumerate() {
            let space = " ".repeat(width - cell.width());
            let gap = if index > 0 { "  " } else { "" };
            match right.contains(&index) {
                true => line.push_str(&format!("{gap}{space}{cell}")),
                false => line.push_str(&format!("{gap}{cell}{space}")),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A line cut to the usual width of a terminal, unless all details are requested.
fn line(text: &str, detail: InspectDetail) -> String {
    let text = text.trim_end();
    match detail {
        InspectDetail::All => format!("{text}\n"),
        InspectDetail::Usual => format!("{}\n", narrow(text, WIDTH)),
    }
}

/// A text from a document: shown, and no wider than this.
fn cut(text: &str, width: usize) -> String {
    narrow(&make_visible(text), width)
}

/// A text that is no wider than this.
pub(crate) fn narrow(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut narrow = String::new();
    let mut taken = 0;
    for c in text.chars() {
        taken += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if taken >= width {
            break;
        }
        narrow.push(c);
    }
    narrow.push('…');
    narrow
}

fn quoted(text: &str, width: usize) -> String {
    format!("\"{}\"", cut(text, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_look() {
        let rows = [["日本".to_owned(), "1".to_owned()], ["e\u{301}".to_owned(), "22".to_owned()]];
        assert_eq!(table(&rows, &[1]), "日本   1\ne\u{301}     22\n");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("a\u{1b}[31m", 20), "a\\u{1b}[31m");
    }
}
