//! From the markup of entries to tables of leaves. Markup of the usual shape is read in one pass (`tokenise`); markup
//! that takes a repair goes through the repairing parser, which fills the same table (`mend`).
//!
//! This folder knows XML and the usual spelling of names, but no format: it does not know what an element means.

mod mend;
mod naming;
mod scan;
mod tokenise;

use crate::table::{LeafTable, PathTable};
use crate::xml::parse::{self, Scope, TOO_MANY, TreeError, TreeLimits};
use tokenise::{EntryPass, UnclosedElement};

/// Reads entries that are in the same elements, one after the other.
pub struct Tokeniser<'a> {
    /// The start tags around the entries, and what they declare, once an entry takes a repair.
    tags: &'a str,
    scope: Option<Scope<'a>>,
    around: u32,
    memory: TokeniserMemory,
}

/// What a tokeniser leaves to the next one: the paths of the document, and buffers.
#[derive(Clone, Default, Debug)]
pub struct TokeniserMemory {
    paths: PathTable,
    table: LeafTable,
    open: Vec<UnclosedElement>,
    serial: u32,
}

impl<'a> Tokeniser<'a> {
    /// For the entries of one chunk, which are below these start tags. If a document has too many paths, those of former
    /// chunks are dropped here.
    pub fn new(tags: &'a str, memory: TokeniserMemory) -> Tokeniser<'a> {
        let mut memory = memory;
        memory.table.clear();
        if memory.paths.is_full() {
            memory.paths.clear();
        }
        let around = naming::around(&mut memory.paths, tags);
        Tokeniser { tags, scope: None, around, memory }
    }

    /// Reads one entry into the table.
    ///
    /// # Errors
    /// [`TreeError`], if there is no element in it, or it passes a limit.
    pub fn read(&mut self, raw: &str, limits: &TreeLimits) -> Result<(), TreeError> {
        let read = match self.read_regular(raw, limits) {
            Some(()) => return Ok(()),
            None => self.read_irregular(raw, limits),
        };
        if read.is_err() {
            self.memory.table.clear();
        }
        read
    }

    /// Reads an entry of the usual shape; `None` if it is not of that shape.
    fn read_regular(&mut self, raw: &str, limits: &TreeLimits) -> Option<()> {
        let TokeniserMemory { paths, table, open, serial } = &mut self.memory;
        table.clear();
        EntryPass::new((paths, table), (open, serial), self.around, raw, limits).read()
    }

    /// Reads any entry.
    #[cold]
    #[inline(never)]
    fn read_irregular(&mut self, raw: &str, limits: &TreeLimits) -> Result<(), TreeError> {
        let refused = |says: &str| TreeError { at: 0, code: "limit.entry", says: says.to_owned() };
        if u32::try_from(raw.len()).is_err() {
            return Err(refused("longer than 4 GiB"));
        }
        let tags = self.tags;
        let scope = self.scope.get_or_insert_with(|| Scope::from_tags(tags));
        let tree = parse::parse_irregular(raw, scope, limits)?;
        let TokeniserMemory { paths, table, .. } = &mut self.memory;
        table.clear();
        mend::fill(table, paths, self.around, raw, tree).ok_or_else(|| refused(TOO_MANY))
    }

    /// The entry that was read last.
    pub fn table(&self) -> &LeafTable {
        &self.memory.table
    }

    /// The paths met so far.
    pub fn paths(&self) -> &PathTable {
        &self.memory.paths
    }

    /// What the next tokeniser can use.
    pub fn into_memory(self) -> TokeniserMemory {
        self.memory
    }
}

#[cfg(test)]
mod tests;
