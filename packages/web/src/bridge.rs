//! The functions that the page calls, and the one that it is called by. Both sides share the memory of this module: the
//! page asks for room, writes a file there, and reads the outputs from where this module has them.
//!
//! `unsafe` is needed for two things only. The exported functions need names that are not mangled, which the compiler
//! counts as unsafe because two functions may not have the same one. The imported function is called, which is safe: it
//! takes a number and returns nothing. No pointer is followed here: addresses are only handed out, of buffers that the
//! module owns until it is asked for other ones.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]
#![cfg_attr(not(target_family = "wasm"), allow(dead_code))]

use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::{Answer, answer};

/// What both sides have in their hands.
struct Shared {
    /// The request, then the files.
    inputs: Vec<Vec<u8>>,
    /// The view as JSON, then the outputs.
    outputs: Vec<Vec<u8>>,
    /// The message of a panic. The module is of no use after one.
    panic: Vec<u8>,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { inputs: Vec::new(), outputs: Vec::new(), panic: Vec::new() });

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for one more input, of this length. Returns its address; a length beyond the memory ends in a trap.
fn add_input(length: usize) -> *mut u8 {
    let mut shared = shared();
    shared.inputs.push(vec![0; length]);
    shared.inputs.last_mut().map_or(std::ptr::null_mut(), |input| input.as_mut_ptr())
}

/// Does what the first input asks for with the others, which are gone then. Returns the number of outputs.
fn run(read: &crate::ReadCounter) -> usize {
    keep_panics();
    let inputs = {
        let mut shared = shared();
        shared.outputs = Vec::new();
        std::mem::take(&mut shared.inputs)
    };
    let done = match inputs.split_first() {
        Some((request, files)) => answer(&String::from_utf8_lossy(request), files, read),
        None => Err("no request".to_owned()),
    };
    let outputs = parts(done);
    let count = outputs.len();
    shared().outputs = outputs;
    count
}

/// The head of the answer as JSON, and the outputs that it lists.
fn parts(done: Result<Answer, String>) -> Vec<Vec<u8>> {
    let Answer { view, outputs } = match done {
        Ok(answer) => answer,
        Err(error) => return vec![json!({ "error": error }).to_string().into_bytes()],
    };
    let listed: Vec<_> = outputs.iter().map(|output| json!({ "kind": output.kind, "name": output.name })).collect();
    let head = json!({ "view": view, "outputs": listed }).to_string().into_bytes();
    std::iter::once(head).chain(outputs.into_iter().map(|output| output.bytes)).collect()
}

/// A panic ends in a trap, and then only the memory can say why.
fn keep_panics() {
    panic::set_hook(Box::new(|panic| {
        if let Ok(mut shared) = SHARED.try_lock() {
            shared.panic = panic.to_string().into_bytes();
        }
    }));
}

#[cfg(target_family = "wasm")]
mod exports {
    use super::{add_input, run, shared};

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// The page is told how many bytes of the input were read.
        safe fn bytes_read(bytes: f64);
    }

    #[unsafe(no_mangle)]
    extern "C" fn input(length: usize) -> *mut u8 {
        add_input(length)
    }

    #[unsafe(no_mangle)]
    extern "C" fn answer() -> usize {
        run(&|bytes| bytes_read(bytes as f64))
    }

    #[unsafe(no_mangle)]
    extern "C" fn output_at(number: usize) -> *const u8 {
        shared().outputs.get(number).map_or(std::ptr::null(), |output| output.as_ptr())
    }

    #[unsafe(no_mangle)]
    extern "C" fn output_length(number: usize) -> usize {
        shared().outputs.get(number).map_or(0, Vec::len)
    }

    /// The outputs are no longer needed.
    #[unsafe(no_mangle)]
    extern "C" fn forget() {
        shared().outputs = Vec::new();
    }

    #[unsafe(no_mangle)]
    extern "C" fn panic_at() -> *const u8 {
        shared().panic.as_ptr()
    }

    #[unsafe(no_mangle)]
    extern "C" fn panic_length() -> usize {
        shared().panic.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_lists_its_outputs_and_errors_are_messages() {
        add_input(0);
        shared().inputs[0] =
            br#"{"do":"convert","input":{"name":"a.txt"},"now":0,"to":"sitemap","output":"b.xml"}"#.to_vec();
        add_input(0);
        shared().inputs[1] = b"https://example.com/a\n".to_vec();
        assert_eq!(run(&|_| ()), 4);
        let head: serde_json::Value = serde_json::from_slice(&shared().outputs[0]).unwrap();
        assert_eq!(head["outputs"][0], json!({ "kind": "document", "name": "b.xml" }));
        assert!(shared().outputs[1].starts_with(b"<?xml"));
        for wrong in ["{", r#"{"do":"steal"}"#, r#"{"do":"inspect","input":{"name":"a"},"now":0,"left":1}"#] {
            shared().inputs = vec![wrong.as_bytes().to_vec()];
            assert_eq!(run(&|_| ()), 1);
            let head: serde_json::Value = serde_json::from_slice(&shared().outputs[0]).unwrap();
            assert!(head["error"].as_str().unwrap().starts_with("cannot read the request: "), "{head}");
        }
    }
}
