//! The cache of bodies in a folder: for each URL a file of facts and a file with the body, both replaced as a whole. Nothing
//! in it is trusted: files that do not fit together are ignored.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::cli::hash;
use crate::cli::lock::{FileLock, lock};
use crate::convert::Fetched;
use crate::error::{Error, with_cause};
use crate::job::journal::Validators;
use crate::job::{digest, shown};
use crate::text::hex;

/// Version of the facts; others are not there.
const VERSION: u32 = 1;

/// Bytes that a file of facts may have.
const FACTS: u64 = 64 << 10;

/// Characters of a key.
const KEY: usize = 32;

/// The file that is there during a run, and after one that was interrupted.
const UNFINISHED: &str = "unfinished";

/// How long the bodies of an interrupted run are those of the next one.
const RESUMABLE: Duration = Duration::from_secs(12 * 3600);

/// Prefix of the names of bodies that are not complete.
const PART: &str = ".part-";

/// The facts about a document in the cache.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CachedFacts {
    v: u32,
    /// The URL that was asked for, without credentials.
    pub url: String,
    /// What it may be asked for again with.
    pub validators: Validators,
    /// The URL that permanent redirects name instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The encoding that the server named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// Bytes of the body.
    pub size: u64,
    /// SHA-256 of the body, as hexadecimal digits.
    pub hash: String,
}

impl CachedFacts {
    /// Of a body with this size and hash.
    pub fn new(fetched: &Fetched, validators: Validators, (size, hash): (u64, String)) -> CachedFacts {
        let Fetched { url, moved_to, charset, .. } = fetched.clone();
        CachedFacts { v: VERSION, url, validators, moved_to, charset, size, hash }
    }
}

/// A folder with bodies, used by one run at a time.
pub struct BodyStore {
    folder: PathBuf,
    /// When the run began that this one resumes.
    resumed: Option<SystemTime>,
    /// Bodies that were replaced in this run. One may still be read, so they are removed at its end.
    outdated: Mutex<Vec<PathBuf>>,
    _lock: File,
}

impl Drop for BodyStore {
    fn drop(&mut self) {
        for body in lock(&self.outdated).drain(..) {
            // what stays is only in the way
            let _ = fs::remove_file(body);
        }
    }
}

impl BodyStore {
    /// Creates the folder if it is missing, and locks it.
    ///
    /// # Errors
    /// Another run uses it; it is not writable.
    pub fn open(folder: &Path) -> Result<BodyStore, Error> {
        let wrong = |error| Error::io(shown(folder), error);
        fs::create_dir_all(folder)
            .map_err(|error| Error::io(format!("cannot make the cache {}", shown(folder)), with_cause(&error)))?;
        let locked =
            File::options().create(true).truncate(false).write(true).open(folder.join("lock")).map_err(wrong)?;
        match FileLock::Exclusive.take(&locked) {
            Ok(()) => (),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let says =
                    format!("cannot use the cache {}: another run, or the journal of --out, uses it", shown(folder));
                return Err(Error::format(says, "wait for it, or pass another folder to --cache"));
            }
            Err(error) => return Err(wrong(error)),
        }
        for entry in fs::read_dir(folder).map_err(wrong)?.flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(PART.as_bytes()) {
                // of a run that was killed
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(BodyStore { folder: folder.to_owned(), resumed: None, outdated: Mutex::default(), _lock: locked })
    }

    /// Begins a run that may be interrupted, or resumes one that was. A run that began long ago is not resumed.
    ///
    /// # Errors
    /// The folder is not writable.
    pub fn begin_run(&mut self) -> Result<(), Error> {
        let mark = self.folder.join(UNFINISHED);
        let begun = fs::metadata(&mark).and_then(|meta| meta.modified()).ok();
        self.resumed = begun.filter(|begun| begun.elapsed().is_ok_and(|since| since < RESUMABLE));
        match self.resumed {
            Some(_) => Ok(()),
            None => fs::write(&mark, "").map_err(|error| Error::io(shown(&mark), error)),
        }
    }

    /// The run is at its end.
    pub fn end_run(&self) {
        // what stays costs at most a request
        let _ = fs::remove_file(self.folder.join(UNFINISHED));
    }

    /// Whether the body of this key came in the run that this one resumes.
    pub fn is_of_this_run(&self, key: &str) -> bool {
        let stored = fs::metadata(self.facts(key)).and_then(|meta| meta.modified());
        self.resumed.zip(stored.ok()).is_some_and(|(begun, stored)| stored >= begun)
    }

    /// The key of a URL without credentials. Bodies that other secrets gave access to have other keys.
    pub fn key(url: &str, secrets: Option<[u8; 32]>) -> String {
        let mut hash = Sha256::new();
        hash.update(url);
        hash.update(b"\0");
        hash.update(secrets.unwrap_or_default());
        hex(&hash.finalize()).chars().take(KEY).collect()
    }

    /// The facts and the body of a key, if both are there and fit.
    pub fn find(&self, key: &str) -> Option<(CachedFacts, PathBuf)> {
        let mut bytes = Vec::new();
        File::open(self.facts(key)).ok()?.take(FACTS).read_to_end(&mut bytes).ok()?;
        let text = bytes.strip_suffix(b"\n")?;
        let at = text.iter().rposition(|byte| *byte == b'\n')?;
        let (body, sum) = (text.get(..at)?, text.get(at + 1..)?);
        if digest(body, 16).as_bytes() != sum {
            return None;
        }
        let facts: CachedFacts = serde_json::from_slice(body).ok().filter(|facts: &CachedFacts| facts.v == VERSION)?;
        let path = self.body(key, &facts.hash);
        let is_whole = path.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.len() == facts.size);
        is_whole.then_some((facts, path))
    }

    /// Whether the body in a file has this hash.
    pub fn is_intact(path: &Path, hash: &str) -> bool {
        hash::of_file(path).is_ok_and(|found| found == hash)
    }

    /// A file for a body that is being received.
    ///
    /// # Errors
    /// An I/O error.
    pub fn part(&self) -> io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix(PART).tempfile_in(&self.folder)
    }

    /// Stores a whole body, then the facts about it. A body that is there already stays as it is.
    ///
    /// # Errors
    /// An I/O error.
    pub fn put(&self, key: &str, facts: &CachedFacts, body: NamedTempFile) -> io::Result<PathBuf> {
        let path = self.body(key, &facts.hash);
        let before = self.find(key);
        let is_there = |(known, path): &(CachedFacts, PathBuf)| {
            known.hash == facts.hash && BodyStore::is_intact(path, &known.hash)
        };
        if !before.as_ref().is_some_and(is_there) {
            // not synced: what is torn after a power failure has another hash, and is fetched again
            body.persist(&path)?;
        }
        self.note(key, facts)?;
        let mut outdated = lock(&self.outdated);
        outdated.retain(|old| *old != path);
        outdated.extend(before.map(|(_, old)| old).filter(|old| *old != path));
        Ok(path)
    }

    /// Replaces the facts of a key.
    ///
    /// # Errors
    /// An I/O error.
    pub fn note(&self, key: &str, facts: &CachedFacts) -> io::Result<()> {
        let mut text = serde_json::to_vec(facts)?;
        let sum = digest(&text, 16);
        text.extend_from_slice(format!("\n{sum}\n").as_bytes());
        let mut file = self.part()?;
        io::Write::write_all(&mut file, &text)?;
        file.persist(self.facts(key))?;
        Ok(())
    }

    /// Removes facts and bodies of other keys than these. What cannot be removed stays.
    pub fn prune(&self, used: &HashSet<String>) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if key_in(&name).is_some_and(|key| !used.contains(key)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn facts(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    fn body(&self, key: &str, hash: &str) -> PathBuf {
        let short: String = hash.chars().filter(char::is_ascii_hexdigit).take(16).collect();
        self.folder.join(format!("{key}-{short}.body"))
    }
}

/// The key in the name of a file of facts or of a body; nothing in other names.
fn key_in(name: &str) -> Option<&str> {
    let (key, rest) = name.split_at_checked(KEY)?;
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let hash = rest.strip_prefix('-').and_then(|rest| rest.strip_suffix(".body"));
    (is_hex(key) && (rest == ".json" || hash.is_some_and(is_hex))).then_some(key)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn facts(body: &[u8]) -> CachedFacts {
        let validators = Validators { etag: Some("\"1\"".to_owned()), ..Validators::default() };
        let hash = hex(&Sha256::digest(body));
        let fetched = Fetched { url: "https://a.example/".to_owned(), ..Fetched::default() };
        CachedFacts::new(&fetched, validators, (body.len() as u64, hash))
    }

    fn put(store: &BodyStore, key: &str, body: &[u8]) -> PathBuf {
        let mut part = store.part().expect("a file");
        part.write_all(body).expect("a body");
        store.put(key, &facts(body), part).expect("stored")
    }

    #[test]
    fn a_body_is_found_until_something_does_not_fit() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = BodyStore::open(folder.path()).expect("a store");
        let key = BodyStore::key("https://a.example/", None);
        assert!(store.find(&key).is_none());
        let first = put(&store, &key, b"one");
        assert_eq!(store.find(&key), Some((facts(b"one"), first.clone())));
        let second = put(&store, &key, b"two2");
        // it may still be read
        assert!(first.exists() && BodyStore::is_intact(&second, &facts(b"two2").hash));
        fs::write(&second, "cut").expect("written");
        assert!(store.find(&key).is_none());
        let third = put(&store, &key, b"two2");
        let path = store.facts(&key);
        let mut text = fs::read(&path).expect("facts");
        text[10] ^= 1;
        fs::write(&path, text).expect("written");
        assert!(store.find(&key).is_none() && third.exists());
        drop(store);
        assert!(!first.exists() && third.exists());
    }

    #[test]
    fn a_store_is_used_once_and_swept() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(".part-x"), "torn").expect("written");
        let store = BodyStore::open(folder.path()).expect("a store");
        assert!(!folder.path().join(".part-x").exists());
        assert!(!cfg!(unix) || BodyStore::open(folder.path()).is_err());
        drop(store);
        assert!(BodyStore::open(folder.path()).is_ok());
    }

    #[test]
    fn what_is_not_used_is_pruned() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = BodyStore::open(folder.path()).expect("a store");
        let (one, two) = (BodyStore::key("one", None), BodyStore::key("two", None));
        put(&store, &one, b"one");
        put(&store, &two, b"two");
        let of_the_user = ["notes.txt", "a.json", "a-list-of-feeds-that-is-long-enough.json"];
        for name in of_the_user {
            fs::write(folder.path().join(name), "of the user").expect("written");
        }
        store.prune(&HashSet::from([one.clone()]));
        assert!(store.find(&one).is_some() && store.find(&two).is_none());
        // the lock, the files of the user, and two of the document
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 6);
    }

    #[test]
    fn keys_tell_secrets_apart_and_do_not_show_them() {
        let keys = [BodyStore::key("u", None), BodyStore::key("u", Some([1; 32])), BodyStore::key("v", None)];
        assert!(keys[0] != keys[1] && keys[0] != keys[2] && keys[1] != keys[2]);
    }
}
