//! From the markup of entries to tables of leaves, and to trees. Markup of the usual shape is read in one pass
//! (`tokenise`) into a table, of which `grow` makes the tree. Markup that takes a repair goes through the repairing
//! parser, whose tree fills the same table where one is asked for (`mend`).
//!
//! This folder knows XML and the usual spelling of names, but no format: it does not know what an element means.

mod grow;
mod mend;
mod naming;
mod scan;
mod tokenise;

use std::sync::{Mutex, PoisonError};

use crate::table::{LeafTable, PathTable};
use crate::tree::Tree;
use crate::xml::limits::{TOO_MANY, TreeError, TreeLimits};
use crate::xml::parse;
use crate::xml::scope::Scope;
use grow::TreeGrower;
use tokenise::{EntryPass, UnclosedElement};

/// Reads entries that are in the same elements, one after the other.
pub struct Tokeniser<'a> {
    /// What the start tags around the entries declare.
    scope: Scope<'a>,
    around: u32,
    memory: TokeniserMemory,
    grower: TreeGrower<'a>,
}

/// What a tokeniser leaves to the next one: the paths of the document, and buffers.
#[derive(Clone, Default, Debug)]
pub struct TokeniserMemory {
    paths: PathTable,
    table: LeafTable,
    open: Vec<UnclosedElement>,
    serial: u32,
}

/// What the tokenisers of a document leave to each other, on all threads.
#[derive(Default, Debug)]
pub(crate) struct MemoryPool(Mutex<Vec<TokeniserMemory>>);

impl MemoryPool {
    /// With what one tokeniser left.
    pub fn new(left: TokeniserMemory) -> MemoryPool {
        MemoryPool(Mutex::new(vec![left]))
    }

    /// What one tokeniser left and none has taken.
    pub fn take(&self) -> TokeniserMemory {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps what a tokeniser leaves.
    pub fn keep(&self, left: TokeniserMemory) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(left);
    }
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
        let scope = Scope::from_tags(tags);
        let around = naming::around(&mut memory.paths, tags, &scope);
        let grower = TreeGrower::new(&scope);
        Tokeniser { scope, around, memory, grower }
    }

    /// Reads one entry into a tree.
    ///
    /// # Errors
    /// [`TreeError`], if there is no element in it, or it passes a limit.
    pub fn tree(&mut self, raw: &'a str, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
        match self.read_regular(raw, limits) {
            Some(()) => Ok(self.grower.grow(&self.memory.table, &self.memory.paths, raw)),
            None => parse::parse(raw, &self.scope, limits),
        }
    }

    /// Takes the memory of a tree for the next one.
    pub fn reuse(&mut self, tree: Tree<'a>) {
        self.grower.reuse(tree);
    }

    /// An empty tree in the memory of the last one, for what is not markup.
    pub fn spare(&mut self) -> Tree<'a> {
        self.grower.spare()
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
        let tree = parse::parse(raw, &self.scope, limits)?;
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

/// Reads one element below these start tags into a tree.
///
/// # Errors
/// As [`Tokeniser::tree`].
pub fn parse<'a>(raw: &'a str, tags: &'a str, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
    Tokeniser::new(tags, TokeniserMemory::default()).tree(raw, limits)
}

/// Whether a string can be written unchanged as the content of an element: models from callers may contain anything.
pub fn is_markup(text: &str) -> bool {
    let whole = format!("<div>{text}</div>");
    let tree = parse(&whole, "", &TreeLimits::default());
    tree.is_ok_and(|tree| {
        tree.repairs.is_empty() && tree.root().is_some_and(|root| root.raw().end as usize == whole.len())
    })
}

#[cfg(test)]
mod tests;
