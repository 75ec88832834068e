//! All inputs to one output. An input that cannot be read is left out and named; the others are converted without it.

use std::collections::HashSet;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use super::plan::inputs_hash;
use super::work::{Large, Lines, Nowhere, Task, Work, ends_all, now, seconds};
use crate::cli::output::{Ready, Set, Target};
use crate::convert::{Conversion, Input as Readable, Output as Sink, Summary};
use crate::error::{Error, ErrorKind};
use crate::job::journal::Stamp;
use crate::job::summary::{FileReport, Status};
use crate::job::{Name, shown};

impl Work<'_> {
    /// Converts these inputs to one output.
    pub fn merge(&self, numbers: &[usize]) {
        let mut left: Vec<usize> = numbers.to_vec();
        while !left.is_empty() && !self.stop.now() {
            let (at, begun) = (now(), Instant::now());
            match self.together(&left) {
                Ok(done) => return self.finish_merged(&left, (at, seconds(begun)), done),
                Err(error) => match self.culprit(&left, &error) {
                    Some(place) if !ends_all(&error) && !error.is_bug() => {
                        let number = left.remove(place);
                        let Some(task) = self.tasks.get(number) else { return };
                        self.fail(number, task, &shown(&task.input.path), error);
                    }
                    _ => return self.stop.stop(error),
                },
            }
        }
    }

    /// The place of the input that an error is about.
    fn culprit(&self, numbers: &[usize], error: &Error) -> Option<usize> {
        let name = match error.kind() {
            ErrorKind::Io { name, .. } => Some(name.as_str()),
            _ => error.input(),
        }?;
        numbers.iter().position(|number| self.tasks.get(*number).is_some_and(|task| shown(&task.input.path) == name))
    }

    fn together(&self, numbers: &[usize]) -> Result<(Summary, Option<Ready>, Lines), Error> {
        let tasks: Vec<&Task> = numbers.iter().filter_map(|number| self.tasks.get(*number)).collect();
        let names: Vec<String> = tasks.iter().map(|task| shown(&task.input.path)).collect();
        let large = |(task, name)| {
            let (task, name): (&&Task, &String) = (task, name);
            // nobody needs the hash of each
            let hash = OnceLock::from(Vec::new());
            Large { file: &task.input.file, name, board: self.board, stop: self.stop, hash }
        };
        let inputs: Vec<Large<'_>> = tasks.iter().zip(&names).map(large).collect();
        let inputs: Vec<&dyn Readable> = inputs.iter().map(|input| input as &dyn Readable).collect();
        let (Some(first), mut lines) = (tasks.first(), Lines::default()) else {
            return Err(Error::format("no input is left", "this is a bug"));
        };
        let mut options = self.options.clone();
        options.modified = std::fs::metadata(&first.input.file)
            .and_then(|meta| meta.modified())
            .ok()
            .and_then(crate::cli::wanted::date_of);
        let index = options.index_base.clone();
        let mut conversion = Conversion::to(self.to).with(options).on(self.pool.clone());
        if let Some(from) = self.from {
            conversion = conversion.from(from);
        }
        let told: Option<&mut dyn Sink> = if self.board.lines.is_some() { Some(&mut lines) } else { None };
        let Some(store) = self.store else {
            let summary = conversion.run(&inputs, &mut Nowhere, told)?;
            return Ok((summary, None, lines));
        };
        store.make_folders(&first.output)?;
        let path = store.path(&first.output);
        let shown = shown(&path);
        let mut output = Target::of_many(path, &shown, store.how())?;
        let summary = conversion.run(&inputs, &mut output, told).map_err(|error| error.in_output(&shown))?;
        let base = index.filter(|_| summary.indexed);
        let set = Set { parts: &summary.parts, format: Some(self.to), index: base.as_deref(), taken: &|_| false };
        let ready = output.ready(&set)?;
        Ok((summary, ready, lines))
    }

    fn finish_merged(
        &self,
        numbers: &[usize],
        (at, seconds): (i64, f64),
        (summary, ready, lines): (Summary, Option<Ready>, Lines),
    ) {
        let tasks: Vec<&Task> = numbers.iter().filter_map(|number| self.tasks.get(*number)).collect();
        let Some(first) = tasks.first() else { return };
        if let Some(task) = tasks.iter().find(|task| !is_same(task)) {
            let says = "was changed while it was read; run the command again";
            return self.stop.stop(Error::io(shown(&task.input.path), io::Error::other(says)));
        }
        let hidden: Vec<&Path> = ready.iter().flat_map(Ready::hidden).collect();
        if let Err(error) = super::store::sync(None, &hidden) {
            return self.stop.stop(Error::io("the disk", error));
        }
        let known: HashSet<&usize> = numbers.iter().collect();
        let all = (0..self.tasks.len()).all(|number| known.contains(&number));
        // an output that lacks an input is no finished one
        let hash = if all { inputs_hash(tasks.iter().copied()) } else { String::new() };
        let size = tasks.iter().map(|task| task.input.size).sum();
        let mut report =
            FileReport { path: Name::of(&first.output), status: Status::Done, bytes: size, ..FileReport::default() };
        report.inputs = tasks.iter().map(|task| Name::of(&task.input.key)).collect();
        report.tell(&summary);
        let mut record = super::work::Record { at, ..self.record_of(Stamp { size, mtime: 0, hash }, report) };
        match self.name(first, ready, &mut record) {
            Ok(()) => {
                record.report.seconds = seconds;
                let mut lines = lines.0;
                // lines that cannot be read again are missed when they are written
                let _ = lines.seek(SeekFrom::Start(0));
                self.board.tell(0, &record.report, &mut lines);
                self.note(&[record]);
            }
            Err(error) => self.stop.stop(error),
        }
    }
}

fn is_same(task: &Task) -> bool {
    let stamp = Stamp { size: task.input.size, mtime: task.input.mtime, hash: String::new() };
    std::fs::metadata(&task.input.file).is_ok_and(|meta| super::store::looks_same(&meta, &stamp))
}
