//! The hash of a file, by which what was read or written is recognised later.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::text::hex;

/// SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// An I/O error.
pub fn of_file(path: &Path) -> io::Result<String> {
    let (mut sum, mut file, mut buffer) = (Sha256::new(), File::open(path)?, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&sum.finalize())),
            read => sum.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}
