//! The rules of one document by the element names that they check. Built once per document, so unused rules cost
//! nothing.

use std::collections::HashMap;

use super::check::kind::{self, CheckKind};
use super::hits::{Cx, Hits};
use super::levels::{ActiveLevels, VARIANTS, VariantLevel};
use super::rule::Rule;
use super::table::slices;
use super::{Profile, Settings, Severity};
use crate::format::Format;
use crate::tree::{NodeKind, Tree, tag};
use crate::xml::names::Ns;

/// The rules that are checked.
pub(crate) struct ActiveRules {
    pub rules: Vec<&'static Rule>,
    /// The severities of their findings.
    pub levels: ActiveLevels,
    /// The checks of elements, by the number of their names.
    by_name: ByName,
    /// The checks of whole entries, and of the head.
    entries: Vec<(usize, &'static CheckKind)>,
    heads: Vec<(usize, &'static CheckKind)>,
    /// The checks of lines.
    lines: Vec<(usize, &'static CheckKind)>,
    /// The rules that repairs are findings of.
    repairs: HashMap<&'static str, (usize, u8)>,
}

impl ActiveRules {
    /// The rules that these profiles have for documents of this format.
    pub fn for_format(format: &'static Format, profiles: &[Profile], settings: &Settings) -> ActiveRules {
        let mut active = ActiveRules {
            rules: Vec::new(),
            levels: ActiveLevels::default(),
            by_name: ByName::default(),
            entries: Vec::new(),
            heads: Vec::new(),
            lines: Vec::new(),
            repairs: HashMap::new(),
        };
        let slices = slices().iter().filter(|slice| slice.applies_to(format));
        for rule in slices.flat_map(|slice| slice.rules.iter().copied().flatten()) {
            let levels = levels(rule, profiles, settings.level.unwrap_or(Severity::Info));
            if settings.wants(rule.code) && levels.iter().any(Option::is_some) {
                // findings reported once for all entries are counted by the run
                let most = if rule.code == "U18" { None } else { settings.most };
                active.add(rule, levels, most.unwrap_or(u64::MAX));
            }
        }
        active.by_name.close();
        active
    }

    fn add(&mut self, rule: &'static Rule, levels: [Option<VariantLevel>; VARIANTS], most: u64) {
        let number = self.levels.add(rule.code, levels, most);
        self.rules.push(rule);
        for kind in rule.checks {
            match kind {
                CheckKind::Each(ns, name, _)
                | CheckKind::Longer(ns, name, _)
                | CheckKind::Lacks(ns, name, ..)
                | CheckKind::Address(_, ns, name, ..)
                | CheckKind::More(ns, name, ..) => {
                    self.by_name.checks.push((tag(name), (*ns, name, number, kind)));
                }
                CheckKind::Entry(_) => self.entries.push((number, kind)),
                CheckKind::Head(_) => self.heads.push((number, kind)),
                CheckKind::Line(_) => self.lines.push((number, kind)),
                CheckKind::Repairs(variant, codes) => {
                    self.repairs.extend(codes.iter().map(|code| (*code, (number, *variant))));
                }
                CheckKind::Once(..) | CheckKind::Run => (),
            }
        }
    }

    /// The rule that a repair is a finding of.
    pub fn of_repair(&self, code: &str) -> Option<(usize, u8)> {
        self.repairs.get(code).copied()
    }

    /// Checks a tree: an entry, or the head.
    pub fn tree(&self, tree: &Tree<'_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
        let Some(root) = tree.root() else { return };
        for (number, kind) in if cx.entry.is_some() { &self.entries } else { &self.heads } {
            hits.rule = *number;
            kind::root(kind, root, cx, hits);
        }
        // names are those of elements
        if tree.json {
            return;
        }
        for (raw, index) in tree.nodes.iter().zip(0_u32..) {
            if raw.kind != NodeKind::Element {
                continue;
            }
            let checks = self.by_name.checks(raw.tag);
            if checks.is_empty() {
                continue;
            }
            let home = cx.canonical_namespace(raw.ns);
            // an element out of place is reported as that alone
            if home == Ns::Sitemap && !cx.is_in_place(tree.node(index)) {
                continue;
            }
            for (_, (ns, name, number, kind)) in checks {
                if *ns == home && *name == raw.name {
                    hits.rule = *number;
                    kind::element(kind, tree.node(index), cx, hits);
                }
            }
        }
    }

    /// Checks a line of a list of URLs.
    pub fn line(&self, tree: &Tree<'_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
        let Some(root) = tree.root() else { return };
        for (number, kind) in &self.lines {
            hits.rule = *number;
            kind::root(kind, root, cx, hits);
        }
    }
}

/// Checks by the numbers of names. Every element of a document is looked up here, and the names of rules are few and our
/// own, so a table of twice as many places does, with nothing to guard against.
#[derive(Default)]
struct ByName {
    /// Grouped by name, in the order of their rules.
    checks: Vec<(u64, ElementCheck)>,
    /// A number, and the range of its checks.
    slots: Vec<(u64, usize, usize)>,
}

/// What a check looks at, the number of its rule, and the check.
type ElementCheck = (Ns, &'static str, usize, &'static CheckKind);

impl ByName {
    /// Makes the table, when all checks are there.
    fn close(&mut self) {
        self.checks.sort_by_key(|(tag, _)| *tag);
        let names = self.checks.chunk_by(|one, other| one.0 == other.0).count();
        self.slots = vec![(0, 0, 0); (4 * names).next_power_of_two()];
        let mut start = 0;
        for checks in self.checks.chunk_by(|one, other| one.0 == other.0) {
            let Some((tag, _)) = checks.first() else { continue };
            let mut slot = place(*tag, self.slots.len());
            while self.slots[slot].0 != 0 {
                slot = (slot + 1) % self.slots.len();
            }
            self.slots[slot] = (*tag, start, start + checks.len());
            start += checks.len();
        }
    }

    /// The checks of elements of this name, perhaps with those of a name like it.
    fn checks(&self, tag: u64) -> &[(u64, ElementCheck)] {
        let mut slot = place(tag, self.slots.len());
        // ends: most places are empty
        while let Some((of, start, end)) = self.slots.get(slot).filter(|(of, ..)| *of != 0) {
            if *of == tag {
                return self.checks.get(*start..*end).unwrap_or_default();
            }
            slot = (slot + 1) % self.slots.len();
        }
        &[]
    }
}

/// Where the search for a number begins; `size` is a power of two.
fn place(tag: u64, size: usize) -> usize {
    (tag.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & size.saturating_sub(1)
}

/// The severity of each variant of a rule for the strictest profile.
fn levels(rule: &Rule, profiles: &[Profile], least: Severity) -> [Option<VariantLevel>; VARIANTS] {
    std::array::from_fn(|variant| {
        let mut worst: Option<VariantLevel> = None;
        for profile in profiles {
            let level = rule.level(*profile, variant as u8).filter(|level| *level >= least);
            if let Some(level) = level.filter(|level| worst.is_none_or(|worst| *level > worst.0)) {
                worst = Some((level, *profile));
            }
        }
        worst
    })
}
