//! The matrix of fields and formats, from the fate tables: as text, as Markdown, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fate::Fate;
use crate::format::Format;
use crate::model::Field;
use crate::options::Options;
use crate::reason::Reason;

/// The fate of a field in a target.
pub fn fate(format: &Format, field: Field) -> Option<Fate> {
    format.writer.map(|writer| writer.table(&Options::default())(field))
}

/// Formats and fields, and what becomes of the one in the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Matrix {
    /// The formats.
    formats: Vec<FormatColumn>,
    /// All fields.
    fields: Vec<FieldLine>,
}

/// A format.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FormatColumn {
    /// Its name in options.
    id: &'static str,
    /// Its name.
    title: &'static str,
}

/// A field.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FieldLine {
    /// The model's name of it.
    field: &'static str,
    /// Its fate, by the formats' ids; absent for a format that is only read.
    #[serde(rename = "in")]
    cells: BTreeMap<&'static str, Cell>,
}

/// The fate of a field in a format.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Cell {
    /// Its name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    /// `kept`, `changed` or `lost`.
    outcome: &'static str,
    /// The code of the closed list, unless it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The name of the reason, which `transfeed explain` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The reason, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

fn cell(format: &Format, field: Field) -> Option<Cell> {
    Some(match fate(format, field)? {
        Fate::Native(name) => Cell { name: Some(name), outcome: "kept", code: None, reason: None, why: None },
        Fate::Near(name, reason) => with_reason(Some(name), "changed", reason),
        Fate::Lost(reason) => with_reason(None, "lost", reason),
    })
}

fn with_reason(name: Option<&'static str>, outcome: &'static str, reason: Reason) -> Cell {
    Cell { name, outcome, code: Some(reason.code().name()), reason: Some(reason.name()), why: Some(reason.text()) }
}

/// `{"formats": [{"id", "title"}], "fields": [{"field", "in": {FORMAT: {"outcome", "name", "code", "why"}}}]}`.
pub fn json(formats: &[&Format]) -> String {
    let line = |field: &Field| FieldLine {
        field: field.name(),
        cells: formats.iter().filter_map(|format| Some((format.id, cell(format, *field)?))).collect(),
    };
    let matrix = Matrix {
        formats: formats.iter().map(|format| FormatColumn { id: format.id, title: format.title }).collect(),
        fields: Field::ALL.iter().map(line).collect(),
    };
    // strings and maps of strings are always JSON
    serde_json::to_string_pretty(&matrix).unwrap_or_default() + "\n"
}

fn short(format: &Format, field: Field) -> String {
    match fate(format, field) {
        Some(Fate::Native(name)) => name.to_owned(),
        Some(Fate::Near(name, ..)) => format!("~ {name}"),
        Some(Fate::Lost(..)) => "-".to_owned(),
        None => String::new(),
    }
}

/// A table in Markdown.
pub fn markdown(formats: &[&Format]) -> String {
    let mut text = String::from("| field |");
    for format in formats {
        text.push_str(&format!(" {} |", format.id));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(formats.len()));
    text.push('\n');
    for field in Field::ALL {
        text.push_str(&format!("| `{}` |", field.name()));
        for format in formats {
            let cell = short(format, *field);
            match cell.strip_prefix("~ ") {
                _ if cell == "-" => text.push_str(" – |"),
                Some(name) => text.push_str(&format!(" ~ `{name}` |")),
                None => text.push_str(&format!(" `{cell}` |")),
            }
        }
        text.push('\n');
    }
    text
}

/// A table for a terminal. With several formats a mark each, with one or two their names.
pub fn text(formats: &[&Format]) -> String {
    let named = formats.len() <= 2;
    let cells = |field: &Field| -> Vec<String> {
        let mark = |format: &&Format| match (named, fate(format, *field)) {
            (true, _) => short(format, *field),
            (false, Some(Fate::Native(_))) => "yes".to_owned(),
            (false, Some(Fate::Near(..))) => "~".to_owned(),
            (false, Some(Fate::Lost(..)) | None) => "-".to_owned(),
        };
        std::iter::once(field.name().to_owned()).chain(formats.iter().map(mark)).collect()
    };
    let head = std::iter::once("field".to_owned()).chain(formats.iter().map(|format| format.id.to_owned())).collect();
    let mut rows: Vec<Vec<String>> = vec![head];
    rows.extend(Field::ALL.iter().map(cells));
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=formats.len()).map(wide).collect();
    let mut text = String::new();
    for row in &rows {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, wide)| format!("{cell:<wide$}")).collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text.push_str("\nyes: kept   ~: kept with a change   -: lost; `transfeed formats FORMAT` shows the elements\n");
    text
}
