//! Path patterns (`*.xml`, `archive/**`, `{a,b}/*.rss`) of `--include`, `--exclude`, sources, and inputs in a settings
//! file.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::error::{Error, cause};
use crate::job::shown;

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// Whether a path is to be read as a pattern, unless a file has that name.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(WILD)
}

/// The folder before the first step that is a pattern (empty if that is the first one), and the pattern below it.
///
/// # Errors
/// An unclosed bracket or brace.
pub(super) fn split(text: &str) -> Result<(PathBuf, PathPattern), String> {
    let steps: Vec<&str> = text.split('/').collect();
    let wild = steps.iter().position(|step| is_pattern(step)).unwrap_or(0);
    let (fixed, rest) = steps.split_at(wild);
    let folder = match fixed.join("/") {
        folder if folder.is_empty() && !fixed.is_empty() => PathBuf::from("/"),
        folder => PathBuf::from(folder),
    };
    Ok((folder, PathPattern::parse(rest.join("/"))?))
}

/// The inputs, with the files that patterns match, each with whether that named it: not every shell expands patterns.
///
/// # Errors
/// The pattern is invalid, a folder cannot be read, or standard input is named twice. A name that matches nothing stays as
/// it is.
pub(super) fn inputs(names: &[String]) -> Result<Vec<(String, bool)>, Error> {
    if names.iter().filter(|name| *name == "-").count() > 1 {
        return Err(Error::format("cannot read standard input twice", "pass - once"));
    }
    let mut all = Vec::new();
    for name in names {
        let is_pattern = is_pattern(name) && !name.contains("://") && !Path::new(name).exists();
        let found = if is_pattern { expand(Path::new(""), name) } else { Ok(Vec::new()) };
        let cannot = |(cause, has_advice): (String, bool)| {
            let hint = if has_advice { "" } else { "; check the name or the pattern" };
            Error::io(format!("cannot read {name}"), io::Error::other(cause + hint))
        };
        let found = found.map_err(cannot)?;
        match found.is_empty() {
            true => all.push((name.clone(), false)),
            false => all.extend(found.iter().map(|file| (file.to_string_lossy().into_owned(), true))),
        }
    }
    Ok(all)
}

/// The names of these inputs alone.
///
/// # Errors
/// See [`inputs`].
pub(super) fn names(given: &[String]) -> Result<Vec<String>, Error> {
    Ok(inputs(given)?.into_iter().map(|(name, _)| name).collect())
}

/// The files below `base` that match, in order of their names; hidden files and folders never match, as in a shell.
///
/// # Errors
/// An unclosed bracket or brace, a folder that cannot be listed, a match of which nothing can be known, no match: the cause, and
/// whether it has advice.
pub(super) fn expand(base: &Path, text: &str) -> Result<Vec<PathBuf>, (String, bool)> {
    let (folder, pattern) = split(text).map_err(|cause| (cause, false))?;
    let folder = base.join(folder);
    let root = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    // only `**` leads deeper than the pattern has steps
    let depth = if pattern.0.contains("**") { usize::MAX } else { pattern.0.split('/').count() };
    let walk = WalkDir::new(root).min_depth(1).max_depth(depth).sort_by_file_name();
    let mut files = Vec::new();
    for entry in walk.into_iter().filter_entry(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.io_error().is_some_and(|error| error.kind() == ErrorKind::NotFound) => continue,
            Err(error) => {
                let why = error.io_error().map_or_else(|| error.to_string(), cause);
                return Err((format!("cannot list {}: {why}", shown(error.path().unwrap_or(root))), true));
            }
        };
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        if !pattern.matches(below) {
            continue;
        }
        match entry.path().metadata() {
            Ok(meta) if meta.is_file() => files.push(folder.join(below)),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err((format!("cannot read {}: {}", shown(entry.path()), cause(&error)), true));
            }
            // a folder, a device, or a symlink to nothing
            Ok(_) | Err(_) => (),
        }
    }
    match files.is_empty() {
        true => Err((format!("no file matches {text}"), false)),
        false => Ok(files),
    }
}

/// A folder as the start of a pattern, with its special characters escaped.
pub(super) fn escaped(folder: &str) -> String {
    let mut text = String::with_capacity(folder.len());
    for character in folder.chars() {
        if WILD.contains(&character) || matches!(character, ']' | '}' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// One pattern. `*`, `?` and `[…]` do not match a slash, `**` matches any number of folders.
#[derive(Clone)]
pub(super) struct PathPattern(String);

impl PathPattern {
    /// An unclosed bracket or brace is an error: a pattern that can match nothing is a typing error.
    pub(super) fn parse(text: String) -> Result<PathPattern, String> {
        match unclosed(&text) {
            Some(bracket) => Err(format!("the pattern {text} has an unclosed {bracket}")),
            None => Ok(PathPattern(text)),
        }
    }

    /// Whether a file in this folder, or deeper in it, could match.
    pub(super) fn leads_into(&self, folder: &Path) -> bool {
        let mut steps = self.0.split('/');
        for name in folder.components() {
            match steps.next() {
                // braces may contain slashes, and then this is no whole step
                Some(step) if step.contains("**") || unclosed(step).is_some() => return true,
                Some(step) if fast_glob::glob_match(step, name.as_os_str().as_encoded_bytes()) => (),
                Some(_) | None => return false,
            }
        }
        steps.next().is_some()
    }

    /// Names are bytes: one that is not UTF-8 matches too.
    pub(super) fn matches(&self, path: &Path) -> bool {
        fast_glob::glob_match(&self.0, path.as_os_str().as_encoded_bytes())
    }
}

/// Any of several patterns.
#[derive(Clone)]
pub(super) struct Patterns(Vec<PathPattern>);

impl Patterns {
    /// A pattern without a slash is for names in any folder, one with a slash for paths below the source. A folder that
    /// matches matches with everything in it.
    pub(super) fn parse(option: &str, patterns: &[String]) -> Result<Patterns, Error> {
        let mut all = Vec::new();
        for pattern in patterns {
            let name = pattern.trim_end_matches('/');
            let wrong = |error| Error::format(format!("{option}: {error}"), "a pattern is like *.xml or archive/**");
            // a message has the pattern as it was typed
            PathPattern::parse(name.to_owned()).map_err(wrong)?;
            let path = match name.contains('/') {
                true => name.trim_start_matches('/').to_owned(),
                false => format!("**/{name}"),
            };
            for path in [format!("{path}/**"), path] {
                all.push(PathPattern::parse(path).map_err(wrong)?);
            }
        }
        Ok(Patterns(all))
    }

    pub(super) fn matches(&self, path: &Path) -> bool {
        self.0.iter().any(|pattern| pattern.matches(path))
    }
}

/// The bracket or brace that is opened and not closed, if there is one. Inside brackets everything is a character, the
/// first one also where it is `]`.
fn unclosed(pattern: &str) -> Option<char> {
    let (mut braces, mut bracket) = (0_usize, None);
    let mut characters = pattern.chars().enumerate();
    while let Some((at, character)) = characters.next() {
        match (bracket, character) {
            (_, '\\') => drop(characters.next()),
            (Some(first), ']') if at > first => bracket = None,
            (Some(first), '!' | '^') if at == first => bracket = Some(first + 1),
            (Some(_), _) => (),
            (None, '[') => bracket = Some(at + 1),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, _) => (),
        }
    }
    bracket.map(|_| '[').or((braces > 0).then_some('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let one = PathPattern::parse(pattern.to_owned()).expect("a pattern");
        one.matches(Path::new(path))
    }

    #[test]
    fn stars_stay_in_a_folder_and_double_stars_do_not() {
        let hits = [
            ("*.xml", "a.xml"),
            ("**/*.xml", "a.xml"),
            ("**/*.xml", "a/b/c.xml"),
            ("a/**/c.xml", "a/c.xml"),
            ("{a,b}/*.rss", "b/x.rss"),
            ("[!a]?.xml", "bc.xml"),
            ("a[]]b", "a]b"),
            (r"\{a\}", "{a}"),
            ("ö*", "öl"),
        ];
        for (pattern, path) in hits {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        let misses =
            [("*.xml", "a/b.xml"), ("a/*/c", "a/c"), ("?", "/"), ("a/**/c.xml", "b/a/c.xml"), ("*.XML", "a.xml")];
        for (pattern, path) in misses {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn folders_that_can_hold_a_match() {
        let leads = |pattern: &str, folder: &str| {
            PathPattern::parse(pattern.to_owned()).expect("a pattern").leads_into(Path::new(folder))
        };
        let hits =
            [("*/*.xml", "a"), ("a/**", "a/b/c"), ("**/x.xml", "a/b"), ("{a/b,c}/*.xml", "a"), ("a/*/c.xml", "a/b")];
        for (pattern, folder) in hits {
            assert!(leads(pattern, folder), "{pattern} {folder}");
        }
        for (pattern, folder) in [("*.xml", "a"), ("*/*.xml", "a/b"), ("a/*/c.xml", "b"), ("a/*", "a/b")] {
            assert!(!leads(pattern, folder), "{pattern} {folder}");
        }
    }

    #[test]
    fn unclosed_brackets_are_refused() {
        for wrong in ["[", "a[b", "[]", "{a,b", "a/{b,[c]", "[!]"] {
            assert!(PathPattern::parse(wrong.to_owned()).is_err(), "{wrong}");
        }
        for right in ["[]]", "{a,b}", "[{]", r"\[", "[!]]", "a}"] {
            assert!(PathPattern::parse(right.to_owned()).is_ok(), "{right}");
        }
    }
}
