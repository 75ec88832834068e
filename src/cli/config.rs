//! Which settings file a command reads. Its content is read in settings.rs.

use crate::cli::argument::RUN;
use clap::Args;
use clap::builder::OsStringValueParser;
use clap::builder::TypedValueParser;
use std::path::PathBuf;

/// The file that is looked for.
const NAME: &str = "transfeed.toml";

/// The variable that names the settings file.
pub(super) const ENV: &str = "TRANSFEED_CONFIG";

/// Reads the name of a settings file. It may be empty, as a variable may be.
pub(super) fn config() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// The settings file that is named; an empty variable names none.
pub(super) fn named(config: Option<PathBuf>) -> Option<PathBuf> {
    let is_unset = std::env::var_os(ENV).is_some_and(|name| name.is_empty());
    config.filter(|name| !(is_unset && name.as_os_str().is_empty()))
}

/// The nearest file of that name, in this folder or above, by a path relative to this folder.
pub(super) fn find_file() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    // a broken symlink was meant to be the file, so reading it reports the error
    let is_there = |path: PathBuf| path.is_file() || path.is_symlink() && !path.exists();
    let above = folder.ancestors().position(|folder| is_there(folder.join(NAME)))?;
    Some(std::iter::repeat_n("..", above).collect::<PathBuf>().join(NAME))
}

/// The settings file that a command has read, if any.
pub(super) fn file(args: &SettingsArgs) -> Option<PathBuf> {
    (!args.no_config).then(|| named(args.config.clone()).or_else(find_file)).flatten()
}

/// Which settings file, the same for every command that has a table in it.
#[derive(Args)]
pub(super) struct SettingsArgs {
    /// Settings file [default: transfeed.toml in this folder or the nearest parent]
    #[arg(long, value_name = "FILE", env = ENV, value_parser = config(), help_heading = RUN, hide_short_help = true)]
    pub(super) config: Option<PathBuf>,
    /// Ignore settings files
    #[arg(long, help_heading = RUN, hide_short_help = true)]
    pub(super) no_config: bool,
}
