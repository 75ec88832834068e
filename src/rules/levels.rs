//! The severities of the active rules, and how many findings of each are wanted. Which rules are active is decided in
//! active.rs.

use super::{Profile, Severity};

/// How many cases a rule may have.
pub(crate) const VARIANTS: usize = 8;

/// The severity of a variant of a rule, and its profile.
pub(crate) type VariantLevel = (Severity, Profile);

/// What of each active rule counts for its findings, by its number.
#[derive(Default)]
pub(crate) struct ActiveLevels {
    codes: Vec<&'static str>,
    levels: Vec<[Option<VariantLevel>; VARIANTS]>,
    /// How many findings of each rule are wanted in full.
    pub most: Vec<u64>,
}

impl ActiveLevels {
    /// Adds a rule, and returns its number.
    pub fn add(&mut self, code: &'static str, levels: [Option<VariantLevel>; VARIANTS], most: u64) -> usize {
        self.codes.push(code);
        self.levels.push(levels);
        self.most.push(most);
        self.codes.len() - 1
    }

    /// The severity of a variant of a rule; `None` if no active profile has it.
    pub fn level(&self, rule: usize, variant: u8) -> Option<VariantLevel> {
        let levels = self.levels.get(rule)?;
        levels[usize::from(variant).min(VARIANTS - 1)]
    }

    /// The number of the rule with this code.
    pub fn number(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|known| *known == code)
    }
}
