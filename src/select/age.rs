//! How old an entry may be, as people type it: `90m`, `48h`, `7d`, `2w` (`--max-age`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::Date;

/// A length of time in whole seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaxAge(u32);

/// The units with their seconds, the largest first.
const UNITS: [(char, u32); 5] = [('w', 604_800), ('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

impl MaxAge {
    /// The moment that lies so long before another one; none before the year 1.
    pub fn before(self, now: &Date) -> Option<Date> {
        let seconds = i64::try_from(now.instant().div_euclid(1_000_000_000)).ok()?;
        Date::from_unix(seconds - i64::from(self.0))
    }
}

impl FromStr for MaxAge {
    type Err = String;

    fn from_str(text: &str) -> Result<MaxAge, String> {
        let read = || {
            let unit = text.chars().next_back()?;
            let (_, seconds) = UNITS.iter().find(|(letter, _)| *letter == unit)?;
            let count: u32 = text.strip_suffix(unit)?.parse().ok()?;
            count.checked_mul(*seconds).filter(|all| *all > 0)
        };
        read().map(MaxAge).ok_or_else(|| "expected a length of time such as 90m, 48h, 7d or 2w".to_owned())
    }
}

impl fmt::Display for MaxAge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(_, seconds)| self.0.is_multiple_of(*seconds));
        let (letter, seconds) = unit.copied().unwrap_or(('s', 1));
        write!(f, "{}{letter}", self.0 / seconds)
    }
}

impl Serialize for MaxAge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MaxAge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MaxAge, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
