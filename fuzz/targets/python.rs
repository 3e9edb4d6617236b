//! Python: what parses prints, and parses to the same tree again.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_languages::python::Python;
use patois_syntax::{Grammar, Language};

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::from_schema(Python.schema().expect("Python has a schema")));

fuzz_target!(|source: &str| {
    let Ok(ast) = Python.parse(source) else { return };
    let tree = GRAMMAR.tree(&ast).expect("the schema holds every program");
    assert_eq!(GRAMMAR.ast(&tree), ast);
    let printed = Python.print(&ast).expect("what was parsed prints");
    assert_eq!(Python.parse(&printed).as_ref(), Ok(&ast), "{printed}");
});
