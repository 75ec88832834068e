//! A condition on the values of an entry (`--where`), as it is kept and evaluated. Its syntax is in parse.rs.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use regex::Regex;
use serde::{Serialize, Serializer};

use crate::model::{Date, Decimal, Entry, Field, ModelPart, Seconds, Value, Walk, episode};

/// A condition that is true or false for an entry: comparisons of fields, joined by `and`, `or` and `not`.
///
/// A comparison is true if one value of the entry meets it; `!=` and `!~` are true if none meets `=` or `~`.
///
/// ```
/// use transfeed::select::Condition;
///
/// assert!("video.duration > 60 and not title ~ '(?i)trailer'".parse::<Condition>().is_ok());
/// let error = "video.duraton > 60".parse::<Condition>().unwrap_err();
/// assert!(error.to_string().starts_with("no field is called video.duraton; did you mean video.duration?"));
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    pub(super) text: String,
    /// What is asked of single values.
    pub(super) tests: Vec<ValueTest>,
    /// How the results of the tests are joined: operands before their operator.
    pub(super) steps: Vec<ConditionStep>,
}

/// What is asked of the values of a field.
#[derive(Clone, Debug)]
pub(super) struct ValueTest {
    pub field: Field,
    pub relation: Relation,
    pub operand: Operand,
}

/// What a value is compared with.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// Nothing: a value is there.
    Any,
    Text(String),
    Pattern(Regex),
    Date(Date),
    Seconds(Seconds),
    Number(Decimal<'static>),
    Flag(bool),
}

/// How a value is compared. What is negated is so as a step of the condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A step of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConditionStep {
    /// The result of these tests, of which one must be met.
    Tests {
        first: usize,
        behind: usize,
    },
    And,
    Or,
    Not,
}

impl Relation {
    fn is_met(self, order: Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::Less => order.is_lt(),
            Relation::LessOrEqual => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl ValueTest {
    fn is_met(&self, value: Value<'_>) -> bool {
        let order = match (&self.operand, value) {
            (Operand::Any, _) => Ordering::Equal,
            (Operand::Pattern(pattern), Value::Str(text)) => return pattern.is_match(text),
            (Operand::Pattern(pattern), other) => return pattern.is_match(&other.to_string()),
            (Operand::Text(wanted), Value::Str(text)) => text.trim().cmp(wanted),
            (Operand::Date(wanted), Value::Date(date)) => date.compare(wanted),
            (Operand::Seconds(wanted), Value::Seconds(seconds)) => seconds.cmp(wanted),
            (Operand::Number(wanted), Value::Decimal(number)) => number.cmp_num(wanted),
            (Operand::Number(wanted), Value::Count(count)) => whole(count).cmp_num(wanted),
            (Operand::Flag(wanted), Value::Flag(flag)) => flag.cmp(wanted),
            _ => return false,
        };
        self.relation.is_met(order)
    }
}

fn whole(count: u64) -> Decimal<'static> {
    Decimal::parse(Cow::Owned(count.to_string())).map_or_else(|| Decimal::whole(i64::MAX), |(number, _)| number)
}

impl Condition {
    /// Whether it is true for an entry.
    pub fn holds(&self, entry: &Entry<'_>) -> bool {
        let mut met = vec![false; self.tests.len()];
        let mut meet = |field: Field, value: Value<'_>| {
            for (met, test) in met.iter_mut().zip(&self.tests) {
                *met = *met || test.field == field && test.is_met(value);
            }
        };
        // images and sounds of the page have values in fields of videos, and shared values are those of its videos
        entry.walk((), &mut |seen| {
            if seen.field.group() != ModelPart::Video {
                meet(seen.field, seen.value);
            }
        });
        if !entry.videos.is_empty() {
            entry.media.walk((), &mut |seen| meet(seen.field, seen.value));
            entry.videos.walk((), &mut |seen| meet(seen.field, seen.value));
        }
        episode::walk_values(entry, &mut meet);
        let mut results: Vec<bool> = Vec::new();
        let pop = |results: &mut Vec<bool>| results.pop().unwrap_or_default();
        for step in &self.steps {
            let result = match step {
                ConditionStep::Tests { first, behind } => {
                    met.get(*first..*behind).is_some_and(|tests| tests.contains(&true))
                }
                ConditionStep::Not => !pop(&mut results),
                ConditionStep::And => {
                    let (one, other) = (pop(&mut results), pop(&mut results));
                    one && other
                }
                ConditionStep::Or => {
                    let (one, other) = (pop(&mut results), pop(&mut results));
                    one || other
                }
            };
            results.push(result);
        }
        pop(&mut results)
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
