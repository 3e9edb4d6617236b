//! Corpora in JSON lines: an error that says where, or examples.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use patois::corpus::jsonl;

fuzz_target!(|bytes: &[u8]| {
    let _ = jsonl::parse(Path::new("corpus.jsonl"), bytes.to_vec(), "python");
});
