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
    /// What is asked of it.
    pub bound: Option<Bound>,
}

/// Prints a table. `reference` is the row that others are divided by.
pub fn print(title: &str, bytes: u64, reference: Option<usize>, unit: &str, rows: &[Measured]) {
    println!("\n### {title}\n");
    println!("| row | CPU s | wall s | MB/s | CPU in {unit} | wall in {unit} | peak MiB | asked (goal; must) |");
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    for row in rows {
        let reference = reference.and_then(|at| rows.get(at));
        let (cpu, wall) =
            (median(row.costs.iter().map(|cost| cost.cpu)), median(row.costs.iter().map(|cost| cost.wall)));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            row.title,
            short(cpu),
            short(wall),
            whole(bytes as f64 / 1e6 / wall),
            reference.map_or_else(|| "–".to_owned(), |to| short(ratio(row, to, |cost| cost.cpu))),
            reference.map_or_else(|| "–".to_owned(), |to| short(ratio(row, to, |cost| cost.wall))),
            peak(row),
            row.bound.map_or_else(String::new, |bound| verdict(bound, row, reference, bytes)),
        );
    }
}

/// The median of what `value` is in one row, in that of another, round by round.
pub fn ratio(row: &Measured, to: &Measured, value: impl Fn(&Cost) -> f64) -> f64 {
    median(row.costs.iter().zip(&to.costs).map(|(a, b)| value(a) / value(b)))
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

fn verdict(bound: Bound, row: &Measured, reference: Option<&Measured>, bytes: u64) -> String {
    let own = |value: fn(&Cost) -> f64| median(row.costs.iter().map(value));
    let (value, name) = match (bound.what, reference) {
        (Quantity::Cpu, Some(to)) => (ratio(row, to, |cost| cost.cpu), "CPU ≤"),
        (Quantity::Wall, Some(to)) => (ratio(row, to, |cost| cost.wall), "wall ≤"),
        (Quantity::Cpu | Quantity::Wall, None) => return String::new(),
        (Quantity::Peak, _) => (own(|cost| cost.peak as f64 / 1024.0), "MiB ≤"),
        (Quantity::Milliseconds, _) => (own(|cost| cost.wall * 1e3), "ms ≤"),
        (Quantity::Rate, _) => (bytes as f64 / 1e6 / own(|cost| cost.cpu), "MB/s of CPU ≥"),
    };
    let within = |limit: f64| if bound.what == Quantity::Rate { value >= limit } else { value <= limit };
    let state = match (within(bound.goal), within(bound.must)) {
        (true, _) => "reached".to_owned(),
        (false, true) => format!("{}: must only", short(value)),
        (false, false) => format!("**{}: missed**", short(value)),
    };
    format!("{name} {}; {}: {state}", bound.goal, bound.must)
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
