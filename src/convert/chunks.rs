//! A document cut into chunks of entries, worked on by all cores, in order. What is done with a chunk is the caller's.

use rayon::prelude::*;

use super::document::Document;
use crate::convert::trouble::unreadable;
use crate::error::Error;
use crate::options::Options;
use crate::pool::Pool;
use crate::xml::chunk::Chunk;
use crate::xml::decode::DecodeFindings;
use crate::xml::split::{Cutter, Frame};

/// What takes the results of a batch, with its chunks.
pub(crate) type BatchSink<'s, T> = dyn FnMut(&[Chunk], Vec<T>) -> Result<(), Error> + 's;

/// Cuts a document into batches of chunks; each batch is worked on by all cores while the next one is cut, and its
/// results are handed on in order. Memory is bounded by two batches and their results.
pub(crate) fn each_batch<T: Send>(
    document: &Document<'_>,
    options: &Options,
    work: &(dyn Fn(&Chunk) -> T + Sync),
    done: &mut BatchSink<'_, T>,
) -> Result<(), Error> {
    each_batch_to(document, options, work, done, &mut |_, _| Ok(()))
}

/// The same; at the end the document without its entries is handed on, with what was found out about its bytes.
pub(crate) fn each_batch_to<T: Send>(
    document: &Document<'_>,
    options: &Options,
    work: &(dyn Fn(&Chunk) -> T + Sync),
    done: &mut BatchSink<'_, T>,
    end: &mut dyn FnMut(Frame, DecodeFindings) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut cutter, findings) = document.watched(options)?;
    if options.threads == 1 || document.is_held() {
        run_single(document, &mut *cutter, work, done)?;
        return end(cutter.frame(), findings);
    }
    // who called may be on the threads that are meant
    let pool = match rayon::current_thread_index() {
        Some(_) => None,
        None => Some(options.pool.clone().map_or_else(|| Pool::new(options.threads), Ok)?),
    };
    // several chunks per thread keep all of them busy; fewer with many threads, to limit memory
    let threads = pool.as_ref().map_or_else(rayon::current_num_threads, Pool::len);
    let size = (4 * threads).min(threads + 12);
    let mut spent: Vec<Chunk> = Vec::new();
    let mut batch = cut_batch(&mut *cutter, &mut spent, size, document)?;
    while !batch.is_empty() {
        let mut both = || {
            rayon::join(
                || batch.par_iter().map(work).collect::<Vec<T>>(),
                || cut_batch(&mut *cutter, &mut spent, size, document),
            )
        };
        let (results, next) = match &pool {
            Some(pool) => pool.install(both),
            None => both(),
        };
        done(&batch, results)?;
        spent.append(&mut batch);
        batch = next?;
    }
    end(cutter.frame(), findings)
}

/// One chunk after the other, on the calling thread.
fn run_single<T>(
    document: &Document<'_>,
    cutter: &mut (dyn Cutter + Send),
    work: &(dyn Fn(&Chunk) -> T + Sync),
    done: &mut BatchSink<'_, T>,
) -> Result<(), Error> {
    let mut spent = Vec::new();
    loop {
        let mut batch = cut_batch(cutter, &mut spent, 1, document)?;
        let results: Vec<T> = batch.iter().map(work).collect();
        if results.is_empty() {
            return Ok(());
        }
        done(&batch, results)?;
        spent.append(&mut batch);
    }
}

/// The first chunk of a document.
pub(crate) fn first_chunk(document: &Document<'_>, options: &Options) -> Result<Option<Chunk>, Error> {
    let chunk = document.cutter(options)?.next_chunk_into(Chunk::default());
    chunk.map_err(|error| unreadable(document.input.name(), error))
}

/// The chunks of a document one after the other, for who walks over several documents at once.
pub(crate) struct Chunks<'d, 'i> {
    document: &'d Document<'i>,
    cutter: Box<dyn Cutter + Send + 'i>,
    findings: DecodeFindings,
    spent: Vec<Chunk>,
}

impl<'d, 'i> Chunks<'d, 'i> {
    /// From the beginning.
    pub fn from_start(document: &'d Document<'i>, options: &Options) -> Result<Self, Error> {
        let (cutter, findings) = document.watched(options)?;
        Ok(Chunks { document, cutter, findings, spent: Vec::new() })
    }

    /// The next one.
    pub fn next(&mut self) -> Result<Option<Chunk>, Error> {
        cut(&mut *self.cutter, &mut self.spent, self.document)
    }

    /// Takes back the memory of one that is done with.
    pub fn reuse(&mut self, chunk: Chunk) {
        self.spent.push(chunk);
    }

    /// The document without its entries, after the last chunk, and what was found out about its bytes.
    pub fn end(self) -> (Frame, DecodeFindings) {
        (self.cutter.frame(), self.findings)
    }
}

fn cut_batch(
    cutter: &mut (dyn Cutter + Send),
    spent: &mut Vec<Chunk>,
    size: usize,
    document: &Document<'_>,
) -> Result<Vec<Chunk>, Error> {
    let mut batch = Vec::with_capacity(size);
    while batch.len() < size
        && let Some(chunk) = cut(cutter, spent, document)?
    {
        batch.push(chunk);
    }
    Ok(batch)
}

/// The next chunk, if it is to be read.
fn cut(
    cutter: &mut (dyn Cutter + Send),
    spent: &mut Vec<Chunk>,
    document: &Document<'_>,
) -> Result<Option<Chunk>, Error> {
    let chunk = cutter.next_chunk_into(spent.pop().unwrap_or_default());
    let chunk = chunk.map_err(|error| unreadable(document.input.name(), error))?;
    let wanted = chunk.filter(|chunk| document.until.is_none_or(|until| chunk.first < until));
    Ok(wanted.map(|mut chunk| {
        document.sign(&mut chunk);
        chunk
    }))
}
