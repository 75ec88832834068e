//! The command line.

use std::path::PathBuf;

use crate::catalogue::{Recipe, SHAPES, Shape};

pub const HELP: &str = "\
What transfeed costs, against the floors of the machine and other programs

Usage: bench [OPTIONS]           measures, and prints tables in Markdown
       bench gen SHAPE SIZE [--dirty SHARE] [--shared SHARE] [--seed N] [--windows-1251]
                                 a document on standard output
       bench count [--transfeed PATH] [--record]
                                 instructions per leaf, compared with counts.toml (--record writes it); needs valgrind
                                 [default: target/debug/transfeed of this checkout]
       bench expert DIRECTION FILE, bench floor NAME FILE, bench peer NAME FILE
                                 a single one of those that transfeed is compared with

Options:
  --transfeed [NAME=]PATH  The program; several are compared [default: target/release/transfeed of this checkout]
  --rows LIST              floors,G1,G2,G4,G5,G6,allocations,G7,G8,G9,split,G10,G11,G12,dirty,commands,lines
                           [default: all]
  --size SIZE              Of the documents [default: 100MB]
  --rounds N               Interleaved rounds; medians are shown [default: 5]
  --large                  Also 4 GB on a pipe (G6), a million entries a side (G8), 2 GB and 10 million entries (G12)
  --slow                   Also peers that take a minute a round (feedparser)
  --quick                  A tenth of a megabyte, one round: whether everything runs
  --dir DIR                For documents and outputs [default: a directory of its own, removed afterwards]
  --memory-dir DIR         Memory-backed, for the trees of G7 [default: /dev/shm]
  --python PATH            With lxml, feedparser and xmldiff [default: python3]
  --node-modules DIR       With feedsmith and sitemap [default: what node finds]

Shapes: mrss mrss-single mrss-prefix rss atom video-sitemap sitemap text tiny giant attributes depth
SIZE is in bytes, or with kB, MB, GB, KiB, MiB.
";

/// A transfeed to be measured.
#[derive(Clone, Debug)]
pub struct Binary {
    /// What its rows are called.
    pub name: String,
    /// Where it is.
    pub path: String,
}

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The programs.
    pub transfeed: Vec<Binary>,
    /// The groups of rows; empty for all.
    pub rows: Vec<String>,
    /// Bytes of a document.
    pub size: u64,
    /// How often.
    pub rounds: usize,
    /// Documents of gigabytes too.
    pub large: bool,
    /// Peers that take a minute too.
    pub slow: bool,
    /// Only whether it runs.
    pub quick: bool,
    /// Where files are made.
    pub dir: Option<PathBuf>,
    /// Where trees are made that no disk shall slow down.
    pub memory_dir: PathBuf,
    /// The Python with lxml.
    pub python: String,
    /// Where Node's packages are.
    pub node_modules: Option<String>,
}

impl Options {
    /// From the arguments.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            transfeed: Vec::new(),
            rows: Vec::new(),
            size: 100_000_000,
            rounds: 5,
            large: false,
            slow: false,
            quick: false,
            dir: None,
            memory_dir: PathBuf::from("/dev/shm"),
            python: "python3".to_owned(),
            node_modules: None,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let mut value = || rest.next().cloned().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--transfeed" => options.transfeed.push(binary(&value()?)),
                "--rows" => options.rows = value()?.split(',').map(str::to_ascii_lowercase).collect(),
                "--size" => options.size = size(&value()?)?,
                "--rounds" => options.rounds = count(&value()?)?.max(1),
                "--large" => options.large = true,
                "--slow" => options.slow = true,
                "--quick" => options.quick = true,
                "--dir" => options.dir = Some(PathBuf::from(value()?)),
                "--memory-dir" => options.memory_dir = PathBuf::from(value()?),
                "--python" => options.python = value()?,
                "--node-modules" => options.node_modules = Some(value()?),
                _ => return Err(format!("{name} is unknown; see --help")),
            }
        }
        if options.quick {
            (options.size, options.rounds) = (100_000, 1);
        }
        if options.transfeed.is_empty() {
            options.transfeed.push(binary(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/transfeed")));
        }
        for binary in &options.transfeed {
            if !std::path::Path::new(&binary.path).is_file() {
                return Err(format!("{} is not there; build it: cargo build --release", binary.path));
            }
        }
        Ok(options)
    }

    /// Whether these rows are wanted.
    pub fn wants(&self, rows: &str) -> bool {
        self.rows.is_empty() || self.rows.contains(&rows.to_ascii_lowercase())
    }
}

fn binary(value: &str) -> Binary {
    match value.split_once('=') {
        Some((name, path)) => Binary { name: name.to_owned(), path: path.to_owned() },
        None => Binary { name: "transfeed".to_owned(), path: value.to_owned() },
    }
}

/// The recipe that the arguments of `gen` ask for.
pub fn recipe(arguments: &[String]) -> Result<Recipe, String> {
    let [shape, bytes, rest @ ..] = arguments else { return Err("gen SHAPE SIZE; see --help".to_owned()) };
    let known = || SHAPES.map(|(name, _)| name).join(" ");
    let shape = Shape::named(shape).ok_or_else(|| format!("{shape} is none of {}", known()))?;
    let mut recipe = Recipe::new(shape, size(bytes)?);
    let mut rest = rest.iter();
    while let Some(name) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{name} needs a value"));
        match name.as_str() {
            "--dirty" => recipe.dirty = share(value()?)?,
            "--shared" => recipe.shared = share(value()?)?,
            "--seed" => recipe.seed = count(value()?)? as u64,
            "--windows-1251" => recipe.windows_1251 = true,
            _ => return Err(format!("{name} is unknown; see --help")),
        }
    }
    Ok(recipe)
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| format!("{text} is no share"))
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

fn size(text: &str) -> Result<u64, String> {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(at);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" | "k" => 1_000,
        "mb" | "m" => 1_000_000,
        "gb" | "g" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(format!("{text} is no size")),
    };
    digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).ok_or_else(|| format!("{text} is no size"))
}
