//! Conversions of streams, for users of the library. The pipeline is in convert/.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::Entry;
use super::edit::{self};
use super::input::{self, Input};
use super::output::{self, OutputFile};
use super::report::Report;
use super::target::{Format, Target};
use crate::api::original::DocumentIdentity;
use crate::convert::{self, EntryMap, OneWayStream, Summary};
use crate::error::{Error, ErrorKind};
use crate::model;
use crate::options::Options;
use crate::report;

/// A conversion of documents of any size, in constant memory, on all cores.
///
/// ```
/// use transfeed::{Conversion, Target};
///
/// let feed = br#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
///   <link>https://example.com/1</link>
///   <media:content url="https://example.com/1.mp4" duration="77" bitrate="800">
///     <media:title>A lighthouse</media:title>
///     <media:description>It turns.</media:description>
///     <media:thumbnail url="https://example.com/1.jpg"/>
///   </media:content>
/// </item></channel></rss>"#;
///
/// let mut sitemap = Vec::new();
/// let report = Conversion::to(Target::VIDEO_SITEMAP).run(feed, &mut sitemap)?;
///
/// assert!(String::from_utf8(sitemap).unwrap().contains("<video:duration>77</video:duration>"));
/// assert_eq!(report.losses().next().unwrap().field, "video.file.bitrate");
/// let sums = report.totals();
/// assert_eq!(sums.leaves, sums.kept + sums.changed + sums.lost + sums.unread + sums.merged);
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversion {
    inner: convert::Conversion,
    target: Target,
    options: Options,
}

impl Conversion {
    /// A conversion to this format, with default options.
    pub fn to(target: Target) -> Conversion {
        Conversion { inner: convert::Conversion::to(target.0), target, options: Options::default() }
    }

    /// Reads the input in this format, without detection.
    #[must_use]
    pub fn from(mut self, format: Format) -> Conversion {
        self.inner = self.inner.from(format.0);
        self
    }

    /// With these options.
    #[must_use]
    pub fn with(mut self, options: Options) -> Conversion {
        self.options = options;
        self
    }

    /// Edits or removes each entry before it is written: the function returns an [`Entry`], or an `Option` of one. Its
    /// edits are reported as for [`Document`](crate::Document).
    ///
    /// It is called on several threads, and more than once per entry if the target needs all of them before the
    /// first is written; so it must return the same result for the same entry.
    ///
    /// ```
    /// use transfeed::{Conversion, Entry, Target};
    ///
    /// let list = b"https://example.com/a\nhttps://example.com/b\nhttps://example.com/b/old\n";
    /// let news = Conversion::to(Target::TEXT).map(|mut entry: Entry| {
    ///     let loc = entry.loc.take()?;
    ///     entry.loc = Some(format!("{loc}?from=feed"));
    ///     (!loc.ends_with("/old")).then_some(entry)
    /// });
    /// let mut out = Vec::new();
    /// let report = news.run(list, &mut out)?;
    /// assert_eq!(out, b"https://example.com/a?from=feed\nhttps://example.com/b?from=feed\n");
    /// assert_eq!(report.losses().next().unwrap().reason, "removed by the calling program");
    /// assert_eq!((report.totals().changed, report.totals().lost), (2, 1));
    /// # Ok::<(), transfeed::Error>(())
    /// ```
    #[must_use]
    pub fn map<R: Into<Option<Entry>>>(mut self, map: impl Fn(Entry) -> R + Send + Sync + 'static) -> Conversion {
        let identity = DocumentIdentity::default();
        let made = move |entry: model::Entry<'static>, number: u64| {
            let shown = edit::show_entry(entry, &identity, 0);
            // a replaced entry is reported by its original values
            let Some(mother) = shown.provenance.original::<model::Entry<'static>>().cloned() else {
                return model::Entry::default();
            };
            match map(shown).into() {
                Some(entry) => edit::fill_entry(&entry, Some(&mother), None, number),
                None => edit::removed(&mother, number),
            }
        };
        self.inner = self.inner.mapped(EntryMap(Arc::new(made)));
        self
    }

    /// Converts a file by its path, or bytes, into one document.
    ///
    /// The report is that of the command. To keep memory constant, single losses are listed for up to ten values of each
    /// row.
    ///
    /// # Errors
    /// Unreadable or unknown input, an exceeded limit, an output that cannot be written, and
    /// `Unbalanced`, which is a bug of this library.
    pub fn run(&self, input: impl Into<Input>, out: impl Write + Send) -> Result<Report, Error> {
        self.run_all([input], out)
    }

    /// Converts several inputs into one document, under the head of the first.
    ///
    /// # Errors
    /// As [`Conversion::run`].
    pub fn run_all<I: Into<Input>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        out: impl Write + Send,
    ) -> Result<Report, Error> {
        let mut out = OneWayStream(out);
        let summary = self.prepare(inputs).run(&mut out, None)?;
        Ok(self.report(summary, None))
    }

    /// Converts into memory, and lists every loss in the report.
    ///
    /// # Errors
    /// As [`Conversion::run_to_file`].
    pub fn run_to_memory(&self, input: impl Into<Input>) -> Result<(Vec<u8>, Report), Error> {
        let (mut out, mut lines) = (Vec::new(), Vec::new());
        let summary = self.run_to_buffers(input, &mut out, &mut lines)?;
        Ok((out, self.report(summary, Some(&lines))))
    }

    /// Converts into memory. Every loss is appended to `losses` as a line of JSON, which takes less memory than a report that
    /// lists all of them (`transfeed convert --report FILE.jsonl`).
    ///
    /// # Errors
    /// As [`Conversion::run_to_file`].
    pub fn run_to_memory_with_losses(
        &self,
        input: impl Into<Input>,
        losses: &mut Vec<u8>,
    ) -> Result<(Vec<u8>, Report), Error> {
        let mut out = Vec::new();
        let summary = self.run_to_buffers(input, &mut out, losses)?;
        Ok((out, self.report(summary, None)))
    }

    fn run_to_buffers(
        &self,
        input: impl Into<Input>,
        out: &mut Vec<u8>,
        lines: &mut Vec<u8>,
    ) -> Result<Summary, Error> {
        let prepared = self.prepare([input]);
        let summary = prepared.run(out, Some(lines))?;
        refusal(&summary, &prepared.options).map_or(Ok(summary), Err)
    }

    /// Converts into a file, which appears under its name once it is complete. A name that ends in `.gz` is compressed.
    ///
    /// A failed or interrupted conversion leaves the previous file as it was, so it can be repeated at any time, also at
    /// the same time. The output is one file: `split` is an error.
    ///
    /// ```
    /// use transfeed::{Conversion, Target};
    ///
    /// let dir = tempfile::tempdir().unwrap();
    /// let path = dir.path().join("pages.xml");
    /// Conversion::to(Target::SITEMAP).run_to_file(b"https://example.com/a\n", &path)?;
    /// assert!(std::fs::read_to_string(&path).unwrap().contains("<loc>https://example.com/a</loc>"));
    /// # Ok::<(), transfeed::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Conversion::run`]. A truncated input, unless `accept_truncated` is set, and an output below `min_entries` or
    /// `min_videos`, are refused, and so is an output that is also the input.
    pub fn run_to_file(&self, input: impl Into<Input>, path: impl AsRef<Path>) -> Result<Report, Error> {
        self.publish(input, path.as_ref(), None)
    }

    /// The same, and writes every loss to another file, as a line of JSON (`transfeed convert --report FILE.jsonl`). The
    /// file of losses appears first.
    ///
    /// # Errors
    /// As [`Conversion::run_to_file`]; also if the losses have the name of the output or the input.
    pub fn run_to_file_with_losses(
        &self,
        input: impl Into<Input>,
        path: impl AsRef<Path>,
        losses: impl AsRef<Path>,
    ) -> Result<Report, Error> {
        self.publish(input, path.as_ref(), Some(losses.as_ref()))
    }

    fn publish(&self, input: impl Into<Input>, path: &Path, losses: Option<&Path>) -> Result<Report, Error> {
        let prepared = self.prepare([input]);
        let outputs: Vec<&Path> = std::iter::once(path).chain(losses).collect();
        let inputs: Vec<&Path> = prepared.inputs.iter().filter_map(Input::path).collect();
        output::check_names(&outputs, &inputs)?;
        let mut out = OutputFile::create(path)?;
        let mut lines = losses.map(OutputFile::create).transpose()?;
        let done = prepared.run(&mut out, lines.as_mut().map(|lines| lines as &mut dyn convert::Output));
        let summary = done.map_err(|error| out.with_output_name(error))?;
        if let Some(refusal) = refusal(&summary, &prepared.options) {
            return Err(refusal);
        }
        if let Some(mut lines) = lines {
            report::last_line(&summary, &mut lines).map_err(|error| lines.with_output_name(Error::output(error)))?;
            lines.publish()?;
        }
        out.publish()?;
        Ok(self.report(summary, None))
    }

    /// The run for these inputs.
    fn prepare<I: Into<Input>>(&self, inputs: impl IntoIterator<Item = I>) -> PreparedRun {
        let mut inputs: Vec<Input> = inputs.into_iter().map(Into::into).collect();
        let mut options = self.options.clone();
        options.now = options.now.or_else(input::now);
        if let [input] = inputs.as_slice() {
            options.modified = options.modified.or_else(|| input.modified());
        }
        if let Some(folder) = &options.temp_dir {
            inputs = inputs.into_iter().map(|input| input.copied_in(folder)).collect();
        }
        PreparedRun { inputs, conversion: self.inner.clone().with(options.clone()), options }
    }

    /// The report of a run, with all losses of these lines, otherwise with the examples of its rows.
    fn report(&self, summary: Summary, lines: Option<&[u8]>) -> Report {
        Report::from_summary(summary, self.target.0, self.target.0.profile_name(&self.options), lines)
    }
}

/// A conversion with its inputs, and with the options that depend on them.
struct PreparedRun {
    inputs: Vec<Input>,
    conversion: convert::Conversion,
    options: Options,
}

impl PreparedRun {
    fn run<'r>(
        &'r self,
        out: &'r mut (dyn convert::Output + 'r),
        lines: Option<&'r mut (dyn convert::Output + 'r)>,
    ) -> Result<Summary, Error> {
        let lent: Vec<&dyn convert::Input> = self.inputs.iter().map(|input| input as &dyn convert::Input).collect();
        let checks = || self.inputs.iter().filter_map(Input::check).collect();
        let mut out = CheckedOutput { out, checks: checks() };
        let mut lines = lines.map(|out| CheckedOutput { out, checks: checks() });
        let lines = lines.as_mut().map(|lines| lines as &mut dyn convert::Output);
        self.conversion.run(&lent, &mut out, lines).map_err(|error| match self.inputs.as_slice() {
            [input] => error.in_input(convert::Input::name(input)),
            _ => error,
        })
    }
}

/// An output of a run that the checks of its inputs can end: writing may take as long as reading.
struct CheckedOutput<'r> {
    out: &'r mut (dyn convert::Output + 'r),
    checks: Vec<&'r (dyn Fn() -> io::Result<()> + Send + Sync)>,
}

impl Write for CheckedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.checks.iter().try_for_each(|check| check())?;
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl convert::Output for CheckedOutput<'_> {
    fn can_restart(&self) -> bool {
        self.out.can_restart()
    }
    fn restart(&mut self) -> io::Result<()> {
        self.out.restart()
    }
    fn can_split(&self) -> bool {
        self.out.can_split()
    }
    fn next_part(&mut self) -> io::Result<()> {
        self.out.next_part()
    }
}

/// Why a complete output must not replace the previous one.
fn refusal(summary: &Summary, options: &Options) -> Option<Error> {
    let name = summary.sources.first().map_or("", |source| source.name.as_str());
    if let Some(error) = summary.refusal_of_input(options) {
        return Some(error.in_input(name));
    }
    let gate = summary.refusal_of_output(options).into_iter().next()?;
    let hint = "the previous output is kept".to_owned();
    let error = Error::from(ErrorKind::Refused { at: None, says: gate.to_string(), hint, finding: true });
    Some(error.in_input(name))
}
