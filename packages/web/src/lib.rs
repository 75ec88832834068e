//! What the page asks for, as calls of the library: named bytes in, a view and named bytes out. It has no files, no
//! clock and no network. The memory that the page and this module share is in bridge.rs.
//!
//! Each request is done as the program does it with the same options, so the outputs are equal to the byte; the test
//! in packages/web/test compares them.

mod bridge;
mod compare;
mod convert;
mod inspect;
mod request;
mod validate;

use std::io::{self, Read};

use serde_json::Value;
use transfeed::Error;
use transfeed::convert::Input;
use transfeed::model::Date;
use transfeed::options::Options;

pub use request::{InputFacts, Request};

/// An output that can be saved.
#[derive(Debug)]
pub struct Output {
    /// Its kind: `document`, `json` or `html`.
    pub kind: &'static str,
    /// The name of the file.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The answer to a request.
#[derive(Debug, Default)]
pub struct Answer {
    /// What the page shows.
    pub view: Value,
    /// What can be saved.
    pub outputs: Vec<Output>,
}

/// Called with the bytes of the input that were read so far.
pub type ReadCounter = dyn Fn(u64) + Sync;

/// The bytes of a file, whose reading is reported.
struct PageInput<'p> {
    name: &'p str,
    bytes: &'p [u8],
    read: &'p ReadCounter,
}

/// Bytes between two reports.
const STEP: u64 = 1 << 18;

struct CountedReader<'p> {
    rest: &'p [u8],
    taken: u64,
    reported: u64,
    read: &'p ReadCounter,
}

impl Input for PageInput<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(CountedReader { rest: self.bytes, taken: 0, reported: 0, read: self.read }))
    }
}

impl Read for CountedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.rest.read(buffer)?;
        self.taken += taken as u64;
        if self.taken >= self.reported + STEP {
            self.reported = self.taken;
            (self.read)(self.taken);
        }
        Ok(taken)
    }
}

/// Does what is asked for with these files.
///
/// # Errors
/// The message of the program: an unreadable document, an unknown option, a limit.
pub fn answer(request: &str, files: &[Vec<u8>], read: &ReadCounter) -> Result<Answer, String> {
    let request: Request =
        serde_json::from_str(request).map_err(|error| format!("cannot read the request: {error}"))?;
    let of = |number: usize| files.get(number).map(Vec::as_slice).unwrap_or_default();
    let file = |facts, number| page_input(facts, of(number), read);
    let done = match &request {
        Request::Inspect(asked) => inspect::run(asked, &file(&asked.input, 0)),
        Request::Validate(asked) => validate::run(asked, &file(&asked.input, 0)),
        Request::Convert(asked) => convert::run(asked, &file(&asked.input, 0)),
        Request::Compare(asked) => compare::run(asked, [&file(&asked.a, 0), &file(&asked.b, 1)]),
    };
    done.map_err(|error| error.to_string())
}

fn page_input<'p>(facts: &'p InputFacts, bytes: &'p [u8], read: &'p ReadCounter) -> PageInput<'p> {
    PageInput { name: &facts.name, bytes, read }
}

/// Options of a run on the only thread there is. The page sends the time of the run and of the file.
fn options(now: i64, input: &InputFacts) -> Options {
    of_run(Options::default(), now, input)
}

/// The same with other options than the defaults.
fn of_run(options: Options, now: i64, input: &InputFacts) -> Options {
    let modified = input.modified.and_then(Date::from_unix);
    Options { threads: 1, now: Date::from_unix(now), modified, ..options }
}

/// What a document is called in the names of its reports: its name without the endings.
fn stem(name: &str) -> &str {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Output {
    fn new(kind: &'static str, name: String, bytes: Vec<u8>) -> Output {
        Output { kind, name, bytes }
    }
}

/// The bytes that a function writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| Error::io("output", error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../page/index.html");
    const SAMPLE: &[u8] = include_bytes!("../../../samples/catalogue.mrss");

    fn asked(request: &Value) -> Value {
        answer(&request.to_string(), &[SAMPLE.to_vec()], &|_| ()).expect("an answer").view
    }

    #[test]
    fn every_target_has_an_ending() {
        let view = asked(&serde_json::json!({"do": "inspect", "input": {"name": "a.mrss"}, "now": 0}));
        let targets = view["targets"].as_array().expect("targets");
        let ending = |target: &Value| (target["to"].to_string(), target["ending"].as_str().map(str::to_owned));
        let found: Vec<_> = targets.iter().map(ending).collect();
        assert!(found.len() > 12 && found.iter().all(|(_, ending)| ending.is_some()), "{found:?}");
        for (to, ending) in
            [("mrss", "mrss"), ("rss-podcast", "rss"), ("csv", "csv"), ("jsonfeed", "json"), ("text", "txt")]
        {
            assert!(found.contains(&(format!("{to:?}"), Some(ending.to_owned()))), "{to}: {found:?}");
        }
    }

    #[test]
    fn fields_of_the_page_are_options_of_the_library() {
        let options = serde_json::to_value(Options::default()).expect("JSON");
        let named: Vec<&str> = PAGE.split("data-option=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(named.len() > 10);
        for name in named {
            let default = options.get(name).unwrap_or_else(|| panic!("no option is called {name}"));
            let chosen = match (default, name) {
                (Value::Bool(_), _) => serde_json::json!(true),
                (_, "profile") => serde_json::json!("google"),
                (_, "foreign") => serde_json::json!("keep"),
                (_, "title_from") => serde_json::json!("slug"),
                _ => serde_json::json!("https://example.com/a.jpg"),
            };
            asked(&serde_json::json!({
                "do": "convert", "input": {"name": "a.mrss"}, "now": 0, "to": "mrss", "output": "b.mrss",
                "options": {name: chosen},
            }));
        }
    }
}
