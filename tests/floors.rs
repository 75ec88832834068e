//! The lock file holds no version with a known advisory. The floors stand in deny.toml, for cargo-deny; this test
//! runs everywhere.

use std::collections::BTreeMap;

/// The floors: name, first version without the advisory.
fn floors() -> Vec<(String, [u64; 3])> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    // exceptions for licenses name no version
    let rows = text
        .lines()
        .filter(|line| line.contains(":<"))
        .filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split('"').next());
    let floor = |row: &str| {
        let (name, version) = row.split_once(":<").expect("a version below which nothing is taken");
        let mut numbers = version.split('.').map(|part| part.parse().unwrap());
        let mut next = || numbers.next().unwrap_or(0);
        (name.to_owned(), [next(), next(), next()])
    };
    rows.map(floor).collect()
}

/// The lock files of what is handed out.
fn locks() -> [String; 3] {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    ["Cargo.lock", "packages/python/Cargo.lock", "packages/web/Cargo.lock"]
        .map(|name| std::fs::read_to_string(root.join(name)).unwrap())
}

fn locked() -> BTreeMap<String, Vec<[u64; 3]>> {
    versions(&locks().concat())
}

/// The versions of each package in a lock file.
fn versions(text: &str) -> BTreeMap<String, Vec<[u64; 3]>> {
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
    assert!(locked.contains_key("quick-xml") && locked.contains_key("pyo3"), "the lock files were not understood");
    let floors = floors();
    assert!(floors.len() >= 9, "deny.toml was not understood: {floors:?}");
    for (name, floor) in floors {
        for version in locked.get(&name).into_iter().flatten() {
            assert!(*version >= floor, "{name} {version:?} is below {floor:?}");
        }
    }
}

/// What the packages are built of is what the program is built and tested with. Builds share it, too.
#[test]
fn packages_have_the_versions_of_the_program() {
    let [program, packages @ ..] = locks();
    let program = versions(&program);
    for package in packages {
        for (name, found) in versions(&package) {
            if let Some(known) = program.get(&name) {
                let hint = format!("cargo update -p {name} --precise VERSION, in the folder of the package");
                assert!(
                    found.iter().all(|version| known.contains(version)),
                    "{name} {found:?} is not {known:?}; {hint}"
                );
            }
        }
    }
}

#[test]
fn every_package_comes_from_the_registry() {
    for text in locks() {
        assert!(!text.contains("git+"), "a package from a git repository cannot be reproduced");
    }
}
