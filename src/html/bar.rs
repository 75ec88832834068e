//! Bars: shares drawn as widths. Shapes only; the figures are next to them.

use super::escape::{grouped, percent};
use crate::ledger::Totals;

/// Units from the left end of a bar to its right end.
const WIDE: u64 = 1000;
/// What is there at all is seen.
const LEAST: u64 = 8;

/// One colour of a bar.
pub struct BarSlice {
    /// The class of its colour.
    pub kind: &'static str,
    pub name: &'static str,
    pub count: String,
    pub share: String,
    pub x: u64,
    pub width: u64,
}

/// Shares of a whole, side by side.
pub struct Bar {
    pub slices: Vec<BarSlice>,
}

impl Bar {
    /// Values by their fate; `missed` of the lost ones need attention.
    pub fn from_totals(totals: &Totals, missed: u64) -> Bar {
        let Totals { leaves, kept, changed, lost, unread, merged, made: _ } = *totals;
        let missed = missed.min(lost);
        let all = [
            ("kept", kept),
            ("merged", merged),
            ("changed", changed),
            ("unread", unread),
            ("lost", lost - missed),
            ("attention", missed),
        ];
        Bar::new(&all, leaves)
    }

    /// These counts, as shares of `whole`; what is 0 has no slice.
    pub fn new(counts: &[(&'static str, u64)], whole: u64) -> Bar {
        let there: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
        let scaled = |count: u64| (u128::from(count) * u128::from(WIDE) / u128::from(whole.max(1))) as u64;
        let mut widths: Vec<u64> = there.iter().map(|(_, count)| scaled(*count).clamp(LEAST, WIDE)).collect();
        let sum: u64 = widths.iter().sum();
        if let Some(widest) = widths.iter_mut().max() {
            let full = there.iter().map(|(_, count)| *count).fold(0, u64::saturating_add) >= whole;
            let target = if full { WIDE } else { sum.min(WIDE) };
            *widest = (*widest + target).saturating_sub(sum);
        }
        let mut x = 0;
        let mut slices = Vec::with_capacity(there.len());
        for ((kind, count), width) in there.into_iter().zip(widths) {
            let name = match *kind {
                "attention" => "lost, needs attention",
                "error" if *count > 1 => "errors",
                "warning" if *count > 1 => "warnings",
                kind => kind,
            };
            slices.push(BarSlice { kind, name, count: grouped(*count), share: percent(*count, whole), x, width });
            x += width;
        }
        Bar { slices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_wide_as_it_is_full() {
        for (counts, whole, widths) in [
            (vec![("kept", 3), ("lost", 1)], 4, vec![750, 250]),
            (vec![("kept", 999_999), ("lost", 1)], 1_000_000, vec![992, 8]),
            (vec![("kept", 1), ("changed", 1), ("lost", 1)], 3, vec![333, 333, 334]),
            (vec![("kept", 0), ("lost", 7)], 7, vec![1000]),
            (vec![("all", 1)], 4, vec![250]),
            (vec![("kept", u64::MAX)], u64::MAX, vec![1000]),
            (vec![("kept", 0)], 0, vec![]),
        ] {
            let bar = Bar::new(&counts, whole);
            assert_eq!(bar.slices.iter().map(|slice| slice.width).collect::<Vec<_>>(), widths, "{counts:?}");
        }
    }
}
