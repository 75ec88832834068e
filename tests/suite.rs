//! Every test that stands in a file of its own here, as one program: it is compiled and linked once, and all cores have
//! work until its end. What people run alone is apart (`cases`, `generated`, `pages`). One file of these:
//! `cargo test --test suite roundtrip::`.

mod common;
#[path = "conservation/generate.rs"]
mod generate;
#[path = "conservation/tables.rs"]
mod tables;

#[path = "conservation/main.rs"]
mod conservation;

mod agreement;
mod beginnings;
mod carry;
mod dialects;
mod diff;
mod encodings;
mod examples;
mod fetch;
mod fixed_point;
mod floors;
mod growth;
mod growth_lists;
mod helpers;
mod hostile;
mod inert;
mod inspect;
mod json_mutants;
mod jsonld;
mod layers;
mod library;
mod lists;
mod migrate;
mod migrate_faults;
mod models;
mod mutations;
mod oracle;
mod outputs;
mod pieces;
mod repairs;
mod replay;
mod retention;
mod roundtrip;
mod rulebook;
mod rules;
mod samples;
mod scale;
mod schema;
mod schemas;
mod signals;
mod sinks;
mod surroundings;
mod terminal;
mod unused_options;
mod validate;
mod variants;
mod wasm;
mod words;
mod written;
