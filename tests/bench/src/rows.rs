//! What is measured: the goals, each a function that makes documents and names rows.

use crate::catalogue::{Recipe, Shape};
use crate::check::Kind;
use crate::options::Options;
use crate::session::Session;
use crate::table::{self, Bound, Measured, Quantity};

/// The dialects of Media RSS, by what they are called in tables.
const DIALECTS: [(&str, Shape); 3] = [
    ("renditions in groups", Shape::Groups),
    ("one content an item", Shape::Single),
    ("another prefix, inner namespaces, CDATA", Shape::Prefix),
];

/// A group of rows, by the name that `--rows` has for it.
type Group = (&'static str, fn(&Session<'_>) -> Result<(), String>);

const GROUPS: [Group; 2] = [("floors", floors), ("G1", g1)];

/// Measures what was asked for.
pub fn run(options: &Options) -> Result<(), String> {
    let known = |name: &String| GROUPS.iter().any(|(group, _)| group.eq_ignore_ascii_case(name));
    if let Some(unknown) = options.rows.iter().find(|name| !known(name)) {
        return Err(format!("there are no rows {unknown}; see --help"));
    }
    let session = Session::new(options)?;
    for (name, group) in GROUPS {
        if options.wants(name) {
            group(&session)?;
        }
    }
    Ok(())
}

fn bound(what: Quantity, goal: f64, must: f64) -> Option<Bound> {
    Some(Bound { what, must, goal })
}

fn floors(session: &Session<'_>) -> Result<(), String> {
    let document = session.document("mrss", Recipe::new(Shape::Groups, session.options.size))?;
    let mut rows = vec![session.q(&document)];
    rows.extend(["read", "memchr", "utf8"].map(|name| session.floor(name, &document.path)));
    session.table("What the machine gives", "q", &document, rows)?;
    Ok(())
}

/// Media RSS to a video sitemap on one thread with the whole report, in three dialects.
fn g1(session: &Session<'_>) -> Result<(), String> {
    let report = session.file("report.json");
    let mut speeds = Vec::new();
    for (name, shape) in DIALECTS {
        let document = session.document("mrss", Recipe::new(shape, session.options.size))?;
        let mut rows =
            vec![session.q(&document), session.expert("mrss-to-video-sitemap", &document, Kind::VideoSitemap)];
        rows.extend(session.transfeed(
            "-j 1, full report",
            &document.path,
            &["--to", "video-sitemap", "-j", "1", "--report", &report],
            Kind::VideoSitemap,
            bound(Quantity::Cpu, 1.0, 1.5),
        ));
        let measured = session.table(&format!("G1 mRSS → video sitemap: {name}"), "q", &document, rows)?;
        let own = measured.iter().filter(|row| row.title.starts_with("**") && row.bound.is_some());
        speeds.push(own.map(|row| cpu(row) * 1e9 / document.made.bytes as f64).collect::<Vec<f64>>());
    }
    println!();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        let of = |dialect: &Vec<f64>| dialect.get(at).copied().unwrap_or(f64::NAN);
        let best = speeds.iter().map(of).fold(f64::INFINITY, f64::min);
        let worst = speeds.iter().map(of).fold(0.0, f64::max);
        println!(
            "{}: CPU ns a byte of the slowest dialect in that of the fastest: {} (asked: 1.6)",
            binary.name,
            table::short(worst / best)
        );
    }
    Ok(())
}

fn cpu(row: &Measured) -> f64 {
    table::median(row.costs.iter().map(|cost| cost.cpu))
}
