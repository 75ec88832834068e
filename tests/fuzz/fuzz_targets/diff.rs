//! The fuzz target of the check of the same name (src/lib.rs).
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| transfeed_fuzz::diff(data));
