//! The entries of a document one by one, as lines of JSON.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use transfeed::{Options, Reader};

use crate::calls::{format_by_id, options};
use crate::errors::exception;
use crate::input::PythonInput;

/// Reads entries; an iterator over their JSON.
#[pyclass(frozen, module = "transfeed._transfeed")]
pub struct EntryReader(Mutex<Reader>);

#[pymethods]
impl EntryReader {
    #[new]
    fn open(
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        name: Option<String>,
        source: Option<&str>,
        given: &str,
    ) -> PyResult<EntryReader> {
        // entries are read in the thread that asks for them
        let options = Options { threads: 1, ..options(given)? };
        let input = PythonInput::new(input, name, options.temp_dir.as_deref())?.into_input();
        let source = format_by_id(source)?;
        let opened = py.detach(|| Reader::open(input, source, &options));
        Ok(EntryReader(Mutex::new(opened.map_err(|error| exception(py, &error))?)))
    }

    /// The head, as the first line of `jsonl`.
    fn head(&self, py: Python<'_>) -> String {
        text(self.with_reader(py, |reader| reader.head_json()))
    }

    /// The problems so far, as JSON.
    fn diagnostics(&self, py: Python<'_>) -> PyResult<String> {
        let json = self.with_reader(py, |reader| serde_json::to_string(&reader.diagnostics().collect::<Vec<_>>()));
        json.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
    }

    fn __iter__(reader: PyRef<'_, Self>) -> PyRef<'_, Self> {
        reader
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let line = self.with_reader(py, Reader::next_json);
        line.transpose().map(|line| line.map(text)).map_err(|error| exception(py, &error))
    }
}

impl EntryReader {
    /// Waits for the reader without the interpreter: whoever has the reader may wait for the interpreter.
    fn with_reader<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Reader) -> T + Send) -> T {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// JSON is UTF-8.
fn text(line: Vec<u8>) -> String {
    String::from_utf8(line).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
