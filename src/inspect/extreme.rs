//! The shortest and longest texts, and the least and greatest of values with an order. The first of equal values
//! counts.

use std::cmp::Ordering;

use crate::ledger::shorten;
use crate::model::Value;

/// By what values are compared.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Measure {
    /// Characters of a text.
    Characters(u64),
    /// Nanoseconds of a date.
    Instant(i128),
    /// A number.
    Number(f64),
}

/// A value at one end.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub measure: Measure,
    pub value: String,
    pub entry: u64,
    pub line: u32,
}

/// The values at both ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub least: Option<End>,
    pub greatest: Option<End>,
    /// The bounds of earlier values, which need not be reported again.
    bounds: Option<(Measure, Measure)>,
}

impl Ends {
    /// Only what another value has to pass.
    pub fn bounds(&self) -> Ends {
        let bounds = self.least.as_ref().map(|end| end.measure).zip(self.greatest.as_ref().map(|end| end.measure));
        Ends { bounds, ..Ends::default() }
    }

    /// Looks at a value.
    pub fn add(&mut self, value: Value<'_>, entry: u64, line: impl Fn() -> u32) {
        let least = self.least.as_ref().map(|end| end.measure).or(self.bounds.map(|bounds| bounds.0));
        let greatest = self.greatest.as_ref().map(|end| end.measure).or(self.bounds.map(|bounds| bounds.1));
        let Some(measure) = measure(value, least, greatest) else { return };
        let end = || End { measure, value: shorten(&value.to_string()), entry, line: line() };
        if least.is_none_or(|least| measure.partial_cmp(&least) == Some(Ordering::Less)) {
            self.least = Some(end());
        }
        if greatest.is_none_or(|greatest| measure.partial_cmp(&greatest) == Some(Ordering::Greater)) {
            self.greatest = Some(end());
        }
    }

    /// Adds the ends of a later part.
    pub fn absorb(&mut self, other: Ends) {
        let passes = |mine: &Option<End>, other: &End, by: Ordering| {
            mine.as_ref().is_none_or(|mine| other.measure.partial_cmp(&mine.measure) == Some(by))
        };
        if let Some(least) = other.least.filter(|end| passes(&self.least, end, Ordering::Less)) {
            self.least = Some(least);
        }
        if let Some(greatest) = other.greatest.filter(|end| passes(&self.greatest, end, Ordering::Greater)) {
            self.greatest = Some(greatest);
        }
    }
}

/// The measure of a value; `None` for one that has none, or that lies between the two ends without being measured.
fn measure(value: Value<'_>, least: Option<Measure>, greatest: Option<Measure>) -> Option<Measure> {
    match value {
        Value::Str(text) => {
            // a character is one to four bytes
            let bytes = text.len() as u64;
            if let (Some(Measure::Characters(least)), Some(Measure::Characters(greatest))) = (least, greatest)
                && bytes <= greatest
                && bytes.div_ceil(4) >= least
            {
                return None;
            }
            Some(Measure::Characters(text.chars().count() as u64))
        }
        Value::Date(date) => Some(Measure::Instant(date.instant())),
        Value::Seconds(seconds) => Some(Measure::Number(seconds.micros() as f64)),
        Value::Decimal(decimal) => decimal.as_str().parse().ok().map(Measure::Number),
        Value::Count(count) => Some(Measure::Number(count as f64)),
        Value::Flag(_) | Value::Nothing => None,
    }
}
