//! `transfeed formats`: the fields that each format can carry, from the fate tables.

use clap::Args;

use super::exit::Exit;
use super::known::known;
use super::output::print;
use crate::cli::argument::{target, target_names};
use crate::error::Error;
use crate::format::Format;
use crate::matrix;

/// Show which fields each format can carry.
#[derive(Args)]
#[command(after_help = "Examples:\n  transfeed formats\n  transfeed formats video-sitemap --json\n  \
    transfeed formats --markdown")]
pub struct Formats {
    /// Show only these formats
    #[arg(value_name = "FORMAT", value_parser = known(target, target_names), hide_possible_values = true)]
    formats: Vec<&'static Format>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
///
/// # Errors
/// Errors of standard output.
pub fn run(args: &Formats) -> Result<Exit, Error> {
    let formats: Vec<_> = match args.formats.as_slice() {
        [] => crate::format::targets().collect(),
        some => some.to_vec(),
    };
    let text = if args.json {
        matrix::json(&formats)
    } else if args.markdown {
        matrix::markdown(&formats)
    } else {
        matrix::text(&formats)
    };
    print(std::io::stdout().lock(), text.as_bytes())?;
    Ok(Exit::Done)
}
