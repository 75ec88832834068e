//! Findings as SARIF 2.1.0 for code scanning: at most 5,000 results, the limit of GitHub; the rest is counted in a
//! notification.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::render::{CheckedFileFindings, Render, StandardOutput, in_repository};
use crate::error::Error;
use crate::report::make_visible;
use crate::rules::{self, FindingTotals, Rule, Severity};

/// Results of a run that are shown.
pub(super) const MOST: usize = 5_000;

/// The document.
#[derive(Default)]
pub(super) struct Sarif {
    results: Vec<Value>,
    /// Findings of each rule that had no place any more.
    rest: BTreeMap<&'static str, u64>,
    /// What could not be read.
    refused: Vec<Value>,
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// The name of a file as a URI reference: characters not allowed in one are escaped.
fn reference(name: &str) -> String {
    let name = in_repository(name).replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn rule(rule: &Rule) -> Value {
    let (source, section) = rule.source;
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{} Source: {}, {section} ({}).", rule.mend, source.title, source.read) },
        "helpUri": source.address,
    })
}

impl Render for Sarif {
    fn file(&mut self, shown: CheckedFileFindings<'_>, _: &mut StandardOutput) -> Result<(), Error> {
        let uri = reference(shown.name);
        let mut listed: BTreeMap<&'static str, u64> = BTreeMap::new();
        for finding in shown.findings {
            let finding = finding?;
            if self.results.len() >= MOST {
                continue;
            }
            *listed.entry(finding.code).or_default() += 1;
            let text = make_visible(&format!("{}; {}", finding.message, finding.hint));
            self.results.push(json!({
                "ruleId": finding.code,
                "level": level(finding.severity),
                "message": { "text": text },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": uri },
                    "region": { "startLine": finding.line.max(1), "startColumn": finding.column.max(1) },
                } }],
                "partialFingerprints": { "entryAndRule/v1": format!("{:016x}", finding.fingerprint) },
                "properties": { "profile": finding.profile.name() },
            }));
        }
        for ((code, _), count) in &shown.checked.rules {
            let rest = self.rest.entry(code).or_default();
            *rest = (*rest + count).saturating_sub(listed.remove(code).unwrap_or(0));
        }
        Ok(())
    }

    fn refused(&mut self, name: &str, why: &str, _: &mut StandardOutput) -> Result<(), Error> {
        self.refused.push(json!({
            "level": "error",
            "message": { "text": make_visible(why) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": reference(name) } } }],
        }));
        Ok(())
    }

    fn end(&mut self, _: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        let rest: u64 = self.rest.values().sum();
        let mut notes = std::mem::take(&mut self.refused);
        let complete = notes.is_empty();
        match rest {
            0 => (),
            rest => {
                let rows = self.rest.iter().filter(|row| *row.1 > 0).map(|(code, count)| format!("{count} of {code}"));
                let rows: Vec<String> = rows.collect();
                let text = format!("and {rest} more that are not listed here: {}", rows.join(", "));
                notes.push(json!({ "level": "warning", "message": { "text": text } }));
            }
        }
        let rules: Vec<Value> = rules::all().map(rule).collect();
        out.put_json(&json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "transfeed",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{ "executionSuccessful": complete, "toolExecutionNotifications": notes }],
                "results": self.results,
            }],
        }))?;
        out.put(b"\n")
    }
}
