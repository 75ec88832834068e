//! Runs the cases in tests/cases, and the commands that README.md and docs/ show: Markdown that shows an input, a
//! command and what comes out.
//!
//! The form of a case is told in tests/cases/README.md. `TRANSFEED_BLESS=1` writes what the program does into
//! the cases instead of failing; `TRANSFEED_CASE=part` runs those whose name has the part.

mod common;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use common::{Run, line_diff, scratch, transfeed};

/// Stands under an output that has no final newline.
const NO_NEWLINE: &str = "\\ no newline at the end\n";

/// What is run, and how: a case has its own inputs, a document uses the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Case,
    Document,
}

#[test]
fn every_case_does_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    check_all(Kind::Case, &root, &case_files(&root));
}

#[test]
fn every_document_shows_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = case_files(&root.join("docs"));
    files.push(root.join("README.md"));
    check_all(Kind::Document, root, &files);
}

/// Runs the files and fails with all their complaints, or blesses them.
fn check_all(kind: Kind, root: &Path, files: &[PathBuf]) {
    assert!(!files.is_empty(), "{}: nothing to run", root.display());
    let bless = std::env::var_os("TRANSFEED_BLESS").is_some_and(|value| value == "1");
    let part = std::env::var("TRANSFEED_CASE").unwrap_or_default();
    let check = |file: &PathBuf| {
        let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
        if !name.contains(&part) {
            return Vec::new();
        }
        let text = std::fs::read_to_string(file).expect("a case in UTF-8");
        let outcome = run_case(kind, &name, &text);
        if bless && outcome.written != text {
            std::fs::write(file, &outcome.written).expect("the case can be written");
        }
        let complaints = outcome.complaints.into_iter().filter(|_| !bless);
        complaints.map(|complaint| format!("{name}: {complaint}")).collect()
    };
    let failed: Vec<String> = files.par_iter().flat_map_iter(check).collect();
    assert!(failed.is_empty(), "{} complaints; TRANSFEED_BLESS=1 accepts them\n{}", failed.len(), failed.join("\n"));
}

/// The Markdown files of a folder and the folders in it, READMEs apart, in order of their names.
fn case_files(root: &Path) -> Vec<PathBuf> {
    let (mut open, mut files) = (vec![root.to_owned()], Vec::new());
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("README.md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A piece of a case: prose as it stands, or a fenced block.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Prose(String),
    Block { fence: String, info: String, body: String },
}

/// Cuts a case into its pieces; an unclosed fence is a mistake of the case.
fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut prose = String::new();
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        let ticks = line.chars().take_while(|c| *c == '`').count();
        if ticks < 3 {
            prose.push_str(line);
            continue;
        }
        pieces.push(Piece::Prose(std::mem::take(&mut prose)));
        let (fence, info) = line.trim_end().split_at(ticks);
        let mut body = String::new();
        loop {
            match lines.next() {
                Some((_, line)) if line.trim_end() == fence => break,
                Some((_, line)) => body.push_str(line),
                None => return Err(format!("the block of line {} has no end", number + 1)),
            }
        }
        pieces.push(Piece::Block { fence: fence.to_owned(), info: info.to_owned(), body });
    }
    pieces.push(Piece::Prose(prose));
    Ok(pieces)
}

/// What running a case gave: complaints, and the case as it would be if the program were right.
#[derive(Debug, Default)]
struct Outcome {
    complaints: Vec<String>,
    written: String,
}

/// A folder for the commands; those of a document find the samples in it, by their names and in `samples/`.
fn folder(kind: Kind, name: &str) -> PathBuf {
    let dir = scratch(&format!("case-{}", name.replace(['/', '\\', '.'], "-")));
    if kind == Kind::Document {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        std::fs::create_dir(dir.join("samples")).expect("the scratch folder takes a folder");
        for sample in std::fs::read_dir(samples).expect("the samples can be listed").flatten() {
            for place in [dir.clone(), dir.join("samples")] {
                std::fs::copy(sample.path(), place.join(sample.file_name())).expect("a sample can be copied");
            }
        }
    }
    dir
}

fn run_case(kind: Kind, name: &str, text: &str) -> Outcome {
    let dir = folder(kind, name);
    let pieces = match pieces(text) {
        Ok(pieces) => pieces,
        Err(complaint) => return Outcome { complaints: vec![complaint], written: text.to_owned() },
    };
    let mut outcome = Outcome::default();
    let (mut stderr, mut commands) = (String::new(), 0);
    for piece in pieces {
        let (fence, info, body) = match piece {
            Piece::Prose(prose) => {
                outcome.written.push_str(&prose);
                continue;
            }
            Piece::Block { fence, info, body } => (fence, info, body),
        };
        let found = match Role::of(&info) {
            Role::File(name) => write_input(&dir, name, &body).map(|()| body.clone()),
            Role::Expect(name) => read_output(&dir, name)
                .map(|found| if body.contains('\u{2026}') { ellipsis(&body, found) } else { found }),
            Role::Stderr => Ok(ellipsis(&body, std::mem::take(&mut stderr))),
            Role::Console => run_console(kind, &dir, &body).map(|(shown, said, ran)| {
                (stderr, commands) = (said, commands + ran);
                shown
            }),
            Role::Illustration => Ok(body.clone()),
        };
        let shown = found.unwrap_or_else(|complaint| {
            outcome.complaints.push(complaint);
            body.clone()
        });
        if shown != body {
            outcome.complaints.push(format!("block `{info}` differs\n{}", line_diff(&body, &shown)));
        }
        outcome.written.push_str(&format!("{fence}{info}\n{shown}{fence}\n"));
    }
    if commands == 0 && kind == Kind::Case {
        outcome.complaints.push("it runs no command".to_owned());
    }
    outcome
}

/// What a block is there for, by its info string.
#[derive(Debug, PartialEq, Eq)]
enum Role<'a> {
    File(&'a str),
    Expect(&'a str),
    Console,
    Stderr,
    Illustration,
}

impl<'a> Role<'a> {
    fn of(info: &'a str) -> Self {
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        for word in words {
            match word.split_once('=') {
                Some(("file", name)) => return Role::File(name),
                Some(("expect", name)) => return Role::Expect(name),
                _ => {}
            }
        }
        match language {
            "console" => Role::Console,
            "stderr" => Role::Stderr,
            _ => Role::Illustration,
        }
    }
}

fn write_input(dir: &Path, name: &str, body: &str) -> Result<(), String> {
    let path = inside(dir, name)?;
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(&path, written(body))).map_err(|error| format!("{name}: {error}"))
}

fn read_output(dir: &Path, name: &str) -> Result<String, String> {
    let bytes = std::fs::read(inside(dir, name)?).map_err(|error| format!("no output {name}: {error}"))?;
    Ok(whole_lines(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The path of a file of the case; a case touches nothing but its own folder.
fn inside(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let plain = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if plain { Ok(dir.join(name)) } else { Err(format!("{name}: a case writes in its own folder only")) }
}

/// The bytes of an input file, whose final newline the mark removes.
fn written(body: &str) -> &str {
    body.strip_suffix(NO_NEWLINE).map_or(body, |text| text.strip_suffix('\n').unwrap_or(text))
}

/// A block ends in a newline; an output that does not is marked.
fn whole_lines(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" + NO_NEWLINE }
}

/// The expected text itself where the found one fits it: a line `…` fits any lines.
fn ellipsis(expected: &str, found: String) -> String {
    let parts = between_ellipses(expected);
    let (Some(head), Some(tail)) = (parts.first(), parts.last()) else { return found };
    let Some(mut rest) = found.strip_prefix(head.as_str()) else { return found };
    for part in &parts[1..] {
        // a part begins where a line does
        let at =
            if rest.starts_with(part.as_str()) { Some(0) } else { rest.find(&format!("\n{part}")).map(|at| at + 1) };
        match at {
            Some(at) => rest = &rest[at + part.len()..],
            None => return found,
        }
    }
    let fits = match parts.len() {
        1 => rest.is_empty(),
        _ => tail.is_empty() || found.ends_with(tail.as_str()),
    };
    if fits { expected.to_owned() } else { found }
}

/// The texts before, between and after the lines `…`.
fn between_ellipses(expected: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in expected.split_inclusive('\n') {
        match parts.last_mut() {
            Some(part) if line.trim_end() != "\u{2026}" => part.push_str(line),
            _ => parts.push(String::new()),
        }
    }
    parts
}

/// Runs the commands of a console block: the block as it should be, what stood on stderr, how many ran.
fn run_console(kind: Kind, dir: &Path, body: &str) -> Result<(String, String, usize), String> {
    let (mut shown, mut stderr, mut ran) = (String::new(), String::new(), 0);
    for (line, expected) in commands(body)? {
        let words = words(line.trim_start_matches("$ "))?;
        let (args, stdin) = redirect(dir, &words)?;
        let run = transfeed(dir, &args, stdin.as_deref());
        ran += 1;
        stderr.push_str(&run.stderr);
        shown.push_str(line);
        shown.push('\n');
        let plain = expected.strip_suffix(&last_code(&expected)).unwrap_or(&expected);
        shown.push_str(&ellipsis(plain, seen(kind, &run)));
        if run.code != 0 {
            shown.push_str(&format!("? {}\n", run.code));
        }
    }
    if ran == 0 {
        return Err("a console block without a command".to_owned());
    }
    Ok((shown, whole_lines(stderr), ran))
}

/// What stands under a command: of a case its standard output, of a document what a terminal shows.
fn seen(kind: Kind, run: &Run) -> String {
    match kind {
        Kind::Case => whole_lines(run.text()),
        Kind::Document => whole_lines(run.text()) + &run.stderr,
    }
}

/// The line that tells the exit code at the end of what is expected of a command.
fn last_code(expected: &str) -> String {
    let last = expected.lines().last().unwrap_or_default();
    if last.starts_with("? ") { format!("{last}\n") } else { String::new() }
}

/// Each command line with the lines under it.
fn commands(body: &str) -> Result<Vec<(&str, String)>, String> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in body.split_inclusive('\n') {
        match (line.starts_with("$ "), found.last_mut()) {
            (true, _) => found.push((line.trim_end(), String::new())),
            (false, Some((_, expected))) => expected.push_str(line),
            (false, None) => return Err(format!("a console block begins with `$ transfeed …`, not with {line:?}")),
        }
    }
    Ok(found)
}

/// The words of a command line, quotes as in a shell.
fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match (quote, words.first().map(String::as_str)) {
        (Some(open), _) => Err(format!("{line}: the quote {open} has no end")),
        (None, Some("transfeed")) => Ok(words),
        (None, _) => Err(format!("{line}: a case runs transfeed only")),
    }
}

/// The arguments, and what `< NAME` at the end gives to stdin.
fn redirect<'a>(dir: &Path, words: &'a [String]) -> Result<(Vec<&'a str>, Option<Vec<u8>>), String> {
    let args: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    match args.as_slice() {
        [args @ .., "<", name] => {
            let bytes = std::fs::read(inside(dir, name)?).map_err(|error| format!("{name}: {error}"))?;
            Ok((args.to_vec(), Some(bytes)))
        }
        _ => Ok((args, None)),
    }
}

#[test]
fn pieces_put_together_are_the_case() {
    let text = "# T\n\n```xml file=a.rss\n<a/>\n```\nprose\n````console\n$ transfeed --help\n```\n````\n";
    let found = pieces(text).expect("every fence is closed");
    let block = |fence: &str, info: &str, body: &str| Piece::Block {
        fence: fence.to_owned(),
        info: info.to_owned(),
        body: body.to_owned(),
    };
    assert_eq!(found[1], block("```", "xml file=a.rss", "<a/>\n"));
    assert_eq!(found[3], block("````", "console", "$ transfeed --help\n```\n"));
    let again = found.iter().map(|piece| match piece {
        Piece::Prose(prose) => prose.clone(),
        Piece::Block { fence, info, body } => format!("{fence}{info}\n{body}{fence}\n"),
    });
    assert_eq!(again.collect::<String>(), text);
    assert!(pieces("```xml\n").is_err());
}

#[test]
fn info_strings_tell_what_a_block_is_for() {
    assert_eq!(Role::of("xml file=a.rss"), Role::File("a.rss"));
    assert_eq!(Role::of("xml expect=b.xml"), Role::Expect("b.xml"));
    assert_eq!(Role::of("console"), Role::Console);
    assert_eq!(Role::of("stderr"), Role::Stderr);
    assert_eq!(Role::of("xml"), Role::Illustration);
}

#[test]
fn command_lines_are_read_as_in_a_shell() {
    let words_of = |line: &str| words(line).map(|words| words.join("|"));
    assert_eq!(words_of("transfeed convert 'a b' -o \"\"").as_deref(), Ok("transfeed|convert|a b|-o|"));
    assert!(words("rm -rf x").is_err());
    assert!(words("transfeed 'x").is_err());
}

#[test]
fn commands_own_the_lines_under_them() {
    let found = commands("$ transfeed a\none\ntwo\n? 2\n$ transfeed b\n").expect("begins with a command");
    assert_eq!(found, [("$ transfeed a", "one\ntwo\n? 2\n".to_owned()), ("$ transfeed b", String::new())]);
    assert_eq!(last_code(&found[0].1), "? 2\n");
    assert!(commands("one\n").is_err());
}

#[test]
fn an_ellipsis_fits_any_lines_and_nothing_else() {
    let fits = |expected: &str, found: &str| ellipsis(expected, found.to_owned()) == expected;
    assert!(fits("a\n…\nd\n", "a\nb\nc\nd\n"));
    assert!(fits("…\n", "a\n"));
    assert!(fits("a\n…\n", "a\n"));
    assert!(!fits("a\n…\nd\n", "a\nb\nc\n"));
    assert!(!fits("a\n", "a\nb\n"));
    assert!(!fits("…\nd\n", "d\ne\n"));
    assert!(!fits("a\n…\nd\n", "a\nbd\n"));
    assert!(!fits("a …\n", "a b\n"));
}

#[test]
fn a_case_stays_in_its_folder() {
    assert!(inside(Path::new("x"), "../y").is_err());
    assert!(inside(Path::new("x"), "/y").is_err());
    assert!(inside(Path::new("x"), "y/z.xml").is_ok());
}
