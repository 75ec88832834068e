//! Commands without a process, a file or a standard stream: `transfeed convert` for tests, which convert thousands of
//! documents, and `transfeed explain` for the wheel. The options are those of the command line, read by the same parser.

use clap::{CommandFactory, Parser};

use super::{Cli, Command};
use crate::convert::{Bytes, Conversion};
use crate::error::Error;
use crate::report::{self, ReportDetail, TextOptions};

/// What a conversion left behind.
#[derive(Debug)]
pub struct ConversionOutput {
    /// The document.
    pub output: Vec<u8>,
    /// The report with each occurrence, as `--report FILE.jsonl` writes it.
    pub report: Vec<u8>,
    /// What `-v` prints.
    pub summary: String,
}

/// Converts `input` with these options of `transfeed convert`; those that name files have no effect. Without `--now` a
/// date that nothing else gives is that of the clock.
///
/// # Errors
/// What stops the command.
pub fn convert(input: &[u8], options: &[&str]) -> Result<ConversionOutput, Error> {
    let usage = |says: String| Error::format(says, "see `transfeed convert --help`");
    let words = ["transfeed", "convert"].iter().chain(options);
    let cli = Cli::try_parse_from(words).map_err(|error| usage(error.to_string()))?;
    let Some(Command::Convert(args)) = cli.command else { return Err(usage("expected a conversion".to_owned())) };
    let (to, wanted) = (args.target()?, &args.wanted);
    wanted.refuse(to)?;
    let mut conversion = Conversion::to(to).with(wanted.options(None)?);
    if let Some(from) = wanted.from {
        conversion = conversion.from(from);
    }
    let (mut output, mut report) = (Vec::new(), Vec::new());
    let summary = conversion.run(&[&Bytes { name: "-", bytes: input }], &mut output, Some(&mut report))?;
    report::last_line(&summary, &mut report).map_err(Error::output)?;
    Ok(ConversionOutput {
        output,
        report,
        summary: report::text(&summary, to, &TextOptions::plain(ReportDetail::Whole)),
    })
}

/// The text that `transfeed explain` prints.
///
/// # Errors
/// A name that nothing has, with the nearest one.
pub fn explain(name: &str) -> Result<String, Error> {
    super::explain::explain(name.trim(), Cli::command())
}
