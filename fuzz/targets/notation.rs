//! The notation of fragments, trees and actions: what is read is written and read again.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_syntax::{Action, Fragment, Grammar, Schema, Tree};

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let schema = Schema::parse(
        "module Toy {
             block = (stmt* body)
             stmt = Assign(name+ targets, expr value) | Return(expr? value) | Pass
             expr = Name(name id) | Add(expr left, expr right) | Call(name f, expr* arguments)
                  | Column(column it)
             name = text
             column = reference
         }",
    );
    Grammar::from_schema(&schema.expect("the schema is well-formed"))
});

fuzz_target!(|text: &str| {
    let grammar = &*GRAMMAR;
    if let Ok(fragment) = Fragment::parse(grammar, text) {
        let written = fragment.display(grammar).to_string();
        assert_eq!(Fragment::parse(grammar, &written).as_ref(), Ok(&fragment));
    }
    if let Ok(tree) = Tree::parse(grammar, text) {
        let written = tree.display(grammar).to_string();
        assert_eq!(Tree::parse(grammar, &written).as_ref(), Ok(&tree));
    }
    if let Ok(action) = Action::parse(grammar, text) {
        let written = action.display(grammar).to_string();
        assert_eq!(Action::parse(grammar, &written), Ok(action));
    }
});
