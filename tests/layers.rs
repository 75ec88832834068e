//! The invariants of absence (docs/ARCHITECTURE.md): who knows nothing of what. Read off the source text, comments and
//! unit tests apart.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The code of each file, by its path under `src`.
fn code() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 30, "the sources were not found");
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        (name, lines.collect::<Vec<_>>().join("\n"))
    };
    files.iter().map(read).collect()
}

/// Fails where a file outside of the allowed folders names one of the words.
fn only(allowed: &[&str], words: &[&str]) {
    for (name, text) in code() {
        if allowed.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        for word in words {
            assert!(!text.contains(word), "src/{name} names {word}, which belongs into {allowed:?}");
        }
    }
}

/// Fails where a file in these folders names one of the words.
fn never(folders: &[&str], words: &[&str]) {
    for (name, text) in code() {
        if folders.iter().any(|prefix| name.starts_with(prefix)) {
            for word in words {
                assert!(!text.contains(word), "src/{name} names {word}");
            }
        }
    }
}

#[test]
fn only_xml_knows_the_parser() {
    only(&["xml/"], &["quick_xml"]);
}

#[test]
fn only_the_command_line_knows_clap_files_and_the_environment() {
    // an option of the library and its argument are one row
    only(&["cli/", "options.rs"], &["clap::"]);
    only(&["cli/"], &["std::env", "println!"]);
    only(&["cli/", "api/input.rs", "api/output.rs"], &["std::fs", "SystemTime"]);
    // what grouping and diff cannot hold goes to a temporary file
    only(
        &[
            "cli/",
            "api/input.rs",
            "api/output.rs",
            "convert/runs.rs",
            "convert/look.rs",
            "diff/texts.rs",
            "diff/json.rs",
        ],
        &["tempfile"],
    );
}

#[test]
fn temporary_files_are_in_the_folder_that_is_asked_for() {
    // `--temp-dir`: the library's own inputs and outputs know no such option
    let of_the_system =
        ["tempfile::tempfile()", "tempfile::tempdir()", "SpooledTempFile::new(", "NamedTempFile::new()"];
    only(&["api/"], &of_the_system);
}

#[test]
fn only_interop_knows_the_crates_of_others() {
    only(&["interop/"], &["atom_syndication::", "rss::Channel", "rss::Item"]);
}

#[test]
fn the_core_does_no_input_or_output() {
    let core = [
        "model/",
        "tree/",
        "text/",
        "table/",
        "markup/",
        "xml/",
        "json/",
        "format/",
        "resolve/",
        "ledger/",
        "emit.rs",
        "fate.rs",
        "code.rs",
        "pages.rs",
        "place.rs",
        "reason.rs",
        "survey.rs",
    ];
    never(&core, &["std::fs", "std::net", "std::process", "std::env", "println!", "stderr", "Instant::now"]);
}

#[test]
fn the_model_knows_no_format() {
    never(&["model/"], &["crate::format", "crate::emit", "crate::ledger", "crate::convert"]);
    never(&["tree/", "text/"], &["crate::format", "crate::emit", "crate::ledger"]);
    never(&["format/"], &["crate::convert"]);
}

/// Fails where a file in this folder uses a module of the crate other than these.
fn uses_only(folder: &str, modules: &[&str]) {
    for (name, text) in code().iter().filter(|(name, _)| name.starts_with(folder)) {
        for path in text.split("crate::").skip(1) {
            let module = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            assert!(modules.contains(&module), "src/{name} uses crate::{module}");
        }
    }
}

#[test]
fn the_table_knows_no_meaning_and_markup_no_format() {
    uses_only("table/", &["table", "xml", "text", "tree"]);
    uses_only("markup/", &["markup", "table", "xml", "text", "tree"]);
    uses_only("json/", &["json", "xml", "text", "tree"]);
    // of the tree that the table will replace: the list of repairs, and what the repairing parser makes
    never(&["table/"], &["Tree<", "tree::Node", "tree::Take"]);
}

#[test]
fn fate_tables_have_no_wildcard() {
    for (name, text) in code().iter().filter(|(name, _)| name.ends_with("fate.rs") && name.starts_with("format/")) {
        // a variant of a table may hand all it does not change on to the whole table
        let delegates = |line: &str| line.ends_with("(field),");
        let wild = text.lines().find(|line| line.trim_start().starts_with("_ =>") && !delegates(line));
        assert!(wild.is_none(), "src/{name}: {}", wild.unwrap_or_default());
    }
}

/// A file of tests that no program has among its modules would never run, and nobody would hear of it.
#[test]
fn every_file_of_tests_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let (suite, manifest) = (text("tests/suite.rs"), text("Cargo.toml"));
    for entry in std::fs::read_dir(root.join("tests")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
        let program = format!("[[test]]\nname = \"{name}\"\n");
        let module = format!("mod {name};\n");
        assert!(suite.contains(&module) || manifest.contains(&program), "tests/{name}.rs is in no program of tests");
    }
}

/// The files of the crate, and which of them names what another one defines. A `pub use` only hands a name on: whoever uses the
/// name uses the file that defines it.
struct Graph {
    /// Path of a module (`crate::xml::split`) to its file.
    modules: HashMap<String, String>,
    /// The text of each file without its `use` and `mod` lines.
    bodies: BTreeMap<String, String>,
    /// The names that a file imports or hands on, with their paths; `*` too.
    imports: HashMap<String, Vec<(String, bool)>>,
    /// The names that a file defines for others.
    definitions: HashMap<String, HashSet<String>>,
}

/// The words of a text of Rust, with its punctuation left out.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// `a::{b, c::{d}}` as the paths it stands for.
fn expanded(tree: &str, prefix: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        match path {
            "" => (),
            "self" => found.push(prefix.trim_end_matches("::").to_owned()),
            _ => found.push(format!("{prefix}{path}")),
        }
        return;
    };
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expanded(&inner[start..at], &format!("{prefix}{}", before.trim()), found);
                start = (at + 1).min(inner.len());
            }
            _ => (),
        }
    }
}

/// A path as it is written in a module, from the root of the crate.
fn absolute(path: &str, module: &str) -> String {
    let (mut around, mut rest) = (module.to_owned(), path);
    if rest == "crate" || rest.starts_with("crate::") {
        return rest.to_owned();
    }
    rest = rest.strip_prefix("self::").unwrap_or(rest);
    while let Some(below) = rest.strip_prefix("super::") {
        around = around.rsplit_once("::").map_or("crate", |(above, _)| above).to_owned();
        rest = below;
    }
    format!("{around}::{rest}")
}

impl Graph {
    fn read() -> Graph {
        let mut graph = Graph {
            modules: HashMap::new(),
            bodies: BTreeMap::new(),
            imports: HashMap::new(),
            definitions: HashMap::new(),
        };
        for (name, text) in code() {
            let module = name.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
            let module = if module == "lib" { "crate".to_owned() } else { format!("crate::{module}") };
            let (mut body, mut imports, mut definitions) = (String::new(), Vec::new(), HashSet::new());
            let mut rest = text.as_str();
            while let Some((line, after)) = rest.split_once('\n').or_else(|| (!rest.is_empty()).then_some((rest, ""))) {
                let item = line.trim_start();
                let plain = match item.strip_prefix("pub(").and_then(|item| item.split_once(") ")) {
                    Some((_, plain)) => plain,
                    None => item.strip_prefix("pub ").unwrap_or(item),
                };
                if plain.starts_with("use ") {
                    let (tree, after) = rest.split_once(';').expect("an end of `use`");
                    let tree = tree.trim_start().split_once("use ").map_or("", |(_, tree)| tree);
                    let mut paths = Vec::new();
                    expanded(&tree.replace('\n', " "), "", &mut paths);
                    imports.extend(paths.into_iter().map(|path| (path, plain.len() < item.len())));
                    rest = after;
                    continue;
                }
                rest = after;
                if plain.starts_with("mod ") && plain.ends_with(';') {
                    continue;
                }
                if plain.len() < item.len() || plain.starts_with("macro_rules!") {
                    let kind = ["fn", "struct", "enum", "trait", "type", "static", "const", "macro_rules"];
                    let name = words(plain).skip_while(|word| !kind.contains(word)).find(|word| !kind.contains(word));
                    definitions.extend(name.map(str::to_owned));
                }
                body.push_str(line);
                body.push('\n');
            }
            graph.modules.insert(module, name.clone());
            graph.bodies.insert(name.clone(), body);
            graph.imports.insert(name.clone(), imports);
            graph.definitions.insert(name, definitions);
        }
        graph
    }

    /// The file that defines what this path names; `None` for what is not of this crate, or a module.
    fn defining(&self, path: &str, depth: usize) -> Option<&str> {
        if depth > 8 {
            return None;
        }
        let ends = path.match_indices("::").map(|(at, _)| at).collect::<Vec<_>>();
        let (file, rest) = ends.iter().rev().find_map(|at| Some((self.modules.get(&path[..*at])?, &path[at + 2..])))?;
        let module = &path[..path.len() - rest.len() - 2];
        let (name, after) = rest.split_once("::").map_or((rest, ""), |(name, _)| (name, &rest[name.len()..]));
        if self.definitions[file].contains(name) {
            return Some(file);
        }
        let imports = || self.imports[file].iter().map(|(import, _)| absolute(import, module));
        imports()
            .filter(|import| import.rsplit("::").next() == Some(name) && *import != format!("{module}::{name}"))
            .chain(imports().filter_map(|import| import.strip_suffix("::*").map(|of| format!("{of}::{name}"))))
            .find_map(|import| self.defining(&format!("{import}{after}"), depth + 1))
    }

    /// The files that each file uses.
    fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let module_of: HashMap<&str, &str> = self.modules.iter().map(|(module, file)| (&**file, &**module)).collect();
        for (file, body) in &self.bodies {
            let module = module_of[&**file];
            let known: HashSet<&str> = words(body).collect();
            // a name of a module before `::` in the text, and what follows it
            let mut paths: Vec<String> = Vec::new();
            let mut modules: HashMap<&str, String> = HashMap::new();
            for below in self.modules.keys() {
                if let Some((above, name)) = below.rsplit_once("::").filter(|(above, _)| *above == module) {
                    modules.insert(name, format!("{above}::{name}"));
                }
            }
            for (import, handed_on) in &self.imports[file] {
                let (path, name) = (absolute(import, module), import.rsplit("::").next().unwrap_or_default());
                if self.modules.contains_key(&path) {
                    modules.insert(name, path);
                } else if !handed_on || known.contains(name) {
                    paths.push(path);
                }
            }
            for word in body.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')) {
                let word = word.trim_matches(':');
                let Some((first, rest)) = word.split_once("::") else { continue };
                match first {
                    "crate" | "self" | "super" => paths.push(absolute(word, module)),
                    _ => paths.extend(modules.get(first).map(|path| format!("{path}::{rest}"))),
                }
            }
            let used = paths.iter().filter_map(|path| self.defining(path, 0)).filter(|used| used != file);
            uses.entry(file).or_default().extend(used);
        }
        uses
    }
}

/// The sets of files of which each uses, in one or more steps, all others of its set.
fn circles<'f>(uses: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Vec<Vec<&'f str>> {
    let reach = |from: &'f str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(uses.get(file).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reach(file))).collect();
    let mut found: Vec<Vec<&str>> = Vec::new();
    for (file, others) in &reached {
        let circle: Vec<&str> = others.iter().copied().filter(|other| reached[other].contains(file)).collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

/// Files that import each other in a circle cannot be read one after another. These few are one thing in several files.
#[test]
fn few_files_are_in_circles() {
    let graph = Graph::read();
    let uses = graph.uses();
    let arrows: usize = uses.values().map(BTreeSet::len).sum();
    assert!(arrows > 1000, "only {arrows} uses of a file by another were found");
    assert!(uses["format/rss/write.rs"].contains("format/contract.rs"), "a known use was not found");
    let found = circles(&uses);
    let sizes: Vec<usize> = found.iter().map(Vec::len).collect();
    assert!(found.len() <= 3 && sizes.iter().all(|size| *size <= 4), "{found:#?}");
}

/// A format may be known to the list and to whoever wants exactly it; no format knows the list.
/// A family answers for itself: rooms above ask it for a fact, so that a new family needs no line there.
#[test]
fn nobody_compares_families_outside_formats() {
    only(&["format/"], &["family == &", "family != &", "family.name ==", "Family::Rss", "EntryKind::"]);
    // what a document is detected as, the list of feeds, and the revisions of Atom
    let known = ["format/", "convert/recognise.rs", "rules/run/mod.rs", "diff/revisions.rs"];
    only(&known, &["::FAMILY"]);
}

#[test]
fn no_format_knows_the_list_of_formats() {
    let graph = Graph::read();
    for (file, used) in graph.uses() {
        if file.starts_with("format/") && file != "format/registry.rs" {
            assert!(!used.contains("format/registry.rs"), "src/{file} uses the list of formats");
        }
    }
}
