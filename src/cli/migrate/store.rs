//! The output folder: its lock, its journal, and durable writes. The conversion of a file is in work.rs.
//!
//! `.transfeed` in it has the journal (one per shard), locks that end with their process, and a mark of an active run;
//! the next run that finds it looks for hidden temporary files.

use std::collections::HashMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::leftover::{HIDDEN, clean, of_shard};
use super::reports::ReportFolder;
use crate::api::output::{sync_folder, without_path};
use crate::cli::hidden::Temporaries;
use crate::cli::lock::{FileLock, lock};
use crate::cli::output::FileOptions;
use crate::error::Error;
use crate::job::journal::{self, Journal, Record, RecordPlace};
use crate::job::shard::Shard;
use crate::job::shown;

/// The folder of outputs, locked until the run ends.
pub struct Store {
    out: PathBuf,
    journal: Mutex<File>,
    running: PathBuf,
    /// Whether there may be temporaries, so that the mark of an active run must stay if the run does not end well.
    has_begun: AtomicBool,
    follow: bool,
    how: FileOptions,
    /// Folders that may be written to, and the reason for those that may not.
    folders: Mutex<HashMap<PathBuf, Option<String>>>,
    _locks: Vec<File>,
}

/// The arguments of [`Store::open`].
pub struct StoreRequest<'a> {
    /// The folder.
    pub out: &'a Path,
    /// The share of this run.
    pub shard: Option<Shard>,
    /// Symlinks in it are followed.
    pub follow: bool,
    /// Outputs are compressed.
    pub gzip: bool,
    /// Where the reports of single inputs go.
    pub reports: Option<&'a ReportFolder>,
}

fn shown_path(path: &Path) -> String {
    shown(path)
}

/// The folder for state, inside the folder of outputs.
pub fn state_folder(out: &Path) -> PathBuf {
    out.join(".transfeed")
}

/// What was done in a folder before. Its records are facts only; a report is read again from its line.
#[derive(Default)]
pub struct History {
    /// The records.
    pub journal: Journal,
    /// The files of the journal, as [`RecordPlace::file`] counts them.
    files: Vec<PathBuf>,
    /// The one that was read last.
    last: Mutex<Option<(u32, File)>>,
}

impl History {
    /// All of a record.
    ///
    /// # Errors
    /// The journal cannot be read, or is not as it was.
    pub fn record(&self, place: RecordPlace) -> Result<Record, Error> {
        let path = self.files.get(place.file as usize).map_or(Path::new(""), PathBuf::as_path);
        let altered = || io::Error::other("changed while this run was reading it; run the command again");
        let line = self.line(path, place).map_err(|error| Error::io(shown_path(path), error))?;
        journal::parse(&line).ok_or_else(|| Error::io(shown_path(path), altered()))
    }

    fn line(&self, path: &Path, place: RecordPlace) -> io::Result<Vec<u8>> {
        let mut last = lock(&self.last);
        let mut file = match last.take().filter(|(number, _)| *number == place.file) {
            Some((_, file)) => file,
            None => open(path, File::options().read(true))?,
        };
        let mut line = Vec::new();
        file.seek(SeekFrom::Start(place.start))?;
        (&file).take(place.length).read_to_end(&mut line)?;
        *last = Some((place.file, file));
        Ok(line)
    }

    fn read_into(&mut self, journal: &mut Journal, path: PathBuf) -> Result<(), Error> {
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        match open(&path, File::options().read(true)) {
            Ok(file) => journal.read(BufReader::with_capacity(1 << 16, file), number),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            Err(error) => Err(error),
        }
        .map_err(|error| Error::io(shown_path(&path), error))?;
        self.files.push(path);
        Ok(())
    }
}

/// Reads what was done in a folder before, without writing to it.
///
/// # Errors
/// A journal that cannot be read.
pub fn look(out: &Path, shard: Option<Shard>) -> Result<History, Error> {
    let own = of_shard("journal", shard, ".jsonl");
    let found = fs::read_dir(state_folder(out)).into_iter().flatten().flatten();
    let found = found.filter_map(|entry| entry.file_name().into_string().ok());
    let is_one = |name: &String| name == "journal.jsonl" || name.starts_with("journal-") && name.ends_with(".jsonl");
    let mut others: Vec<String> = found.filter(|name| is_one(name) && *name != own).collect();
    others.sort();
    let (mut journal, mut beside, mut history) = (Journal::default(), Journal::default(), History::default());
    for name in others {
        // journals of shares count for the whole run; for a share, other journals only show whose outputs exist
        let into = if shard.is_none() { &mut journal } else { &mut beside };
        history.read_into(into, state_folder(out).join(name))?;
    }
    journal.torn = false;
    history.read_into(&mut journal, state_folder(out).join(own))?;
    journal.put_beside(beside);
    Ok(History { journal, ..history })
}

/// Opens a state file: symlinks are not followed, and only regular files are opened.
fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let odd = || io::Error::other("is not a regular file; remove it");
    // the options must also reject a symlink that appears after this check
    if fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(odd());
    }
    let file = system::without_symlinks(how).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(odd()) }
}

impl Store {
    /// Creates the folder if it is missing, locks it, and reads its journal.
    ///
    /// # Errors
    /// Another run is using it; it is not writable.
    pub fn open(asked: &StoreRequest<'_>) -> Result<(Store, History), Error> {
        let out = asked.out.to_owned();
        let home = state_folder(&out);
        let wrong = |path: &Path| {
            let name = shown_path(path);
            move |error| Error::io(name, error)
        };
        let made = |error: io::Error| without_path(&error);
        fs::create_dir_all(&out).map_err(made).map_err(wrong(&out))?;
        if fs::symlink_metadata(&home).is_ok_and(|meta| !meta.is_dir()) {
            return Err(Error::format(
                format!("cannot use {}: it is not a folder", shown_path(&home)),
                "remove it, or pass another folder to --out; the journal needs a folder of this name",
            ));
        }
        fs::create_dir_all(&home).map_err(made).map_err(wrong(&home))?;
        let locks = locks(&home, asked.shard)?;
        let running = home.join(of_shard("running", asked.shard, ""));
        let prefix: Arc<str> = of_shard(HIDDEN, asked.shard, "-").into();
        let unclean = fs::symlink_metadata(&running).is_ok();
        if unclean {
            clean(&out, if asked.shard.is_some() { &prefix } else { HIDDEN });
            if let Some(folder) = asked.reports {
                folder.clean();
            }
            // a mark of a former run; removing a symlink does not touch its target
            fs::remove_file(&running).map_err(wrong(&running))?;
        }
        open(&running, File::options().write(true).create_new(true)).map_err(wrong(&running))?;
        let known = look(&out, asked.shard)?;
        let path = home.join(of_shard("journal", asked.shard, ".jsonl"));
        let mut file = open(&path, File::options().append(true).create(true)).map_err(wrong(&path))?;
        if known.journal.torn {
            file.write_all(b"\n").map_err(wrong(&path))?;
        }
        let how = FileOptions { gzip: asked.gzip, prefix, many: true, temporaries: Temporaries::default() };
        let (journal, folders) = (Mutex::new(file), Mutex::default());
        let has_begun = AtomicBool::new(false);
        Ok((Store { out, journal, running, has_begun, follow: asked.follow, how, folders, _locks: locks }, known))
    }

    /// Options for files that are created in it.
    pub fn file_options(&self) -> FileOptions {
        self.how.clone()
    }

    /// The path of an output.
    pub fn path(&self, output: &Path) -> PathBuf {
        self.out.join(output)
    }

    /// The path of an output below the folder.
    pub fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.out).unwrap_or(path)
    }

    /// Creates the folders of an output. Symlinks on the way are rejected unless they are to be followed.
    ///
    /// # Errors
    /// A symlink or a file is in the way, or an I/O error.
    pub fn make_folders(&self, output: &Path) -> Result<(), Error> {
        let Some(parent) = output.parent() else { return Ok(()) };
        if let Some(known) = lock(&self.folders).get(parent) {
            return known
                .as_ref()
                .map_or(Ok(()), |why| Err(Error::io(shown_path(parent), io::Error::other(why.clone()))));
        }
        // without the lock: a file system behind a network takes its time, and two threads may create the same folder
        let made = self.folder(parent);
        let kept = made.as_ref().err().map(ToString::to_string);
        lock(&self.folders).insert(parent.to_owned(), kept);
        made.map_err(|error| Error::io(shown_path(&self.path(parent)), error))
    }

    fn folder(&self, folder: &Path) -> io::Result<()> {
        let mut path = self.out.clone();
        for step in folder.components() {
            let Component::Normal(name) = step else { continue };
            path.push(name);
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_dir() => (),
                Ok(meta) if meta.is_symlink() && self.follow && path.is_dir() => (),
                Ok(meta) if meta.is_symlink() => {
                    return Err(io::Error::other("its path contains a symlink; --follow follows it"));
                }
                Ok(_) => return Err(io::Error::other("a file has the name of a required folder")),
                Err(_) => match fs::create_dir(&path) {
                    // another share may have created it first
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                    Ok(()) | Err(_) => (),
                },
            }
        }
        Ok(())
    }

    /// Records the results of inputs, as [lines](journal::line).
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn note(&self, lines: &[u8]) -> Result<(), Error> {
        let mut file = lock(&self.journal);
        file.write_all(lines).map_err(|error| Error::io(shown_path(&state_folder(&self.out)), error))
    }

    /// Opens the disk before a batch is written, so that syncing it reports all later write errors.
    pub fn disk(&self) -> Option<File> {
        File::open(&self.out).ok()
    }

    /// Syncs all remaining data to the disk.
    pub fn close(&self) {
        if let Some(disk) = self.disk() {
            // data lost here is converted again by the next run
            let _ = sync_all(&disk);
        }
        for folder in lock(&self.folders).keys() {
            if !cfg!(target_os = "linux") {
                sync_folder(&self.out.join(folder).join("x"));
            }
        }
        let journal = lock(&self.journal);
        let _ = journal.sync_data();
    }

    /// From now on there may be temporaries.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Removes the mark of an active run, after the reports are written: no temporaries remain.
    pub fn end(&self) {
        // if this fails, the next run searches for temporaries and finds none
        let _ = fs::remove_file(&self.running);
    }
}

/// A run that is refused leaves no mark.
impl Drop for Store {
    fn drop(&mut self) {
        if !self.has_begun.load(Ordering::Relaxed) {
            self.end();
        }
    }
}

/// Up to this many files are synced one by one, which is faster than syncing all pending data of the disk.
const FEW: usize = 4;

/// Syncs these files to the disk.
///
/// # Errors
/// A file cannot be synced.
pub fn sync(disk: Option<&File>, files: &[&Path]) -> io::Result<()> {
    match disk {
        Some(disk) if files.len() > FEW && one_disk(disk, files) => sync_all(disk),
        _ => files.iter().try_for_each(|file| File::open(file)?.sync_data()),
    }
}

#[cfg(target_os = "linux")]
fn sync_all(disk: &File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(disk)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_all(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether all files are on this disk, so that one call can sync them.
#[cfg(target_os = "linux")]
fn one_disk(disk: &File, files: &[&Path]) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(disk) = disk.metadata() else { return false };
    let mut last = None;
    files.iter().all(|file| {
        let folder = file.parent();
        // most are in the folder of the previous file
        let same = folder == last
            || folder.is_some_and(|folder| fs::metadata(folder).is_ok_and(|meta| meta.dev() == disk.dev()));
        last = folder;
        same
    })
}

#[cfg(not(target_os = "linux"))]
fn one_disk(_: &File, _: &[&Path]) -> bool {
    false
}

/// Allows one run at a time, or several shares. The locks end with the process.
fn locks(home: &Path, shard: Option<Shard>) -> Result<Vec<File>, Error> {
    let lock = |name: String, how: FileLock| {
        let path = home.join(name);
        let file = open(&path, File::options().write(true).create(true).truncate(false));
        let file = file.map_err(|error| Error::io(shown_path(&path), error))?;
        match how.take(&file) {
            Ok(()) => Ok(file),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Error::format(
                format!("cannot write to {}: another run is active there", shown_path(home.parent().unwrap_or(home))),
                "wait for it, or pass another --out or --shard",
            )),
            Err(error) => Err(Error::io(shown_path(&path), error)),
        }
    };
    let all = lock("lock".to_owned(), if shard.is_some() { FileLock::Shared } else { FileLock::Exclusive })?;
    match shard {
        Some(_) => Ok(vec![all, lock(of_shard("lock", shard, ""), FileLock::Exclusive)?]),
        None => Ok(vec![all]),
    }
}

#[cfg(unix)]
mod system {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    /// Rejects symlinks, and does not block on pipes.
    pub fn without_symlinks(how: &mut OpenOptions) -> &OpenOptions {
        how.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::OpenOptions;

    pub fn without_symlinks(how: &mut OpenOptions) -> &OpenOptions {
        how
    }
}

/// Whether size and date of a file are unchanged.
pub fn is_same_stamp(meta: &Metadata, stamp: &journal::Stamp) -> bool {
    meta.len() == stamp.size && crate::cli::output::changed(meta) == stamp.mtime
}
