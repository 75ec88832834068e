//! What the conversion of a whole tree needs to know besides that of one document: names of outputs, what was done before,
//! which files a machine of many takes, which files a list names, and what it all came to. Files are found, read and
//! written elsewhere (`cli/migrate`); this knows paths as names only.

pub mod journal;
pub mod list;
pub mod name;
pub mod shard;
pub mod summary;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::text::{byte_of_hex, hex};

/// A path as text that any path can be written as and read back from: text as it is, anything else byte by byte.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Name {
    /// A path in UTF-8.
    Text(String),
    /// Any other one, as hexadecimal digits.
    Bytes {
        /// Two digits a byte.
        hex: String,
    },
}

impl Name {
    /// The name of this path.
    pub fn from_path(path: impl AsRef<OsStr>) -> Name {
        let path = path.as_ref();
        match path.to_str() {
            Some(text) => Name::Text(text.to_owned()),
            None => Name::Bytes { hex: hex(path.as_encoded_bytes()) },
        }
    }

    /// The path; `None` if the text is not valid.
    pub fn path(&self) -> Option<OsString> {
        match self {
            Name::Text(text) => Some(text.into()),
            Name::Bytes { hex } => from_bytes(hex.as_bytes().chunks(2).map(byte_of_hex).collect::<Option<Vec<u8>>>()?),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            Some(path) => f.write_str(&shown(path)),
            None => f.write_str("?"),
        }
    }
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// The bytes of a path, from which alone what depends on its name depends.
pub fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A path for people: what is not UTF-8 as `\xNN`, what a terminal would obey as `\u{…}`.
pub fn shown(path: impl AsRef<OsStr>) -> String {
    let mut text = String::new();
    for chunk in path.as_ref().as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\t' | '\r' => text.extend(c.escape_default()),
                c => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    crate::report::make_visible(&text)
}

/// So many hexadecimal digits of a hash that is the same on every machine.
pub fn digest(bytes: &[u8], digits: usize) -> String {
    use sha2::Digest;
    let mut text = hex(&sha2::Sha256::digest(bytes));
    text.truncate(digits);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_comes_back() {
        for bytes in [&b"a/b.xml"[..], b"", b"\xff\xfe/\n", "пруд".as_bytes(), b"a\xed\xa0\x80"] {
            let path = from_bytes(bytes.to_vec()).expect("a path");
            let line = serde_json::to_string(&Name::from_path(&path)).expect("JSON");
            let back: Name = serde_json::from_str(&line).expect("a name");
            assert_eq!(back.path(), Some(path), "{line}");
        }
        for wrong in [r#"{"hex":"f"}"#, r#"{"hex":"zz"}"#] {
            let name: Name = serde_json::from_str(wrong).expect("a name");
            assert!(name.path().is_none() || wrong.contains("\"f\""), "{wrong}");
        }
    }

    #[test]
    fn paths_are_shown_and_not_obeyed() {
        let path = from_bytes(b"a\xff\n\x1b[1m\xe2\x80\xae.xml".to_vec()).expect("a path");
        assert_eq!(shown(path), "a\\xff\\n\\u{1b}[1m\\u{202e}.xml");
    }
}
