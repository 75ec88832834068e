//! Settings from a file: `transfeed.toml`, named or found in this folder or above. What is said on the command line, or
//! by the environment, goes before it.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::args::{Form, Level, Validate, code, nearest, profile};
use crate::cli::{address, date};
use crate::error::Error;

/// The file that is looked for.
const NAME: &str = "transfeed.toml";

/// Keys of the table `[validate]`.
const KEYS: [&str; 10] =
    ["profile", "level", "select", "ignore", "sitemap-url", "now", "format", "all", "baseline", "exit-zero"];

/// Fills in what neither the command line nor the environment says.
pub(super) fn apply(args: &mut Validate) -> Result<(), Error> {
    let path = match &args.config {
        Some(path) => path.clone(),
        None if args.no_config => return Ok(()),
        None => match found() {
            Some(path) => path,
            None => return Ok(()),
        },
    };
    let name = path.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&path).map_err(|error| Error::io(&*name, error))?;
    let wrong = |says: String| Error::format(format!("{name}: {says}"), "see `transfeed validate --help`");
    let table: Map<String, Value> = basic_toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    for (key, value) in &table {
        match value.as_object() {
            Some(table) if key == "validate" => {
                for (key, value) in table {
                    set(args, key, value, path.parent().unwrap_or(Path::new(""))).map_err(wrong)?;
                }
            }
            _ => return Err(wrong(unknown(key, &["validate"]))),
        }
    }
    Ok(())
}

/// The nearest file of that name, in this folder or above.
fn found() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

fn unknown(key: &str, known: &[&str]) -> String {
    let near = nearest(key, known.iter().copied()).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    format!("unknown key {key}: {near}known are {}", known.join(", "))
}

fn set(args: &mut Validate, key: &str, value: &Value, folder: &Path) -> Result<(), String> {
    let text = || value.as_str().ok_or_else(|| format!("{key} is to be a text"));
    let flag = || value.as_bool().ok_or_else(|| format!("{key} is to be true or false"));
    let list = || match value {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            texts.ok_or_else(|| format!("{key} is to be a list of texts"))
        }
        _ => Err(format!("{key} is to be a text or a list of texts")),
    };
    match key {
        "profile" if args.profile.is_empty() => {
            args.profile = list()?.iter().map(|name| profile(name)).collect::<Result<_, _>>()?;
        }
        "select" if args.select.is_empty() => {
            args.select = list()?.iter().map(|text| code(text)).collect::<Result<_, _>>()?;
        }
        "ignore" if args.ignore.is_empty() => {
            args.ignore = list()?.iter().map(|text| code(text)).collect::<Result<_, _>>()?;
        }
        "level" if args.level.is_none() => args.level = Some(word::<Level>(text()?)?),
        "format" if args.format.is_none() => args.format = Some(word::<Form>(text()?)?),
        "sitemap-url" if args.sitemap_url.is_none() => args.sitemap_url = Some(address(text()?)?),
        "now" if args.now.is_none() => args.now = Some(date(text()?)?),
        "baseline" if args.baseline.is_none() => args.baseline = Some(folder.join(text()?)),
        "all" => args.all |= flag()?,
        "exit-zero" => args.exit_zero |= flag()?,
        key if KEYS.contains(&key) => (),
        key => return Err(unknown(key, &KEYS)),
    }
    Ok(())
}

fn word<T: clap::ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, true)
}
