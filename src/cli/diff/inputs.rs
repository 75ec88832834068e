//! The files to compare: two files, two folders (by file or each as one catalogue), and sitemap indexes with the
//! sitemaps next to them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cli::fetch::{self, Fetcher};
use crate::cli::file::{InputSource, NameHint, beside_index, name_of};
use crate::cli::places::real;
use crate::cli::progress::{Progress, ProgressMode};
use crate::cli::walk;
use crate::convert::{Document, Fetched};
use crate::detect::DocumentKind;
use crate::error::{Error, ErrorKind};
use crate::job::{list, shown};
use crate::options::Options;
use crate::text::some_of;

/// One side: its files, and what the whole is called.
pub struct InputSide {
    pub name: String,
    pub sources: Vec<InputSource>,
}

impl InputSide {
    /// How those of its files that came from URLs were fetched.
    pub fn fetched(&self) -> Vec<Fetched> {
        self.sources.iter().filter_map(InputSource::fetched).cloned().collect()
    }
}

/// Two sides to be compared.
pub struct ComparisonTask {
    pub a: InputSide,
    pub b: InputSide,
}

/// All that is to be compared.
pub struct DiffInputs {
    pub tasks: Vec<ComparisonTask>,
    /// Folders are compared file by file.
    pub by_file: bool,
    /// Files that only one folder has.
    pub only_a: Vec<LoneFile>,
    pub only_b: Vec<LoneFile>,
    /// Files and folders that cannot be read.
    pub failed: Vec<FailedPair>,
    /// What the user should know of it.
    pub notes: Vec<String>,
}

/// A file that only one folder has.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct LoneFile {
    /// Its path below the folder.
    pub path: PathBuf,
    /// The file itself.
    pub file: PathBuf,
}

/// What cannot be read.
pub struct FailedPair {
    /// Its name in the first folder.
    pub a: String,
    /// Its name in the second one.
    pub b: String,
    /// Why it cannot be read.
    pub error: Error,
}

/// What finding inputs takes.
struct DiffInputFinder<'f> {
    progress: Progress,
    temp_dir: Option<&'f Path>,
    fetcher: &'f Fetcher<'f>,
    notes: Vec<String>,
}

impl DiffInputs {
    /// Finds the files to compare.
    ///
    /// # Errors
    /// An unreadable file, or sides that cannot be compared with each other.
    pub fn find(
        (a, b): (&str, &str),
        merge: bool,
        temp_dir: Option<&Path>,
        fetcher: &Fetcher<'_>,
    ) -> Result<DiffInputs, Error> {
        if a == "-" && b == "-" {
            return Err(Error::format("cannot read standard input twice", "pass one side as a file"));
        }
        let progress = Progress::new(ProgressMode::Never);
        let mut finder = DiffInputFinder { progress, temp_dir, fetcher, notes: Vec::new() };
        let is_folder = |name: &str| name != "-" && Path::new(name).is_dir();
        let by_file = is_folder(a) && is_folder(b) && !merge;
        let mut pairs = DiffInputs {
            tasks: Vec::new(),
            by_file,
            only_a: Vec::new(),
            only_b: Vec::new(),
            failed: Vec::new(),
            notes: Vec::new(),
        };
        if same_file(a, b) {
            let what = if is_folder(a) { "folder" } else { "file" };
            finder.notes.push(format!("{a} and {b} are the same {what}"));
        }
        if by_file {
            finder.folders((a, b), &mut pairs)?;
        } else {
            let (a, b) = (finder.side(a)?, finder.side(b)?);
            pairs.tasks.push(ComparisonTask { a, b });
        }
        pairs.notes = finder.notes;
        Ok(pairs)
    }
}

fn same_file(a: &str, b: &str) -> bool {
    a != "-" && b != "-" && Path::new(a).exists() && real(Path::new(a)) == real(Path::new(b))
}

impl DiffInputFinder<'_> {
    fn open(&self, name: &str) -> Result<InputSource, Error> {
        InputSource::open(name, self.temp_dir, &self.progress)
    }

    /// A file that was found; its name may be no text.
    fn at(&self, file: &Path) -> Result<InputSource, Error> {
        InputSource::at(file, &name_of(file), self.temp_dir, &self.progress)
    }

    /// A file, an index with its parts, or all of a folder.
    fn side(&mut self, name: &str) -> Result<InputSide, Error> {
        if name != "-" && Path::new(name).is_dir() {
            return self.catalogue(name);
        }
        if fetch::is_url(name) {
            let sources = self.fetcher.all(&[name.to_owned()], &self.progress, &mut self.notes)?;
            return Ok(InputSide { name: fetch::shown(name), sources });
        }
        let source = self.open(name)?;
        let sources = match name {
            "-" => vec![source],
            _ => self.with_parts(source, name)?,
        };
        Ok(InputSide { name: name.to_owned(), sources })
    }

    /// The parts of an index that are next to it, in its order, each once; nested indexes are replaced by their parts.
    /// A document that is not an index, or has no parts there, is returned itself.
    fn with_parts(&mut self, source: InputSource, name: &str) -> Result<Vec<InputSource>, Error> {
        let Some(parts) = self.parts(&source, Path::new(name)) else { return Ok(vec![source]) };
        let mut seen: HashSet<PathBuf> = HashSet::from([real(Path::new(name))]);
        let mut open: Vec<Option<PathBuf>> = parts.into_iter().rev().collect();
        let (mut there, mut missing, mut all) = (Vec::new(), 0, 0);
        while let Some(part) = open.pop() {
            all += 1;
            let Some(part) = part else {
                missing += 1;
                continue;
            };
            if !seen.insert(real(&part)) {
                continue;
            }
            let source = self.at(&part)?;
            match self.parts(&source, &part) {
                Some(inner) => open.extend(inner.into_iter().rev()),
                None => there.push(source),
            }
        }
        if there.is_empty() {
            self.notes.push(format!("{name}: no sitemap of this index is next to it; comparing their URLs"));
            return Ok(vec![source]);
        }
        if missing > 0 {
            self.notes.push(format!("{name}: {} not next to it", some_of(missing, all, "sitemap", "sitemaps")));
        }
        Ok(there)
    }

    /// The paths of an index's parts next to it, `None` for each missing one; `None` if the document is not an index.
    fn parts(&mut self, source: &InputSource, index: &Path) -> Option<Vec<Option<PathBuf>>> {
        // the beginning shows that most documents are not an index
        Document::open_briefly(source, None, &Options::default())
            .ok()
            .filter(|document| document.format.id == "sitemap-index")?;
        let folder = index.parent().unwrap_or(Path::new(""));
        let mut places = Vec::new();
        for address in list::index(source, &Options::default()).ok()? {
            match address {
                Ok(address) => places.push(beside_index(folder, &address)),
                Err(error) => self.notes.push(format!("{}: {error}", shown(index))),
            }
        }
        Some(places)
    }

    /// All documents of a folder as one side; an index of sitemaps that are also in it is skipped.
    fn catalogue(&mut self, name: &str) -> Result<InputSide, Error> {
        let listing = walk::files(Path::new(name))?;
        self.notes.extend(listing.skipped);
        // without them the catalogue would lack entries
        if let Some((_, error)) = listing.failed.into_iter().next() {
            return Err(error);
        }
        let files = listing.files;
        let mut sources = Vec::new();
        let all: HashSet<&Path> = files.values().map(PathBuf::as_path).collect();
        for (path, file) in &files {
            let source = self.at(file)?;
            if let Err(error) = Document::open(&source, None, &Options::default()) {
                if !matches!(error.kind(), ErrorKind::Format { .. }) {
                    return Err(error.in_input(&shown(file)));
                }
                self.notes.push(format!("skipped {}: {error}", shown(path)));
                continue;
            }
            let among = |parts: Vec<Option<PathBuf>>| parts.iter().flatten().any(|part| all.contains(part.as_path()));
            if self.parts(&source, file).is_some_and(among) {
                continue;
            }
            sources.push(source);
        }
        if sources.is_empty() {
            return Err(Error::format(
                format!("cannot read {name}: it contains no readable document"),
                "pass a folder with feeds or sitemaps",
            ));
        }
        Ok(InputSide { name: name.to_owned(), sources })
    }

    /// Pairs the files of two folders: first those with the same path, then those that only differ in extension, as
    /// after a conversion. Files that are feeds on neither side are only noted.
    fn folders(&mut self, (a, b): (&str, &str), pairs: &mut DiffInputs) -> Result<(), Error> {
        let (of_a, mut of_b) = self.listings((a, b), pairs)?;
        let (mut found, mut alone_a, mut alone_b) = (Vec::new(), Stems::default(), Stems::default());
        let failed = |path: &OsString, error| {
            let name = |folder: &str| name_of(&Path::new(folder).join(path));
            FailedPair { a: name(a), b: name(b), error }
        };
        for (path, file) in of_a {
            let Some(other) = of_b.remove(&path) else {
                match self.format(&file) {
                    Ok(Some(format)) => {
                        alone_a.entry(stem(&path)).or_default().push(UnpairedDocument { path, file, format });
                    }
                    Ok(None) => pairs.only_a.extend(self.no_feed(path, file)),
                    Err(error) => pairs.failed.push(failed(&path, error)),
                }
                continue;
            };
            match self.format(&file).and_then(|format| Ok((format, self.format(&other)?))) {
                Ok((None, None)) => self.notes.push(format!("skipped {}: not a feed or sitemap", shown(&path))),
                Ok(_) => found.push((path, file, other)),
                Err(error) => pairs.failed.push(failed(&path, error)),
            }
        }
        for (path, file) in of_b {
            match self.format(&file) {
                Ok(Some(format)) => {
                    alone_b.entry(stem(&path)).or_default().push(UnpairedDocument { path, file, format });
                }
                Ok(None) => pairs.only_b.extend(self.no_feed(path, file)),
                Err(error) => pairs.failed.push(failed(&path, error)),
            }
        }
        for (stem, mut a) in alone_a {
            let mut b = alone_b.remove(&stem).unwrap_or_default();
            found.extend(of_one_stem(&mut a, &mut b).into_iter().map(|(a, b)| (a.path, a.file, b.file)));
            pairs.only_a.extend(a.into_iter().map(LoneFile::from));
            pairs.only_b.extend(b.into_iter().map(LoneFile::from));
        }
        pairs.only_b.extend(alone_b.into_values().flatten().map(LoneFile::from));
        pairs.only_a.sort_unstable();
        pairs.only_b.sort_unstable();
        found.sort_unstable();
        for (_, file, other) in found {
            let side = |file: &Path| -> Result<InputSide, Error> {
                Ok(InputSide { sources: vec![self.at(file)?], name: name_of(file) })
            };
            let (a, b) = (side(&file)?, side(&other)?);
            pairs.tasks.push(ComparisonTask { a, b });
        }
        let is_empty = pairs.tasks.is_empty() && pairs.only_a.is_empty() && pairs.only_b.is_empty();
        if is_empty && pairs.failed.is_empty() {
            return Err(Error::format(
                "cannot compare the folders: neither contains a readable document",
                "pass folders with feeds or sitemaps",
            ));
        }
        Ok(())
    }

    /// The files of two folders. What is below a folder that one side cannot list counts on neither.
    fn listings(&mut self, (a, b): (&str, &str), pairs: &mut DiffInputs) -> Result<(Files, Files), Error> {
        let mut all = [walk::files(Path::new(a))?, walk::files(Path::new(b))?];
        let mut closed = Vec::new();
        for (listing, root) in all.iter_mut().zip([a, b]) {
            self.notes.append(&mut listing.skipped);
            for (folder, error) in listing.failed.drain(..) {
                let below = folder.strip_prefix(root).unwrap_or(&folder).to_owned();
                let name = |root: &str| name_of(&Path::new(root).join(&below));
                pairs.failed.push(FailedPair { a: name(a), b: name(b), error });
                closed.push(below);
            }
        }
        let is_open = |path: &OsString| !closed.iter().any(|closed| Path::new(path).starts_with(closed));
        let [a, b] = all.map(|mut listing| {
            listing.files.retain(|path, _| is_open(path));
            listing.files
        });
        Ok((a, b))
    }

    /// Notes a file that is not a document. If it has the name of a feed, it is a difference: an error page or an empty
    /// file in its place.
    fn no_feed(&mut self, path: OsString, file: PathBuf) -> Option<LoneFile> {
        self.notes.push(format!("{}: not a feed or sitemap", shown(&file)));
        let is_feed = NameHint::from_path(&file).is_feed(&DocumentKind::Empty);
        is_feed.then(|| LoneFile { path: path.into(), file })
    }

    /// The format of a file, which is empty for a damaged one; `None` if it is not a document.
    fn format(&self, file: &Path) -> Result<Option<&'static str>, Error> {
        let source = self.at(file)?;
        match Document::open_briefly(&source, None, &Options::default()) {
            Ok(document) => Ok(Some(document.format.id)),
            Err(error) if matches!(error.kind(), ErrorKind::Format { .. }) => Ok(None),
            Err(_) => Ok(Some("")),
        }
    }
}

/// A document of which the other folder has none with its path.
struct UnpairedDocument {
    path: OsString,
    file: PathBuf,
    format: &'static str,
}

impl From<UnpairedDocument> for LoneFile {
    fn from(document: UnpairedDocument) -> LoneFile {
        LoneFile { path: document.path.into(), file: document.file }
    }
}

/// Files by their paths below a folder.
type Files = BTreeMap<OsString, PathBuf>;

/// Such documents by their paths without endings.
type Stems = BTreeMap<PathBuf, Vec<UnpairedDocument>>;

/// A path without the extension of its format, and without `.gz`.
fn stem(path: &OsString) -> PathBuf {
    let path = Path::new(path);
    let path =
        if path.extension().is_some_and(|ending| ending == "gz") { path.with_extension("") } else { path.to_owned() };
    path.with_extension("")
}

/// Pairs documents of one stem: those of one format, then those that are the only ones left.
fn of_one_stem(
    a: &mut Vec<UnpairedDocument>,
    b: &mut Vec<UnpairedDocument>,
) -> Vec<(UnpairedDocument, UnpairedDocument)> {
    let mut pairs = Vec::new();
    let formats: BTreeSet<&str> = a.iter().map(|alone| alone.format).collect();
    for format in formats {
        let of_format = |all: &mut Vec<UnpairedDocument>| -> Vec<UnpairedDocument> {
            let (own, others) = std::mem::take(all).into_iter().partition(|alone| alone.format == format);
            *all = others;
            own
        };
        let (mut own, mut other) = (of_format(a), of_format(b));
        if let ([_], [_]) = (own.as_slice(), other.as_slice()) {
            pairs.extend(own.pop().zip(other.pop()));
        }
        a.append(&mut own);
        b.append(&mut other);
    }
    if let ([_], [_]) = (a.as_slice(), b.as_slice()) {
        pairs.extend(a.pop().zip(b.pop()));
    }
    pairs
}
