//! Conversions, checks, comparisons and inspections in memory. On WebAssembly a panic is a trap, so whoever runs `main` sees a
//! failure. It runs on any other target, too.

use transfeed::convert::Bytes;
use transfeed::diff::{Comparison, Difference, Inputs};
use transfeed::inspect::InspectOptions;
use transfeed::rules::{Check, Finding};
use transfeed::{Conversion, Document, Options, Target};

const FEED: &[u8] = include_bytes!("../../../samples/catalogue.mrss");

fn main() {
    let options = Options { threads: 1, ..Options::default() };
    let document = Document::read(FEED, None, &options).expect("a feed");
    for target in Target::all() {
        let converted = Conversion::to(target).with(options.clone()).run_to_memory(FEED);
        let (bytes, report) = converted.expect("a conversion");
        let (written, _) = document.write_with(target, &options).expect("a document");
        assert_eq!(bytes, written);
        assert!(report.totals().leaves > 200);
        assert!(!serde_json_of(&report).is_empty());
    }
    let feed = Bytes { name: "catalogue.mrss", bytes: FEED };
    let mut findings: Vec<Finding> = Vec::new();
    Check { options: options.clone(), ..Check::default() }.run(&feed, &mut findings).expect("a check");
    let side = Inputs { name: "catalogue.mrss", inputs: &[&feed] };
    let mut found: Vec<Difference> = Vec::new();
    let comparison = Comparison { options: options.clone(), ..Comparison::default() };
    let sums = comparison.run(side, side, &mut found).expect("a comparison");
    assert_eq!((sums.same, found.len()), (6, 0));
    let inspected = InspectOptions::default().with(options).document(&feed).expect("an inspection");
    assert_eq!(inspected.entries, Some(6));
}

fn serde_json_of(report: &transfeed::Report) -> Vec<u8> {
    let mut json = Vec::new();
    report.write_json(&mut json).expect("memory");
    json
}
