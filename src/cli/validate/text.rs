//! Findings for people, in the style of compilers: place, problem, the line with a mark, reason and fix; grouped by
//! rule, the most severe first, and a table at the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::render::{CheckedFileFindings, Render, StandardOutput};
use crate::cli::color::eprint;
use crate::error::Error;
use crate::report::{input_title, make_visible};
use crate::rules::{self, Excerpt, Finding, FindingTotals, Profile, Severity};
use crate::text::{grouped, many};

/// Findings of one rule that are shown, if not all are asked for: they are held to be shown together.
pub(super) const SHOWN: u64 = 20;

/// The findings of each rule that are shown together, the worst first; and whether the first is still to come.
type FindingGroups = BTreeMap<(Reverse<Severity>, &'static str), (bool, Vec<Finding>)>;

/// The widest indent before an entry.
const WIDEST: usize = 24;

/// The text.
pub(super) struct TextForm {
    renderer: Renderer,
    all: bool,
    files: u64,
    clean: u64,
    several: bool,
}

impl TextForm {
    pub fn new(all: bool) -> TextForm {
        TextForm { renderer: Renderer::styled(), all, files: 0, clean: 0, several: false }
    }

    /// Renders one finding; the first of its rule explains why it matters.
    fn finding(&self, name: &str, finding: &Finding, first: bool) -> String {
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let title = level.primary_title(make_visible(&finding.message)).id(finding.code);
        let (line, column) = (finding.line as usize, finding.column as usize);
        // the column is the finding's own, as in all other formats: the annotated line may be only a part of the source
        // line
        let mut group: Group<'_> = title.element(Origin::path(input_title(name)).line(line).char_column(column));
        if let Some(excerpt) = &finding.excerpt {
            let (text, mark) = visible_excerpt(excerpt, column);
            let snippet = Snippet::source(text).line_start(line).fold(false);
            group = group.element(snippet.annotation(AnnotationKind::Primary.span(mark.0..mark.1)));
        }
        if let Some(rule) = rules::by_code(finding.code).filter(|_| first) {
            group = group.element(Level::NOTE.message(rule.why));
            let (source, section) = rule.source;
            let says = format!("{} ({section}); more: transfeed explain {}", source.title, rule.code);
            group = group.element(Level::NOTE.with_name("source").message(says));
        }
        group = group.element(Level::HELP.message(make_visible(&finding.hint)));
        arranged(&self.renderer.render(&[group]), finding.excerpt.is_none())
    }
}

/// A finding as it is shown: without the row that has a place for the name of another file, and with the indent that a
/// number of a line gives to the others where there is none.
fn arranged(rendered: &str, alone: bool) -> String {
    let mut text = String::with_capacity(rendered.len() + 16);
    let mut skip = false;
    for (number, line) in rendered.lines().enumerate() {
        let plain = anstream::adapter::strip_str(line).to_string();
        if std::mem::take(&mut skip) && plain.trim() == "|" {
            continue;
        }
        if plain.trim() == ":::" {
            skip = true;
            continue;
        }
        if alone && number > 0 {
            text.push(' ');
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A part of the source in visible characters, and the marked range in it. Missing text before it in its line becomes
/// spaces if it may be an indent, else an ellipsis.
fn visible_excerpt(excerpt: &Excerpt, column: usize) -> (String, (usize, usize)) {
    let part = |from: usize, to: usize| make_visible(excerpt.text.get(from..to).unwrap_or(""));
    let (start, end) = excerpt.mark;
    let before = part(0, start);
    let unseen = column.saturating_sub(1).saturating_sub(before.chars().count());
    let mut text = match excerpt.cut_before || unseen > WIDEST {
        true => "…".to_owned(),
        false => " ".repeat(unseen),
    };
    text.push_str(&before);
    let from = text.len();
    text.push_str(&part(start, end));
    let to = text.len();
    text.push_str(&part(end, excerpt.text.len()));
    if excerpt.cut_after {
        text.push('…');
    }
    (text, (from, to))
}

impl Render for TextForm {
    fn file(&mut self, mut shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        self.files += 1;
        self.several |= shown.several;
        if shown.checked.totals.sum() == 0 {
            self.clean += 1;
            // of several files only those are shown in which there is something
            if shown.several {
                return Ok(());
            }
        }
        let mut groups = FindingGroups::new();
        for finding in &mut shown.findings {
            let finding = finding?;
            let group = groups.entry((Reverse(finding.severity), finding.code)).or_insert((true, Vec::new()));
            if self.all {
                // all of them may be too many to be held, so they come by line and not by rule
                let first = std::mem::replace(&mut group.0, false);
                out.put(self.finding(shown.name, &finding, first).as_bytes())?;
                out.put(b"\n")?;
            } else if (group.1.len() as u64) < SHOWN {
                group.1.push(finding);
            }
        }
        for ((severity, code), (_, group)) in &groups {
            for (number, finding) in group.iter().enumerate() {
                out.put(self.finding(shown.name, finding, number == 0).as_bytes())?;
                out.put(b"\n")?;
            }
            let count = shown.checked.rules.get(&(*code, severity.0)).copied().unwrap_or(0);
            let rest = count.saturating_sub(group.len() as u64);
            if rest > 0 && !self.all {
                out.put(format!("… and {} more of {code}; --all shows them\n\n", grouped(rest)).as_bytes())?;
            }
        }
        out.put(summary(&shown).as_bytes())
    }

    fn end(&mut self, totals: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        if !self.several {
            return Ok(());
        }
        let (files, clean) = (many(self.files, "file", "files"), self.clean);
        let apart = if self.clean < self.files { "\n" } else { "" };
        out.put(format!("{apart}{files}, {clean} without findings: {}\n", counted(totals)).as_bytes())
    }
}

/// Prints nothing: the exit code shows whether there are findings.
pub(super) struct QuietForm;

impl Render for QuietForm {
    fn file(&mut self, shown: CheckedFileFindings<'_>, _: &mut StandardOutput) -> Result<(), Error> {
        // otherwise silence would mean that the pages are as they should be
        if let Some(sitemaps) = listed_only(&shown) {
            eprint(&format!("warning: {}: {sitemaps}; pass --follow-remote\n", input_title(shown.name)));
        }
        Ok(())
    }
}

/// The table of a file, and the sentence under it.
/// The sitemaps of an index at a URL, which are checked only where they are fetched: then there is no result for the index.
fn listed_only(shown: &CheckedFileFindings<'_>) -> Option<String> {
    let is_index = shown.fetched.is_some() && shown.checked.format.id == "sitemap-index";
    is_index.then(|| format!("{} listed, not checked", many(shown.checked.entries, "sitemap", "sitemaps")))
}

fn summary(shown: &CheckedFileFindings<'_>) -> String {
    let checked = shown.checked;
    let mut text = String::new();
    let mut rows: Vec<_> = checked.rules.iter().map(|((code, severity), count)| (*severity, *code, *count)).collect();
    rows.sort_by_key(|(severity, code, _)| (Reverse(*severity), *code));
    let width = rows.iter().map(|row| grouped(row.2).len()).max().unwrap_or(0);
    for (severity, code, count) in &rows {
        let count = grouped(*count);
        let title = rules::by_code(code).map_or("", |rule| rule.title);
        let _ = writeln!(text, "{:<8} {code} {count:>width$}  {title}", severity.name());
    }
    if !rows.is_empty() {
        text.push('\n');
    }
    let profiles: Vec<&str> = checked.profiles.iter().map(|profile: &Profile| profile.name()).collect();
    let entries = match (listed_only(shown), checked.entries) {
        (Some(sitemaps), _) => format!("{sitemaps} (--follow-remote)"),
        (None, count) => many(count, "entry", "entries"),
    };
    let of = if profiles.is_empty() { "no rules".to_owned() } else { profiles.join(", ") };
    let _ = writeln!(
        text,
        "{} ({}, checked for {of}): {entries}, {}",
        input_title(shown.name),
        checked.format.id,
        if profiles.is_empty() { "nothing checked".to_owned() } else { counted(checked.totals) }
    );
    text
}

fn counted(totals: FindingTotals) -> String {
    if totals.sum() == 0 {
        return "nothing found".to_owned();
    }
    let all =
        [(totals.error, "error", "errors"), (totals.warning, "warning", "warnings"), (totals.info, "info", "infos")];
    let some = all.into_iter().filter(|(count, ..)| *count > 0);
    some.map(|(count, one, more)| many(count, one, more)).collect::<Vec<_>>().join(", ")
}
