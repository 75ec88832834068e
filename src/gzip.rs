//! Compression on all cores (RFC 1952): one gzip member, which every reader supports, from separately compressed blocks.
//! The bytes depend only on the input: blocks have one size, and there is no time and no name. Reading gzip is in
//! xml/decode.

use std::io::{self, Write};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use rayon::prelude::*;

/// Bytes that are compressed at once. Each block knows the end of the one before, to which it may refer back.
const BLOCK: usize = 256 << 10;

/// Bytes that deflate can refer back.
const WINDOW: usize = 32 << 10;

/// Blocks that wait for each thread.
const BATCH: usize = 4;

/// Magic number, deflate, no flags, no time, unspecified effort, unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// An empty last block: fixed codes, and the end.
const END: [u8; 2] = [3, 0];

/// Compresses what is written to it.
pub struct Gzip<W> {
    out: W,
    blocks: Vec<Vec<u8>>,
    /// The end of what is compressed already.
    before: Vec<u8>,
    crc: Crc,
    begun: bool,
}

impl<W: Write> Gzip<W> {
    /// Writes one member to `out`.
    pub fn new(out: W) -> Gzip<W> {
        Gzip { out, blocks: Vec::new(), before: Vec::new(), crc: Crc::new(), begun: false }
    }

    /// Ends the member.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn finish(mut self) -> io::Result<W> {
        self.pack()?;
        self.out.write_all(&END)?;
        self.out.write_all(&self.crc.sum().to_le_bytes())?;
        self.out.write_all(&self.crc.amount().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Compresses the blocks that wait, on the threads of the run.
    fn pack(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.out.write_all(&HEAD)?;
        }
        let Some(last) = self.blocks.last() else { return Ok(()) };
        let blocks: Vec<&[u8]> = self.blocks.iter().map(Vec::as_slice).collect();
        let before: Vec<&[u8]> =
            std::iter::once(&self.before[..]).chain(blocks.iter().map(|block| end(block))).collect();
        let packed: Vec<io::Result<(Vec<u8>, Crc)>> = match blocks.as_slice() {
            // not worth a thread; the end of a member may come after those of the run have gone
            [one] => vec![deflate(&self.before, one)],
            many if threads() == 1 => many.iter().zip(&before).map(|(block, before)| deflate(before, block)).collect(),
            many => many.par_iter().zip(&before).map(|(block, before)| deflate(before, block)).collect(),
        };
        self.before = end(last).to_vec();
        self.blocks.clear();
        for packed in packed {
            let (bytes, crc) = packed?;
            self.out.write_all(&bytes)?;
            self.crc.combine(&crc);
        }
        Ok(())
    }
}

impl<W: Write> Write for Gzip<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            if self.blocks.len() >= BATCH * threads() {
                self.pack()?;
            }
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(0) };
        let taken = bytes.len().min(BLOCK - block.len());
        block.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        Ok(taken)
    }

    /// Writes all that waits. Where this happens shows in the bytes: it is for the end of a document.
    fn flush(&mut self) -> io::Result<()> {
        self.pack()?;
        self.out.flush()
    }
}

/// The threads of the run that this is part of; a run on one thread has none of its own.
fn threads() -> usize {
    rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads())
}

/// What the block after this one can refer to.
fn end(block: &[u8]) -> &[u8] {
    block.get(block.len().saturating_sub(WINDOW)..).unwrap_or(block)
}

/// A block that others can follow: it ends on a byte, and is not the last one.
fn deflate(before: &[u8], block: &[u8]) -> io::Result<(Vec<u8>, Crc)> {
    let mut packer = Compress::new(Compression::new(6), false);
    if !before.is_empty() {
        packer.set_dictionary(before).map_err(io::Error::other)?;
    }
    let mut packed = Vec::with_capacity(block.len() / 4 + 64);
    loop {
        let read = usize::try_from(packer.total_in()).unwrap_or(usize::MAX);
        let rest = block.get(read..).unwrap_or_default();
        let status = packer.compress_vec(rest, &mut packed, FlushCompress::Sync).map_err(io::Error::other)?;
        let all = packer.total_in() == block.len() as u64;
        match status {
            // spare room means that nothing is pending any more
            Status::Ok | Status::BufError if all && packed.len() < packed.capacity() => break,
            Status::Ok | Status::BufError => packed.reserve(packed.capacity().max(1024)),
            Status::StreamEnd => break,
        }
    }
    let mut crc = Crc::new();
    crc.update(block);
    Ok((packed, crc))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn packed(text: &[u8], pieces: usize) -> Vec<u8> {
        let mut gzip = Gzip::new(Vec::new());
        text.chunks(pieces).for_each(|piece| gzip.write_all(piece).expect("memory takes all"));
        gzip.finish().expect("memory takes all")
    }

    #[test]
    fn a_plain_reader_takes_it_all() {
        let words: Vec<u8> = (0..3 * BLOCK + 17).map(|n| (n * n / 7 % 251) as u8).collect();
        for size in [0, 1, 100, BLOCK - 1, BLOCK, BLOCK + 1, words.len()] {
            let text = &words[..size];
            let bytes = packed(text, 64 << 10);
            let mut found = Vec::new();
            // this one knows no second member
            flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut found).expect("it is whole");
            assert!(found == text, "{size} bytes");
            assert!(bytes == packed(text, 12_345), "{size} bytes: how they were written shows");
        }
    }

    #[test]
    fn blocks_refer_to_those_before() {
        // one sentence after the other, each seen once in each stretch of 20 KB
        let sentence = |n: usize| format!("sentence {} of the pond {};", n * 7_919 % 100_003, n * 104_729 % 99_991);
        let text: String = (0..600).map(sentence).collect::<String>().repeat(BLOCK * 5 / 20_000);
        let apart: usize =
            text.as_bytes().chunks(BLOCK).map(|block| deflate(&[], block).expect("memory").0.len()).sum();
        let bytes = packed(text.as_bytes(), 4096);
        assert!(bytes.len() + 8_000 < apart, "{} and {apart}", bytes.len());
    }

    #[test]
    fn what_cannot_be_packed_is_no_larger_by_much() {
        let mut state = 1_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        let text: Vec<u8> = (0..BLOCK + 5).map(|_| noise()).collect();
        let bytes = packed(&text, text.len());
        assert!(bytes.len() < text.len() + 1024, "{}", bytes.len());
        let mut found = Vec::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut found).expect("it is whole");
        assert!(found == text);
    }
}
