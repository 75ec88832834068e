//! The library for WebAssembly imports nothing: it can reach neither files nor the network, threads or a clock. The program in
//! `tests/wasm` does everything that the library does in memory. It takes a minute to build, so only runs of all
//! tests do.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;

const TARGET: &str = "wasm32-unknown-unknown";

/// The number of imports of a module: the first number of the section with the number 2.
fn imports(module: &[u8]) -> u64 {
    assert_eq!(module.get(..4), Some(&b"\0asm"[..]), "no module");
    let mut rest = &module[8..];
    while let [section, tail @ ..] = rest {
        let (length, tail) = number(tail);
        if *section == 2 {
            return number(tail).0;
        }
        rest = &tail[usize::try_from(length).expect("a length")..];
    }
    0
}

/// A number in seven bits a byte, the lowest first (LEB128).
fn number(bytes: &[u8]) -> (u64, &[u8]) {
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return (value, &bytes[at + 1..]);
        }
    }
    panic!("a number without an end");
}

/// Builds the program for the target; `None` if the target cannot be installed.
fn build(target: &str) -> Option<PathBuf> {
    let added = Command::new("rustup").args(["target", "add", target]).output();
    let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output().ok()?;
    if !Path::new(String::from_utf8_lossy(&libraries.stdout).trim()).is_dir() {
        let says =
            added.map_or_else(|error| error.to_string(), |out| String::from_utf8_lossy(&out.stderr).into_owned());
        eprintln!("################ SKIPPED: no {target}: {says} ################");
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // a folder below that of this build, which waits for nothing that this test would wait for
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder").join("wasm-check");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--target", target, "--manifest-path"]).arg(root.join("tests/wasm/Cargo.toml"));
    let built = cargo.env("CARGO_TARGET_DIR", &out).output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(out.join(target).join("debug/transfeed-wasm.wasm"))
}

#[test]
fn the_library_for_webassembly_imports_nothing() {
    if common::count(0, 1) == 0 {
        return;
    }
    let Some(path) = build(TARGET) else { return };
    let module = std::fs::read(&path).expect("a module");
    assert_eq!(imports(&module), 0);
    // what is linked is all of it, not an empty module
    assert!(module.len() > 1 << 20, "{} bytes", module.len());
    let script = "const fs = require('fs'); \
        const module = new WebAssembly.Module(fs.readFileSync(process.argv[1])); \
        process.exit(new WebAssembly.Instance(module, {}).exports.main(0, 0));";
    match Command::new("node").args(["-e", script]).arg(&path).output() {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(error) => {
            eprintln!("################ SKIPPED: the module is not run without node: {error} ################")
        }
    }
}

#[test]
fn imports_are_counted() {
    assert_eq!(imports(b"\0asm\x01\0\0\0"), 0);
    assert_eq!(imports(b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01a\x01b\0\0"), 1);
}
