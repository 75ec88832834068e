//! An input that is to be converted, and the reasons why a file is not one. The conversion is in work.rs.

use super::sources::{SourceFile, kind};
use crate::cli::file::NameHint;
use crate::convert::refusal;
use crate::detect::DocumentKind;
use std::path::PathBuf;

/// An input and its planned output.
pub struct MigrationTask {
    /// The input.
    pub input: SourceFile,
    /// The path of its output, below the folder of outputs.
    pub output: PathBuf,
}

/// The message for a file that was a feed.
pub const SPOILED: &str = "is no longer a feed; the previous output is kept";

/// A file that is no feed.
pub struct NoFeed {
    /// The file.
    pub input: SourceFile,
    /// What it is instead.
    pub why: String,
    /// It was meant to be a feed.
    pub fails: bool,
    /// `why` mentions that.
    pub is_told: bool,
    /// It is a page with a video that an option could read or report.
    pub has_video: bool,
}

impl NoFeed {
    /// Describes this file.
    pub fn from_file(input: &SourceFile) -> NoFeed {
        let kind = kind(&input.file).unwrap_or(DocumentKind::Unknown { looks: "no text".to_owned() });
        let why = refusal(&kind).to_string();
        let fails = NameHint::from_path(&input.file).is_feed(&kind);
        let has_video = matches!(kind, DocumentKind::Html { players, microdata, .. } if players || microdata);
        NoFeed { input: input.clone(), why, fails, is_told: false, has_video }
    }
}
