//! Inputs from Python (paths, bytes, file objects), and runs that release the interpreter and stop on Ctrl-C.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use transfeed::{Error, Input};

use crate::errors::{exception, panicked};

/// An input, and whether it is so short that nobody would want to stop its conversion.
pub struct PythonInput {
    input: Input,
    short: bool,
}

/// Bytes of a short input.
const SHORT: u64 = 1 << 20;

/// How often a run looks for signals.
const PERIOD: Duration = Duration::from_millis(50);

impl PythonInput {
    /// A path (`str` or `os.PathLike`), bytes, or an object with `read`, whose content is copied first.
    pub fn new(given: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<PythonInput> {
        let (input, size) = if given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>() {
            let bytes: Vec<u8> = given.extract()?;
            let size = bytes.len() as u64;
            (Input::from(bytes), Some(size))
        } else if given.is_instance_of::<PyMemoryView>() {
            let bytes: Vec<u8> = given.call_method0("tobytes")?.extract()?;
            let size = bytes.len() as u64;
            (Input::from(bytes), Some(size))
        } else if given.is_instance_of::<PyString>() || given.hasattr("__fspath__")? {
            let path: PathBuf = given.extract()?;
            let size = std::fs::metadata(&path).ok().filter(|meta| meta.is_file()).map(|meta| meta.len());
            (Input::from(path), size)
        } else if given.hasattr("read")? {
            let stream = Input::stream(PythonReader(given.clone())).map_err(|error| exception(given.py(), &error))?;
            (stream, None)
        } else {
            let says = format!("expected a path, bytes or a binary file object, not {}", given.get_type().name()?);
            return Err(PyTypeError::new_err(says));
        };
        let input = match name {
            Some(name) => input.named(name),
            None => input,
        };
        Ok(PythonInput { input, short: size.is_some_and(|size| size < SHORT) })
    }

    /// The input for those who read it in the calling thread.
    pub fn into_input(self) -> Input {
        if self.short { self.input } else { self.input.watched(Arc::new(check_signals)) }
    }
}

/// Reads from a file object.
struct PythonReader<'py>(Bound<'py, PyAny>);

impl Read for PythonReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.call_method1("read", (buffer.len().min(SHORT as usize),)).map_err(io::Error::other)?;
        let Ok(bytes) = read.cast::<PyBytes>() else {
            let says = "read() returned no bytes; open the file in binary mode";
            return Err(io::Error::other(PyTypeError::new_err(says)));
        };
        let bytes = bytes.as_bytes();
        let Some(room) = buffer.get_mut(..bytes.len()) else {
            return Err(io::Error::other("read() returned more bytes than were asked for"));
        };
        room.copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// Lets Python handle signals; only its main thread does.
fn check_signals() -> io::Result<()> {
    Python::attach(|py| py.check_signals()).map_err(io::Error::other)
}

/// Runs without the interpreter, so that other threads of Python go on. A signal that raises an exception ends the run, and
/// a panic becomes an exception.
pub fn run<T: Send>(
    py: Python<'_>,
    inputs: Vec<PythonInput>,
    threads: usize,
    work: impl FnOnce(Vec<Input>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if threads == 1 || inputs.iter().all(|input| input.short) {
        let inputs = inputs.into_iter().map(PythonInput::into_input).collect();
        let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(inputs))));
        return done.map_err(|payload| panicked(py, &*payload))?.map_err(|error| exception(py, &error));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let watched = |input: PythonInput| {
        let stop = stop.clone();
        input.input.watched(Arc::new(move || match stop.load(Ordering::Relaxed) {
            true => Err(io::Error::other("stopped")),
            false => Ok(()),
        }))
    };
    let inputs: Vec<Input> = inputs.into_iter().map(watched).collect();
    let (done, signal) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(move || {
                // dropped at the end, also by a panic
                let _sender = sender;
                work(inputs)
            });
            let mut signal = None;
            while receiver.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if signal.is_none()
                    && let Err(raised) = Python::attach(|py| py.check_signals())
                {
                    signal = Some(raised);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            (worker.join(), signal)
        })
    });
    match signal {
        Some(raised) => Err(raised),
        None => done.map_err(|payload| panicked(py, &*payload))?.map_err(|error| exception(py, &error)),
    }
}
