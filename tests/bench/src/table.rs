//! What was measured, as a table in Markdown: medians of the rounds, and ratios of what was measured in the same round.

use crate::measure::Cost;

/// A bound on one column, as the goals state them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound {
    /// What is bounded.
    pub what: Quantity,
    /// What fails a release.
    pub must: f64,
    /// What is aimed at.
    pub goal: f64,
}

/// A column, or a ratio of two rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// CPU time in that of the reference row.
    Cpu,
    /// Wall time in that of the reference row.
    Wall,
    /// Peak memory in MiB.
    Peak,
    /// Milliseconds of wall time.
    Milliseconds,
    /// Megabytes of input for a second of CPU; the larger the better.
    Rate,
}

/// A measured row.
#[derive(Clone, Debug)]
pub struct Measured {
    /// What it is called.
    pub title: String,
    /// One for each round.
    pub costs: Vec<Cost>,
    /// The bytes of its input.
    pub bytes: u64,
    /// What is asked of it.
    pub bounds: Vec<Bound>,
}

/// Prints a table. Where `unit` names it, the first row is what the others are divided by, byte for byte of input.
pub fn print(title: &str, unit: Option<&str>, rows: &[Measured]) {
    let unit_name = unit.unwrap_or("–");
    println!("\n### {title}\n");
    println!("| row | CPU s | wall s | MB/s | CPU in {unit_name} | wall in {unit_name} | peak MiB | goal; must |");
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    let reference = rows.first().filter(|_| unit.is_some());
    for row in rows {
        let own = |value: fn(&Cost) -> f64| median(row.costs.iter().map(value));
        let in_unit =
            |value: fn(&Cost) -> f64| reference.map_or_else(|| "–".to_owned(), |to| short(ratio(row, to, value)));
        let verdicts: Vec<String> = row.bounds.iter().filter_map(|bound| verdict(*bound, row, reference)).collect();
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            row.title,
            short(own(|cost| cost.cpu)),
            short(own(|cost| cost.wall)),
            whole(row.bytes as f64 / 1e6 / own(|cost| cost.wall)),
            in_unit(|cost| cost.cpu),
            in_unit(|cost| cost.wall),
            peak(row),
            verdicts.join(" · "),
        );
    }
}

/// The median of what `value` is in one row, in that of another, round by round, for the same number of bytes.
pub fn ratio(row: &Measured, to: &Measured, value: impl Fn(&Cost) -> f64) -> f64 {
    let bytes = to.bytes as f64 / row.bytes as f64;
    median(row.costs.iter().zip(&to.costs).map(|(a, b)| value(a) / value(b) * bytes))
}

/// The middle one.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match (values.get(values.len() / 2), values.len() % 2) {
        (Some(high), 0) => f64::midpoint(values[values.len() / 2 - 1], *high),
        (Some(middle), _) => *middle,
        (None, _) => f64::NAN,
    }
}

fn verdict(bound: Bound, row: &Measured, reference: Option<&Measured>) -> Option<String> {
    let own = |value: fn(&Cost) -> f64| median(row.costs.iter().map(value));
    let (value, name) = match bound.what {
        Quantity::Cpu => (ratio(row, reference?, |cost| cost.cpu), "CPU ≤"),
        Quantity::Wall => (ratio(row, reference?, |cost| cost.wall), "wall ≤"),
        Quantity::Peak => (row.costs.iter().map(|cost| cost.peak).max()? as f64 / 1024.0, "MiB ≤"),
        Quantity::Milliseconds => (own(|cost| cost.wall * 1e3), "ms ≤"),
        Quantity::Rate => (row.bytes as f64 / 1e6 / own(|cost| cost.cpu), "MB/s of CPU ≥"),
    };
    let more = bound.what == Quantity::Rate;
    Some(format!("{name} {}; {}: {}", bound.goal, bound.must, judge(value, bound.goal, bound.must, more)))
}

/// A value beside what is asked of it; `more` is better, or less.
pub fn judge(value: f64, goal: f64, must: f64, more: bool) -> String {
    let within = |limit: f64| if more { value >= limit } else { value <= limit };
    match (within(goal), within(must)) {
        (true, _) => format!("{} reached", short(value)),
        (false, true) => format!("{} must only", short(value)),
        (false, false) => format!("**{} missed**", short(value)),
    }
}

fn peak(row: &Measured) -> String {
    match row.costs.iter().map(|cost| cost.peak).max() {
        Some(kib) if kib > 0 => format!("{:.1}", kib as f64 / 1024.0),
        _ => "–".to_owned(),
    }
}

/// Three digits that count.
pub fn short(value: f64) -> String {
    if value.is_nan() {
        "–".to_owned()
    } else if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else if value >= 0.1 {
        format!("{value:.2}")
    } else {
        format!("{value:.4}")
    }
}

fn whole(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
