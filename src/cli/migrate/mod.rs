//! `transfeed migrate`: the options and the order of steps. Files are found in sources.rs, named in plan.rs, converted
//! in work.rs and merge.rs, recorded in store.rs, and reported in board.rs and reports.rs.

mod args;
mod board;
mod leftover;
mod merge;
mod plan;
#[cfg(feature = "fetch")]
mod remote;
#[cfg(not(feature = "fetch"))]
#[path = "no_remote.rs"]
mod remote;
mod reports;
mod sources;
mod store;
mod task;
mod work;

use std::fs::Metadata;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Instant;

pub use self::args::Migrate;
use self::board::Board;
use self::plan::{MigrationPlan, Naming};
use self::remote::RemoteBodies;
use self::reports::{ReportDestination, ReportFolder};
use self::sources::{SourceListing, SourceRequest};
use self::store::{History, Store};
use self::work::{EndReason, RunState, Work, passed_over};
use super::exit::Exit;
use super::{color, columns, enrich, fetch, kinds, signals};
use crate::cli::color::eprint;
use crate::cli::lock::lock;
use crate::cli::migrate::task::NoFeed;
use crate::cli::output::stdout_error;
use crate::cli::places::real;
use crate::convert;
use crate::convert::enrich::Enrichment;
use crate::error::Error;
use crate::format::{self, Format};
use crate::job::journal::Journal;
use crate::job::summary::{FileReport, InputStatus, RunSummary, SummaryBuilder};
use crate::job::{Name, shown};
use crate::options::Options;
use crate::report;
use crate::text::{hex, many};

impl Migrate {
    fn print(&self, text: &str) {
        if !self.wanted.quiet {
            eprint(&format!("note: {}\n", report::make_visible(text)));
        }
    }
}

/// Runs the command.
///
/// # Errors
/// What keeps it from beginning. What happens to a single input is in the summary.
pub fn run(mut args: Migrate) -> Result<Exit, Error> {
    if args.write_anyway {
        let says = "cannot publish files whose gate fires: migrate keeps their previous output";
        return Err(Error::format(says, "relax the gate, or use `transfeed convert --write-anyway` for one file"));
    }
    args.name = args.name.map(|name| name.settle_gzip(&mut args.wanted.gzip));
    if let Some(shard) = args.shard {
        args.fetch.mark_files(&leftover::of_shard("", Some(shard), ""));
    }
    if let Some(folder) = &args.merge_reports {
        let summary = reports::merge(folder)?;
        if args.json {
            let board = Board::new(SummaryBuilder::default(), (0, 0), true);
            board.event("summary", &summary);
            board.take_output_error().map_or(Ok(()), Err)?;
        }
        return Ok(end(&args, &summary, &[], &RunState::default()));
    }
    let prepared = PreparedRun::check(&args)?;
    let stop = RunState::new(signals::listen_before());
    let mut history = store::look(prepared.out, args.shard)?;
    if args.retry_failed && history.journal.is_empty() {
        return Err(Error::format(
            "cannot retry: no previous run has recorded a file in this folder",
            "omit --retry-failed",
        ));
    }
    let mut found = prepared.find(&history.journal)?;
    // what is fetched is kept in the folder of outputs, which only one run may use
    let has_urls = found.has_urls();
    let mut store = if has_urls && !args.dry_run { Some(prepared.open(&mut history)?) } else { None };
    let bodies = if has_urls { Some(RemoteBodies::open(&args, prepared.out)?) } else { None };
    let (asked_for, options) = (prepared.asked_for.as_str(), &prepared.options);
    if let Some(bodies) = &bodies {
        stop.asked.begin();
        bodies.fetch((&args, asked_for, &history, &stop), options, &mut found)?;
    }
    let plan = prepared.plan(found)?;
    stop.asked.begin();
    if store.is_none() && !args.dry_run {
        store = Some(prepared.open(&mut history)?);
    }
    let complete = |plan: &mut MigrationPlan, todo: &[usize]| {
        if let Some(bodies) = &bodies {
            bodies.complete((&args, asked_for, &History::default(), &stop), options, (plan, todo));
        }
    };
    let exit = go(&prepared, (plan, &complete), (store.as_ref(), history), &stop)?;
    if let Some(bodies) = &bodies {
        bodies.end(&args, (stop.asked.signal().is_some(), stop.now()))?;
    }
    Ok(exit)
}

/// The arguments of a run, checked, and the values derived from them.
struct PreparedRun<'a> {
    args: &'a Migrate,
    to: &'static Format,
    /// The folder of outputs.
    out: &'a Path,
    options: Options,
    enrichment: Option<Arc<Enrichment>>,
    /// Hash of all that outputs depend on besides their inputs.
    asked_for: String,
    naming: Naming,
    places: Vec<ReportDestination>,
    /// The folder for the reports of single inputs.
    reports: Option<ReportFolder>,
    begun: Instant,
}

impl<'a> PreparedRun<'a> {
    /// Checks the arguments before anything is read.
    fn check(args: &'a Migrate) -> Result<PreparedRun<'a>, Error> {
        let (to, out) = (target(args)?, args.out.as_deref().unwrap_or(Path::new("")));
        if out.exists() && !out.is_dir() {
            let says = format!("cannot write to {}: it is a file", shown(out));
            return Err(Error::format(says, "pass a folder to --out"));
        }
        if out.is_symlink() && !out.exists() {
            let says = format!("cannot write to {}: it is a symlink to nowhere", shown(out));
            return Err(Error::format(says, "pass a folder to --out"));
        }
        let places = ReportDestination::all(&args.reports)?;
        places.iter().try_for_each(|place| place.has_room(out))?;
        // a list is named with a sign before it
        let named = args.sources.iter().filter_map(|source| source.to_str()).map(|name| name.trim_start_matches('@'));
        args.fetch.check(named.chain(args.reports.iter().filter_map(|report| report.to_str())), args.out.as_deref())?;
        args.wanted.refuse(to)?;
        args.wanted.gates.refuse_unknown_names()?;
        // the parts of an index are found by it
        args.wanted.warn_unused(to, Some("index_base"));
        let mut options = args.wanted.options(None)?;
        let enrichment = args.wanted.enrich.enrichment(&mut options)?;
        convert::refuse(to, &options)?;
        let asked_for = options_hash(args, to)?;
        let naming = Naming::for_target(to, args.wanted.gzip, &options);
        let reports = places.iter().find_map(ReportDestination::folder);
        let reports = reports.map(|folder| ReportFolder::for_outputs(folder, out, args.shard));
        let begun = Instant::now();
        Ok(PreparedRun { args, to, out, options, enrichment, asked_for, naming, places, reports, begun })
    }

    /// Finds the sources; the journal names those that it knows.
    fn find(&self, before: &Journal) -> Result<SourceListing, Error> {
        let args = self.args;
        let looked_at = |path: &Path, meta: &Metadata| {
            let record = before.last_record(&Name::from_path(path)).filter(|_| !args.force);
            record.is_some_and(|record| store::is_same_stamp(meta, &record.stamp))
        };
        let mut found = sources::find(&SourceRequest {
            sources: &args.sources,
            include: &args.include,
            exclude: &args.exclude,
            follow: args.follow,
            follow_remote: args.fetch.follows_remote(),
            zero: args.zero,
            base: args.wanted.index_base().as_deref(),
            out: Some(self.out),
            reports: &self.places,
            options: &Options { limits: self.options.limits, ..Options::default() },
            known: &looked_at,
            common: before.below().and_then(Name::path).map(PathBuf::from),
            verbose: args.wanted.verbose,
        })?;
        let arguments = args.sources.iter().filter_map(|source| source.to_str());
        let lists = arguments.filter(|name| fetch::FETCHES && kinds::is_list_of_feeds(Path::new(name)));
        found.notes.extend(lists.map(kinds::list_note));
        Ok(found)
    }

    /// Opens the folder of outputs. What is known of it is read again: another run may have ended since.
    fn open(&self, history: &mut History) -> Result<Store, Error> {
        // never twice in memory
        *history = History::default();
        let (store, known) = Store::open(&store::StoreRequest {
            out: self.out,
            shard: self.args.shard,
            follow: self.args.follow,
            gzip: self.args.wanted.gzip,
            reports: self.reports.as_ref(),
        })?;
        *history = known;
        Ok(store)
    }

    /// Plans what is done with the sources.
    fn plan(&self, found: SourceListing) -> Result<MigrationPlan, Error> {
        let (args, naming) = (self.args, &self.naming);
        if found.inputs.is_empty() && found.failed.is_empty() && !found.has_others {
            let sources: Vec<String> = args.sources.iter().map(|source| shown(Path::new(source))).collect();
            let patterns: Vec<String> = [("--include", &args.include), ("--exclude", &args.exclude)]
                .into_iter()
                .flat_map(|(option, patterns)| patterns.iter().map(move |text| format!("{option} {}", shown(text))))
                .collect();
            let are_lists = args.sources.iter().all(|source| source.as_encoded_bytes().starts_with(b"@"));
            let (that, hint) = match patterns.is_empty() {
                true if are_lists => (String::new(), "add a path or a URL per line to the list"),
                true => (String::new(), "name a folder of feeds or pages; hidden files are skipped"),
                false => (format!(" with {}", patterns.join(" ")), "check the patterns, or the folder"),
            };
            return Err(Error::format(format!("cannot find files in {}{that}", sources.join(", ")), hint));
        }
        let template = args.name.clone().unwrap_or_default();
        let mut plan = match args.merge {
            true => plan::merged(found, args.name.as_ref(), naming, (&self.options, args.wanted.from))?,
            false => plan::named(found, &template, naming, (&self.options, args.wanted.from))?,
        };
        plan.read.extend(args.wanted.enrich.file().map(real));
        plan.refuse_inputs(self.out)?;
        plan.take_share(args.shard);
        plan.refuse_reports(&self.places, self.out, naming, args.shard)?;
        Ok(plan)
    }
}

/// Fetches what tasks to be done lack.
type Completion<'c> = dyn Fn(&mut MigrationPlan, &[usize]) + 'c;

/// Runs the tasks of the plan that are not done yet.
fn go(
    prepared: &PreparedRun<'_>,
    (mut plan, complete): (MigrationPlan, &Completion<'_>),
    (store, mut history): (Option<&Store>, History),
    stop: &RunState,
) -> Result<Exit, Error> {
    let PreparedRun { args, to, out, options, asked_for, naming, places, .. } = prepared;
    let (args, to, out, reports) = (*args, *to, *out, prepared.reports.as_ref());
    let known = plan::RunConditions { out, asked_for, retry: args.retry_failed, force: args.force };
    let was = if args.force { 0 } else { history.journal.len() };
    let other = history.journal.records().filter(|record| *record.options != **asked_for).count();
    let (todo, mut done) = plan.sort_out(&mut history, &known);
    complete(&mut plan, &todo);
    if let Some(store) = store {
        done.iter()
            .filter_map(|one| one.moved_line(&plan, &history).transpose())
            .try_for_each(|line| store.note(&line?))?;
    }
    let same = done.iter().filter(|one| one.status == InputStatus::Done).count();
    print_before(args, was, other, same);
    let mut sums = SummaryBuilder::from_summary(RunSummary {
        transfeed: env!("CARGO_PKG_VERSION").to_owned(),
        format: to.id.to_owned(),
        profile: to.profile_name(options).to_owned(),
        shard: args.shard.map(|shard| shard.to_string()),
        dry_run: args.dry_run,
        ..RunSummary::default()
    });
    let left = plan.remove_missing(&history.journal, out, naming);
    sums.whole().notes = std::mem::take(&mut plan.notes);
    sums.whole().kept_outputs = std::mem::take(&mut plan.kept);
    sums.whole().counts.lists = plan.lists;
    let bytes = todo.iter().filter_map(|number| plan.tasks.get(*number)).map(|task| task.input.size).sum();
    let expected = todo.len() + plan.failed.len() + plan.not_feeds.len();
    let lines = places.iter().any(|place| matches!(place, ReportDestination::Lines(_)));
    let board = Board::new(sums, (expected as u64, bytes), args.json);
    let files = !places.is_empty() || args.dry_run;
    let board = board.spooling_in(args.wanted.given.temp_dir.as_deref(), (files, lines));
    let board = board.since(prepared.begun).naming_skipped(args.wanted.verbose && !args.wanted.quiet);
    left.iter().for_each(|file| board.left(file));
    // a merged output is kept only if the inputs that it lacks still fail
    let merged = match args.merge && !todo.is_empty() {
        true => done.pop().map(|one| one.report(&plan, &history)).transpose()?,
        false => None,
    };
    for one in done {
        let (number, report) = (one.number, one.report(&plan, &history)?);
        if let (Some(Err(error)), InputStatus::Unchanged) = (reports.map(|folder| folder.renew(&report)), report.status)
        {
            stop.unreported(error);
        }
        board.report_file(number, &report, &mut std::io::empty());
    }
    report_other_outputs(&board, &plan, reports, stop);
    let work = Work {
        to,
        from: args.wanted.from,
        options,
        gates: &args.wanted.gates,
        asked_for,
        store,
        board: &board,
        stop,
        pool: Arc::new(pool(args.wanted.given.threads)?),
        reports,
        plan: &plan,
        history: &history,
        naming,
        common: plan.common.as_deref().map(Name::from_path),
        fail_fast: args.fail_fast,
        outputs: OnceLock::new(),
        inputs: OnceLock::new(),
    };
    let failed_already =
        args.fail_fast && (!plan.failed.is_empty() || plan.not_feeds.iter().any(|no_feed| no_feed.fails));
    store.iter().for_each(|store| store.begin());
    std::thread::scope(|scope| {
        let (over, is_over) = mpsc::channel();
        let shower = scope.spawn({
            let board = &board;
            move || board.show(args.wanted.bar(), args.wanted.verbose && !args.wanted.quiet, &is_over)
        });
        match args.merge {
            _ if failed_already => (),
            // no task is left
            true if todo.is_empty() => (),
            true => work.merge(&todo, merged.as_ref()),
            false => work.run(&todo),
        }
        drop(over);
        // a panic of the display thread must not fail the run
        let _ = shower.join();
    });
    if let Some(store) = store {
        store.close();
    }
    let exit = finish(prepared, board, stop);
    if let Some(store) = store {
        store.end();
    }
    exit
}

/// Reports inputs that are not converted at all.
fn report_other_outputs(board: &Board, plan: &MigrationPlan, reports: Option<&ReportFolder>, stop: &RunState) {
    let mut number = plan.tasks.len()..;
    let mut tell =
        |report: &FileReport| board.report_file(number.next().unwrap_or_default(), report, &mut std::io::empty());
    for (path, error) in &plan.failed {
        tell(&FileReport::failed(Name::from_path(path), 0, error.clone()));
    }
    for NoFeed { input, why, fails, has_video, .. } in &plan.not_feeds {
        if !fails {
            tell(&passed_over(input, why.clone(), *has_video));
            continue;
        }
        let report = FileReport::failed(Name::from_path(&input.key), input.size, why.clone());
        if let Some(Err(error)) = reports.map(|folder| folder.write(&report)) {
            stop.unreported(error);
        }
        tell(&report);
    }
}

/// Prints notes before the work begins.
fn print_before(args: &Migrate, was: usize, other: usize, done: usize) {
    if was == 0 || args.resume || args.retry_failed {
        return;
    }
    let out = shown(args.out.as_deref().unwrap_or(Path::new("")));
    if other == was {
        args.print(&format!("{out} was written with other options or another version; converting all files again"));
    } else if done > 0 {
        let files = many(done as u64, "file", "files");
        args.print(&format!("resuming in {out}: {files} up to date (--force redoes them)"));
    }
}

/// Writes reports and final events, and prints the closing table.
fn finish(prepared: &PreparedRun<'_>, board: Board, stop: &RunState) -> Result<Exit, Error> {
    let PreparedRun { args, places, .. } = prepared;
    let why = stop.take_why();
    let enriched = prepared.enrichment.as_ref().map(|enrichment| enrichment.summary());
    let summary = {
        let mut sums = board.sums();
        let whole = sums.whole();
        whole.counts.remaining = board.remaining();
        whole.seconds = board.seconds();
        whole.notes.extend(board.leftovers_note());
        // rows for what this run did not read match nothing in it
        let is_whole = args.shard.is_none() && whole.counts.unchanged == 0 && whole.counts.remaining == 0;
        whole.notes.extend(enriched.iter().flat_map(|found| report::enrichment_notes(found, is_whole)));
        whole.enrichment = enriched.filter(|_| is_whole).map(Box::new);
        whole.enrichment.iter().for_each(|found| enrich::warn_unused(found));
        whole.stopped = match (&why, stop.asked.signal()) {
            (_, Some(signal)) => Some(format!("interrupted by signal {signal}")),
            (Some(why), None) => Some(why.error().to_string()),
            (None, None) => None,
        };
        std::mem::take(&mut *sums).end()
    };
    let written = places.iter().map(|place| reports::write_all(place, &board, &summary, &describe_run(args, &summary)));
    // if one cannot be written, the others still are
    let unwritten: Vec<Error> = written.filter_map(Result::err).collect();
    if args.dry_run && !args.json {
        print_plan(&board, args.wanted.verbose)?;
    }
    board.event("summary", &summary);
    let failures = board.failures();
    for skipped in board.skipped() {
        eprint(&format!("skipped {}\n", report::make_visible(&skipped)));
    }
    let exit = end(args, &summary, &failures, stop);
    let mut troubles = Vec::new();
    if let (Some(why), None) = (&why, stop.asked.signal()) {
        // a gate fires again on the same inputs
        let is_gate = args.merge && Exit::from_error(why.error()) == Exit::Finding;
        let left = match summary.counts.remaining {
            _ if is_gate => "nothing was published".to_owned(),
            left => format!("{} left; run the same command again to resume", many(left, "file", "files")),
        };
        eprint(&format!("{} {}; {left}\n", color::red("stopped:"), report::make_visible(&why.error().to_string())));
    }
    if let Some((count, error)) = stop.take_unreported() {
        let what = many(count, "report was", "reports were");
        let says = report::make_visible(&error.to_string());
        eprint(&format!("{}: {what} not written: {says}\n", color::red("error")));
        troubles.push(error);
    }
    for error in board.take_output_error().into_iter().chain(unwritten).filter(|error| !super::is_broken_pipe(error)) {
        eprint(&format!("{}: {}\n", color::red("error"), report::make_visible(&error.to_string())));
        troubles.push(error);
    }
    troubles.extend(why.and_then(|why| match why {
        EndReason::Trouble(error) => Some(error),
        EndReason::Failure(_) => None,
    }));
    Ok(match exit {
        Exit::Interrupted(_) | Exit::Bug => exit,
        Exit::Done | Exit::Finding | Exit::Partly | Exit::Trouble => troubles.first().map_or(exit, Exit::from_error),
    })
}

/// Describes the conversion for pages.
fn describe_run<'o>(args: &'o Migrate, summary: &'o RunSummary) -> reports::RunDescription<'o> {
    let named = args.sources.iter().take(3);
    let mut from: Vec<String> = named.map(|source| fetch::shown(&source.to_string_lossy())).collect();
    let more = args.sources.len().saturating_sub(from.len());
    if more > 0 {
        from.push(format!("and {more} more"));
    }
    let out = args.out.as_deref().unwrap_or(Path::new(""));
    let to = shown(out);
    reports::RunDescription { from: from.join(", "), to, profile: &summary.profile, shard: args.shard, out }
}

/// Prints the planned result of files in order: each of the first, or of `all`, and the number of others by folder.
fn print_plan(board: &Board, all: bool) -> Result<(), Error> {
    let mut out = BufWriter::new(color::ClosableStream::new(std::io::stdout().lock()));
    let (mut listed, mut others) = (0, reports::Unlisted::default());
    let print = |file: &mut dyn std::io::Read| {
        let report = reports::report_in(file)?;
        if all || listed < TOLD {
            listed += 1;
            return out.write_all(reports::dry_run_text(&report).as_bytes());
        }
        others.add(&report);
        Ok(())
    };
    let printed = lock(&board.files).each(print);
    let printed = printed.and_then(|()| out.write_all(others.to_string().as_bytes())).and_then(|()| out.flush());
    printed.map_err(stdout_error)
}

/// Maximum number of failures, notes and planned files that are listed; the report has all.
const TOLD: usize = 20;

/// Prints the closing table and chooses the exit code.
fn end(args: &Migrate, summary: &RunSummary, failures: &[String], stop: &RunState) -> Exit {
    let more = |all: &[String], what: &str| {
        if all.len() > TOLD {
            eprint(&format!("note: … and {} more {what}; --report has all of them\n", all.len() - TOLD));
        }
    };
    if !args.wanted.quiet {
        summary.notes.iter().take(TOLD).for_each(|note| args.print(note));
        more(&summary.notes, "notes");
    }
    for failure in failures.iter().take(TOLD) {
        eprint(&format!("{} {}\n", color::red("failed"), report::make_visible(failure)));
    }
    more(failures, "files failed");
    if !args.wanted.quiet {
        eprint(&color::report(&columns::shown(summary.text(columns::error_columns()))));
    } else {
        let warning = color::noted("warning");
        summary.quiet().iter().for_each(|line| eprint(&format!("{warning}: {line}\n")));
    }
    if let (count @ 1.., Some(first)) = (summary.counts.empty, &summary.empty_example) {
        let what = if summary.format == "video-sitemap" { "videos" } else { "entries" };
        let outputs = many(count, "output has", "outputs have");
        let of = if count > 1 { format!("of {first} and others") } else { format!("of {first}") };
        let of = report::make_visible(&of);
        eprint(&format!("warning: {outputs} no {what} ({of}); --min-{what} 1 makes this an error\n"));
    }
    if let Some(signal) = stop.asked.signal() {
        let remaining = summary.counts.remaining;
        eprint(&format!(
            "note: interrupted: {} left; run the same command again to resume\n",
            crate::text::many(remaining, "file", "files")
        ));
        return Exit::Interrupted(signal);
    }
    let (failed, all) = (summary.counts.failed, summary.counts.inputs());
    // the number of failures among the rest is unknown
    let is_whole = summary.counts.remaining == 0;
    match args.max_failed {
        _ if stop.bug() => Exit::Bug,
        _ if failed > 0 && !is_whole => Exit::Partly,
        Some(bound) if bound.is_passed(failed, all) => {
            let figure = bound.figure(failed, all, &format!("{} failed", crate::text::many(all, "file", "files")));
            eprint(&format!("{}: --max-failed {bound}: {figure}\n", color::red("error")));
            Exit::Finding
        }
        None if failed > 0 => Exit::Partly,
        Some(_) | None => Exit::Done,
    }
}

/// The target; outputs are a tree, so no file name shows the format.
fn target(args: &Migrate) -> Result<&'static Format, Error> {
    let wrong = match &args.output {
        _ if args.out.as_deref() == Some(Path::new("-")) || args.output.as_deref() == Some("-") => {
            Some("cannot write a tree of files to standard output".to_owned())
        }
        Some(name) => Some(format!("cannot write a tree of files to {}", shown(name))),
        None => None,
    };
    if let Some(says) = wrong {
        return Err(Error::format(says, "pass --out DIR, or convert several files into one with transfeed convert"));
    }
    let all = || format::targets().map(|format| format.id).collect::<Vec<_>>().join(", ");
    args.wanted.to.ok_or_else(|| Error::format("no target format", format!("pass --to with one of {}", all())))
}

/// A hash of everything that outputs depend on besides their inputs.
fn options_hash(args: &Migrate, to: &Format) -> Result<String, Error> {
    use sha2::Digest;
    let hash = sha2::Sha256::digest(args.wanted.essence(to)?.as_bytes());
    Ok(hex(&hash[..8]))
}

/// The thread pool: as many threads as requested, limited by the number of open files.
fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores } else { threads };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.min(room()));
    pool.build().map_err(|error| Error::io("threads", std::io::Error::other(error)))
}

/// The number of threads that the limit of open files allows: each opens at most three files, the run some more.
#[cfg(unix)]
fn room() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| usize::try_from(limit.saturating_sub(24) / 3).unwrap_or(usize::MAX).max(1))
}

#[cfg(not(unix))]
fn room() -> usize {
    usize::MAX
}
