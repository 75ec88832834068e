//! One JSON-LD snippet for each page (`convert --per-page`): the graph that a conversion wrote, cut by the pages of its
//! videos. Files are named after the URLs, and appear when all are complete.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::hidden::{Temporaries, rename};
use crate::error::Error;
use crate::job::digest;
use crate::job::name::plain;
use crate::json::parse;
use crate::json::split::{EntryLists, JsonDocumentSplitter};
use crate::xml::chunk::{Chunk, SplitLimits};
use crate::xml::limits::TreeLimits;
use crate::xml::split::Cutter;

const HEAD: &[u8] = b"{\"@context\":\"https://schema.org\",\"@graph\":[\n";
const TAIL: &[u8] = b"\n]}\n";
const ENDING: &str = ".jsonld";

/// The name of the file that the whole graph is written to before it is cut.
pub fn graph_in(dir: &Path) -> PathBuf {
    dir.join(".transfeed-pages")
}

/// Cuts a graph into snippets in this folder, and returns how many there are. The graph is removed.
///
/// # Errors
/// An I/O error.
pub fn write(graph: &Path, dir: &Path, temporaries: &Temporaries) -> Result<usize, Error> {
    let mut snippets = Snippets { dir, temporaries, by_page: HashMap::new(), names: HashSet::new(), files: Vec::new() };
    let file = File::open(graph).map_err(|error| wrong(graph, error))?;
    let limits = SplitLimits { entry: usize::MAX, head: usize::MAX, ..SplitLimits::default() };
    let mut cutter = JsonDocumentSplitter::new(BufReader::new(file), EntryLists::named(&["@graph"]), limits);
    while let Some(chunk) = cutter.next_chunk_into(Chunk::default()).map_err(|error| wrong(graph, error))? {
        for piece in &chunk.pieces {
            snippets.add(chunk.text.get(piece.start..piece.end).unwrap_or_default())?;
        }
    }
    let count = snippets.files.len();
    for (path, snippet) in snippets.files {
        append(&snippet, TAIL).map_err(|error| wrong(&path, error))?;
        rename(snippet, &path).map_err(|error| wrong(&path, error))?;
    }
    std::fs::remove_file(graph).map_err(|error| wrong(graph, error))?;
    Ok(count)
}

struct Snippets<'d> {
    dir: &'d Path,
    temporaries: &'d Temporaries,
    /// The number of the snippet of a page.
    by_page: HashMap<String, usize>,
    /// Names in use, in lower case: some file systems do not distinguish them.
    names: HashSet<String>,
    files: Vec<(PathBuf, TempPath)>,
}

impl Snippets<'_> {
    fn add(&mut self, object: &str) -> Result<(), Error> {
        let page = page_of(object);
        let known = page.as_ref().and_then(|page| self.by_page.get(page)).copied();
        let (number, before): (usize, &[u8]) = match known {
            Some(number) => (number, b",\n"),
            None => (self.create(page)?, HEAD),
        };
        let Some((path, snippet)) = self.files.get(number) else { return Ok(()) };
        append(snippet, before).and_then(|()| append(snippet, object.as_bytes())).map_err(|error| wrong(path, error))
    }

    fn create(&mut self, page: Option<String>) -> Result<usize, Error> {
        let number = self.files.len();
        let name = match &page {
            Some(page) => self.name(page),
            None => format!("video-{}", number + 1),
        };
        let path = self.dir.join(format!("{name}{ENDING}"));
        let file = self.temporaries.create_next_to(&path, ".transfeed-c-").map_err(|error| wrong(&path, error))?;
        self.files.push((path, file.into_temp_path()));
        self.by_page.extend(page.map(|page| (page, number)));
        Ok(number)
    }

    /// The name for a page: its URL without the scheme. Two pages never have one name.
    fn name(&mut self, page: &str) -> String {
        let bare = page.split_once("://").map_or(page, |(_, rest)| rest).trim_end_matches('/');
        let spelt = bare.replace('/', "_");
        let mut name = plain(&spelt);
        if name.len() < spelt.len() || self.names.contains(&name.to_lowercase()) {
            name = format!("{name}-{}", digest(page.as_bytes(), 8));
        }
        self.names.insert(name.to_lowercase());
        name
    }
}

/// The page that an object of the graph names.
fn page_of(object: &str) -> Option<String> {
    let limits = TreeLimits { depth: usize::MAX, nodes: usize::MAX, ..TreeLimits::default() };
    let tree = parse::parse(object, &limits).ok()?;
    let node = tree.root()?.nodes().find(|node| node.name() == "mainEntityOfPage" && !node.value().is_empty());
    node.map(|node| node.value().to_owned())
}

fn append(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

fn wrong(path: &Path, error: std::io::Error) -> Error {
    Error::io(path.to_string_lossy(), error)
}
