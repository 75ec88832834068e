//! The functions of the module. Each runs without the interpreter and returns what the program writes: a document, lines of
//! losses, or JSON.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use transfeed::code::{Class, Code, LossKind};
use transfeed::convert as pipeline;
use transfeed::diff::json::DiffReport;
use transfeed::diff::{Comparison, Inputs};
use transfeed::inspect::{InspectOptions, Inspection};
use transfeed::model::Field;
use transfeed::model::wanted::is_within;
use transfeed::reason::Reason;
use transfeed::rules::{self, Check, Finding, FindingSink, Profile, Severity};
use transfeed::{Conversion, Date, Error, ErrorKind, ErrorPart, Format, Input, Options, Report, Target, cli};

use crate::errors::exception;
use crate::input::{self, PythonInput};

/// Options from JSON.
pub fn options(given: &str) -> PyResult<Options> {
    let value: serde_json::Value = serde_json::from_str(given).map_err(|error| invalid(&error))?;
    serde_json::from_value(value).map_err(|error| {
        let says = error.to_string();
        if says.starts_with("no option is called") { PyTypeError::new_err(says) } else { PyValueError::new_err(says) }
    })
}

fn invalid(error: &impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The format with this name, if one is given.
pub fn format_by_id(id: Option<&str>) -> PyResult<Option<Format>> {
    id.map(|id| Format::by_id(id).ok_or_else(|| PyValueError::new_err(format!("no format is called {id}")))).transpose()
}

fn target(id: &str) -> PyResult<Target> {
    Target::by_id(id).ok_or_else(|| PyValueError::new_err(format!("no target is called {id}")))
}

fn conversion(to: &str, source: Option<&str>, options: &Options) -> PyResult<Conversion> {
    let conversion = Conversion::to(target(to)?).with(options.clone());
    Ok(match format_by_id(source)? {
        Some(source) => conversion.from(source),
        None => conversion,
    })
}

/// The time of the run.
fn clock() -> Option<Date> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Date::from_unix(i64::try_from(since.as_secs()).ok()?)
}

fn only(inputs: Vec<Input>) -> Result<Input, Error> {
    inputs.into_iter().next().ok_or_else(|| Error::format("no input", "pass one"))
}

fn json(report: &Report) -> Vec<u8> {
    let mut json = Vec::new();
    // memory takes all of it
    let _ = report.write_json(&mut json);
    json
}

/// Converts into memory: the document, the losses as lines of JSON, the report as JSON.
#[pyfunction]
pub fn convert<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    name: Option<String>,
    to: &str,
    source: Option<&str>,
    given_options: &str,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let options = options(given_options)?;
    let conversion = conversion(to, source, &options)?;
    let inputs = vec![PythonInput::new(given, name, options.temp_dir.as_deref())?];
    let (content, losses, report) = input::run(py, inputs, options.threads, |inputs| {
        let mut losses = Vec::new();
        let (content, report) = conversion.run_to_memory_with_losses(only(inputs)?, &mut losses)?;
        Ok((content, losses, json(&report)))
    })?;
    Ok((PyBytes::new(py, &content), PyBytes::new(py, &losses), PyBytes::new(py, &report)))
}

/// Converts into a file, or into a file object, which gets nothing before the conversion has succeeded; returns the report as
/// JSON. The losses go to a file, if one is named.
#[pyfunction]
pub fn convert_file<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    name_and_losses: (Option<String>, Option<PathBuf>),
    to: &str,
    source: Option<&str>,
    given_options: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (name, losses) = name_and_losses;
    let options = options(given_options)?;
    let conversion = conversion(to, source, &options)?;
    let inputs = vec![PythonInput::new(given, name, options.temp_dir.as_deref())?];
    let work = |path: &Path, inputs: Vec<Input>| match &losses {
        Some(losses) => conversion.run_to_file_with_losses(only(inputs)?, path, losses),
        None => conversion.run_to_file(only(inputs)?, path),
    };
    let report = if output.hasattr("write")? {
        let wrong = |error| exception(py, &temporary(error));
        let held = match &options.temp_dir {
            Some(dir) => tempfile::NamedTempFile::new_in(dir),
            None => tempfile::NamedTempFile::new(),
        };
        let held = held.map_err(wrong)?;
        let path = held.path();
        let report = input::run(py, inputs, options.threads, |inputs| {
            work(path, inputs).map_err(|error| without_name(error, path))
        })?;
        // the conversion has put another file in its place
        copy(py, &mut File::open(path).map_err(wrong)?, output)?;
        report
    } else {
        let path: PathBuf = output.extract()?;
        input::run(py, inputs, options.threads, |inputs| work(&path, inputs))?
    };
    Ok(PyBytes::new(py, &json(&report)))
}

/// An error of a file that only this call knows.
fn temporary(source: io::Error) -> Error {
    ErrorKind::Io { part: ErrorPart::Temporary, name: "temporary file".to_owned(), source }.into()
}

/// The error without the name of a file that only this call knows.
fn without_name(error: Error, path: &Path) -> Error {
    match error.kind() {
        ErrorKind::Io { name, source, .. } if Path::new(name) == path => {
            temporary(source.raw_os_error().map_or_else(|| source.kind().into(), io::Error::from_raw_os_error))
        }
        _ => error,
    }
}

/// Copies a file to a file object.
fn copy(py: Python<'_>, from: &mut File, to: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = py.detach(|| from.read(&mut buffer)).map_err(|error| exception(py, &temporary(error)))?;
        let mut rest = &buffer[..count];
        if rest.is_empty() {
            return Ok(());
        }
        while !rest.is_empty() {
            let taken = to.call_method1("write", (PyBytes::new(py, rest),))?;
            rest = rest.get(taken_of(&taken, to, rest.len())?..).unwrap_or_default();
        }
    }
}

/// The number of bytes that `write` took of so many. A raw file may take a part, and returns `None` if it took nothing; objects
/// of other kinds that return `None` take all.
fn taken_of(taken: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>, all: usize) -> PyResult<usize> {
    let py = to.py();
    let refused = |kind, says: &str| {
        let name = to.getattr("name").ok().and_then(|name| name.extract().ok()).unwrap_or_else(|| "output".to_owned());
        Err(exception(py, &Error::io(name, io::Error::new(kind, says.to_owned()))))
    };
    if taken.is_none() {
        let is_raw = to.is_instance(&py.import("io")?.getattr("RawIOBase")?)?;
        return if is_raw {
            refused(io::ErrorKind::WouldBlock, "the file object would block; pass one that is buffered")
        } else {
            Ok(all)
        };
    }
    let Ok(count) = taken.extract::<i64>() else {
        let says = format!("write() must return a number of bytes, not {}", taken.get_type().name()?);
        return Err(PyTypeError::new_err(says));
    };
    match usize::try_from(count) {
        Ok(count) if (1..=all).contains(&count) => Ok(count),
        _ => {
            refused(io::ErrorKind::WriteZero, &format!("write() took {count} of {all} bytes; pass another file object"))
        }
    }
}

/// Writes a document to a file, which appears under its name once it is complete.
#[pyfunction]
pub fn save(py: Python<'_>, document: &Bound<'_, PyBytes>, path: PathBuf) -> PyResult<()> {
    let document = document.as_bytes();
    py.detach(|| transfeed::save(document, path)).map_err(|error| exception(py, &error))
}

/// Inspects a document; returns JSON as `transfeed inspect --json` writes it.
#[pyfunction]
pub fn inspect(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    name: Option<String>,
    source: Option<&str>,
    targets: Option<Vec<String>>,
    limit_and_sample: (Option<u64>, Option<u64>),
    given_options: &str,
) -> PyResult<String> {
    let (limit, sample) = limit_and_sample;
    let mut options = options(given_options)?;
    let threads = options.threads;
    options.now = options.now.or_else(clock);
    let select = match (limit, sample) {
        (Some(count), _) => pipeline::Select::First(count),
        (None, Some(count)) => pipeline::Select::Spread(count),
        (None, None) => pipeline::Select::All,
    };
    let mut asked = InspectOptions::default().select(select);
    if let Some(targets) = targets {
        let known = |id: &String| {
            target(id)?;
            transfeed::format::by_id(id).ok_or_else(|| PyValueError::new_err(format!("no target is called {id}")))
        };
        asked = asked.to(&targets.iter().map(known).collect::<PyResult<Vec<_>>>()?);
    }
    if let Some(source) = source {
        format_by_id(Some(source))?;
        asked = transfeed::format::by_id(source).map_or(asked.clone(), |source| asked.from(source));
    }
    let inputs = vec![PythonInput::new(given, name, options.temp_dir.as_deref())?];
    let inspection = input::run(py, inputs, threads, |inputs| {
        let input = only(inputs)?;
        let name = pipeline::Input::name(&input).to_owned();
        options.modified = options.modified.or_else(|| input.modified());
        let found = asked.with(options).document(&input).map_err(|error| error.in_input(&name))?;
        let mut all = Inspection::default();
        all.push(&name, Ok(found));
        Ok(all)
    })?;
    serde_json::to_string(&inspection).map_err(|error| invalid(&error))
}

/// Compares two documents; returns JSON as `transfeed diff --json` writes it.
#[pyfunction]
pub fn diff(
    py: Python<'_>,
    side_a: (Bound<'_, PyAny>, Option<String>),
    side_b: (Bound<'_, PyAny>, Option<String>),
    source: Option<&str>,
    flags: (bool, bool),
    fields: (Vec<String>, Vec<String>),
    given_options: &str,
) -> PyResult<Py<PyBytes>> {
    let (a, name_a) = side_a;
    let (b, name_b) = side_b;
    let (order, allow_conversion_drops) = flags;
    let (ignore, only_fields) = fields;
    let options = options(given_options)?;
    let (ignore, only_fields) =
        (checked(&ignore, transfeed::diff::field)?, checked(&only_fields, transfeed::diff::field)?);
    format_by_id(source)?;
    let from = source.and_then(transfeed::format::by_id);
    let threads = options.threads;
    let comparison = Comparison { from, options, order, ignore, only: only_fields, allow_conversion_drops };
    let inputs = {
        let folder = comparison.options.temp_dir.as_deref();
        vec![PythonInput::new(&a, name_a, folder)?, PythonInput::new(&b, name_b, folder)?]
    };
    let json = input::run(py, inputs, threads, |inputs| {
        let [a, b] = inputs.as_slice() else { return Err(Error::format("no two inputs", "pass two")) };
        let side = |input: &Input| pipeline::Input::name(input).to_owned();
        let (name_a, name_b) = (side(a), side(b));
        let mut report = DiffReport::new(comparison.options.temp_dir.as_deref());
        let sums = comparison.run(
            Inputs { name: &name_a, inputs: &[a] },
            Inputs { name: &name_b, inputs: &[b] },
            &mut report,
        )?;
        let mut json = Vec::new();
        report.write(&sums, &mut json).map_err(|error| Error::io("temporary file", error))?;
        Ok(json)
    })?;
    Ok(PyBytes::new(py, &json).unbind())
}

/// Names that are known, or why one is not.
fn checked(names: &[String], check: fn(&str) -> Result<String, String>) -> PyResult<Vec<String>> {
    names.iter().map(|name| check(name).map_err(PyValueError::new_err)).collect()
}

/// The findings that are listed: so many of each rule.
struct ListedFindings {
    most: Option<u64>,
    counts: BTreeMap<&'static str, u64>,
    listed: Vec<Finding>,
}

impl FindingSink for ListedFindings {
    fn take(&mut self, finding: Finding) -> io::Result<()> {
        let count = self.counts.entry(finding.code).or_default();
        *count += 1;
        if self.most.is_none_or(|most| *count <= most) {
            self.listed.push(finding);
        }
        Ok(())
    }
}

impl ListedFindings {
    /// A line of JSON for each, by place.
    fn lines(mut self) -> io::Result<Vec<u8>> {
        self.listed.sort_by(|a, b| a.key().cmp(&b.key()));
        let mut lines = Vec::new();
        for finding in self.listed {
            serde_json::to_writer(&mut lines, &finding)?;
            lines.push(b'\n');
        }
        Ok(lines)
    }
}

/// Checks a document; returns the members that `transfeed validate --format json` writes as JSON, and the findings as lines of
/// JSON: of each rule as many as are asked for.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python passes by position what users pass by name")]
pub fn validate(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    name: Option<String>,
    source: Option<&str>,
    profiles_and_level: (Vec<String>, String, Option<u64>),
    codes: (Vec<String>, Vec<String>),
    url_and_now: (Option<String>, Option<String>),
    given_options: &str,
) -> PyResult<(String, Py<PyBytes>)> {
    let (profiles, level, most) = profiles_and_level;
    let (select, ignore) = codes;
    let (sitemap_url, now) = url_and_now;
    let mut options = options(given_options)?;
    options.limits.chunk = options.limits.chunk.min(rules::CHECKED_AT_ONCE);
    let threads = options.threads;
    let profile = |name: &String| {
        let names = || Profile::ALL.map(Profile::name).join(", ");
        let known = Profile::by_name(name);
        known.ok_or_else(|| PyValueError::new_err(format!("no profile is called {name}; profiles are {}", names())))
    };
    let level = match level.as_str() {
        "warn" => Some(Severity::Warning),
        other => Severity::ALL.into_iter().find(|severity| severity.name() == other),
    };
    let level = level.ok_or_else(|| PyValueError::new_err("expected the level error, warning or info"))?;
    let date = |text: &String| Date::parse(text).map(|(date, _)| date);
    let said = now.as_ref().map(|now| date(now).ok_or_else(|| PyValueError::new_err("expected a date"))).transpose()?;
    format_by_id(source)?;
    let mut check = Check { options, from: source.and_then(transfeed::format::by_id), ..Check::default() };
    let (select, ignore) = (checked(&select, rules::code_prefix)?, checked(&ignore, rules::code_prefix)?);
    check.settings = rules::Settings {
        profiles: profiles.iter().map(profile).collect::<PyResult<_>>()?,
        level: Some(level),
        select,
        ignore,
        sitemap_url,
        now: said.or_else(clock),
        now_said: said.is_some(),
        most,
        fingerprints: true,
        ..rules::Settings::default()
    };
    let inputs = vec![PythonInput::new(given, name, check.options.temp_dir.as_deref())?];
    let (head, lines) = input::run(py, inputs, threads, |inputs| {
        let input = only(inputs)?;
        let name = pipeline::Input::name(&input).to_owned();
        let last = Path::new(&name).file_name().and_then(|last| last.to_str());
        check.settings.file_name = last.map(str::to_owned);
        let mut findings = ListedFindings { most, counts: BTreeMap::new(), listed: Vec::new() };
        let checked = check.run(&input, &mut findings).map_err(|error| error.in_input(&name))?;
        if checked.profiles.is_empty() {
            let says = format!("cannot validate {}: no profile has rules for it", checked.format.id);
            return Err(
                Error::format(says, "validate its source document, or the output of a conversion").in_input(&name)
            );
        }
        let profiles: Vec<&str> = checked.profiles.iter().map(|profile| profile.name()).collect();
        let source = serde_json::json!({
            "name": name, "format": checked.source.format, "encoding": checked.source.encoding,
        });
        let head = serde_json::json!({
            "source": source, "profiles": profiles, "totals": checked.totals, "notes": checked.notes,
        });
        let lines = findings.lines().map_err(|error| Error::io("findings", error))?;
        Ok((head.to_string(), lines))
    })?;
    Ok((head, PyBytes::new(py, &lines).unbind()))
}

/// The text that `transfeed explain` prints.
#[pyfunction]
pub fn explain(py: Python<'_>, name: &str) -> PyResult<String> {
    cli::in_memory::explain(name).map_err(|error| exception(py, &error))
}

/// Runs a command line whose first word is the name of the program; returns the exit code.
#[pyfunction]
pub fn run(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| cli::run_command_line(words))
}

/// The formats: name, description, whether it is a target, and the ending of names that means it.
#[pyfunction]
pub fn formats() -> Vec<(&'static str, &'static str, bool, Option<&'static str>)> {
    let ending = |id| transfeed::format::by_id(id).and_then(transfeed::job::name::own_ending);
    let row = |format: Format| (format.id(), format.title(), Target::try_from(format).is_ok(), ending(format.id()));
    Format::all().map(row).collect()
}

/// The words that name losses in reports: their kinds, severities, classes, codes and reasons.
#[pyfunction]
pub fn loss_words() -> Vec<&'static str> {
    let kinds = LossKind::ALL.map(LossKind::name).into_iter();
    let severities = Severity::ALL.map(Severity::name).into_iter();
    let classes = Class::ALL.map(Class::name).into_iter();
    let codes = Code::ALL.iter().map(|code| code.name());
    let reasons = Reason::ALL.iter().map(|reason| reason.name());
    kinds.chain(severities).chain(classes).chain(codes).chain(reasons).collect()
}

/// The fields that a name matches: a whole one, the beginning of several (`video.file`), or a pattern (`video.*`).
#[pyfunction]
pub fn fields_within(name: &str) -> Vec<&'static str> {
    Field::ALL.iter().map(|field| field.name()).filter(|field| is_within(field, name)).collect()
}

/// Refuses wrong names and values of options.
#[pyfunction]
pub fn check_options(given_options: &str) -> PyResult<()> {
    options(given_options).map(|_| ())
}

/// All options with their defaults, as JSON.
#[pyfunction]
pub fn default_options() -> PyResult<String> {
    serde_json::to_string(&Options::default()).map_err(|error| invalid(&error))
}

/// Panics in the way of a conversion. Private: only the test that such a panic is an exception calls it.
#[pyfunction(name = "_panic")]
pub fn panic(py: Python<'_>, threads: usize) -> PyResult<()> {
    let inputs = Vec::new();
    input::run(py, inputs, threads, |_| panic!("on purpose"))
}
