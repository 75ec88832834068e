//! How an input came from a URL: a fact for reports. The command line fetches; the library does not.

use serde::{Deserialize, Serialize};

/// How an input was fetched.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fetched {
    /// The URL that was asked for, without user and password.
    pub url: String,
    /// The status of the last response; absent if there was none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub status: u16,
    /// The URL after all redirects, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    /// The URL that permanent redirects (301, 308) name instead: lists should name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The encoding that the server named (`charset` of `Content-Type`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// The body came from the cache.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Requests that failed before and were repeated.
    #[serde(default, skip_serializing_if = "is_none")]
    pub repeated: u32,
    /// Bytes of the body as they were sent.
    #[serde(default)]
    pub bytes: u64,
    /// How long it took, repetitions and waits included.
    #[serde(default)]
    pub seconds: f64,
}

fn is_zero(status: &u16) -> bool {
    *status == 0
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl Fetched {
    /// The URL that the body came from: that of the document.
    pub fn document_url(&self) -> &str {
        self.final_url.as_deref().unwrap_or(&self.url)
    }
}
