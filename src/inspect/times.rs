//! Counts the entries of each day, month or span of years for a chart: days for few entries, else longer spans, in
//! bounded memory and a readable number of columns.

use std::collections::BTreeMap;

use crate::model::Date;

/// How many days are counted separately.
const DAYS: usize = 4_096;
/// Columns of the chart.
const COLUMNS: u32 = 120;

/// Counts by date.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// By year, month and day; nothing once there were more than [`DAYS`].
    days: BTreeMap<(u16, u8, u8), u64>,
    too_many: bool,
    months: BTreeMap<(u16, u8), u64>,
}

impl Times {
    /// Counts an entry.
    pub fn add(&mut self, date: &Date) {
        let (year, month, day) = date.civil();
        *self.months.entry((year, month)).or_insert(0) += 1;
        if !self.too_many {
            *self.days.entry((year, month, day)).or_insert(0) += 1;
            self.bound();
        }
    }

    /// Adds what was counted elsewhere.
    pub fn absorb(&mut self, more: Times) {
        for (month, count) in more.months {
            *self.months.entry(month).or_insert(0) += count;
        }
        self.too_many |= more.too_many;
        for (day, count) in more.days {
            *self.days.entry(day).or_insert(0) += count;
        }
        self.bound();
    }

    fn bound(&mut self) {
        self.too_many |= self.days.len() > DAYS;
        if self.too_many {
            self.days.clear();
        }
    }

    /// Stretches of time from the first to the last, each with its name and its count, those without entries too.
    pub fn columns(&self) -> Vec<(String, u64)> {
        let (Some(((first, first_month), _)), Some(((last, last_month), _))) =
            (self.months.first_key_value(), self.months.last_key_value())
        else {
            return Vec::new();
        };
        let number = |year: u16, month: u8| u32::from(year) * 12 + u32::from(month) - 1;
        let (from, to) = (number(*first, *first_month), number(*last, *last_month));
        let months = to - from + 1;
        if months <= 3 && !self.too_many {
            return self.by_day(from, to);
        }
        if months <= COLUMNS {
            let count = |at: u32| self.months.get(&((at / 12) as u16, (at % 12 + 1) as u8)).copied().unwrap_or(0);
            return (from..=to).map(|at| (format!("{:04}-{:02}", at / 12, at % 12 + 1), count(at))).collect();
        }
        self.by_years(*first, *last)
    }

    fn by_day(&self, from: u32, to: u32) -> Vec<(String, u64)> {
        let days = (from..=to).flat_map(|at| (1..=31).map(move |day| ((at / 12) as u16, (at % 12 + 1) as u8, day)));
        let known = days.filter(|(year, month, day)| Date::ymd(*year, *month, *day).is_some());
        let ends = (self.days.first_key_value(), self.days.last_key_value());
        let (Some((first, _)), Some((last, _))) = ends else { return Vec::new() };
        let between = known.filter(|day| day >= first && day <= last);
        let name = |(year, month, day): &(u16, u8, u8)| format!("{year:04}-{month:02}-{day:02}");
        between.map(|day| (name(&day), self.days.get(&day).copied().unwrap_or(0))).collect()
    }

    fn by_years(&self, first: u16, last: u16) -> Vec<(String, u64)> {
        let step = (u32::from(last - first) + 1).div_ceil(COLUMNS) as u16;
        let starts = (first..=last).step_by(step.into());
        let mut columns: Vec<(String, u64)> = starts
            .map(|start| match step {
                1 => (format!("{start:04}"), 0),
                step => (format!("{start:04} to {:04}", start + step - 1), 0),
            })
            .collect();
        for ((year, _), count) in &self.months {
            if let Some((_, sum)) = columns.get_mut(usize::from((year - first) / step)) {
                *sum += count;
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(dates: &[&str]) -> Vec<(String, u64)> {
        let mut times = Times::default();
        for date in dates {
            // each by itself, as chunks are
            let mut part = Times::default();
            part.add(&Date::parse(date).expect("a date").0);
            times.absorb(part);
        }
        times.columns()
    }

    #[test]
    fn columns_are_as_fine_as_can_be_looked_at() {
        let said =
            |list: &[(&str, u64)]| list.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect::<Vec<_>>();
        assert_eq!(columns(&[]), []);
        let days = columns(&["2024-02-28", "2024-03-01T10:00:00+02:00", "2024-03-01"]);
        assert_eq!(days, said(&[("2024-02-28", 1), ("2024-02-29", 0), ("2024-03-01", 2)]));
        let months = columns(&["2023-11-05", "2024-02-28"]);
        assert_eq!(months, said(&[("2023-11", 1), ("2023-12", 0), ("2024-01", 0), ("2024-02", 1)]));
        let years = columns(&["2001-11-05", "2024-02-28"]);
        assert_eq!(
            (years.len(), years[0].clone(), years[23].clone()),
            (24, ("2001".to_owned(), 1), ("2024".to_owned(), 1))
        );
        let all = columns(&["0001-01-02", "9999-12-31"]);
        assert_eq!((all.len(), all.iter().map(|(_, count)| count).sum::<u64>()), (120, 2));
    }
}
