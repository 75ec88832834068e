//! Writes tables (RFC 4180): a row of headings, then a row for each video, or for each page. A page with several videos has
//! several rows with its values, or one row with a value of each video in each cell.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::columns::{self, CellValue, CellValues, KnownColumn, Reach};
use super::row::{self, Headings};
use crate::emit::Out;
use crate::fate::FateTable;
use crate::format::contract::{FormatWriter, Setup};
use crate::model::origin::Syntax;
use crate::model::{Entry, Feed, Field, Foreign, LeafView, Mark, Str, TextKind, Value, Video, Walk};
use crate::options::{Options, TableRows};
use crate::reason::{Reason, ValueChange};
use crate::text::html;

/// Writes `csv`.
pub struct CsvWriter;

/// The end of a row.
const END: &[u8] = b"\r\n";

/// How the name of all columns begins in the option that chooses them.
pub(crate) const ALL: &str = "all";

impl FormatWriter for CsvWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn groups(&self, options: &Options) -> bool {
        options.rows == TableRows::Page
    }
    fn settles_episodes(&self) -> bool {
        true
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        // values of the head for all videos are in the rows of those that inherit them
        let books = out.books();
        feed.walk((), &mut |seen: LeafView<'_>| {
            if columns::heading_of(seen.field).is_some() && seen.mark.is_some() {
                books.lost(seen.mark, Reason::PageValue);
            }
        });
        let names: Vec<String> = chosen(setup).iter().map(|column| column.name().to_owned()).collect();
        write_row(&names, out.bytes(), setup.options.csv_safe);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let columns = chosen(setup);
        lose_all(entry, &columns, out);
        let rows: Vec<&[Video<'e>]> = match setup.options.rows {
            TableRows::Video if entry.videos.len() > 1 => entry.videos.chunks(1).collect(),
            TableRows::Video | TableRows::Page => vec![&entry.videos],
        };
        let unread = unread(&entry.foreign);
        let mut written = false;
        for videos in rows {
            let mut row = RowWriter { out: &mut *out, setup, unread: &unread };
            let mut values: Vec<CellValues<'_>> =
                columns.iter().map(|column| row.values(column, &columns, entry, videos)).collect();
            close_gaps(&columns, &mut values);
            let cells: Vec<String> =
                columns.iter().zip(&values).map(|(column, values)| row.cell(column, values)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                written = true;
                out.one_more();
                write_row(&cells, out.bytes(), false);
            }
        }
        if !written {
            out.drop_entry(Reason::EmptyEntry);
        }
    }
    fn tail(&self, _setup: &Setup<'_>, _buf: &mut Vec<u8>) {}
    fn between(&self) -> &'static [u8] {
        b""
    }
}

/// A column of the output.
#[derive(Clone)]
enum OutColumn {
    /// One of the model.
    Known(KnownColumn),
    /// One of the source, with how many of that name came before it.
    Unknown(String, usize),
}

impl OutColumn {
    fn name(&self) -> &str {
        match self {
            OutColumn::Known(named) => named.heading,
            OutColumn::Unknown(name, _) => name,
        }
    }

    /// What it has one list of values with: the other columns of the same parts, or of all videos of a page.
    fn group(&self) -> Option<&str> {
        let OutColumn::Known(named) = self else { return None };
        if named.of_videos {
            return named.heading.split('.').next();
        }
        let name = named.heading.strip_suffix(".html").unwrap_or(named.heading);
        name.rsplit_once('.').map(|(part, _)| part).filter(|_| named.column.list)
    }
}

/// The columns of the output: those that were chosen, else those of a source that is a table, else the core.
fn chosen(setup: &Setup<'_>) -> Vec<OutColumn> {
    let of_pages = setup.options.rows == TableRows::Page;
    let known = |column: &'static columns::TableColumn| {
        let named = KnownColumn { heading: column.heading, column, of_videos: false };
        OutColumn::Known(columns::for_rows(named, of_pages))
    };
    let wanted = &setup.options.columns;
    if !wanted.is_empty() && !wanted.iter().any(|name| name == ALL) {
        let named = wanted.iter().filter_map(|name| columns::by_heading(name));
        return unique(named.map(|named| OutColumn::Known(columns::for_rows(named, of_pages))).collect());
    }
    let mut found = of_source(setup, of_pages);
    if !wanted.is_empty() {
        found.extend(columns::all().iter().map(|column| known(column)));
    } else if found.is_empty() {
        found.extend(columns::all().iter().filter(|column| column.core).map(|column| known(column)));
    }
    unique(found)
}

/// Removes columns that are there already.
fn unique(columns: Vec<OutColumn>) -> Vec<OutColumn> {
    let mut seen = HashSet::new();
    let is_new = |column: &OutColumn| match column {
        OutColumn::Known(named) => seen.insert(named.heading),
        OutColumn::Unknown(..) => true,
    };
    let mut columns = columns;
    columns.retain(is_new);
    columns
}

/// The columns of a source that is a table; unknown ones only if unknown markup is kept.
fn of_source(setup: &Setup<'_>, of_pages: bool) -> Vec<OutColumn> {
    let part = setup.feed.origin.parts.first().filter(|part| part.syntax == Syntax::Row);
    let Some(part) = part.filter(|_| setup.same_family) else { return Vec::new() };
    let keeps = setup.is_foreign_kept();
    let mut found: Vec<OutColumn> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for heading in Headings::read(&part.raw).list {
        match heading.known {
            Some(named) => found.push(OutColumn::Known(columns::for_rows(named, of_pages))),
            None if keeps && !heading.name.is_empty() => {
                let count = counts.entry(heading.name).or_default();
                found.push(OutColumn::Unknown(heading.name.to_owned(), *count));
                *count += 1;
            }
            None => (),
        }
    }
    found
}

/// The values of an entry that were not read, by their columns. A cell without a heading is in none.
fn unread<'e>(items: &'e [Foreign<'e>]) -> UnreadValues<'e> {
    let mut found = UnreadValues::new();
    for item in items.iter().filter(|item| item.ns != row::SURPLUS) {
        found.entry(&item.path).or_default().extend(item.value.as_ref());
    }
    found
}

type UnreadValues<'e> = HashMap<&'e str, Vec<&'e Str<'e>>>;

/// Everything that has a column is lost until it is written: a value may be at a place without one.
fn lose_all(entry: &Entry<'_>, columns: &[OutColumn], out: &mut Out<'_, '_>) {
    let of_column = |column: &OutColumn| match column {
        OutColumn::Known(named) => Some(named.column.field),
        OutColumn::Unknown(..) => None,
    };
    let fields: HashSet<Field> = columns.iter().filter_map(of_column).collect();
    let books = out.books();
    entry.walk((), &mut |seen: LeafView<'_>| {
        if columns::heading_of(seen.field).is_some() && seen.mark.is_some() {
            let why = if fields.contains(&seen.field) { Reason::TableColumn } else { Reason::TableColumnOff };
            books.lost(seen.mark, why);
        }
    });
}

fn write_row(cells: &[impl AsRef<str>], buf: &mut Vec<u8>, safe: bool) {
    for (number, cell) in cells.iter().enumerate() {
        if number > 0 {
            buf.push(b',');
        }
        let cell = cell.as_ref();
        match safe && is_formula(cell) {
            true => row::write_cell(&format!("'{cell}"), buf),
            false => row::write_cell(cell, buf),
        }
    }
    buf.extend_from_slice(END);
}

/// Whether a spreadsheet may run a cell. A number is not a formula.
fn is_formula(cell: &str) -> bool {
    let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    begins && cell.parse::<f64>().is_err()
}

/// Closes the gaps in lists: places at which no column of the same parts has a value would not be read.
fn close_gaps(columns: &[OutColumn], values: &mut [CellValues<'_>]) {
    let mut kept: HashMap<&str, Vec<bool>> = HashMap::new();
    for (column, values) in columns.iter().zip(&*values) {
        let Some(group) = column.group() else { continue };
        let kept = kept.entry(group).or_default();
        kept.resize(kept.len().max(values.len()), false);
        kept.iter_mut().zip(values).for_each(|(kept, value)| *kept |= value.is_some());
    }
    for (column, values) in columns.iter().zip(values) {
        if let Some(kept) = column.group().and_then(|group| kept.get(group)) {
            let mut kept = kept.iter();
            values.retain(|_| kept.next().copied().unwrap_or(true));
        }
        while values.last().is_some_and(Option::is_none) {
            values.pop();
        }
    }
}

/// Writes the cells of a row.
struct RowWriter<'r, 'o, 'e, 's> {
    out: &'r mut Out<'o, 'e>,
    setup: &'s Setup<'s>,
    unread: &'r UnreadValues<'r>,
}

impl RowWriter<'_, '_, '_, '_> {
    /// The values of a cell. A text is in the column for its kind, if that is there.
    fn values<'v>(
        &mut self,
        column: &OutColumn,
        all: &[OutColumn],
        entry: &'v Entry<'v>,
        videos: &'v [Video<'v>],
    ) -> CellValues<'v> {
        let mut values = CellValues::new();
        let OutColumn::Known(named) = column else { return values };
        let column = named.column;
        match column.reach {
            Reach::Page(_, show, _) => show(entry, &mut values),
            Reach::Video(_, show, _) if named.of_videos => self.first_of_each(videos, show, &mut values),
            Reach::Video(_, show, _) => videos.iter().for_each(|video| show(video, &mut values)),
        }
        // an empty cell has no value, so an empty value has no cell
        let is_blank = |value: &CellValue<'_>| matches!(value.value, Value::Str(text) if text.trim().is_empty());
        values.iter_mut().for_each(|value| *value = value.take().filter(|value| !is_blank(value)));
        let Some(kind) = column.text else { return values };
        let is_other = |other: &OutColumn| match other {
            OutColumn::Known(other) => other.column.field == column.field && other.column.text != Some(kind),
            OutColumn::Unknown(..) => false,
        };
        if all.iter().any(is_other) {
            let is_ours = |value: &CellValue<'_>| (value.text == Some(TextKind::Plain)) == (kind == TextKind::Plain);
            values.iter_mut().for_each(|value| *value = value.take().filter(is_ours));
        }
        values
    }

    fn cell(&mut self, column: &OutColumn, values: &CellValues<'_>) -> String {
        match column {
            OutColumn::Unknown(name, before) => self.foreign(name, *before),
            // a value that could not be read is still in its column
            OutColumn::Known(named) if values.is_empty() => match self.setup.is_foreign_kept() {
                true => self.foreign(named.heading, 0),
                false => String::new(),
            },
            OutColumn::Known(named) => self.join(values, named.column.text, named.column.list || named.of_videos),
        }
    }

    /// The first value of each video; a row of a page has no place for others.
    fn first_of_each<'v>(&mut self, videos: &'v [Video<'v>], show: columns::ShowVideo, members: &mut CellValues<'v>) {
        for video in videos {
            let mut own = CellValues::new();
            show(video, &mut own);
            let mut values = own.into_iter().flatten();
            members.push(values.next());
            for further in values.filter(|further| further.mark.is_some()) {
                self.out.books().lost(further.mark, Reason::TableOneValue);
            }
        }
    }

    /// Writes the values of a cell, and settles them.
    fn join(&mut self, members: &[Option<CellValue<'_>>], text: Option<TextKind>, is_list: bool) -> String {
        let mut cell = String::new();
        let mut settled: Vec<(Mark, String, ValueChange)> = Vec::new();
        for (number, member) in members.iter().enumerate() {
            if number > 0 {
                cell.push(row::LIST);
            }
            let Some(shown) = member else { continue };
            let (value, change) = self.spelt(shown, text);
            match is_list {
                true => cell.push_str(&row::escaped(&value)),
                false => cell.push_str(&value),
            }
            settled.push((shown.mark, value.into_owned(), change));
        }
        if self.setup.options.csv_safe && is_formula(&cell) {
            cell.insert(0, '\'');
            if let Some(first) = settled.first_mut() {
                first.1.insert(0, '\'');
                first.2 = Some(Reason::TableFormula);
            }
        }
        let books = self.out.books();
        for (mark, value, change) in settled.into_iter().filter(|(mark, ..)| mark.is_some()) {
            match change {
                Some(why) => books.changed(mark, why, value),
                None => books.kept_as(mark, || value),
            }
        }
        cell
    }

    /// The spelling of a value in a column for texts of this kind.
    fn spelt<'v>(&self, shown: &CellValue<'v>, column: Option<TextKind>) -> (Cow<'v, str>, ValueChange) {
        let Value::Str(text) = shown.value else { return self.out.spell(shown.value) };
        match (column, shown.text) {
            (Some(TextKind::Plain), Some(TextKind::Html | TextKind::Xhtml)) => {
                (Cow::Owned(html::to_plain(text)), Some(Reason::AsPlainText))
            }
            (Some(TextKind::Html), Some(TextKind::Plain)) => (html::from_plain(text), Some(Reason::AsHtml)),
            (Some(TextKind::Html), Some(TextKind::Xhtml)) => (html::xhtml_to_html(text), Some(Reason::AsHtml)),
            _ => (Cow::Borrowed(text), None),
        }
    }

    /// The cell of the source's column that is not known.
    fn foreign(&mut self, name: &str, before: usize) -> String {
        let found = self.unread.get(name).and_then(|values| values.get(before)).copied();
        let Some(value) = found else { return String::new() };
        let shown = CellValue { mark: value.mark, value: Value::Str(&value.value), text: None };
        self.join(&[Some(shown)], None, false)
    }
}
