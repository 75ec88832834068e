//! Decompresses a gzip stream while it is read: all its members, with limits of size and ratio. A gzip stream inside
//! another one is not decompressed.

use std::fmt;
use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use crate::text::grouped;
use crate::xml::decode::block::Block;

/// First bytes of a member (RFC 1952, 2.3.1).
pub(super) const MAGIC: &[u8] = b"\x1f\x8b";
/// Compressed bytes read at once.
const BLOCK: usize = 32 * 1024;
/// Window of deflate, as a power of two (RFC 1951, 3.2.5).
const WINDOW_BITS: u8 = 15;

/// How much may come out of a gzip stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self", default)]
pub struct Caps {
    /// Inflated bytes (`--max-inflated`).
    pub inflated: u64,
    /// Inflated bytes for each compressed one (`--max-ratio`).
    pub ratio: u64,
    /// Inflated bytes from which on the ratio counts: small streams may be as regular as they like.
    pub ratio_from: u64,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { inflated: 4 << 30, ratio: 200, ratio_from: 100 << 20 }
    }
}

/// A cap was met; the source of an `io::Error` of kind `InvalidData`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapExceeded {
    /// The option that raises the cap.
    pub option: &'static str,
    /// What was met.
    pub says: String,
}

impl fmt::Display for CapExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {} raises the limit", self.says, self.option)
    }
}

impl std::error::Error for CapExceeded {}

/// How a stream ended that did not end as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// In the middle of a member.
    Cut,
    /// With bytes that cannot be inflated, or that do not match their checksum.
    Corrupt,
    /// With something after the last member that is not a member.
    Garbage,
}

/// The inflated stream.
pub(super) struct Inflate<R> {
    input: R,
    raw: Block,
    /// The input has nothing more.
    dry: bool,
    engine: Decompress,
    state: GzipState,
    caps: Caps,
    packed: u64,
    inflated: u64,
    ending: Option<Ending>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GzipState {
    Member,
    Between,
    Over,
}

impl<R: Read> Inflate<R> {
    /// A stream that begins with `start`, already read of `input`.
    pub(super) fn new(start: Vec<u8>, input: R, caps: Caps) -> Self {
        Inflate {
            input,
            raw: Block::new(start),
            dry: false,
            engine: Decompress::new_gzip(WINDOW_BITS),
            state: GzipState::Member,
            caps,
            packed: 0,
            inflated: 0,
            ending: None,
        }
    }

    /// How the stream ended, if not regularly; known once the end is reached.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn member(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.raw.rest().is_empty() {
            self.fill()?;
        }
        let (before_in, before_out) = (self.engine.total_in(), self.engine.total_out());
        let status = self.engine.decompress(self.raw.rest(), out, FlushDecompress::None);
        let used = self.engine.total_in() - before_in;
        let made = self.engine.total_out() - before_out;
        self.raw.consume(usize::try_from(used).unwrap_or(usize::MAX));
        self.packed += used;
        self.inflated += made;
        match status {
            Ok(Status::StreamEnd) => self.state = GzipState::Between,
            Ok(Status::Ok | Status::BufError) if made == 0 && used == 0 && self.dry => self.end(Some(Ending::Cut)),
            Ok(Status::Ok | Status::BufError) => {}
            Err(_) => self.end(Some(Ending::Corrupt)),
        }
        self.check()?;
        Ok(usize::try_from(made).unwrap_or(usize::MAX))
    }

    /// After a member: another one, padding with zeros, or the end.
    fn between(&mut self) -> io::Result<()> {
        let zeros = self.raw.rest().iter().take_while(|&&byte| byte == 0).count();
        self.raw.consume(zeros);
        self.packed += zeros as u64;
        if self.raw.rest().len() < MAGIC.len() && !self.dry {
            return self.fill();
        }
        if self.raw.rest().starts_with(MAGIC) {
            self.engine = Decompress::new_gzip(WINDOW_BITS);
            self.state = GzipState::Member;
        } else {
            let garbage = !self.raw.rest().is_empty();
            self.end(garbage.then_some(Ending::Garbage));
        }
        Ok(())
    }

    fn end(&mut self, ending: Option<Ending>) {
        self.state = GzipState::Over;
        self.ending = ending;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.dry = self.raw.read_more(&mut self.input, BLOCK)? == 0;
        Ok(())
    }

    /// Stops rather than counts: a stream that is refused costs no more than its cap.
    fn check(&self) -> io::Result<()> {
        let bomb = |option, says| Err(io::Error::new(io::ErrorKind::InvalidData, CapExceeded { option, says }));
        let Caps { inflated, ratio, ratio_from } = self.caps;
        if self.inflated > inflated {
            return bomb(
                "--max-inflated",
                format!("the gzip stream decompresses to more than {} bytes", grouped(inflated)),
            );
        }
        if self.inflated > ratio_from && self.inflated > self.packed.saturating_mul(ratio) {
            let says = format!("the gzip stream decompresses to more than {ratio} times its size");
            return bomb("--max-ratio", says);
        }
        Ok(())
    }
}

impl<R: Read> Read for Inflate<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let mut count = 0;
        while count == 0 && !out.is_empty() && self.state != GzipState::Over {
            match self.state {
                GzipState::Member => count = self.member(out)?,
                GzipState::Between | GzipState::Over => self.between()?,
            }
        }
        Ok(count)
    }
}
