//! The rules that are checked in one document, and which of them look at an element of a name. Made once for each
//! document, so that a rule that nobody asked for costs nothing.

use std::collections::HashMap;

use super::check::{self, Kind};
use super::{Cx, Hits, Profile, Rule, Settings, Severity, slices};
use crate::format::Format;
use crate::tree::{NodeKind, Tree, tag};
use crate::xml::names::Ns;

/// Things that one rule may tell apart.
pub(crate) const VARIANTS: usize = 8;

/// How bad a variant of a rule is, and for which profile.
pub(crate) type Level = (Severity, Profile);

/// The rules that are checked.
pub(crate) struct Active {
    pub rules: Vec<&'static Rule>,
    levels: Vec<[Option<Level>; VARIANTS]>,
    /// How many findings of each rule are wanted in full.
    pub most: Vec<u64>,
    /// The checks of elements, by the number that stands for their names.
    by_name: HashMap<u64, Vec<(Ns, &'static str, usize, &'static Kind)>>,
    /// The checks of whole entries, and of the head.
    entries: Vec<(usize, &'static Kind)>,
    heads: Vec<(usize, &'static Kind)>,
    /// The checks of lines.
    lines: Vec<(usize, &'static Kind)>,
    /// The rules that repairs are findings of.
    repairs: HashMap<&'static str, (usize, u8)>,
}

impl Active {
    /// The rules that these profiles have for documents of this format.
    pub fn of(format: &'static Format, profiles: &[Profile], settings: &Settings) -> Active {
        let mut active = Active {
            rules: Vec::new(),
            levels: Vec::new(),
            most: Vec::new(),
            by_name: HashMap::new(),
            entries: Vec::new(),
            heads: Vec::new(),
            lines: Vec::new(),
            repairs: HashMap::new(),
        };
        let slices = slices().iter().filter(|slice| slice.is_of(format));
        for rule in slices.flat_map(|slice| slice.rules.iter().copied().flatten()) {
            let levels = levels(rule, profiles, settings.level.unwrap_or(Severity::Info));
            if settings.wants(rule.code) && levels.iter().any(Option::is_some) {
                // what is told once for all entries is sorted out by the run
                let most = if rule.code == "U18" { None } else { settings.most };
                active.add(rule, levels, most.unwrap_or(u64::MAX));
            }
        }
        active
    }

    fn add(&mut self, rule: &'static Rule, levels: [Option<Level>; VARIANTS], most: u64) {
        let number = self.rules.len();
        self.rules.push(rule);
        self.levels.push(levels);
        self.most.push(most);
        for kind in rule.checks {
            match kind {
                Kind::Each(ns, name, _)
                | Kind::Longer(ns, name, _)
                | Kind::Lacks(ns, name, ..)
                | Kind::More(ns, name, ..) => {
                    self.by_name.entry(tag(name)).or_default().push((*ns, name, number, kind));
                }
                Kind::Entry(_) => self.entries.push((number, kind)),
                Kind::Head(_) => self.heads.push((number, kind)),
                Kind::Line(_) => self.lines.push((number, kind)),
                Kind::Repairs(variant, codes) => {
                    self.repairs.extend(codes.iter().map(|code| (*code, (number, *variant))));
                }
                Kind::Once(..) | Kind::Run => (),
            }
        }
    }

    /// How bad a variant of a rule is; nothing where nobody minds.
    pub fn level(&self, rule: usize, variant: u8) -> Option<Level> {
        let levels = self.levels.get(rule)?;
        levels[usize::from(variant).min(VARIANTS - 1)]
    }

    /// The number of the rule with this code.
    pub fn number(&self, code: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.code == code)
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
            check::root(kind, root, cx, hits);
        }
        for (raw, index) in tree.nodes.iter().zip(0_u32..) {
            if raw.kind != NodeKind::Element {
                continue;
            }
            let Some(checks) = self.by_name.get(&raw.tag) else { continue };
            let home = cx.home(raw.ns);
            for (ns, name, number, kind) in checks {
                if *ns == home && *name == raw.name {
                    hits.rule = *number;
                    check::element(kind, tree.node(index), cx, hits);
                }
            }
        }
    }

    /// Checks a line of a list of addresses.
    pub fn line(&self, tree: &Tree<'_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
        let Some(root) = tree.root() else { return };
        for (number, kind) in &self.lines {
            hits.rule = *number;
            check::root(kind, root, cx, hits);
        }
    }
}

/// How bad each variant of a rule is for the profile that minds it most.
fn levels(rule: &Rule, profiles: &[Profile], least: Severity) -> [Option<Level>; VARIANTS] {
    std::array::from_fn(|variant| {
        let mut worst: Option<Level> = None;
        for profile in profiles {
            let level = rule.level(*profile, variant as u8).filter(|level| *level >= least);
            if let Some(level) = level.filter(|level| worst.is_none_or(|worst| *level > worst.0)) {
                worst = Some((level, *profile));
            }
        }
        worst
    })
}
