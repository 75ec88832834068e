//! The requests of the page, as JSON. Options have the names of the command line.

use serde::Deserialize;
use transfeed::options::{ForeignMode, Options, Profile};

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
    /// How it is converted.
    #[serde(default)]
    pub options: ConvertOptions,
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

/// The options of a conversion that the page offers, by their long names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConvertOptions {
    r#for: Option<ProfileName>,
    foreign: Option<ForeignName>,
    thumbnail_from_feed: bool,
    thumbnail_from_html: bool,
    default_thumbnail: Option<String>,
    title_from_slug: bool,
    pubdate_from_lastmod: bool,
    lastmod_from_published: bool,
    no_synth: bool,
    pretty: bool,
    accept_truncated: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ProfileName {
    Google,
    Yandex,
    None,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ForeignName {
    Same,
    Keep,
    Drop,
}

impl ConvertOptions {
    /// Adds them to the options of a run.
    pub(crate) fn apply(&self, options: &mut Options) {
        options.profile = match self.r#for {
            None => Profile::Default,
            Some(ProfileName::Google) => Profile::Google,
            Some(ProfileName::Yandex) => Profile::Yandex,
            Some(ProfileName::None) => Profile::None,
        };
        options.foreign = match self.foreign {
            None | Some(ForeignName::Same) => ForeignMode::Same,
            Some(ForeignName::Keep) => ForeignMode::Keep,
            Some(ForeignName::Drop) => ForeignMode::Drop,
        };
        options.thumbnail_from_feed = self.thumbnail_from_feed;
        options.thumbnail_from_html = self.thumbnail_from_html;
        options.default_thumbnail.clone_from(&self.default_thumbnail);
        options.title_from_slug = self.title_from_slug;
        options.pubdate_from_lastmod = self.pubdate_from_lastmod;
        options.lastmod_from_published = self.lastmod_from_published;
        options.no_synth = self.no_synth;
        options.pretty = self.pretty;
        options.accept_truncated = self.accept_truncated;
    }
}
