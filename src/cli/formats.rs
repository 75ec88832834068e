//! `transfeed formats`: what each format can carry, from the fate tables.

use std::io::Write;

use super::Formats;
use super::exit::Exit;
use crate::error::Error;
use crate::matrix;

/// Runs the command.
///
/// # Errors
/// What standard output says.
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
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| Error::io("standard output", error))?;
    Ok(Exit::Done)
}
