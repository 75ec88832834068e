//! A small web server on this machine for tests: what it answers is a function, and it counts what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it was received.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The first line: method, path, version.
    pub line: String,
    /// Names in small letters.
    pub headers: BTreeMap<String, String>,
}

impl Asked {
    /// The path with its query.
    pub fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }

    /// A header; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// An answer.
pub enum Reply {
    /// A whole one, after which the connection stays open.
    Full(u16, Vec<(String, String)>, Vec<u8>),
    /// These bytes, after which the connection is closed.
    Raw(Vec<u8>),
    /// These bytes, after which the connection is reset.
    Reset(Vec<u8>),
    /// A wait, then an answer.
    Late(Duration, Box<Reply>),
    /// A body that never ends.
    Endless,
}

impl Reply {
    /// A body with status 200.
    pub fn ok(body: impl Into<Vec<u8>>) -> Reply {
        Reply::Full(200, Vec::new(), body.into())
    }

    /// A status without a body.
    pub fn status(status: u16) -> Reply {
        Reply::Full(status, Vec::new(), Vec::new())
    }

    /// A redirect.
    pub fn to(status: u16, location: &str) -> Reply {
        Reply::status(status).with("Location", location)
    }

    /// With a header.
    pub fn with(self, name: &str, value: &str) -> Reply {
        match self {
            Reply::Full(status, mut headers, body) => {
                headers.push((name.to_owned(), value.to_owned()));
                Reply::Full(status, headers, body)
            }
            other => other,
        }
    }
}

/// What is answered to a request, the number of those before it for its path given.
type Answering = dyn Fn(&Asked, usize) -> Reply + Send + Sync;

struct Shared {
    answer: Box<Answering>,
    asked: Mutex<Vec<Asked>>,
    open: AtomicUsize,
    most: AtomicUsize,
    stopped: AtomicBool,
}

/// The server, until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// A server that answers so. The number is how often the path was asked for before.
    pub fn start(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Server {
        // all of 127.0.0.0/8 are names of this machine: other hosts for who looks at the address
        let listener = TcpListener::bind("0.0.0.0:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            asked: Mutex::default(),
            open: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        });
        let state = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if state.stopped.load(Ordering::Relaxed) {
                    return;
                }
                let (state, Ok(stream)) = (Arc::clone(&state), stream) else { continue };
                std::thread::spawn(move || {
                    // a client that goes away is not a failure of the server
                    let _ = connection(&state, stream);
                });
            }
        });
        Server { address, shared }
    }

    /// A URL of it.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.address.port())
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().expect("no panic").clone()
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        self.shared.asked.lock().expect("no panic").clear();
    }

    /// Requests that were answered at the same time, at most.
    pub fn most_together(&self) -> usize {
        self.shared.most.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // wakes the thread that listens
        drop(TcpStream::connect(self.address));
    }
}

fn connection(shared: &Shared, mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.by_ref().take(1 << 16).read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let headers = lines.iter().skip(1).filter_map(|line| line.split_once(':'));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
        let asked = Asked { line: lines.first().cloned().unwrap_or_default(), headers };
        let before = {
            let mut all = shared.asked.lock().expect("no panic");
            let before = all.iter().filter(|other| other.path() == asked.path()).count();
            all.push(asked.clone());
            before
        };
        let open = shared.open.fetch_add(1, Ordering::Relaxed) + 1;
        shared.most.fetch_max(open, Ordering::Relaxed);
        let mut reply = (shared.answer)(&asked, before);
        while let Reply::Late(wait, then) = reply {
            std::thread::sleep(wait);
            reply = *then;
        }
        let stays = write(&mut stream, reply);
        shared.open.fetch_sub(1, Ordering::Relaxed);
        if !stays? {
            return Ok(());
        }
    }
}

/// Writes an answer. Whether the connection stays open.
fn write(stream: &mut TcpStream, reply: Reply) -> std::io::Result<bool> {
    match reply {
        Reply::Full(status, headers, body) => {
            let mut head = format!("HTTP/1.1 {status} X\r\n");
            if status != 304 && status != 204 {
                head.push_str(&format!("Content-Length: {}\r\n", body.len()));
            }
            headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
            head.push_str("\r\n");
            stream.write_all(&[head.as_bytes(), &body].concat())?;
            Ok(true)
        }
        Reply::Raw(bytes) => {
            stream.write_all(&bytes)?;
            Ok(false)
        }
        Reply::Reset(bytes) => {
            stream.write_all(&bytes)?;
            // closed with bytes that were not read, a connection is reset
            std::thread::sleep(Duration::from_millis(20));
            stream.shutdown(std::net::Shutdown::Both)?;
            Ok(false)
        }
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n<rss version=\"2.0\"><channel>")?;
            loop {
                stream.write_all(&[b' '; 1 << 14])?;
            }
        }
        Reply::Late(..) => Ok(false),
    }
}
