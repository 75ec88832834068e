//! The lock file holds no version with a known advisory. The floors stand in deny.toml too; this test runs everywhere.

use std::collections::BTreeMap;

/// Name, first version without the advisory.
const FLOORS: &[(&str, [u64; 3])] = &[
    ("quick-xml", [0, 41, 0]),
    ("rss", [2, 1, 1]),
    ("atom_syndication", [0, 12, 10]),
    ("crossbeam-epoch", [0, 9, 20]),
    ("crossbeam-deque", [0, 8, 1]),
    ("chrono", [0, 4, 20]),
    ("time", [0, 3, 47]),
    ("idna", [1, 0, 0]),
    ("zlib-rs", [0, 4, 0]),
];

fn locked() -> BTreeMap<String, Vec<[u64; 3]>> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")).unwrap();
    let mut found: BTreeMap<String, Vec<[u64; 3]>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find(|line| line.starts_with(&format!("{key} = ")))?;
            Some(line.split('"').nth(1)?.to_owned())
        };
        let (name, version) = (value("name").unwrap(), value("version").unwrap());
        let core = version.split(['-', '+']).next().unwrap();
        let numbers: Vec<u64> = core.split('.').map(|part| part.parse().unwrap()).collect();
        found.entry(name).or_default().push([numbers[0], numbers[1], numbers[2]]);
    }
    found
}

#[test]
fn no_locked_version_has_a_known_advisory() {
    let locked = locked();
    assert!(locked.contains_key("quick-xml"), "the lock file was not understood");
    for (name, floor) in FLOORS {
        for version in locked.get(*name).into_iter().flatten() {
            assert!(version >= floor, "{name} {version:?} is below {floor:?}");
        }
    }
}

#[test]
fn every_package_comes_from_the_registry() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")).unwrap();
    assert!(!text.contains("git+"), "a package from a git repository cannot be reproduced");
}
