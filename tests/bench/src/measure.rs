//! What a program costs: CPU time of user and kernel, wall time, peak memory. Each run is the only child of a process
//! of its own (this binary again), because the kernel tells peaks only as the largest of all children, and because a
//! child starts with the memory of its parent on its account. Nothing is judged here.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::catalogue::Recipe;

/// What a run cost.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Cost {
    /// Seconds of CPU, user and kernel.
    pub cpu: f64,
    /// Seconds that passed.
    pub wall: f64,
    /// KiB at the most.
    pub peak: i64,
}

/// Where a program's standard input comes from.
#[derive(Clone, Debug)]
pub enum Feed {
    /// Nowhere: it is told a file.
    Nothing,
    /// A document made while it runs, on a pipe.
    Made(Recipe),
}

/// A program to be run, and where its output goes.
#[derive(Clone, Debug)]
pub struct Run {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// What it reads.
    pub feed: Feed,
    /// The file that takes its standard output.
    pub output: Option<PathBuf>,
    /// It measures the part of itself that counts, and prints it on standard error: `cost CPU WALL`.
    pub inner: bool,
    /// How often it runs; the cost is that of one run.
    pub times: u32,
    /// When it is given up.
    pub limit: Option<Duration>,
    /// A folder that is removed before each measurement.
    pub clear: Option<PathBuf>,
}

impl Run {
    /// A plain run.
    pub fn new(command: Vec<String>) -> Run {
        Run {
            command,
            environment: Vec::new(),
            feed: Feed::Nothing,
            output: None,
            inner: false,
            times: 1,
            limit: None,
            clear: None,
        }
    }

    /// Runs it and tells what it cost.
    pub fn measure(&self) -> Result<Cost, String> {
        if let Some(folder) = self.clear.as_ref().filter(|folder| folder.exists()) {
            fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let mut shell = Command::new(own_path()?);
        let limit = self.limit.map_or(0, |limit| limit.as_secs());
        shell.arg("measure").args([self.times.to_string(), limit.to_string()]).arg("--").args(&self.command);
        shell.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let failed = |error: io::Error| format!("{}: {error}", self.command.join(" "));
        shell.stdout(match &self.output {
            Some(path) => Stdio::from(File::create(path).map_err(failed)?),
            None => Stdio::null(),
        });
        shell.stderr(Stdio::piped());
        shell.stdin(if matches!(self.feed, Feed::Nothing) { Stdio::null() } else { Stdio::piped() });
        let mut child = shell.spawn().map_err(failed)?;
        if let (Feed::Made(recipe), Some(mut to)) = (&self.feed, child.stdin.take()) {
            // a program that ends early has closed the pipe; its exit status tells why
            let _ = recipe.write(&mut to);
        }
        let mut said = String::new();
        if let Some(mut from) = child.stderr.take() {
            let _ = from.read_to_string(&mut said);
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() {
            return Err(format!("{}: {status}\n{}", self.command.join(" "), said.trim_end()));
        }
        let lines = said.lines().filter_map(|line| line.strip_prefix(COST));
        let mut costs = lines.filter_map(|line| {
            let mut fields = line.split(' ').filter_map(|field| field.parse::<f64>().ok());
            Some(Cost { cpu: fields.next()?, wall: fields.next()?, peak: fields.next().map_or(0, |kib| kib as i64) })
        });
        let (first, last) = (costs.next(), costs.next_back());
        match (self.inner, first, last) {
            (true, Some(inner), Some(outer)) => Ok(Cost { peak: outer.peak, ..inner }),
            (false, first, last) => last.or(first).ok_or("no cost was told".to_owned()),
            (true, ..) => Err(format!("{}: told no cost", self.command.join(" "))),
        }
    }
}

const COST: &str = "\u{1}cost ";

/// The hidden command `measure TIMES LIMIT -- PROGRAM …`: runs it as the only child, each time for so many seconds at the
/// most (0: as long as it takes), then tells its cost.
pub fn shell(arguments: &[String]) -> Result<(), String> {
    let (times, limit, program) = match arguments {
        [times, limit, dashes, program @ ..] if dashes == "--" && !program.is_empty() => (times, limit, program),
        _ => return Err("measure TIMES LIMIT -- PROGRAM …".to_owned()),
    };
    let times: u32 = times.parse().map_err(|_| "a count was expected")?;
    let limit: u64 = limit.parse().map_err(|_| "a number of seconds was expected")?;
    let start = Instant::now();
    for _ in 0..times {
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]);
        let status = if limit == 0 { command.status() } else { within(&mut command, Duration::from_secs(limit)) };
        let status = status.map_err(|error| format!("{}: {error}", program[0]))?;
        if !status.success() {
            return Err(format!("{status}"));
        }
    }
    let wall = start.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let each = f64::from(times);
    tell(cpu(&usage) / each, wall.div_f64(each), usage.max_rss());
    Ok(())
}

/// Runs a program, but no longer than this.
fn within(command: &mut Command, limit: Duration) -> io::Result<ExitStatus> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!("given up after {} s", limit.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs `work` and tells what it alone cost, for floors that load their input first.
pub fn inner<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let usage = || getrusage(UsageWho::RUSAGE_SELF).map_err(|error| error.to_string());
    let (before, start) = (usage()?, Instant::now());
    let result = work();
    let wall = start.elapsed();
    let after = usage()?;
    tell(cpu(&after) - cpu(&before), wall, after.max_rss());
    Ok(result)
}

fn tell(cpu: f64, wall: Duration, peak: i64) {
    eprintln!("\n{COST}{cpu:.6} {:.6} {peak}", wall.as_secs_f64());
}

fn cpu(usage: &Usage) -> f64 {
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
}

/// The path of this binary.
pub fn own_path() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| error.to_string())
}

/// Writes a document to a file.
pub fn make(recipe: &Recipe, path: &Path) -> Result<crate::catalogue::Made, String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let mut file = File::create(path).map_err(failed)?;
    recipe.write(&mut file).map_err(failed)
}
