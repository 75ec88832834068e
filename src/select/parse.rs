//! The syntax of conditions: `FIELD OP VALUE`, `FIELD` alone, `and`, `or`, `not`, parentheses. Operators are resolved with a
//! stack of their own, so the depth of a condition costs no depth of calls.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use regex::Regex;
use serde::{Deserialize, Deserializer, de};
use unicode_width::UnicodeWidthStr;

use super::condition::{Condition, ConditionStep, Operand, Relation, ValueTest};
use super::fields;
use crate::model::record::ValueType;
use crate::model::value::FromText;
use crate::model::wanted::is_within;
use crate::model::{Date, Decimal, Entry, Field, Seconds, Walk};

/// Why a condition cannot be read, with the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionError {
    says: String,
    text: String,
    at: Range<usize>,
}

/// The problem, and under it the condition with the place marked.
impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let visible = |range: Range<usize>| -> String {
            let part = self.text.get(range).unwrap_or_default();
            part.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
        };
        let before = visible(0..self.at.start);
        let marked = visible(self.at.clone());
        let carets = "^".repeat(marked.width().max(1));
        let rest = visible(self.at.end..self.text.len());
        write!(f, "{}\n  {before}{marked}{rest}\n  {:indent$}{carets}", self.says, "", indent = before.width())
    }
}

impl Error for ConditionError {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConditionToken<'t> {
    Open,
    Close,
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, `~`, `!~`.
    Sign(&'t str),
    Word(&'t str),
    Quoted(&'t str),
}

/// Cuts a condition into words and signs, each with its place.
struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn error(&self, at: Range<usize>, says: impl Into<String>) -> ConditionError {
        ConditionError { says: says.into(), text: self.text.to_owned(), at }
    }

    fn peek(&self) -> Result<Option<(ConditionToken<'t>, Range<usize>)>, ConditionError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let (token, size) = match first {
            '(' => (ConditionToken::Open, 1),
            ')' => (ConditionToken::Close, 1),
            '=' | '!' | '<' | '>' | '~' => {
                let size = rest.find(|char| !matches!(char, '=' | '!' | '<' | '>' | '~')).unwrap_or(rest.len());
                (ConditionToken::Sign(&rest[..size]), size)
            }
            '"' | '\'' => {
                let inner = &rest[1..];
                let Some(size) = inner.find(first) else {
                    return Err(self.error(start..self.text.len(), format!("the quote {first} is never closed")));
                };
                (ConditionToken::Quoted(&inner[..size]), size + 2)
            }
            _ => {
                let is_end =
                    |char: char| char.is_whitespace() || matches!(char, '(' | ')' | '=' | '!' | '<' | '>' | '~');
                let size = rest.find(is_end).unwrap_or(rest.len());
                (ConditionToken::Word(&rest[..size]), size)
            }
        };
        Ok(Some((token, start..start + size)))
    }

    fn next(&mut self) -> Result<Option<(ConditionToken<'t>, Range<usize>)>, ConditionError> {
        let token = self.peek()?;
        self.at = token.as_ref().map_or(self.text.len(), |(_, at)| at.end);
        Ok(token)
    }
}

/// An operator that waits for its operands, or an open parenthesis with its place.
#[derive(Clone, PartialEq, Debug)]
enum PendingOperator {
    Open(Range<usize>),
    Step(ConditionStep),
}

/// The condition as far as it has been read.
#[derive(Default)]
struct ConditionParser {
    tests: Vec<ValueTest>,
    steps: Vec<ConditionStep>,
    pending: Vec<PendingOperator>,
}

impl ConditionParser {
    /// Applies the operators that bind tighter than one that follows, or as tight.
    fn apply(&mut self, binding: u8) {
        while let Some(PendingOperator::Step(step)) = self.pending.last()
            && strength(*step) >= binding
        {
            self.steps.push(*step);
            self.pending.pop();
        }
    }

    fn operator(&mut self, step: ConditionStep) {
        self.apply(strength(step));
        self.pending.push(PendingOperator::Step(step));
    }

    fn tests(&mut self, tests: impl IntoIterator<Item = ValueTest>, is_negated: bool) {
        let first = self.tests.len();
        self.tests.extend(tests);
        self.steps.push(ConditionStep::Tests { first, behind: self.tests.len() });
        if is_negated {
            self.steps.push(ConditionStep::Not);
        }
    }
}

fn strength(step: ConditionStep) -> u8 {
    match step {
        ConditionStep::Or => 1,
        ConditionStep::And => 2,
        ConditionStep::Not => 3,
        ConditionStep::Tests { .. } => 4,
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        parse(text)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Condition, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

fn parse(text: &str) -> Result<Condition, ConditionError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut parser = ConditionParser::default();
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    loop {
        // an operand
        match lexer.next()? {
            Some((ConditionToken::Open, at)) => {
                parser.pending.push(PendingOperator::Open(at));
                continue;
            }
            Some((ConditionToken::Word(word), _)) if is(word, "not") => {
                parser.pending.push(PendingOperator::Step(ConditionStep::Not));
                continue;
            }
            Some((ConditionToken::Word(word), at)) => comparison(word, at, &mut lexer, &mut parser)?,
            Some((_, at)) => return Err(lexer.error(at, "expected the name of a field")),
            None => return Err(lexer.error(text.len()..text.len(), "expected the name of a field, and found the end")),
        }
        // the word that joins it to the next one
        loop {
            match lexer.next()? {
                None => return finish(parser, &lexer),
                Some((ConditionToken::Close, at)) => {
                    parser.apply(0);
                    if parser.pending.pop().is_none() {
                        return Err(lexer.error(at, "nothing was opened here"));
                    }
                }
                Some((ConditionToken::Word(word), _)) if is(word, "and") => {
                    parser.operator(ConditionStep::And);
                    break;
                }
                Some((ConditionToken::Word(word), _)) if is(word, "or") => {
                    parser.operator(ConditionStep::Or);
                    break;
                }
                Some((ConditionToken::Word(_) | ConditionToken::Quoted(_), at)) => {
                    return Err(lexer.error(at, "expected and, or; quote a value with spaces"));
                }
                Some((_, at)) => return Err(lexer.error(at, "expected and, or")),
            }
        }
    }
}

fn finish(mut parser: ConditionParser, lexer: &Lexer<'_>) -> Result<Condition, ConditionError> {
    parser.apply(0);
    if let Some(PendingOperator::Open(at)) = parser.pending.pop() {
        return Err(lexer.error(at, "this is never closed"));
    }
    Ok(Condition { text: lexer.text.to_owned(), tests: parser.tests, steps: parser.steps })
}

/// Reads the comparison that follows the name of a field, if there is one.
fn comparison(
    name: &str,
    at: Range<usize>,
    lexer: &mut Lexer<'_>,
    parser: &mut ConditionParser,
) -> Result<(), ConditionError> {
    let Some((ConditionToken::Sign(sign), place)) = lexer.peek()? else {
        let fields = fields_of_entry().into_iter().filter(|(field, _)| is_within(field.name(), name));
        let present = |(field, _)| ValueTest { field, relation: Relation::Equal, operand: Operand::Any };
        let tests: Vec<ValueTest> = fields.map(present).collect();
        if tests.is_empty() {
            return Err(lexer.error(at, unknown(name)));
        }
        parser.tests(tests, false);
        return Ok(());
    };
    lexer.next()?;
    let known = fields_of_entry().into_iter().find(|(field, _)| field.name() == name);
    let Some((field, kind)) = known else { return Err(lexer.error(at, unknown(name))) };
    let (relation, is_pattern, is_negated) = match sign {
        "=" | "==" => (Relation::Equal, false, false),
        "!=" => (Relation::Equal, false, true),
        "~" => (Relation::Equal, true, false),
        "!~" => (Relation::Equal, true, true),
        "<" => (Relation::Less, false, false),
        "<=" => (Relation::LessOrEqual, false, false),
        ">" => (Relation::Greater, false, false),
        ">=" => (Relation::GreaterOrEqual, false, false),
        _ => return Err(lexer.error(place, "expected one of = != < <= > >= ~ !~")),
    };
    let has_order = matches!(kind, ValueType::Date | ValueType::Seconds | ValueType::Number);
    if relation != Relation::Equal && !has_order {
        return Err(lexer.error(place, format!("{name} has no order; use =, !=, ~ or !~")));
    }
    let (value, place) = match lexer.next()? {
        Some((ConditionToken::Word(value) | ConditionToken::Quoted(value), at)) => (value, at),
        Some((_, at)) => return Err(lexer.error(at, format!("expected a value after {sign}"))),
        None => {
            let end = lexer.text.len();
            return Err(lexer.error(end..end, format!("expected a value after {sign}")));
        }
    };
    let operand = match is_pattern {
        true => Regex::new(value).map(Operand::Pattern).map_err(|error| {
            let error = error.to_string();
            // the pattern and the place are shown already
            let why = error.rsplit_once("error: ").map_or(&*error, |(_, why)| why);
            format!("not a regular expression: {}", why.trim())
        }),
        false => operand(value, kind).map_err(|wanted| format!("{name} is {wanted}")),
    };
    let operand = operand.map_err(|says| lexer.error(place, says))?;
    parser.tests([ValueTest { field, relation, operand }], is_negated);
    Ok(())
}

/// Reads a value of the type of a field.
///
/// # Errors
/// What values of that type are.
fn operand(value: &str, kind: ValueType) -> Result<Operand, &'static str> {
    match kind {
        ValueType::Text => Ok(Operand::Text(value.trim().to_owned())),
        ValueType::Date => Date::parse(value)
            .map(|(date, _)| Operand::Date(date))
            .ok_or("a date; write it like 2026-05-01 or 2026-05-01T12:00:00Z"),
        ValueType::Seconds => Seconds::parse(value)
            .map(|(seconds, _)| Operand::Seconds(seconds))
            .ok_or("a length of time; write it like 90, 1:30 or PT1M30S"),
        ValueType::Number => Decimal::parse(Cow::Borrowed(value))
            .map(|(number, _)| Operand::Number(number.into_owned()))
            .ok_or("a number"),
        ValueType::Flag => {
            bool::from_text(Cow::Borrowed(value)).map(|(flag, _)| Operand::Flag(flag)).ok_or("true or false")
        }
        ValueType::Nothing => Err("without a value; ask for it by its name alone"),
    }
}

/// The fields that an entry can have, with the type of their values.
fn fields_of_entry() -> Vec<(Field, ValueType)> {
    let mut fields = Vec::new();
    Entry::types((), 2, &mut |field, kind| fields.push((field, kind)));
    fields.sort_by_key(|(field, _)| *field);
    fields.dedup_by_key(|(field, _)| *field);
    fields
}

/// The problem with a name.
fn unknown(name: &str) -> String {
    let is_of_head = Field::ALL.iter().any(|field| is_within(field.name(), name));
    match is_of_head {
        true if Field::ALL.iter().any(|field| field.name() == name) => {
            format!("{name} is not a field of entries, but of the document")
        }
        true => format!("{name} is a group of fields; compare one of them"),
        false => fields::unknown(name),
    }
}
