//! Schemas: whatever the text, an error or a schema that displays as text that reads back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use patois_syntax::{Grammar, Schema};

fuzz_target!(|text: &str| {
    if let Ok(schema) = Schema::parse(text) {
        assert_eq!(Schema::parse(&schema.to_string()).as_ref(), Ok(&schema));
        let grammar = Grammar::from_schema(&schema);
        assert_eq!(Grammar::parse(&grammar.to_string()).as_ref(), Ok(&grammar));
    }
    let _ = Grammar::parse(text);
});
