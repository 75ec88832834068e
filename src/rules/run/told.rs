//! From a problem in a tree, or a repair of the reader, to a finding: its place, its fix, and the fingerprint that
//! identifies it in another run. The selection is in `books`.

use std::collections::HashMap;
use std::sync::Arc;

use sha1::{Digest, Sha1};

use super::books::NumberedFinding;
use super::context::CheckContext;
use crate::convert::{RawEntry, bad_place};
use crate::diagnostic;
use crate::model::origin::{SourcePart, Syntax};
use crate::place::{LineIndex, advance};
use crate::rules::check::document::repair_hint;
use crate::rules::finding::{Excerpt, Finding};
use crate::rules::hits::{Cx, Hit, Hits, QuotedValue, cut};
use crate::tree::{NodeKind, Tree};
use crate::xml::chunk::Trouble;
use crate::xml::limits::TreeError;
use crate::xml::names::{Ns, was_canonical};

/// Findings of one entry whose lines are counted one by one.
const FEW: usize = 2;

impl CheckContext<'_> {
    /// A finding about the whole document.
    pub(super) fn whole(&self, code: &str, says: String, hint: &str, hits: &mut Hits<'_>) -> Option<NumberedFinding> {
        let rule = self.active.levels.number(code)?;
        self.placed((rule, 0), (1, 1, None), (says, hint.to_owned(), None), hits)
    }

    /// A finding for a problem of the bytes, or of markup outside entries.
    pub(super) fn trouble(&self, trouble: &Trouble, hits: &mut Hits<'_>) -> Option<NumberedFinding> {
        let of = self.active.of_repair(trouble.code)?;
        let texts = repair_texts(trouble.code, &trouble.found, Ns::None);
        self.placed(of, (trouble.line, trouble.column, trouble.entry), texts, hits)
    }

    pub(super) fn placed(
        &self,
        (rule, variant): (usize, u8),
        (line, column, entry): (u32, u32, Option<u64>),
        (message, hint, value): (String, String, Option<String>),
        hits: &mut Hits<'_>,
    ) -> Option<NumberedFinding> {
        let (severity, profile) = self.active.levels.level(rule, variant)?;
        let code = self.active.rules.get(rule)?.code;
        hits.count(rule, variant);
        let fingerprint = if self.check.settings.fingerprints { fingerprint(&[code, &message]) } else { 0 };
        let (path, excerpt) = (String::new(), None);
        let finding =
            Finding { code, severity, profile, message, hint, line, column, path, entry, value, fingerprint, excerpt };
        Some((rule, finding))
    }

    /// What reading had to repair in a tree.
    pub(super) fn repairs(&self, tree: &Tree<'_>, is_head: bool, hits: &mut Hits<'_>) {
        for repair in &tree.repairs {
            let root = tree.root().filter(|root| root.raw().uri == repair.found);
            let ns = || root.map_or_else(|| Ns::from_uri(&repair.found).ns, |root| root.ns());
            let code = match repair.code {
                "ns.alias" if was_canonical(&repair.found) => continue,
                // the root of RSS has no namespace; another finding reports it
                "ns.alias" if root.is_some_and(|root| root.ns() == Ns::Rss2 && root.name() == "rss") => continue,
                // which rule it is about depends on the namespace
                "ns.alias" => namespace_code(ns(), &repair.found),
                "xml.entity" => "xml.entity.reference",
                "name.case" if is_head && tree.root().is_some_and(|root| root.raw().at == repair.at) => {
                    "name.case.root"
                }
                code => code,
            };
            let Some((rule, variant)) = self.active.of_repair(code).filter(|_| !self.is_old_name(code, &repair.found))
            else {
                continue;
            };
            let (says, hint, value) = repair_texts(code, &repair.found, ns());
            hits.rule = rule;
            hits.repaired(variant, repair.at, (says, hint, value));
        }
    }

    /// Whether a name is one that older versions of the format have in this case.
    fn is_old_name(&self, code: &str, found: &str) -> bool {
        let version = || Some(self.head.root()?.attribute("version")?.value().starts_with("0."));
        code == "name.case" && found == "textinput" && version() == Some(true)
    }

    /// The hits of one tree as findings.
    pub(super) fn findings(
        &self,
        hits: &Hits<'_>,
        tree: &Tree<'_>,
        part: &SourcePart<'_>,
        above: &str,
    ) -> Vec<NumberedFinding> {
        if hits.found.is_empty() {
            return Vec::new();
        }
        // with many findings in a long entry, its lines are counted only once
        let mut lines = (hits.found.len() > FEW || part.places.len() > 1).then(|| LineIndex::new(part));
        let settings = &self.check.settings;
        let mut seen: HashMap<(usize, String), u32> = HashMap::new();
        let key = if settings.fingerprints { entry_key(tree, &self.cx(part.entry)) } else { String::new() };
        let mut finding = |hit: &Hit| {
            let (severity, profile) = self.active.levels.level(hit.rule, hit.variant)?;
            let code = self.active.rules.get(hit.rule)?.code;
            let raw = tree.nodes.get(hit.node as usize);
            let at = hit.at.or(raw.map(|raw| raw.at)).unwrap_or(0) as usize;
            let (line, column) = match (&mut lines, part.places.first()) {
                (None, Some((_, line, column))) => lines_to(&part.raw, at, (*line, *column)),
                (lines, _) => lines.as_mut().map_or((1, 1), |lines| lines.at(at)),
            };
            let is_line = self.document.format.family.is_lines();
            let path = if is_line { String::new() } else { tree.path(hit.node, above) };
            let mut fingerprint = 0;
            if settings.fingerprints {
                let count = match hits.found.len() {
                    1 => &mut 0,
                    _ => seen.entry((hit.rule, path.clone())).or_insert(0),
                };
                *count += 1;
                fingerprint = self::fingerprint(&[code, &key, &path, &count.to_string()]);
            }
            let excerpt = settings.excerpts.then(|| self.excerpt(tree, hit, at, part)).flatten();
            let (message, hint, value) = (hit.says.clone(), hit.hint.clone(), hit.value.clone());
            let entry = part.entry;
            let finding = Finding {
                code,
                severity,
                profile,
                message,
                hint,
                line,
                column,
                path,
                entry,
                value,
                fingerprint,
                excerpt,
            };
            Some((hit.rule, finding))
        };
        hits.found.iter().filter_map(&mut finding).collect()
    }

    /// The source around a hit, as it is in the document: the head is assembled from runs with other lines between
    /// them.
    fn excerpt(&self, tree: &Tree<'_>, hit: &Hit, at: usize, part: &SourcePart<'_>) -> Option<Excerpt> {
        if part.entry.is_none() && self.frame.is_made(at) {
            return None;
        }
        let next = part.places.partition_point(|place| place.0 <= at);
        let start = next.checked_sub(1).and_then(|run| part.places.get(run)).map_or(0, |place| place.0);
        let run = part.raw.get(start..part.places.get(next).map_or(part.raw.len(), |place| place.0))?;
        let at = at.checked_sub(start)?;
        Some(Excerpt::around(run, at, length(tree, hit, at, run)))
    }

    /// An entry that cannot be read at all.
    pub(super) fn check_unreadable(
        &self,
        raw: &RawEntry<'_>,
        bad: &TreeError,
        hits: &mut Hits<'_>,
    ) -> Option<NumberedFinding> {
        let of = self.active.of_repair(bad.code)?;
        let (line, column) = bad_place(raw, bad);
        let (_, hint, _) = repair_texts(bad.code, "", Ns::None);
        let says = format!("skipped an unreadable entry: {}", bad.says);
        let (rule, mut finding) = self.placed(of, (line, column, Some(raw.number)), (says, hint, None), hits)?;
        finding.excerpt = self.check.settings.excerpts.then(|| Excerpt::around(raw.text, bad.at, 1));
        Some((rule, finding))
    }
}

/// The line and the column of an offset in a text that begins at this place.
fn lines_to(text: &str, at: usize, (line, column): (u32, u32)) -> (u32, u32) {
    advance(text.get(..at).unwrap_or(""), text.as_bytes().get(at).copied(), line, column)
}

pub(super) fn part(raw: &str, mut places: Vec<(usize, u32, u32)>, entry: Option<u64>) -> SourcePart<'_> {
    if places.first().is_none_or(|place| place.0 != 0) {
        places.insert(0, (0, 1, 1));
    }
    SourcePart { first: 0, entry, raw: raw.into(), syntax: Syntax::Xml, context: Arc::default(), places }
}

/// Bytes of the source that a hit is about: an attribute with its value, a start tag, an element without others in it.
fn length(tree: &Tree<'_>, hit: &Hit, at: usize, text: &str) -> usize {
    let Some(raw) = tree.nodes.get(hit.node as usize).filter(|_| hit.at.is_none()) else { return 1 };
    let rest = text.get(at..).unwrap_or("");
    match raw.kind {
        NodeKind::Attribute => {
            let quote = rest.find(['"', '\'']).map(|open| (open, rest.as_bytes()[open] as char));
            let close = quote.and_then(|(open, quote)| Some(open + 2 + rest.get(open + 1..)?.find(quote)?));
            close.unwrap_or(raw.name.len())
        }
        NodeKind::Element if tree.node(hit.node).has_children() => rest.find('>').map_or(1, |end| end + 1),
        NodeKind::Element | NodeKind::Text if raw.end > raw.at => (raw.end - raw.at) as usize,
        NodeKind::Element | NodeKind::Text => rest.len(),
    }
}

/// The key of an entry in another run: its URL, or its id.
fn entry_key(tree: &Tree<'_>, cx: &Cx<'_>) -> String {
    let Some(root) = tree.root().filter(|_| cx.entry.is_some()) else { return String::new() };
    let names = [(Ns::Sitemap, "loc"), (Ns::None, "guid"), (Ns::Atom, "id"), (Ns::None, "link")];
    let text = names.iter().find_map(|(ns, name)| cx.text(root, *ns, name)).unwrap_or_else(|| root.value());
    text.to_owned()
}

/// A number for texts that is the same on every machine.
fn fingerprint(texts: &[&str]) -> u64 {
    let mut hash = Sha1::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The rule, as the code of a repair, that another spelling of a namespace is a finding of.
fn namespace_code(ns: Ns, found: &str) -> &'static str {
    match ns {
        Ns::Sitemap if Ns::from_uri(found).ns == ns => "ns.alias.sitemap",
        Ns::Media => "ns.alias.media",
        _ => "ns.alias",
    }
}

/// The texts of a finding for a repair: the problem, the hint, and the value.
fn repair_texts(code: &str, found: &str, ns: Ns) -> (String, String, Option<String>) {
    let value = (!found.is_empty()).then(|| cut(found, 200));
    if code.starts_with("ns.alias") {
        let says = format!("misspelled namespace {}", QuotedValue(found));
        return (says, format!("write {}", ns.uri()), value);
    }
    let title = diagnostic::by_code(code.trim_end_matches(".reference").trim_end_matches(".root"))
        .map_or(code, |row| row.title);
    let says = if found.is_empty() { title.to_owned() } else { format!("{title}: {}", QuotedValue(found)) };
    (says, repair_hint(code).to_owned(), value)
}
