//! The rules that a document breaks: as `transfeed validate --format html` or `--format json` has them.

use std::io::Write;
use std::sync::Arc;

use serde_json::{Value, json};
use transfeed::Error;
use transfeed::convert::Input;
use transfeed::html::{self, CheckedDocument, LISTED_OF_A_RULE, ValidationResult};
use transfeed::model::Date;
use transfeed::options::{Limits, Options};
use transfeed::rules::{self, CHECKED_AT_ONCE, Check, CheckSummary, Finding, PartKinds, Settings, Severity};

use crate::request::ValidateRequest;
use crate::{Answer, Output, PageInput, stem, written};

/// Findings of a rule that the view has.
const SHOWN: usize = 5;

pub(crate) fn run(asked: &ValidateRequest, input: &PageInput<'_>) -> Result<Answer, Error> {
    let mut found: Vec<Finding> = Vec::new();
    let check = Check { from: asked.input.source()?, ..check(asked, input.name()) };
    let checked = check.run(input, &mut found).map_err(|error| error.in_input(input.name()))?;
    if checked.profiles.is_empty() {
        let view = json!({ "unchecked": format!("There are no rules for {}.", checked.format.id) });
        return Ok(Answer { view, outputs: Vec::new() });
    }
    found.sort_by_key(Finding::key);
    let name = stem(input.name());
    if asked.json {
        let json = written(|out| {
            rules::json::document((input.name(), None), &checked, found.into_iter().map(Ok), out, |error| error)?;
            out.write_all(b"\n")
        })?;
        let output = Output::new("json", format!("{name}-findings.json"), json);
        return Ok(Answer { view: Value::Null, outputs: vec![output] });
    }
    let view = json!({
        "profiles": checked.profiles.iter().map(|profile| profile.name()).collect::<Vec<_>>(),
        "totals": checked.totals,
        "rules": broken(&checked, &found),
        "notes": checked.notes,
    });
    let page = page(input.name(), &checked, found);
    let html = written(|out| html::findings(&page, out))?;
    Ok(Answer { view, outputs: vec![Output::new("html", format!("{name}-findings.html"), html)] })
}

/// The check of the program without options.
fn check(asked: &ValidateRequest, name: &str) -> Check {
    let settings = Settings {
        level: Some(Severity::Warning),
        now: Date::from_unix(asked.now),
        file_name: Some(name.to_owned()),
        // no file lies next to this one
        kinds: Some(PartKinds(Arc::new(|_| None))),
        most: (!asked.json).then_some(LISTED_OF_A_RULE),
        excerpts: !asked.json,
        fingerprints: asked.json,
        ..Settings::default()
    };
    let limits = Limits { chunk: CHECKED_AT_ONCE, ..Limits::default() };
    let options = Options { limits, threads: 1, ..Options::default() };
    Check { settings, options, ..Check::default() }
}

/// The broken rules, the worst and most frequent first, each with its first findings.
fn broken(checked: &CheckSummary, found: &[Finding]) -> Vec<Value> {
    let mut all: Vec<_> = checked.rules.iter().filter(|(_, count)| **count > 0).collect();
    all.sort_by_key(|((code, severity), count)| (std::cmp::Reverse((*severity, **count)), *code));
    let row = |((code, severity), count): (&(&'static str, Severity), &u64)| {
        let of_rule = found.iter().filter(|finding| finding.code == *code && finding.severity == *severity);
        let rule = rules::by_code(code);
        json!({
            "code": code,
            "severity": severity.name(),
            "count": count,
            "title": rule.map(|rule| rule.title),
            "why": rule.map(|rule| rule.why),
            "mend": rule.map(|rule| rule.mend),
            "found": of_rule.take(SHOWN).map(finding).collect::<Vec<_>>(),
        })
    };
    all.into_iter().map(row).collect()
}

fn finding(finding: &Finding) -> Value {
    json!({ "line": finding.line, "column": finding.column, "says": finding.message, "hint": finding.hint })
}

fn page<'f>(name: &'f str, checked: &'f CheckSummary, found: Vec<Finding>) -> ValidationResult<'f> {
    let document = CheckedDocument {
        name: name.into(),
        format: checked.format.id,
        profiles: checked.profiles.clone(),
        entries: checked.entries,
        totals: checked.totals,
    };
    ValidationResult {
        documents: vec![document],
        totals: checked.totals,
        rules: checked.rules.clone(),
        found: found.into_iter().map(|finding| (0, finding)).collect(),
        ..ValidationResult::default()
    }
}
