//! Options for tables: which columns are written, what a row is, and what a spreadsheet would run.

use clap::{Args, ValueEnum};

use crate::format::Format;
use crate::format::csv::ALL;
use crate::format::csv::columns;
use crate::options::{Options, TableRows};
use crate::text::nearest;

/// The options.
#[derive(Args)]
#[command(next_help_heading = "Tables")]
pub struct TableArgs {
    /// Write these columns: names of fields, or all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column, hide_short_help = true)]
    columns: Vec<String>,
    /// Write one row per video, or per page
    #[arg(long, value_name = "OBJECT", default_value = "video", hide_possible_values = true, hide_short_help = true)]
    rows: RowsArg,
    /// Put a quote in front of cells that a spreadsheet would run
    #[arg(long, hide_short_help = true)]
    csv_safe: bool,
}

/// What a row holds.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RowsArg {
    /// One video, with the values of its page
    Video,
    /// One page, with a value of each of its videos
    Page,
}

/// The heading of a column.
fn column(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name == ALL {
        return Ok(name.to_owned());
    }
    if let Some(known) = columns::by_heading(name) {
        return Ok(known.heading.to_owned());
    }
    let headings = columns::all().iter().map(|column| column.heading);
    let hint = nearest(name, headings).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Err(format!("no column with this name: {hint}`transfeed formats csv` lists them"))
}

impl TableArgs {
    /// Sets the options of the library.
    pub fn apply(&self, options: &mut Options) {
        options.columns.clone_from(&self.columns);
        options.rows = match self.rows {
            RowsArg::Video => TableRows::Video,
            RowsArg::Page => TableRows::Page,
        };
        options.csv_safe = self.csv_safe;
    }

    /// Which of them this target has no use for.
    pub fn unused(&self, to: &Format) -> Vec<(&'static str, bool)> {
        let table = to.id == "csv";
        vec![
            ("--columns", !self.columns.is_empty() && !table),
            ("--rows", self.rows != RowsArg::Video && !table),
            ("--csv-safe", self.csv_safe && !table),
        ]
    }
}
