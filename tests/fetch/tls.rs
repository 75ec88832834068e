//! A web server with TLS on this machine for tests, and the authority that signed its certificate, which nobody trusts
//! unless a test says so.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The server, until it is dropped.
pub struct TlsServer {
    port: u16,
    /// The certificate of the authority, as a file of trusted roots has it.
    pub authority: String,
    requests: Arc<AtomicUsize>,
    stopped: Arc<AtomicBool>,
}

impl TlsServer {
    /// A server whose certificate is for this host. `answer` has the bytes for a path.
    pub fn start(host: &str, answer: fn(&str) -> Vec<u8>) -> TlsServer {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = params.self_signed(&key).expect("a certificate");
        let issuer = Issuer::from_params(&params, &key);
        let own_key = KeyPair::generate().expect("a key");
        let own = CertificateParams::new([host.to_owned()]).expect("a host").signed_by(&own_key, &issuer);
        let own = own.expect("a certificate").der().clone();
        let secret = PrivateKeyDer::Pkcs8(own_key.serialize_der().into());
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![own], secret));
        let config = Arc::new(config.expect("a configuration"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (requests, stopped): (Arc<AtomicUsize>, Arc<AtomicBool>) = Default::default();
        let (counted, over) = (Arc::clone(&requests), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (config, counted) = (Arc::clone(&config), Arc::clone(&counted));
                // a client that does not trust the certificate goes away
                std::thread::spawn(move || _ = connection(config, stream, &counted, answer));
            }
        });
        TlsServer { port, authority: root.pem(), requests, stopped }
    }

    /// A URL of it.
    pub fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    /// Requests that were received.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // wakes the thread that listens
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn connection(
    config: Arc<ServerConfig>,
    stream: TcpStream,
    requests: &AtomicUsize,
    answer: fn(&str) -> Vec<u8>,
) -> std::io::Result<()> {
    let session = ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(session, stream));
    let path = OnceLock::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if line.trim_end().is_empty() {
            break;
        }
        path.get_or_init(|| line.split(' ').nth(1).unwrap_or_default().to_owned());
    }
    requests.fetch_add(1, Ordering::Relaxed);
    let mut stream = reader.into_inner();
    stream.write_all(&answer(path.get().map_or("", String::as_str)))?;
    stream.conn.send_close_notify();
    stream.flush()
}
