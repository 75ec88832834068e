//! All inputs to one output. An input that cannot be read is skipped and reported; the others are converted without it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use rayon::prelude::*;

use super::plan::{RetainedOutput, inputs_hash};
use super::sources::DiskFile;
use super::work::{LargeFile, NullWriter, OccurrenceSpool, Work, ends_all, now, relative_url, seconds};
use crate::cli::migrate::task::MigrationTask;
use crate::cli::output::{OutputTarget, PartSet, ReadyOutput};
use crate::convert::Input as Readable;
use crate::convert::Summary;
use crate::convert::{Conversion, Document, Output as Sink};
use crate::error::{Error, ErrorKind};
use crate::job::journal::{InputOrigin, Stamp};
use crate::job::summary::{FileReport, InputStatus};
use crate::job::{Name, shown};
use crate::options::Options;

impl Work<'_> {
    /// Converts these inputs to one output. If a former output lacks them because they failed (`retained` is its report),
    /// it is kept if they fail again; otherwise it is generated from all inputs.
    pub fn merge(&self, numbers: &[usize], retained: Option<&FileReport>) {
        if let Some((number, task)) = numbers.first().and_then(|number| Some((*number, self.plan.tasks.get(*number)?)))
            && let Err(error) = self.refuse_owned(&task.output, &shown(&task.input.path))
        {
            return self.fail(number, task, &shown(&task.input.path), error);
        }
        let mut left = self.readable(numbers);
        let mut all_known = retained.is_some();
        if let Some(report) = retained {
            left = self.convertible(&left);
            if left.is_empty() {
                if !self.stop.now() {
                    self.report_unchanged(report);
                }
                return;
            }
            let kept: HashSet<&usize> = left.iter().collect();
            let failed: HashSet<&usize> = numbers.iter().filter(|number| !kept.contains(number)).collect();
            left = (0..self.plan.tasks.len()).filter(|number| !failed.contains(number)).collect();
        }
        while !left.is_empty() && !self.stop.now() {
            if let Some(retained) = self.plan.retained.as_ref().filter(|retained| retained.would_lack(&left)) {
                let left = if all_known { left } else { self.convertible(&left) };
                return self.keep(retained, &left);
            }
            let (at, begun) = (now(), Instant::now());
            let names = self.names(&left);
            match self.together(&left, &names) {
                Ok(done) => return self.finish_merged(&left, (at, seconds(begun)), done),
                Err(error) => match culprit(&names, &error) {
                    Some(place) if !ends_all(&error) && !error.is_bug() => {
                        let number = left.remove(place);
                        let (Some(task), Some(name)) = (self.plan.tasks.get(number), names.get(place)) else { return };
                        self.fail(number, task, name, error);
                        // more may fail: check each input once instead of all again after each failure
                        if !std::mem::replace(&mut all_known, true) {
                            left = self.convertible(&left);
                        }
                    }
                    _ => return self.stop.stop(error),
                },
            }
        }
    }

    /// Keeps an output that contains more than can be read now.
    fn keep(&self, retained: &RetainedOutput, left: &[usize]) {
        let inputs: Vec<Name> = left
            .iter()
            .filter(|number| retained.inputs.contains(number))
            .filter_map(|number| self.plan.tasks.get(*number))
            .map(|task| Name::from_path(&task.input.key))
            .collect();
        if !inputs.is_empty() && !self.stop.now() {
            self.board.count_kept(inputs.len());
            self.report_unchanged(&FileReport {
                fetched: self.plan.fetched(&inputs),
                inputs,
                status: InputStatus::Unchanged,
                seconds: 0.0,
                ..retained.report.clone()
            });
        }
    }

    fn report_unchanged(&self, report: &FileReport) {
        if let Some(Err(error)) = self.reports.map(|folder| folder.renew(report)) {
            self.stop.unreported(error);
        }
        self.board.report_file(0, report, &mut io::empty());
    }

    /// The names of these inputs in messages: their paths, or their locations if several have the same path.
    fn names(&self, numbers: &[usize]) -> Vec<String> {
        let tasks: Vec<&MigrationTask> = numbers.iter().filter_map(|number| self.plan.tasks.get(*number)).collect();
        let mut counts: HashMap<&Path, usize> = HashMap::new();
        tasks.iter().for_each(|task| *counts.entry(&task.input.path).or_default() += 1);
        let is_one = |task: &MigrationTask| counts.get(&*task.input.path) == Some(&1);
        tasks.iter().map(|task| if is_one(task) { task.input.title() } else { shown(&task.input.file) }).collect()
    }

    /// The inputs that look like a document. The others have failed.
    fn readable(&self, numbers: &[usize]) -> Vec<usize> {
        let names = self.names(numbers);
        let all: Vec<(&usize, &String)> = numbers.iter().zip(&names).collect();
        let look = |(number, name): &(&usize, &String)| {
            let task = self.plan.tasks.get(**number)?;
            if let Some(failure) = task.input.fetch_failure() {
                return Some(failure);
            }
            let input = DiskFile { file: &task.input.file, name };
            Document::open_briefly(&input, self.from, self.options).err()
        };
        let found: Vec<Option<Error>> = self.pool.install(|| all.par_iter().map(look).collect());
        self.report_failures(all.into_iter().zip(found))
    }

    /// The inputs that can be converted alone. The others have failed.
    fn convertible(&self, numbers: &[usize]) -> Vec<usize> {
        let names = self.names(numbers);
        let convert = |(number, name): (&usize, &String)| {
            if self.stop.now() {
                return None;
            }
            let task = self.plan.tasks.get(*number)?;
            let input = self.input(task, name);
            let options = self.merged_options(task);
            let run = self.conversion(options.clone()).run(&[&input], &mut NullWriter, None);
            let refused = run.map(|summary| summary.refusal_of_input(&options));
            refused.unwrap_or_else(Some).map(|error| error.in_input(name))
        };
        self.report_failures(numbers.iter().zip(&names).map(|both| (both, convert(both))))
    }

    /// The input of a task.
    fn input<'i>(&'i self, task: &'i MigrationTask, name: &'i str) -> LargeFile<'i> {
        // hashes of single inputs are not needed
        let hash = OnceLock::from(Vec::new());
        let (file, base) = (&task.input.file, task.input.base());
        let given = self.options.base.as_ref().map(|base| relative_url(base, &task.input.path));
        LargeFile { file, name, board: self.board, stop: self.stop, hash, base, charset: task.input.charset(), given }
    }

    /// The inputs without an error; the others are reported as failed.
    fn report_failures<'n>(&self, found: impl Iterator<Item = ((&'n usize, &'n String), Option<Error>)>) -> Vec<usize> {
        let mut fine = Vec::new();
        for ((number, name), error) in found {
            match (error, self.plan.tasks.get(*number)) {
                (Some(error), Some(task)) => self.fail(*number, task, name, error),
                (None, _) | (_, None) => fine.push(*number),
            }
        }
        fine
    }

    /// The options of the merged conversion; for the output, those that depend on a path use the first input.
    fn merged_options(&self, first: &MigrationTask) -> Options {
        match std::fs::metadata(&first.input.file) {
            // without --base, each input has its own base
            Ok(meta) => Options {
                base: self.options.base.as_ref().and_then(|_| self.options_of(first, &meta).base),
                ..self.options_of(first, &meta)
            },
            // opening it reports the error
            Err(_) => self.options.clone(),
        }
    }

    fn conversion(&self, options: Options) -> Conversion {
        let conversion = Conversion::to(self.to).with(options).on(self.pool.clone());
        let conversion = conversion.counting_names(self.gates.are_named());
        match self.from {
            Some(from) => conversion.from(from),
            None => conversion,
        }
    }

    fn together(
        &self,
        numbers: &[usize],
        names: &[String],
    ) -> Result<(Summary, Option<ReadyOutput>, OccurrenceSpool), Error> {
        let tasks: Vec<&MigrationTask> = numbers.iter().filter_map(|number| self.plan.tasks.get(*number)).collect();
        let inputs: Vec<LargeFile<'_>> = tasks.iter().zip(names).map(|(task, name)| self.input(task, name)).collect();
        let inputs: Vec<&dyn Readable> = inputs.iter().map(|input| input as &dyn Readable).collect();
        let (Some(first), mut lines) = (tasks.first(), OccurrenceSpool::new(self.options.temp_dir.as_deref())) else {
            return Err(Error::format("cannot merge: no input is left", "this is a bug"));
        };
        let options = self.merged_options(first);
        let index = options.index_base.clone();
        let conversion = self.conversion(options.clone());
        // the reader does not name a single input
        let name = |error: Error| match names {
            [one] => error.in_input(one),
            _ => error,
        };
        let refused =
            |summary: &Summary| summary.refusal_of_input(&options).map(name).or_else(|| self.fired(summary, &options));
        let told: Option<&mut dyn Sink> = if self.board.lines.is_some() { Some(&mut lines) } else { None };
        let Some(store) = self.store else {
            let summary = self.rehearse(&conversion, &inputs, &first.output, (&options, told));
            return summary.map_err(name).map(|summary| (summary, None, lines));
        };
        store.make_folders(&first.output)?;
        let path = store.path(&first.output);
        let shown = shown(&path);
        let mut output = OutputTarget::of_many(path, &shown, store.file_options())?;
        let summary = conversion.run(&inputs, &mut output, told).map_err(|error| error.in_output(&shown))?;
        if let Some(error) = refused(&summary) {
            return Err(error);
        }
        let base = index.filter(|_| summary.indexed);
        let taken = |path: &Path| self.is_taken(store, first, path);
        let set = PartSet { parts: &summary.parts, format: Some(self.to), index: base.as_deref(), taken: &taken };
        let ready = output.ready(&set)?;
        if let Some(error) = self.invalid(ready.as_ref(), &options)? {
            return Err(error);
        }
        Ok((summary, ready, lines))
    }

    fn finish_merged(
        &self,
        numbers: &[usize],
        (at, seconds): (i64, f64),
        (summary, ready, lines): (Summary, Option<ReadyOutput>, OccurrenceSpool),
    ) {
        let tasks: Vec<&MigrationTask> = numbers.iter().filter_map(|number| self.plan.tasks.get(*number)).collect();
        let Some(first) = tasks.first() else { return };
        if let Some(task) = tasks.iter().find(|task| !is_same(task)) {
            let says = "changed while it was read; run the command again";
            return self.stop.stop(Error::io(shown(&task.input.path), io::Error::other(says)));
        }
        let hidden: Vec<&Path> = ready.iter().flat_map(ReadyOutput::hidden_file).collect();
        if let Err(error) = super::store::sync(None, &hidden) {
            return self.stop.stop(Error::io("the disk", error));
        }
        let hash = inputs_hash(tasks.iter().copied());
        let size = tasks.iter().map(|task| task.input.size).sum();
        let mut report = FileReport {
            path: Name::from_path(&first.output),
            status: InputStatus::Done,
            bytes: size,
            ..FileReport::default()
        };
        report.fetched = tasks.iter().flat_map(|task| task.input.fetched()).collect();
        report.inputs = tasks.iter().map(|task| Name::from_path(&task.input.key)).collect();
        report.add_conversion(&summary, self.to);
        let mut known = HashSet::new();
        let origins = tasks.iter().map(|task| &*task.input.origin).filter(|origin| known.insert(*origin));
        let origins: Vec<InputOrigin> = origins.cloned().collect();
        let record = self.record_of(Stamp { size, mtime: 0, hash }, report, origins);
        let mut record = super::work::Record { at, ..record };
        match self.name(first, &self.plan.former_merged, ready, &mut record) {
            Ok(()) => {
                record.report.seconds = seconds;
                let mut lines = lines.file;
                // if the lines cannot be read again, writing them reports the error
                let _ = lines.seek(SeekFrom::Start(0));
                self.board.report_file(0, &record.report, &mut lines);
                self.board.sums().whole().notes.extend(self.plan.unmerged_note());
                self.note(&record);
            }
            Err(error) => self.stop.stop(error),
        }
    }
}

/// The index of the input that caused an error.
fn culprit(names: &[String], error: &Error) -> Option<usize> {
    let name = match error.kind() {
        ErrorKind::Io { name, .. } => Some(name.as_str()),
        _ => error.input(),
    }?;
    names.iter().position(|known| known == name)
}

fn is_same(task: &MigrationTask) -> bool {
    let stamp = Stamp { size: task.input.size, mtime: task.input.mtime, hash: String::new() };
    // bodies of URLs lie in a folder that only this run writes to
    let is_ours = task.input.remote.is_some();
    std::fs::metadata(&task.input.file).is_ok_and(|meta| is_ours || super::store::is_same_stamp(&meta, &stamp))
}
