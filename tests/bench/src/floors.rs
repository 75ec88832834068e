//! The least that any program can do with the same bytes: read them, look at each, split them into events. They tell
//! what the machine gives. Those that need their input in memory tell the cost of the loop alone.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::measure::inner;

/// A floor, by the name that the command line has for it.
pub struct Floor {
    /// Its name.
    pub name: &'static str,
    /// What it is called in a table.
    pub title: &'static str,
    /// Whether it tells its own cost.
    pub inner: bool,
    run: fn(&str) -> Result<(), String>,
}

/// All of them. `quick-xml` is the unit q.
pub const FLOORS: &[Floor] = &[
    Floor { name: "read", title: "read(2), 1 MiB buffer", inner: false, run: read },
    Floor { name: "memchr", title: "read(2) + count `<` (memchr)", inner: false, run: count },
    Floor { name: "utf8", title: "UTF-8 check (simdutf8)", inner: true, run: utf8 },
    Floor { name: "quick-xml", title: "**quick-xml 0.42, bare events (q)**", inner: true, run: events },
    #[cfg(feature = "table")]
    Floor { name: "table", title: "transfeed's table of leaves, after the cut", inner: true, run: table },
    Floor { name: "gzip", title: "zlib-rs, level 6", inner: true, run: gzip },
    Floor { name: "copy", title: "plain copy of the tree (read, write 52 %)", inner: false, run: copy },
];

/// The hidden command `floor NAME FILE`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [name, file] = arguments else { return Err("floor NAME FILE".to_owned()) };
    let floor = FLOORS.iter().find(|floor| floor.name == name).ok_or("no such floor")?;
    (floor.run)(file)
}

fn read(file: &str) -> Result<(), String> {
    blocks(file, |block| {
        black_box(block.len());
    })
}

fn count(file: &str) -> Result<(), String> {
    let mut seen = 0;
    blocks(file, |block| seen += memchr::memchr_iter(b'<', block).count())?;
    black_box(seen);
    Ok(())
}

fn utf8(file: &str) -> Result<(), String> {
    let bytes = load(file)?;
    let sound = inner(|| simdutf8::basic::from_utf8(&bytes).is_ok())?;
    if sound { Ok(()) } else { Err("not UTF-8".to_owned()) }
}

/// The unit of all comparisons: every event of the document, nothing done with any.
fn events(file: &str) -> Result<(), String> {
    let bytes = load(file)?;
    let seen = inner(|| {
        let mut reader = Reader::from_reader(&bytes[..]);
        let mut seen = 0u64;
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => return Ok(seen),
                Ok(event) => {
                    black_box(&event);
                    seen += 1;
                }
                Err(error) => return Err(format!("at {}: {error}", reader.buffer_position())),
            }
        }
    })??;
    black_box(seen);
    Ok(())
}

/// The first stage of transfeed alone: the entries of a feed, which are cut before, as tables of leaves.
#[cfg(feature = "table")]
fn table(file: &str) -> Result<(), String> {
    use transfeed::TreeLimits;
    use transfeed::markup::{Tokeniser, TokeniserMemory};
    use transfeed::xml::chunk::{Chunk, SplitLimits};
    use transfeed::xml::split::{Shape, Splitter};

    let bytes = load(file)?;
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4_096)]);
    let shapes = [("<urlset", Shape::SITEMAP), ("<feed", Shape::ATOM)];
    let shape = shapes.into_iter().find(|(root, _)| start.contains(root)).map_or(Shape::RSS, |(_, shape)| shape);
    let mut splitter = Splitter::new(&bytes[..], shape, SplitLimits::default());
    let mut chunks: Vec<Chunk> = Vec::new();
    while let Some(chunk) = splitter.next_chunk().map_err(|error| error.to_string())? {
        chunks.push(chunk);
    }
    let limits = TreeLimits::default();
    let (elements, leaves) = inner(|| {
        let mut memory = TokeniserMemory::default();
        let mut seen = (0, 0);
        for chunk in &chunks {
            let mut tokeniser = Tokeniser::new(&chunk.context.tags, memory);
            for piece in &chunk.pieces {
                tokeniser.read(&chunk.text[piece.start..piece.end], &limits).map_err(|bad| bad.says)?;
                let table = black_box(tokeniser.table());
                seen = (seen.0 + table.elements().len(), seen.1 + table.leaves().len());
            }
            memory = tokeniser.into_memory();
        }
        Ok::<_, String>(seen)
    })??;
    eprintln!("{elements} elements, {leaves} leaves");
    Ok(())
}

fn gzip(file: &str) -> Result<(), String> {
    let bytes = load(file)?;
    inner(|| {
        let mut encoder = GzEncoder::new(io::stdout().lock(), Compression::new(6));
        encoder.write_all(&bytes).and_then(|()| encoder.finish().map(|_| ()))
    })?
    .map_err(|error| error.to_string())
}

/// Every file of a tree read, and a part of it, as large as what a conversion makes of it, written to one beside it.
fn copy(tree: &str) -> Result<(), String> {
    copy_folder(Path::new(tree), Path::new(&copied(tree))).map_err(|error| format!("{tree}: {error}"))
}

/// Where the copy of a tree is.
pub fn copied(tree: &str) -> String {
    format!("{tree}-copy")
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (from, to) = (entry?.path(), to);
        let Some(name) = from.file_name() else { continue };
        let to = to.join(name);
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            let bytes = fs::read(&from)?;
            fs::write(&to, &bytes[..bytes.len() * 52 / 100])?;
        }
    }
    Ok(())
}

/// A whole file in memory.
pub fn load(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("{file}: {error}"))
}

fn blocks(file: &str, mut each: impl FnMut(&[u8])) -> Result<(), String> {
    let failed = |error: io::Error| format!("{file}: {error}");
    let mut from = File::open(file).map_err(failed)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let got = from.read(&mut buffer).map_err(failed)?;
        if got == 0 {
            return Ok(());
        }
        each(&buffer[..got]);
    }
}
