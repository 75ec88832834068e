//! Bodies of responses: read within bounds, without their content coding, complete or not at all.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};

use crate::text::{hex, size};

/// What a body may ask of this program.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// Bytes as they are sent.
    pub download: u64,
    /// Bytes without the content coding.
    pub unpacked: u64,
    /// Unpacked bytes for each sent one, once [`FREE`] bytes are unpacked.
    pub ratio: u64,
}

/// Bytes that are unpacked whatever their ratio.
const FREE: u64 = 100 << 20;

/// A body that was received.
#[derive(Debug, PartialEq)]
pub struct ReceivedBody {
    /// Bytes as they were sent.
    pub sent: u64,
    /// Bytes without the content coding.
    pub size: u64,
    /// SHA-256 of these, as hexadecimal digits.
    pub hash: String,
}

/// Why a body is not taken.
#[derive(Debug)]
pub enum BodyTrouble {
    /// The connection failed, or ended before the body did. Another try may help.
    Broken(String),
    /// It passes a limit, and no other try would help.
    Refused(String),
    /// It is not in the coding that the server names, and no other try would help.
    Invalid(String),
    /// The body cannot be stored.
    Storage(io::Error),
}

/// The layers of gzip that a `Content-Encoding` header names: 0 or 1.
///
/// # Errors
/// Another coding.
pub fn gzip_layers(coding: &str) -> Result<u32, String> {
    let mut layers = 0;
    for name in coding.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name.to_ascii_lowercase().as_str() {
            "identity" => (),
            "gzip" | "x-gzip" => layers += 1,
            _ => return Err(format!("the server sent the content coding {name:?}, although only gzip was asked for")),
        }
    }
    if layers > 1 { Err("the server compressed the body more than once".to_owned()) } else { Ok(layers) }
}

/// Reads a body to its end and writes it without its content coding. `expected` is the `Content-Length`; `is_over` names
/// the reason to end early.
///
/// # Errors
/// See [`BodyTrouble`].
pub fn receive(
    body: impl Read,
    (layers, expected): (u32, Option<u64>),
    limits: &BodyLimits,
    out: &mut dyn Write,
    is_over: &dyn Fn() -> Option<String>,
) -> Result<ReceivedBody, BodyTrouble> {
    if expected.is_some_and(|expected| expected > limits.download) {
        return Err(too_large(limits));
    }
    let (sent, wire) = (Cell::new(0), Cell::new(None));
    let wire_reader = WireReader { body, sent: &sent, trouble: &wire, limits, is_over };
    let mut plain: Box<dyn Read + '_> = match layers {
        0 => Box::new(wire_reader),
        // some servers announce a coding and send nothing at all
        _ => {
            let mut reader = BufReader::new(wire_reader);
            let is_empty = matches!(reader.fill_buf(), Ok([]));
            if is_empty { Box::new(io::empty()) } else { Box::new(MembersReader(Some(GzDecoder::new(reader)))) }
        }
    };
    let (mut unpacked, mut sum, mut buffer) = (0_u64, Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = match plain.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                // the message of the decoder is not the cause of a connection that failed
                return Err(wire.take().unwrap_or_else(|| match expected {
                    Some(expected) if sent.get() < expected => cut_off(sent.get(), expected),
                    _ if error.kind() == io::ErrorKind::UnexpectedEof => {
                        BodyTrouble::Broken("the compressed body is cut off".to_owned())
                    }
                    _ => BodyTrouble::Invalid(format!("the body is not valid gzip ({error})")),
                }));
            }
        };
        unpacked += read as u64;
        if unpacked > limits.unpacked {
            let bound = size(limits.unpacked);
            return Err(BodyTrouble::Refused(format!("the body has more than {bound} unpacked (--max-inflated)")));
        }
        if layers > 0 && unpacked > FREE && unpacked / sent.get().max(1) > limits.ratio {
            let ratio = limits.ratio;
            return Err(BodyTrouble::Refused(format!("the body is compressed more than {ratio}:1 (--max-ratio)")));
        }
        let bytes = buffer.get(..read).unwrap_or_default();
        sum.update(bytes);
        out.write_all(bytes).map_err(BodyTrouble::Storage)?;
    }
    drop(plain);
    match expected {
        Some(expected) if sent.get() < expected => Err(cut_off(sent.get(), expected)),
        _ => Ok(ReceivedBody { sent: sent.get(), size: unpacked, hash: hex(&sum.finalize()) }),
    }
}

/// The content of all members of a gzip file, which may end with zeros, as on a tape.
struct MembersReader<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for MembersReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut member) = self.0.take() {
            let read = member.read(buffer);
            // after an error the caller may read again
            if buffer.is_empty() || !matches!(read, Ok(0)) {
                self.0 = Some(member);
                return read;
            }
            let mut rest = member.into_inner();
            self.0 = skip_zeros(&mut rest)?.then(|| GzDecoder::new(rest));
        }
        Ok(0)
    }
}

/// Skips zeros. Whether anything follows them.
fn skip_zeros(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            found => found?,
        };
        let (zeros, all) = (bytes.iter().take_while(|byte| **byte == 0).count(), bytes.len());
        reader.consume(zeros);
        if zeros < all || all == 0 {
            return Ok(all > 0);
        }
    }
}

fn cut_off(sent: u64, expected: u64) -> BodyTrouble {
    BodyTrouble::Broken(format!("the body is cut off: {sent} of {expected} bytes came"))
}

fn too_large(limits: &BodyLimits) -> BodyTrouble {
    BodyTrouble::Refused(format!("the body has more than {} (--max-download)", size(limits.download)))
}

/// The bytes as they are sent.
struct WireReader<'w, R> {
    body: R,
    sent: &'w Cell<u64>,
    trouble: &'w Cell<Option<BodyTrouble>>,
    limits: &'w BodyLimits,
    is_over: &'w dyn Fn() -> Option<String>,
}

impl<R: Read> WireReader<'_, R> {
    fn fail(&self, trouble: BodyTrouble) -> io::Error {
        self.trouble.set(Some(trouble));
        io::Error::other("the body failed")
    }
}

impl<R: Read> Read for WireReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(says) = (self.is_over)() {
            return Err(self.fail(BodyTrouble::Broken(says)));
        }
        let read = match self.body.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => return Err(self.fail(BodyTrouble::Broken(io_words(&error)))),
            Ok(read) => read,
        };
        self.sent.set(self.sent.get() + read as u64);
        if self.sent.get() > self.limits.download {
            return Err(self.fail(too_large(self.limits)));
        }
        Ok(read)
    }
}

/// The message for a failed connection.
pub fn io_words(error: &io::Error) -> String {
    if let Some(Some(inner)) = error.get_ref().map(|inner| inner.downcast_ref::<ureq::Error>()) {
        return match inner {
            ureq::Error::Timeout(_) => "the body takes too long (--timeout)".to_owned(),
            ureq::Error::Protocol(_) => format!("the body is not valid HTTP ({inner})"),
            inner => format!("the connection failed ({inner})"),
        };
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "the connection was refused".to_owned(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => "the connection was reset".to_owned(),
        io::ErrorKind::UnexpectedEof => "the connection ended too early".to_owned(),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "the connection takes too long".to_owned(),
        _ => format!("the connection failed ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: BodyLimits = BodyLimits { download: 1 << 20, unpacked: 256 << 20, ratio: 200 };

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(bytes).and_then(|()| packed.finish()).expect("memory")
    }

    fn take(body: &[u8], layers: u32, expected: Option<u64>) -> Result<Vec<u8>, BodyTrouble> {
        let mut out = Vec::new();
        receive(body, (layers, expected), &LIMITS, &mut out, &|| None).map(|_| out)
    }

    #[test]
    fn a_coding_is_taken_off_once() {
        let (once, twice) = (gzip(b"<rss/>"), gzip(&gzip(b"<rss/>")));
        assert_eq!(take(&once, 1, Some(once.len() as u64)).expect("whole"), b"<rss/>");
        assert_eq!(take(&twice, 1, None).expect("whole"), once);
        assert_eq!(take(&once, 0, None).expect("whole"), once);
        assert_eq!(take(b"", 1, None).expect("nothing"), b"");
        let padded = [once.as_slice(), &[0; 700]].concat();
        assert_eq!(take(&padded, 1, Some(padded.len() as u64)).expect("zeros"), b"<rss/>");
        let plain = b"<rss version=\"2.0\"/>".as_slice();
        for odd in [plain.to_vec(), [once.as_slice(), plain].concat()] {
            assert!(matches!(take(&odd, 1, None), Err(BodyTrouble::Invalid(_))), "{odd:?}");
        }
        let members = [once.clone(), once].concat();
        assert_eq!(take(&members, 1, None).expect("two members"), b"<rss/><rss/>");
    }

    #[test]
    fn codings_are_known_by_name() {
        assert_eq!(gzip_layers(""), Ok(0));
        assert_eq!(gzip_layers("identity, GZIP"), Ok(1));
        assert_eq!(gzip_layers("x-gzip"), Ok(1));
        assert!(gzip_layers("br").is_err() && gzip_layers("gzip, gzip").is_err());
    }

    #[test]
    fn what_is_cut_off_is_not_taken() {
        let packed = gzip(b"<rss/>");
        for end in 1..packed.len() {
            assert!(matches!(take(&packed[..end], 1, None), Err(BodyTrouble::Broken(_))), "{end}");
        }
        assert!(matches!(take(b"abc", 0, Some(4)), Err(BodyTrouble::Broken(says)) if says.contains("3 of 4")));
    }

    #[test]
    fn sizes_are_bounded() {
        let long = vec![b'x'; (1 << 20) + 1];
        assert!(matches!(take(&long, 0, None), Err(BodyTrouble::Refused(says)) if says.contains("--max-download")));
        assert!(matches!(take(b"", 0, Some(1 << 40)), Err(BodyTrouble::Refused(_))));
        let bomb = gzip(&vec![0; 150 << 20]);
        assert!(matches!(take(&bomb, 1, None), Err(BodyTrouble::Refused(says)) if says.contains("--max-ratio")));
        let limits = BodyLimits { unpacked: 10, ..LIMITS };
        let refused = receive(&gzip(b"<rss></rss>")[..], (1, None), &limits, &mut io::sink(), &|| None);
        assert!(matches!(refused, Err(BodyTrouble::Refused(says)) if says.contains("--max-inflated")));
    }
}
