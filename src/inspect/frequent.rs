//! The most frequent of many values, in bounded memory. Counts are exact for a few values; with more, the least
//! frequent are forgotten (Misra and Gries 1982), and the counts of the others are lower bounds. If no value is
//! frequent, counting stops.

use std::collections::HashMap;

use crate::ledger::shorten;

/// How many values are counted.
const MOST: usize = 1_024;
/// Bytes of their texts.
const BYTES: usize = 64 << 10;
/// A value counts as frequent if its share of all values is at least one in this many.
const SHARE: u64 = 256;

/// A value with its count.
#[derive(Clone, Debug)]
struct Slot {
    count: u64,
    /// The entry it was first seen in, and when in that entry.
    first: (u64, u32),
    text: String,
}

/// Values with their counts.
#[derive(Clone, Debug, Default)]
pub(super) struct FrequentValues {
    slots: HashMap<u64, Slot>,
    bytes: usize,
    seen: u64,
    /// The most that a forgotten value can have been counted, or a known one before it was forgotten.
    missed: u64,
    given_up: bool,
}

impl FrequentValues {
    /// Counts a value; `text` is asked for if it is new.
    pub fn add(&mut self, hash: u64, first: (u64, u32), text: impl FnOnce() -> String) {
        self.add_slot(hash, Slot { count: 1, first, text: String::new() }, text);
    }

    /// Counts it so many times.
    pub fn add_times(&mut self, hash: u64, count: u64, first: (u64, u32), text: impl FnOnce() -> String) {
        self.add_slot(hash, Slot { count, first, text: String::new() }, text);
    }

    /// Takes a value out again: how often it was counted, and where first.
    pub fn take(&mut self, hash: u64) -> Option<(u64, (u64, u32))> {
        let slot = self.slots.remove(&hash)?;
        self.bytes -= slot.text.len();
        Some((slot.count, slot.first))
    }

    fn add_slot(&mut self, hash: u64, slot: Slot, text: impl FnOnce() -> String) {
        self.seen += slot.count;
        if self.given_up {
            return;
        }
        if let Some(known) = self.slots.get_mut(&hash) {
            known.count += slot.count;
            known.first = known.first.min(slot.first);
            return;
        }
        let text = shorten(&text());
        self.bytes += text.len();
        self.slots.insert(hash, Slot { text, ..slot });
        if self.slots.len() > MOST || self.bytes > BYTES {
            self.forget();
        }
    }

    /// Forgets the less frequent half.
    fn forget(&mut self) {
        let mut counts: Vec<u64> = self.slots.values().map(|slot| slot.count).collect();
        counts.sort_unstable();
        let middle = counts.get(counts.len() / 2).copied().unwrap_or(0);
        self.slots.retain(|_, slot| slot.count > middle);
        self.bytes = self.slots.values().map(|slot| slot.text.len()).sum();
        self.missed += middle;
    }

    /// Adds the counts of a later part.
    pub fn absorb(&mut self, other: FrequentValues) {
        let counted: u64 = other.slots.values().map(|slot| slot.count).sum();
        self.seen += other.seen - counted;
        self.missed += other.missed;
        if self.given_up {
            self.seen += counted;
            return;
        }
        let mut slots: Vec<(u64, Slot)> = other.slots.into_iter().collect();
        // what is forgotten on the way must not depend on the order of a table
        slots.sort_unstable_by_key(|(hash, slot)| (slot.first, *hash));
        for (hash, mut slot) in slots {
            let text = std::mem::take(&mut slot.text);
            self.add_slot(hash, slot, || text);
        }
        let top = self.slots.values().map(|slot| slot.count).max().unwrap_or(0);
        if self.missed > 0 && top < self.seen / SHARE {
            *self =
                FrequentValues { seen: self.seen, missed: self.missed, given_up: true, ..FrequentValues::default() };
        }
    }

    /// Whether counting stopped because no value was frequent.
    pub fn is_incomplete(&self) -> bool {
        self.given_up
    }

    /// How many different values there are, if none was forgotten.
    pub fn different(&self) -> Option<u64> {
        (self.missed == 0 && !self.given_up).then_some(self.slots.len() as u64)
    }

    /// The most frequent values, and whether their counts are exact. Values that may be less frequent than forgotten
    /// ones are omitted.
    pub fn top(&self, most: usize) -> (Vec<(&str, u64)>, bool) {
        let mut slots: Vec<&Slot> = self.slots.values().filter(|slot| slot.count > self.missed).collect();
        slots.sort_unstable_by_key(|slot| (std::cmp::Reverse(slot.count), slot.first));
        slots.truncate(most);
        (slots.into_iter().map(|slot| (slot.text.as_str(), slot.count)).collect(), self.missed == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    fn counted(values: impl Iterator<Item = u64>, stretch: usize) -> FrequentValues {
        let mut all = FrequentValues::default();
        let values: Vec<u64> = values.collect();
        for (number, values) in values.chunks(stretch).enumerate() {
            let mut part = FrequentValues::default();
            for (at, value) in values.iter().enumerate() {
                part.add(xxh3_64(&value.to_le_bytes()), (number as u64, at as u32), || value.to_string());
            }
            all.absorb(part);
        }
        all
    }

    #[test]
    fn few_values_are_counted_exactly() {
        let all = counted((0..1_000).map(|n| n % 10 % 7), 64);
        let expected = vec![("0", 200), ("1", 200), ("2", 200), ("3", 100), ("4", 100)];
        assert_eq!(all.top(5), (expected, true));
        assert_eq!(all.different(), Some(7));
    }

    #[test]
    fn what_stands_out_is_found_among_many() {
        // every fourth value is the same, the others are all different
        let all = counted((0..200_000).map(|n| if n % 4 == 0 { 7 } else { 1_000 + n }), 300);
        let (top, exact) = all.top(3);
        assert_eq!(top.len(), 1);
        assert!(top[0].0 == "7" && (40_000..=50_000).contains(&top[0].1) && !exact, "{top:?}");
        assert_eq!(all.different(), None);
        assert!(all.slots.len() <= MOST && all.bytes <= BYTES);
    }

    #[test]
    fn where_nothing_stands_out_nothing_is_told() {
        let all = counted(0..100_000, 300);
        assert!(all.is_incomplete());
        assert_eq!(all.top(3), (vec![], false));
    }
}
