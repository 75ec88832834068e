//! The requests of the page, as JSON. Options have the names of the library.

use serde::Deserialize;
use transfeed::Error;
use transfeed::format::{self, Format};
use transfeed::options::Options;

/// What the page asks for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// The content of a document, and a forecast for each target.
    Inspect(InspectRequest),
    /// The rules that it breaks.
    Validate(ValidateRequest),
    /// The document in another format.
    Convert(Box<ConvertRequest>),
    /// The differences between two documents.
    Compare(CompareRequest),
}

/// A file, whose bytes come separately.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFacts {
    /// Its name, without a folder.
    pub name: String,
    /// When it was last changed, in seconds since 1970.
    #[serde(default)]
    pub modified: Option<i64>,
    /// The format to read it as, if its content should not decide.
    #[serde(default)]
    pub from: Option<String>,
}

impl InputFacts {
    /// The format to read it as.
    ///
    /// # Errors
    /// There is none with this name.
    pub fn source(&self) -> Result<Option<&'static Format>, Error> {
        let unknown = |name| move || Error::format(format!("unknown format: {name}"), "leave it out");
        self.from.as_deref().map(|name| format::by_id(name).ok_or_else(unknown(name))).transpose()
    }
}

/// See [`Request::Inspect`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InspectRequest {
    /// The document.
    pub input: InputFacts,
    /// The time of the run, in seconds since 1970.
    pub now: i64,
}

/// See [`Request::Validate`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The document.
    pub input: InputFacts,
    /// The time of the run, in seconds since 1970.
    pub now: i64,
    /// Every finding as JSON, instead of the page with the first ones of each rule.
    #[serde(default)]
    pub json: bool,
}

/// See [`Request::Convert`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// The document.
    pub input: InputFacts,
    /// The time of the run, in seconds since 1970.
    pub now: i64,
    /// The target format.
    pub to: String,
    /// The name of the output.
    pub output: String,
    /// How it is converted; what is absent has its default.
    #[serde(default)]
    pub options: Options,
}

/// See [`Request::Compare`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The old document.
    pub a: InputFacts,
    /// The new document.
    pub b: InputFacts,
}
