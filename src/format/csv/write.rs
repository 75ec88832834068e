//! Writes tables (RFC 4180): a row of headings, then a row for each video, or for each page. A page with several videos has
//! several rows with its values, or one row with a value of each video in each cell.

use std::borrow::Cow;
use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};

use super::columns::{self, CellValue, CellValues, KnownColumn, Reach};
use super::row::{self, Headings};
use crate::emit::Out;
use crate::fate::FateTable;
use crate::format::choice::lose_overruled;
use crate::format::contract::{FormatWriter, Setup};
use crate::model::origin::Syntax;
use crate::model::{Entry, Feed, Field, Foreign, Leaf, LeafView, Mark, Str, TextKind, Value, Video, Walk};
use crate::options::{Options, TableRows};
use crate::reason::{Reason, ValueChange};
use crate::text::html;

/// Writes `csv`.
pub struct CsvWriter;

/// The part of other files than those of videos.
const FILES: &str = "enclosure";

/// The bytes that the values of a page may have together to be in each of its rows: the longest usual description fits.
const REPEATED: usize = 5_000;

/// The columns that identify a page, by which its rows are joined.
const IDENTITY: [&str; 2] = ["loc", "id"];

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
        if let Some(updated) = entry.updated.as_ref().filter(|date| date.is_generated()) {
            out.books().lost(updated.mark, Reason::EarlierConversion);
        }
        lose_all(entry, &columns, out);
        let rows: Vec<&[Video<'e>]> = match setup.options.rows {
            TableRows::Video if entry.videos.len() > 1 => entry.videos.chunks(1).collect(),
            TableRows::Video | TableRows::Page => vec![&entry.videos],
        };
        let unread = unread(&entry.foreign);
        let mut written = false;
        let mut once = HashSet::new();
        for (number, videos) in rows.into_iter().enumerate() {
            let mut row = RowWriter { out: &mut *out, setup, unread: &unread };
            let is_once = |column: &OutColumn| once.contains(column.part());
            let mut values: Vec<OutCell<'_>> = (columns.iter())
                .map(|column| match is_once(column) {
                    true => OutCell::new(),
                    false => {
                        let mut cell = row.values(column, &columns, entry, videos);
                        row.restore(column, entry.videos.len(), &mut cell);
                        cell
                    }
                })
                .collect();
            close_gaps(&columns, &mut values);
            let cells: Vec<String> = (columns.iter().zip(&values))
                .map(|(column, values)| if is_once(column) { String::new() } else { row.cell(column, values) })
                .collect();
            if number == 0 {
                once = once_a_page(&columns, &cells);
            }
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

    /// What has one place for each video of a page.
    fn is_of_videos(&self) -> bool {
        matches!(self, OutColumn::Known(named) if named.of_videos)
    }

    /// What it has one list of values with: the other columns of the same parts.
    fn group(&self) -> Option<&str> {
        let OutColumn::Known(named) = self else { return None };
        Some(self.part()).filter(|part| named.column.list && *part != named.heading)
    }

    /// The part of the model that its values are in, else its name.
    fn part(&self) -> &str {
        let name = self.name();
        let OutColumn::Known(_) = self else { return name };
        let name = name.strip_suffix(".html").unwrap_or(name);
        name.rsplit_once('.').map_or(name, |(part, _)| part)
    }

    /// Its values are those of a page, and do not identify it.
    fn describes_page(&self) -> bool {
        match self {
            OutColumn::Known(named) => {
                matches!(named.column.reach, Reach::Page(..)) && !IDENTITY.contains(&named.heading)
            }
            OutColumn::Unknown(..) => true,
        }
    }
}

/// The columns of the output: those that were chosen, else those of a source that is a table, with those that are filled in, else
/// the core.
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
    } else if let Some(enrich) = &setup.options.enrich {
        let filled = Headings::read(enrich.headings()).list.into_iter().filter_map(|heading| heading.known);
        found.extend(filled.map(|named| OutColumn::Known(columns::for_rows(named, of_pages))));
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
        let Some(value) = &item.value else { continue };
        let is_list = columns::by_heading(&item.name).is_some_and(|named| named.column.list || named.of_videos);
        let (name, places) = match item.path.strip_prefix(&*item.name).filter(|_| is_list) {
            Some(places) => (&*item.name, numbers(places)),
            None => (&*item.path, [0; 2]),
        };
        found.entry(name).or_default().push((places, value));
    }
    found
}

/// The numbers in brackets behind a path, from 1; 0 for one that is not there.
fn numbers(places: &str) -> [usize; 2] {
    let mut found = places.split(['[', ']']).filter_map(|number| number.parse().ok());
    [found.next().unwrap_or(0), found.next().unwrap_or(0)]
}

type UnreadValues<'e> = HashMap<&'e str, Vec<([usize; 2], &'e Str<'e>)>>;

/// Everything that has a column is lost until it is written: a value may be at a place without one.
fn lose_all(entry: &Entry<'_>, columns: &[OutColumn], out: &mut Out<'_, '_>) {
    let of_column = |column: &OutColumn| match column {
        OutColumn::Known(named) => Some(named.column.field),
        OutColumn::Unknown(..) => None,
    };
    let fields: HashSet<Field> = columns.iter().filter_map(of_column).collect();
    let books = out.books();
    // the rating that overrules the flag is in no column
    lose_overruled(entry, |field| field != Field::VideoFamilyFriendly && fields.contains(&field), books);
    let mut lose = |seen: LeafView<'_>, why: Reason| {
        if columns::heading_of(seen.field).is_some() && seen.mark.is_some() && !books.settled(seen.mark) {
            // a cell without text is that of a missing value
            let why = if seen.value == Value::Str("") { Reason::NoText } else { why };
            books.lost(seen.mark, if fields.contains(&seen.field) { why } else { Reason::TableColumnOff });
        }
    };
    // levels have rows only by the videos that inherit from them
    entry.media.walk((), &mut |seen| lose(seen, Reason::PageValue));
    for file in entry.videos.iter().flat_map(|video| &video.files) {
        file.media.walk((), &mut |seen| lose(seen, Reason::TableFile));
    }
    entry.walk((), &mut |seen| lose(seen, Reason::TableColumn));
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

/// The values of a cell: one list for each video of a page in columns that have all videos, else one.
type OutCell<'e> = Vec<CellValues<'e>>;

/// Closes the gaps in lists: places at which no column of the same parts has a value would not be read.
fn close_gaps(columns: &[OutColumn], cells: &mut [OutCell<'_>]) {
    let mut kept: HashMap<(&str, usize), Vec<bool>> = HashMap::new();
    let mut videos: Vec<bool> = Vec::new();
    for (column, cell) in columns.iter().zip(&*cells) {
        for (at, values) in cell.iter().enumerate() {
            if column.is_of_videos() {
                videos.resize(videos.len().max(at + 1), false);
                videos[at] |= values.iter().any(Option::is_some);
            }
            let Some(group) = column.group() else { continue };
            let kept = kept.entry((group, at)).or_default();
            kept.resize(kept.len().max(values.len()), false);
            kept.iter_mut().zip(values).for_each(|(kept, value)| *kept |= value.is_some());
        }
    }
    for (column, cell) in columns.iter().zip(cells) {
        for (at, values) in cell.iter_mut().enumerate() {
            if let Some(kept) = column.group().and_then(|group| kept.get(&(group, at))) {
                let mut kept = kept.iter();
                values.retain(|_| kept.next().copied().unwrap_or(true));
            }
            while values.last().is_some_and(Option::is_none) {
                values.pop();
            }
        }
        if column.is_of_videos() {
            let mut videos = videos.iter();
            cell.retain(|_| videos.next().copied().unwrap_or(true));
        }
        while cell.last().is_some_and(Vec::is_empty) {
            cell.pop();
        }
    }
}

/// The parts that are in the first row of a page alone, whose cells these are: other files, because a page may have as many as
/// videos, and the longest parts, if the values of the page are too long to be in each row.
fn once_a_page<'c>(columns: &'c [OutColumn], cells: &[String]) -> HashSet<&'c str> {
    let mut lengths: HashMap<&str, usize> = HashMap::new();
    for (column, cell) in columns.iter().zip(cells).filter(|(column, _)| column.describes_page()) {
        *lengths.entry(column.part()).or_default() += cell.len();
    }
    let files = lengths.remove(FILES).map(|_| FILES);
    let mut parts: Vec<(&str, usize)> = lengths.into_iter().collect();
    parts.sort_by_key(|(part, length)| (std::cmp::Reverse(*length), *part));
    let mut rest: usize = parts.iter().map(|(_, length)| length).sum();
    let too_long = parts.into_iter().take_while(|(_, length)| {
        let is_too_long = rest > REPEATED;
        rest -= length;
        is_too_long
    });
    too_long.map(|(part, _)| part).chain(files).collect()
}

/// Writes the cells of a row.
struct RowWriter<'r, 'o, 'e, 's> {
    out: &'r mut Out<'o, 'e>,
    setup: &'s Setup<'s>,
    unread: &'r UnreadValues<'r>,
}

impl<'r> RowWriter<'r, '_, '_, '_> {
    /// The values of a cell. A text is in the column for its kind, if that is there.
    fn values<'v>(
        &mut self,
        column: &OutColumn,
        all: &[OutColumn],
        entry: &'v Entry<'v>,
        videos: &'v [Video<'v>],
    ) -> OutCell<'v> {
        let mut cell = OutCell::new();
        let OutColumn::Known(named) = column else { return cell };
        let column = named.column;
        if column.field == Field::Updated && entry.updated.as_ref().is_some_and(Leaf::is_generated) {
            return cell;
        }
        let mut add = |show: &dyn Fn(&mut CellValues<'v>)| {
            let mut values = CellValues::new();
            show(&mut values);
            cell.push(values);
        };
        match column.reach {
            Reach::Page(_, show, _) => add(&|values| show(entry, values)),
            Reach::Video(_, show, _) => videos.iter().for_each(|video| add(&|values| show(video, values))),
        }
        if column.field == Field::VideoRestrictionCountry && !self.setup.same_family {
            cell.iter_mut().for_each(|countries| self.once(countries));
        }
        // an empty cell has no value, so an empty value has no cell
        let is_blank = |value: &CellValue<'_>| matches!(value.value, Value::Str(text) if text.trim().is_empty());
        let mut keep = |is_kept: &dyn Fn(&CellValue<'v>) -> bool| {
            cell.iter_mut().flatten().for_each(|value| *value = value.take().filter(is_kept));
        };
        keep(&|value| !is_blank(value));
        let Some(kind) = column.text else { return cell };
        let is_other = |other: &OutColumn| match other {
            OutColumn::Known(other) => other.column.field == column.field && other.column.text != Some(kind),
            OutColumn::Unknown(..) => false,
        };
        if all.iter().any(is_other) {
            keep(&|value| (value.text == Some(TextKind::Plain)) == (kind == TextKind::Plain));
        }
        cell
    }

    /// Leaves each country in a list once: two codes may be those of one.
    fn once(&mut self, countries: &mut CellValues<'_>) {
        let mut known: HashMap<&str, Mark> = HashMap::new();
        countries.retain(|country| match *country {
            Some(CellValue { mark, value: Value::Str(code), .. }) => match known.entry(code) {
                MapEntry::Vacant(place) => {
                    place.insert(mark);
                    true
                }
                MapEntry::Occupied(first) => {
                    self.out.books().merged_with(mark, *first.get(), Reason::SameValue);
                    false
                }
            },
            _ => true,
        });
    }

    /// Puts values of a list that could not be read into their places, if these are free.
    fn restore<'v>(&self, column: &OutColumn, videos: usize, cell: &mut OutCell<'v>)
    where
        'r: 'v,
    {
        let OutColumn::Known(named) = column else { return };
        if !named.of_videos && (!named.column.list || videos > 1) {
            return;
        }
        let Some(unread) = self.unread.get(named.heading).filter(|_| self.setup.is_foreign_kept()) else { return };
        for ([first, second], value) in unread {
            let (video, place) = match (named.of_videos, named.column.list) {
                (true, true) => (first.saturating_sub(1), second.saturating_sub(1)),
                (true, false) => (first.saturating_sub(1), 0),
                (false, _) => (0, first.saturating_sub(1)),
            };
            if cell.len() <= video {
                cell.resize_with(video + 1, CellValues::new);
            }
            let Some(values) = cell.get_mut(video) else { continue };
            if values.len() <= place {
                values.resize(place + 1, None);
            }
            if let Some(free) = values.get_mut(place).filter(|value| value.is_none()) {
                *free = Some(CellValue { mark: value.mark, value: Value::Str(&value.value), text: None });
            }
        }
    }

    fn cell(&mut self, column: &OutColumn, values: &OutCell<'_>) -> String {
        match column {
            OutColumn::Unknown(name, before) => self.foreign(name, *before),
            // a value that could not be read is still in its column
            OutColumn::Known(named) if values.is_empty() => {
                let is_restored = named.column.list || named.of_videos;
                match self.setup.is_foreign_kept() && !is_restored {
                    true => self.foreign(named.heading, 0),
                    false => String::new(),
                }
            }
            OutColumn::Known(named) => {
                let separators: &[char] = match (named.of_videos, named.column.list) {
                    (true, true) => &[row::LIST, row::INNER_LIST],
                    (true, false) | (false, true) => &[row::LIST],
                    (false, false) => &[],
                };
                self.join(values, named.column.text, separators)
            }
        }
    }

    /// Writes the values of a cell, and settles them. Of two separators the first is between videos, and the second between the
    /// values of each.
    fn join(&mut self, members: &OutCell<'_>, text: Option<TextKind>, separators: &[char]) -> String {
        let mut cell = String::new();
        let mut settled: Vec<(Mark, String, ValueChange)> = Vec::new();
        for (number, values) in members.iter().enumerate() {
            cell.extend(separators.first().filter(|_| number > 0));
            for (number, member) in values.iter().enumerate() {
                cell.extend(separators.last().filter(|_| number > 0));
                let Some(shown) = member else { continue };
                let (value, change) = self.spelt(shown, text);
                cell.push_str(&row::escaped(&value, separators));
                settled.push((shown.mark, value.into_owned(), change));
            }
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
                let words = html::to_plain(text);
                let change = (words != text).then_some(Reason::AsPlainText);
                (Cow::Owned(words), change)
            }
            (Some(TextKind::Html), Some(TextKind::Plain)) => (html::from_plain(text), Some(Reason::AsHtml)),
            (Some(TextKind::Html), Some(TextKind::Xhtml)) => (html::xhtml_to_html(text), Some(Reason::AsHtml)),
            _ => (Cow::Borrowed(text), None),
        }
    }

    /// The cell of the source's column that is not known.
    fn foreign(&mut self, name: &str, before: usize) -> String {
        let found = self.unread.get(name).and_then(|values| values.get(before)).copied();
        let Some((_, value)) = found else { return String::new() };
        let shown = CellValue { mark: value.mark, value: Value::Str(&value.value), text: None };
        self.join(&vec![vec![Some(shown)]], None, &[])
    }
}
