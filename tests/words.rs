//! Texts for people are plain English: README, docs, help, messages and the documentation of the library have no phrase of
//! the list in tests/fixtures/words.txt, and comments have none of those that the list marks. Names of types are unique and
//! not in tests/fixtures/names.txt. Every screen of short help fits on a terminal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::common::{files, program, scratch};

/// Sources that are not searched yet: their texts move to a table of reasons, or are rewritten.
const EXCLUDED: [&str; 0] = [];

/// Sources whose doc comments are the documentation of the library.
const DOCUMENTED: [&str; 4] = ["src/api/", "src/options.rs", "src/lib.rs", "src/error.rs"];

/// Sources whose file comments (`//!`) are searched, too.
const DESCRIBED: [&str; 4] = ["src/cli/", "src/rules/", "src/xml/", "src/diagnostic.rs"];

/// Documents that are generated from sources, and so searched there.
const GENERATED: [&str; 4] = ["docs/formats.md", "docs/dialects.md", "docs/rules.md", "docs/repairs.md"];

const COMMANDS: [&str; 10] =
    ["convert", "inspect", "diff", "migrate", "run", "validate", "formats", "explain", "completions", "man"];

/// A text and the place where it begins.
#[derive(Debug)]
struct Text {
    file: String,
    line: usize,
    text: String,
}

/// A line of the list.
#[derive(Debug)]
struct Entry {
    phrase: String,
    instead: String,
    except: Vec<String>,
    files: Vec<String>,
    in_comments: bool,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn list(text: &str) -> Vec<Entry> {
    let several = |text: &str| -> Vec<String> {
        text.split(';').map(|part| part.trim().to_lowercase()).filter(|part| !part.is_empty()).collect()
    };
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let mut parts = line.split('|').map(str::trim);
            let mut part = || parts.next().unwrap_or_default().to_owned();
            let (phrase, instead) = (part().to_lowercase(), part());
            assert!(!phrase.is_empty() && !instead.is_empty(), "a line of the list has two parts: {line}");
            let (except, files, comments) = (several(&part()), several(&part()), part());
            assert!(["", "comments"].contains(&&*comments), "the last part of a line is \"comments\" or empty: {line}");
            Entry { phrase, instead, except, files, in_comments: !comments.is_empty() }
        })
        .collect()
}

/// Where a phrase is in a text of small letters, as whole words.
fn find(text: &str, phrase: &str) -> Vec<usize> {
    let (begins, bare) = phrase.strip_prefix('^').map_or((false, phrase), |bare| (true, bare));
    let (open, bare) = bare.strip_suffix('*').map_or((false, bare), |bare| (true, bare));
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(bare)
        .map(|(at, _)| at)
        .filter(|at| {
            let (before, after) = (&text[..*at], &text[at + bare.len()..]);
            let apart = !bare.starts_with(is_word) || !before.ends_with(is_word);
            let ends = open || !after.starts_with(is_word);
            let sentence = before.trim_end();
            apart && ends && (!begins || sentence.is_empty() || sentence.ends_with(['.', ':', '!', '?']))
        })
        .collect()
}

/// The findings in a text, each in a line.
fn search(text: &Text, list: &[Entry], found: &mut String) {
    let lines = text.text.to_lowercase();
    // a phrase may continue in the next line
    let lower = lines.replace('\n', " ");
    for entry in list {
        if entry.files.iter().any(|file| text.file.to_lowercase().starts_with(file)) {
            continue;
        }
        for at in find(&lower, &entry.phrase) {
            let is_right =
                |except: &String| find(&lower, except).iter().any(|begin| (*begin..begin + except.len()).contains(&at));
            if entry.except.iter().any(is_right) {
                continue;
            }
            let line = text.line + lines[..at].matches('\n').count();
            let shown: String = lower[at..].chars().take(50).collect();
            let begin: String = lower[..at].chars().rev().take(30).collect::<Vec<_>>().into_iter().rev().collect();
            let shown = format!("{begin}{shown}");
            let (phrase, instead) = (&entry.phrase, &entry.instead);
            writeln!(found, "{}:{line}: \"{phrase}\" ({instead}): …{shown}…", text.file).expect("a string");
        }
    }
}

/// The prose of a Markdown document: without blocks and spans of code. Lines stay, so that places are right.
fn prose(file: &str, markdown: &str) -> Text {
    let mut text = String::new();
    let mut fence: Option<usize> = None;
    for line in markdown.lines() {
        let ticks = line.chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            None if !line.starts_with("    ") => text.push_str(line),
            Some(_) | None => (),
        }
        text.push('\n');
    }
    let mut code = false;
    let is_prose = |c: &char| {
        code ^= *c == '`';
        *c == '\n' || !code && *c != '`'
    };
    // a line end is white space in a sentence
    Text { file: file.to_owned(), line: 1, text: text.chars().filter(is_prose).collect() }
}

/// The string literals of a source that are sentences or parts of them, without those of its tests.
fn literals(file: &str, source: &str) -> Vec<Text> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut texts = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(c) = rest.chars().next() {
        let take = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(text) = rest.strip_prefix("r#\"") {
            let end = text.find("\"#").unwrap_or(text.len());
            texts.push(Text { file: file.to_owned(), line, text: text[..end].to_owned() });
            (end + 5).min(rest.len())
        } else if let Some(text) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = end.unwrap_or(text.len());
            // a line that continues: its line end counts, its indentation does not
            let lines: Vec<&str> = text[..end].split("\\\n").map(str::trim_start).collect();
            texts.push(Text { file: file.to_owned(), line, text: unnamed(&lines.join("\n").replace("\\n", " ")) });
            (end + 2).min(rest.len())
        } else if let Some(after) = rest.strip_prefix('\'') {
            // a character, or a lifetime
            let end = if after.starts_with('\\') { after[2..].find('\'').map(|end| end + 4) } else { None };
            let plain = rest.char_indices().nth(2).filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1);
            end.or(plain).unwrap_or(1)
        } else {
            c.len_utf8()
        };
        line += rest[..take].matches('\n').count();
        rest = &rest[take..];
    }
    let is_sentence = |text: &Text| {
        let words: Vec<&str> = text.text.split_whitespace().collect();
        words.windows(2).any(|pair| pair.iter().all(|word| word.chars().any(char::is_lowercase)))
    };
    texts.retain(is_sentence);
    texts
}

/// The doc comments of a source, as prose; other lines are empty.
fn documentation(file: &str, source: &str) -> Text {
    let comment = |line: &str| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or_default();
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    };
    let lines: Vec<String> = source.lines().map(comment).collect();
    prose(file, &lines.join("\n"))
}

/// The comments of a source of all kinds, as prose, without those of its tests; other lines are empty.
fn comments(file: &str, source: &str) -> Text {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let comment = |line: &str| {
        let text = line.trim_start().strip_prefix("//").unwrap_or_default();
        let text = text.strip_prefix(['/', '!']).unwrap_or(text);
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    };
    let lines: Vec<String> = source.lines().map(comment).collect();
    prose(file, &lines.join("\n"))
}

/// The sources of the crate by their names, without those of tests.
fn sources() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    files(root().join("src"), &mut paths);
    paths.sort();
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned();
    let named = paths.iter().map(|path| (name(path), path)).filter(|(name, _)| name.ends_with(".rs"));
    named.filter(|(name, _)| !name.ends_with("tests.rs")).map(|(name, path)| (name, read(path))).collect()
}

/// The lines of a source with the number of each, up to its tests.
fn code(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    source.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// The name that a line declares, if it begins with one of these keywords.
fn declared<'l>(line: &'l str, keywords: &[&str]) -> Option<&'l str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub").map_or(line, |rest| match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    });
    let mut words = line.trim_start().split([' ', '(', '<', '{', ';', ':', '=']);
    let mut keyword = words.next()?;
    while ["const", "async", "unsafe"].contains(&keyword) {
        keyword = words.next()?;
    }
    let name = words.next().filter(|name| !name.is_empty())?;
    keywords.contains(&keyword).then_some(name)
}

/// A format string without the names of its values.
fn unnamed(text: &str) -> String {
    let mut named = false;
    let mut shown = String::new();
    for c in text.chars() {
        named &= c != '}';
        if !named {
            shown.push(c);
        }
        named |= c == '{';
    }
    shown
}

/// The text of a template: without its tags, comments and expressions. Attributes that people read are part of it.
fn page(file: &str, template: &str) -> Text {
    const READ: [&str; 4] = ["title=\"", "aria-label=\"", "placeholder=\"", "alt=\""];
    let mut text = String::new();
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let ends = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<!--", "-->"), ("<style", "</style>"), ("<", ">")];
        let hidden = ends.iter().find(|(begin, _)| rest.starts_with(begin));
        let take = hidden.map_or(c.len_utf8(), |(_, end)| rest.find(end).map_or(rest.len(), |at| at + end.len()));
        let taken = &rest[..take];
        match hidden {
            None => text.push(c),
            Some(("<", _)) => {
                let values = READ.iter().filter_map(|name| taken.split_once(name)?.1.split('"').next());
                text.push_str(&format!(" {} ", values.map(|value| format!(". {value}. ")).collect::<String>()));
                text.extend(taken.chars().filter(|c| *c == '\n'));
            }
            Some(_) => text.extend(taken.chars().filter(|c| *c == '\n').chain([' '])),
        }
        rest = &rest[take..];
    }
    Text { file: file.to_owned(), line: 1, text }
}

/// The descriptions in a schema. They are generated from doc comments, which is where they are rewritten.
fn descriptions(file: &str, schema: &str) -> Vec<Text> {
    let lines = schema.lines().enumerate().filter_map(|(at, line)| {
        let value = line.trim().strip_prefix("\"description\": ")?.trim_end_matches(',');
        let text: String = serde_json::from_str(value).ok()?;
        Some(Text { line: at + 1, ..prose(file, &text) })
    });
    lines.collect()
}

fn files_ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(folder.to_owned(), &mut found);
    found.retain(|path| path.extension().is_some_and(|known| known == end));
    found
}

fn all_texts() -> Vec<Text> {
    let mut texts = Vec::new();
    let relative = |path: &Path| path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned();
    let readmes = ["README.md", "samples/README.md", "tests/cases/README.md", "packages/python/README.md"];
    let mut found: Vec<PathBuf> = readmes.iter().map(|name| root().join(name)).collect();
    let mut docs: Vec<PathBuf> = Vec::new();
    files(root().join("docs"), &mut docs);
    found.extend(docs.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")));
    for path in found {
        let name = relative(&path);
        if !GENERATED.contains(&name.as_str()) {
            texts.push(prose(&name, &read(&path)));
        }
    }
    let mut sources = Vec::new();
    files(root().join("src"), &mut sources);
    for path in sources {
        let name = relative(&path);
        let is_searched = name.ends_with(".rs") && !name.ends_with("tests.rs");
        if is_searched && !EXCLUDED.iter().any(|excluded| name.starts_with(excluded)) {
            let source = read(&path);
            if DOCUMENTED.iter().any(|documented| name.starts_with(documented)) {
                texts.push(documentation(&name, &source));
            } else if DESCRIBED.iter().any(|described| name.starts_with(described)) {
                let head: Vec<&str> = source.lines().take_while(|line| line.starts_with("//!")).collect();
                texts.push(documentation(&name, &head.join("\n")));
            }
            texts.extend(literals(&name, &source));
        }
    }
    for path in files_ending(&root().join("src/html"), "html") {
        texts.push(page(&relative(&path), &read(&path)));
    }
    for path in files_ending(&root().join("src/html"), "js") {
        texts.extend(literals(&relative(&path), &read(&path)));
    }
    for path in files_ending(&root().join("docs/schema"), "json") {
        texts.extend(descriptions(&relative(&path), &read(&path)));
    }
    for command in std::iter::once("").chain(COMMANDS).filter(|command| *command != "explain") {
        texts.push(Text { file: format!("transfeed {command} --help"), line: 1, text: help(command, "--help", "100") });
    }
    texts.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    texts
}

fn help(command: &str, option: &str, columns: &str) -> String {
    let mut run = program(&scratch("words"));
    run.env("COLUMNS", columns).args(Some(command).filter(|command| !command.is_empty())).arg(option);
    let output = run.output().expect("the program starts");
    assert!(output.status.success(), "{command} {option}");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

#[test]
fn texts_are_plain_english() {
    let list = list(&read(&root().join("tests/fixtures/words.txt")));
    let texts = all_texts();
    assert!(texts.len() > 1500, "only {} texts were found", texts.len());
    let mut found = String::new();
    for text in &texts {
        search(text, &list, &mut found);
    }
    assert!(found.is_empty(), "{} phrases:\n{found}", found.lines().count());
}

#[test]
fn comments_are_plain_english() {
    let mut list = list(&read(&root().join("tests/fixtures/words.txt")));
    list.retain(|entry| entry.in_comments);
    assert!(list.len() > 30, "only {} phrases are marked", list.len());
    let (mut found, mut lines) = (String::new(), 0);
    for (name, source) in sources() {
        let text = comments(&name, &source);
        lines += text.text.lines().filter(|line| !line.is_empty()).count();
        search(&text, &list, &mut found);
    }
    assert!(lines > 5000, "only {lines} lines of comments were found");
    assert!(found.is_empty(), "{} phrases:\n{found}", found.lines().count());
}

/// No two types share a name, except a struct of the library's API (src/api) and the type that it wraps; no type has a name
/// that the list bans.
#[test]
fn type_names_are_unique_and_not_banned() {
    let list = read(&root().join("tests/fixtures/names.txt"));
    let entries: Vec<&str> = list.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    let banned: Vec<&str> = entries.iter().filter_map(|line| line.strip_prefix("type ")).collect();
    assert!(banned.len() > 20, "only {} names are banned", banned.len());
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut problems = String::new();
    for (name, source) in sources() {
        // what takes the place of a module without its feature has its names
        if name.contains("/no_") {
            continue;
        }
        for (number, line) in code(&source) {
            // an indented alias is an associated type
            let keywords: &[&str] = match line.starts_with(' ') {
                true => &["struct", "enum", "trait", "union"],
                false => &["struct", "enum", "trait", "union", "type"],
            };
            let Some(declared) = declared(line, keywords) else { continue };
            if banned.contains(&declared) {
                writeln!(problems, "{name}:{number}: {declared} says nothing; name what it holds").expect("a string");
            }
            types.entry(declared.to_owned()).or_default().push(format!("{name}:{number}"));
        }
    }
    assert!(types.len() > 500, "only {} types were found", types.len());
    for (declared, mut places) in types {
        let in_api = places.iter().filter(|place| place.starts_with("src/api/")).count();
        let is_wrapped = in_api == 1 && places.len() == 2;
        if places.len() > 1 && !is_wrapped {
            writeln!(problems, "{}: {declared} is also in {}", places.remove(0), places.join(", ")).expect("a string");
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

/// A function has a verb that a stranger understands: none has a name that the list bans.
#[test]
fn function_names_are_not_banned() {
    let list = read(&root().join("tests/fixtures/names.txt"));
    let banned: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("fn ")).collect();
    assert!(banned.contains(&"of"), "the list bans names of functions");
    let (mut functions, mut problems) = (0, String::new());
    for (name, source) in sources() {
        for (number, line) in code(&source) {
            let Some(declared) = declared(line, &["fn"]) else { continue };
            functions += 1;
            if banned.contains(&declared) {
                writeln!(problems, "{name}:{number}: fn {declared}; name what it does").expect("a string");
            }
        }
    }
    assert!(functions > 3000, "only {functions} functions were found");
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn declarations_are_found() {
    let name = |line: &'static str| declared(line, &["struct", "type", "fn"]);
    assert_eq!(name("pub(in crate::format) struct Film<'e> {"), Some("Film"));
    assert_eq!(name("    pub const fn of(self) -> u8 {"), Some("of"));
    assert_eq!(name("type Pages = (Vec<u64>, Vec<u64>);"), Some("Pages"));
    assert_eq!(name("// struct Film"), None);
    assert_eq!(name("let film = fn_of();"), None);
}

#[test]
fn phrases_are_found_as_words_and_with_their_line() {
    let list = list("address* | URL | e-mail address* |\n^what | a noun | |\nis none | is not a | | docs/\n");
    let find = |file: &str, text: &str| {
        let text = Text { file: file.to_owned(), line: 7, text: text.to_owned() };
        let mut found = String::new();
        search(&text, &list, &mut found);
        found.lines().filter_map(|line| Some(line.split_once(" (")?.0.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(find("a", "two\nAddresses"), ["a:8: \"address*\""]);
    assert!(find("a", "an e-mail address, readdress, what").is_empty());
    assert_eq!(find("a", "So. What is\nit is None"), ["a:7: \"^what\"", "a:8: \"is none\""]);
    assert!(find("docs/a.md", "it is none").is_empty());
}

#[test]
fn pages_and_schemas_are_searched() {
    let found = page("a.html", "<p title=\"the tip\">One {{ name }}\n{% if x %}two<!-- no -->\n</p>");
    let lines: Vec<String> =
        found.text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines, [". the tip. One", "two", ""]);
    let found = descriptions("a.json", "{\n  \"description\": \"What `it` is.\",\n  \"type\": \"object\"\n}");
    assert_eq!(found.iter().map(|text| (text.line, text.text.as_str())).collect::<Vec<_>>(), [(2, "What  is.\n")]);
}

#[test]
fn literals_are_found_with_their_line() {
    let source = "// \"not this one\"\nlet c = '\"';\nlet a = \"two words \\\n    joined \\\"here\\\"\";\nlet b = r#\"a \"raw\" text\"#;\n\
                  let name = \"name\";\n#[cfg(test)]\nmod tests { const A: &str = \"of a test\"; }";
    let found: Vec<_> = literals("a.rs", source).into_iter().map(|text| (text.line, text.text)).collect();
    let expected = [(3, "two words \njoined \\\"here\\\"".to_owned()), (5, "a \"raw\" text".to_owned())];
    assert_eq!(found, expected);
}

/// Short help is one screen: 40 lines for `convert`, 45 for the others, also on a narrow terminal.
#[test]
fn short_help_is_a_screen() {
    for columns in ["80", "100"] {
        for command in std::iter::once("").chain(COMMANDS) {
            let text = help(command, "-h", columns);
            let most = if command == "convert" { 40 } else { 45 };
            let lines = text.lines().count();
            assert!(lines <= most, "{command}: {lines} lines at {columns} columns\n{text}");
            let wide = text.lines().find(|line| line.chars().count() > columns.parse().unwrap_or(80));
            assert_eq!(wide, None, "{command} at {columns} columns");
        }
    }
}
