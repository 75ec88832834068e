//! Signals: the notification of commands that the run must end, or that a file must not grow. Each command reacts in its
//! way.
//!
//! A signal that is ignored at start stays ignored (`nohup`, a background job). The second signal stops
//! the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What asked the run to end, if anything did.
#[derive(Clone, Default)]
pub struct InterruptFlag {
    by: Arc<AtomicUsize>,
    /// The next signal ends the program.
    at_once: Arc<AtomicBool>,
}

impl InterruptFlag {
    /// The number of the signal.
    pub fn signal(&self) -> Option<u8> {
        u8::try_from(self.by.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }

    /// From now on there is something to be ended in order: the first signal only asks for it.
    pub fn begin(&self) {
        self.at_once.store(false, Ordering::Relaxed);
    }
}

/// Listens from now on. Where that cannot be done, signals do what they do to any program.
pub fn listen() -> InterruptFlag {
    let asked = InterruptFlag::default();
    // without a handler the run can be killed all the same, and leaves what a later one takes away
    let _ = system::listen(&asked);
    asked
}

/// Like [`listen`], but until [`InterruptFlag::begin`] is called, the first signal ends the program at once.
pub fn listen_before() -> InterruptFlag {
    let asked = InterruptFlag { at_once: Arc::new(AtomicBool::new(true)), ..InterruptFlag::default() };
    // see above
    let _ = system::listen(&asked);
    asked
}

/// Ends the program with the signal's exit code as soon as one comes, after `last` was done.
pub fn end_on(asked: &InterruptFlag, last: impl FnOnce() + Send + 'static) {
    let asked = asked.clone();
    // see above
    let _ = system::wake(move || {
        if let Some(signal) = asked.signal() {
            last();
            std::process::exit(128 + i32::from(signal));
        }
    });
}

#[cfg(unix)]
mod system {
    use std::io::{self, Read};
    use std::sync::{Arc, OnceLock};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};

    use super::InterruptFlag;

    const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

    fn wanted() -> impl Iterator<Item = i32> {
        let ignored = ignored();
        ENDING.into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
    }

    pub fn listen(InterruptFlag { by, at_once }: &InterruptFlag) -> io::Result<()> {
        for signal in wanted() {
            flag::register_conditional_shutdown(signal, 128 + signal, at_once.clone())?;
            flag::register(signal, at_once.clone())?;
            flag::register_usize(signal, by.clone(), signal.unsigned_abs() as usize)?;
        }
        // a file that may not grow is then an error of writing, not the end
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(())
    }

    pub fn wake(told: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let (mut reader, writer) = io::pipe()?;
        for signal in wanted() {
            low_level::pipe::register(signal, writer.try_clone()?)?;
        }
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            // the handlers hold the other end
            let _writer = writer;
            if reader.read_exact(&mut [0]).is_ok() {
                told();
            }
        })?;
        Ok(())
    }

    /// The signals that the parent process had ignored, one bit each; 0 if the system does not report them.
    fn ignored() -> u64 {
        static IGNORED: OnceLock<u64> = OnceLock::new();
        *IGNORED.get_or_init(|| {
            // the system writes it anew for each read of a few bytes
            let mut status = String::with_capacity(1 << 12);
            let read = std::fs::File::open("/proc/self/status")
                .and_then(|file| file.take(1 << 16).read_to_string(&mut status));
            if read.is_err() {
                return 0;
            }
            let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
        })
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;

    use super::InterruptFlag;

    pub fn listen(_: &InterruptFlag) -> io::Result<()> {
        Ok(())
    }

    pub fn wake(_: impl FnOnce() + Send + 'static) -> io::Result<()> {
        Ok(())
    }
}
