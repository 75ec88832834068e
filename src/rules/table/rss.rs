//! Rules.
use super::super::Rule;
pub(super) static RULES: &[Rule] = &[];
