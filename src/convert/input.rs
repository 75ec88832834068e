//! What is read: a name, and its bytes as often as they are asked for.

use std::io;
use std::io::Read;

/// Something that can be read more than once from its beginning: a file, bytes in memory, a spooled pipe.
pub trait Input: Sync {
    /// The name in messages.
    fn name(&self) -> &str;
    /// Its own URL in place of [`crate::Options::base`].
    fn given_base(&self) -> Option<&str> {
        None
    }
    /// The URL it came from, to resolve its relative URLs where [`crate::Options::base`] is not given.
    fn base(&self) -> Option<&str> {
        None
    }
    /// The encoding that its server named (`charset`).
    fn charset(&self) -> Option<&str> {
        None
    }
    /// Opens a new reader at the beginning.
    ///
    /// # Errors
    /// An I/O error.
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>>;
}

/// Bytes in memory.
pub struct Bytes<'b> {
    /// What messages call them.
    pub name: &'b str,
    /// The bytes.
    pub bytes: &'b [u8],
}

impl Input for Bytes<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(self.bytes))
    }
}

/// The source of a run: its name, format and encoding.
#[derive(Clone, Debug, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourceInfo {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The encoding it was read in.
    pub encoding: String,
    /// The platforms whose own elements it may have (`jwplayer`); empty if none is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dialect: String,
}
