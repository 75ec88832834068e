//! Requests that are sent before their documents are asked for, each in its own thread. The caller chooses them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use super::client::{Client, DocumentRequest, FetchAnswer, FetchConditions};
use crate::cli::progress::Progress;
use crate::error::Error;

/// The URL of a request, and the one that led there: what was sent with the secrets of one is no answer for another.
type RequestKey = (String, Option<String>);

fn key(request: &DocumentRequest) -> RequestKey {
    (request.url.to_string(), request.anchor.as_ref().map(ToString::to_string))
}

/// The requests that are under way or answered.
pub struct RequestsAhead {
    client: Arc<Client>,
    progress: Progress,
    /// The mutex is there because a receiver cannot be shared.
    answers: Mutex<HashMap<RequestKey, mpsc::Receiver<FetchAnswer>>>,
    /// Nobody waits for answers any more.
    over: Arc<AtomicBool>,
}

impl RequestsAhead {
    /// None yet.
    pub fn new(client: Arc<Client>, progress: &Progress) -> RequestsAhead {
        RequestsAhead { client, progress: progress.clone(), answers: Mutex::default(), over: Arc::default() }
    }

    /// Sends a request, unless it is under way.
    pub fn send(&mut self, request: &DocumentRequest) {
        let answers = self.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        answers.entry(key(request)).or_insert_with(|| {
            let (sender, receiver) = mpsc::channel();
            let (client, progress, over) = (Arc::clone(&self.client), self.progress.clone(), Arc::clone(&self.over));
            let request = request.clone();
            // not joined: a server that does not answer must not hold up the end of the run
            std::thread::spawn(move || {
                let (stop, received) = (|| over.load(Ordering::Relaxed), |bytes: u64| progress.advance(bytes));
                let answer = client.get(&request, &FetchConditions { known: None, stop: &stop, received: &received });
                // nobody may be there any more
                let _ = sender.send(answer);
            });
            receiver
        });
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// The thread ended without one.
    pub fn receive(&mut self, request: &DocumentRequest) -> Result<FetchAnswer, Error> {
        self.send(request);
        let answers = self.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.remove(&key(request)).and_then(|receiver| receiver.recv().ok());
        answer.ok_or_else(|| Error::format(format!("cannot fetch {}", request.url), "this is a bug"))
    }
}

impl Drop for RequestsAhead {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
