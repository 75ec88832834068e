//! Where conversions write. Files and their names are the caller's.

use std::io::{self, Write};

/// What a conversion writes to. One that can begin again is written to before the conversion has seen all of its input,
/// which saves it a pass over it.
pub trait Output: Write + Send {
    /// Whether [`Output::restart`] works.
    fn can_restart(&self) -> bool;
    /// Discards all that was written.
    ///
    /// # Errors
    /// An I/O error.
    fn restart(&mut self) -> io::Result<()>;
    /// Whether [`Output::next_part`] works.
    fn can_split(&self) -> bool {
        false
    }
    /// Ends the current document; further bytes belong to the next.
    ///
    /// # Errors
    /// An I/O error.
    fn next_part(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Each part in its own buffer. There is always one; the last one is written to.
#[derive(Clone, Debug)]
pub struct PartBuffers(pub Vec<Vec<u8>>);

impl Default for PartBuffers {
    fn default() -> PartBuffers {
        PartBuffers(vec![Vec::new()])
    }
}

impl Write for PartBuffers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.last_mut() {
            Some(part) => part.extend_from_slice(bytes),
            None => self.0.push(bytes.to_vec()),
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for PartBuffers {
    /// As with a `Vec`, content from before is kept.
    fn can_restart(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
    fn restart(&mut self) -> io::Result<()> {
        *self = PartBuffers::default();
        Ok(())
    }
    fn can_split(&self) -> bool {
        true
    }
    fn next_part(&mut self) -> io::Result<()> {
        self.0.push(Vec::new());
        Ok(())
    }
}

impl Output for Vec<u8> {
    /// Asked before anything is written: what somebody else put there stays.
    fn can_restart(&self) -> bool {
        self.is_empty()
    }
    fn restart(&mut self) -> io::Result<()> {
        self.clear();
        Ok(())
    }
}

/// A stream that takes every byte once: a pipe, a connection.
#[derive(Debug)]
pub struct OneWayStream<W>(pub W);

impl<W: Write> Write for OneWayStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + Send> Output for OneWayStream<W> {
    fn can_restart(&self) -> bool {
        false
    }
    fn restart(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
