//! Inputs from Python (paths, bytes, file objects), and runs that release the interpreter and stop on Ctrl-C.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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

/// The first bytes of compressed content, whose size says nothing about that of the document.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How often a run looks for signals.
const PERIOD: Duration = Duration::from_millis(50);

impl PythonInput {
    /// A path (`str` or `os.PathLike`), bytes, or an object with `read`, whose content is copied first, to this folder if it is
    /// long.
    pub fn new(given: &Bound<'_, PyAny>, name: Option<String>, temp_dir: Option<&Path>) -> PyResult<PythonInput> {
        let (input, short) = if let Ok(held) = given.cast::<HeldInput>() {
            (held.get().0.clone(), false)
        } else if let Some(bytes) = bytes_of(given)? {
            let short = (bytes.len() as u64) < SHORT && !bytes.starts_with(&GZIP);
            (Input::from(bytes), short)
        } else if given.is_instance_of::<PyString>() || given.hasattr("__fspath__")? {
            let path: PathBuf = given.extract()?;
            let short = is_short(&path);
            (Input::from(path), short)
        } else if given.hasattr("read")? {
            (copied(given, temp_dir)?, false)
        } else {
            let says = format!("expected a path, bytes or a binary file object, not {}", given.get_type().name()?);
            return Err(PyTypeError::new_err(says));
        };
        let input = match name {
            Some(name) => input.named(name),
            None => input,
        };
        let input = match temp_dir {
            Some(folder) => input.copied_in(folder),
            None => input,
        };
        Ok(PythonInput { input, short })
    }

    /// The input for those who read it in the calling thread.
    pub fn into_input(self) -> Input {
        if self.short {
            return self.input;
        }
        let signals = Signals::default();
        self.input.watched(Arc::new(move || signals.check()))
    }
}

/// The content of an object that holds bytes.
fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>() {
        given.extract().map(Some)
    } else if given.is_instance_of::<PyMemoryView>() {
        given.call_method0("tobytes")?.extract().map(Some)
    } else {
        Ok(None)
    }
}

/// Whether a file has a short document.
fn is_short(path: &Path) -> bool {
    let is_small = std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() < SHORT);
    let mut first = [0; 2];
    is_small && File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first != GZIP
}

fn copied(stream: &Bound<'_, PyAny>, folder: Option<&Path>) -> PyResult<Input> {
    let reader = PythonReader(stream.clone());
    let copied = match folder {
        Some(folder) => Input::stream_in(reader, folder),
        None => Input::stream(reader),
    };
    copied.map_err(|error| exception(stream.py(), &error))
}

/// The content of a file object, which is read any number of times.
#[pyclass(frozen, module = "transfeed._transfeed")]
pub struct HeldInput(Input);

#[pymethods]
impl HeldInput {
    #[new]
    fn copy(stream: &Bound<'_, PyAny>, temp_dir: Option<PathBuf>) -> PyResult<HeldInput> {
        Ok(HeldInput(copied(stream, temp_dir.as_deref())?))
    }
}

/// Reads from a file object.
struct PythonReader<'py>(Bound<'py, PyAny>);

impl Read for PythonReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.call_method1("read", (buffer.len().min(SHORT as usize),)).map_err(io::Error::other)?;
        let wrong = || io::Error::other(PyTypeError::new_err("read() returned no bytes; open the file in binary mode"));
        let held: Vec<u8>;
        let bytes = match read.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes(),
            Err(_) => {
                held = bytes_of(&read).map_err(io::Error::other)?.ok_or_else(wrong)?;
                held.as_slice()
            }
        };
        let Some(room) = buffer.get_mut(..bytes.len()) else {
            return Err(io::Error::other("read() returned more bytes than were asked for"));
        };
        room.copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// Lets Python handle signals from time to time; only its main thread does.
struct Signals {
    start: Instant,
    /// The latest period in which it did.
    period: AtomicU64,
    raised: Mutex<Option<PyErr>>,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals { start: Instant::now(), period: AtomicU64::new(0), raised: Mutex::new(None) }
    }
}

impl Signals {
    /// # Errors
    /// What a handler raised.
    fn check(&self) -> io::Result<()> {
        let period = (self.start.elapsed().as_millis() / PERIOD.as_millis()) as u64;
        if self.period.swap(period, Ordering::Relaxed) == period {
            return Ok(());
        }
        Python::attach(|py| {
            py.check_signals().map_err(|raised| {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised.clone_ref(py));
                io::Error::other(raised)
            })
        })
    }

    /// What a handler has raised: the error of a run may not have it any more.
    fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Runs without the interpreter, so that other threads of Python go on. A signal that raises an exception ends the run, and
/// a panic becomes an exception.
pub fn run<T: Send>(
    py: Python<'_>,
    inputs: Vec<PythonInput>,
    threads: usize,
    work: impl FnOnce(Vec<Input>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (done, raised) = if inputs.iter().all(|input| input.short) {
        let inputs = inputs.into_iter().map(|input| input.input).collect();
        (py.detach(|| catch_unwind(AssertUnwindSafe(|| work(inputs)))), None)
    } else if threads == 1 {
        run_here(py, inputs, work)
    } else {
        run_beside(py, inputs, work)
    };
    match raised {
        Some(raised) => Err(raised),
        None => done.map_err(|payload| panicked(py, &*payload))?.map_err(|error| exception(py, &error)),
    }
}

/// What a run returned, and what a handler of signals raised.
type Done<T> = (std::thread::Result<Result<T, Error>>, Option<PyErr>);

/// Runs in the calling thread, which looks for signals at each read and write.
fn run_here<T: Send>(
    py: Python<'_>,
    inputs: Vec<PythonInput>,
    work: impl FnOnce(Vec<Input>) -> Result<T, Error> + Send,
) -> Done<T> {
    let signals = Arc::new(Signals::default());
    let watched = |input: PythonInput| {
        let signals = signals.clone();
        input.input.watched(Arc::new(move || signals.check()))
    };
    let inputs = inputs.into_iter().map(watched).collect();
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(inputs))));
    (done, signals.raised())
}

/// Runs in another thread, while this one looks for signals.
fn run_beside<T: Send>(
    py: Python<'_>,
    inputs: Vec<PythonInput>,
    work: impl FnOnce(Vec<Input>) -> Result<T, Error> + Send,
) -> Done<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let watched = |input: PythonInput| {
        let stop = stop.clone();
        input.input.watched(Arc::new(move || match stop.load(Ordering::Relaxed) {
            true => Err(io::Error::other("stopped")),
            false => Ok(()),
        }))
    };
    let inputs: Vec<Input> = inputs.into_iter().map(watched).collect();
    py.detach(|| {
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
    })
}
