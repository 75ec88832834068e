//! `transfeed completions` and `transfeed man`: generated from the definition of the command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Exit;
use super::output::print;
use crate::error::Error;

/// Print shell completions.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  transfeed completions bash > ~/.local/share/bash-completion/completions/transfeed\n  \
    transfeed completions zsh > ~/.zfunc/_transfeed\n  transfeed completions fish > ~/.config/fish/completions/transfeed.fish"
)]
pub struct Completions {
    /// Shell to complete for
    shell: Shell,
}

/// Write the manual pages to a folder, or print the first.
#[derive(Args)]
#[command(after_help = "Examples:\n  transfeed man | man -l -\n  transfeed man /usr/local/share/man/man1")]
pub struct Man {
    /// Output folder [default: print the page of transfeed]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

fn done(page: &[u8]) -> Result<Exit, Error> {
    print(std::io::stdout().lock(), page)?;
    Ok(Exit::Done)
}

/// Runs `completions`.
///
/// # Errors
/// Standard output.
pub fn completions(args: &Completions, mut command: Command) -> Result<Exit, Error> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut command, "transfeed", &mut out);
    done(&out)
}

/// Runs `man`.
///
/// # Errors
/// The folder, standard output.
pub fn man(args: &Man, command: Command) -> Result<Exit, Error> {
    // help has no page
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.folder else { return done(&page(&command)?) };
    fs::create_dir_all(folder).map_err(|error| Error::io(folder.to_string_lossy(), error))?;
    write(folder, "transfeed.1", &command)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write(folder, &format!("transfeed-{}.1", sub.get_name()), sub)?;
    }
    Ok(Exit::Done)
}

fn page(command: &Command) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    // options hidden in the short help are listed in the manual
    let command = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let page = clap_mangen::Man::new(command).source(concat!("transfeed ", env!("CARGO_PKG_VERSION")));
    page.render(&mut out).map_err(|error| Error::io("manual", error))?;
    Ok(String::from_utf8_lossy(&out).replace("\n.SH EXTRA\n", "\n.SH EXAMPLES\n").into_bytes())
}

fn write(folder: &Path, name: &str, command: &Command) -> Result<(), Error> {
    let path = folder.join(name);
    let page = page(command)?;
    fs::write(&path, page).map_err(|error| Error::io(path.to_string_lossy(), error))
}
