//! A language of a few constructors, for unit tests.

use crate::{Grammar, Schema, Tree};

pub(crate) fn grammar() -> Grammar {
    let schema = Schema::parse(
        "module Toy {
             block = (stmt* body)
             stmt = Assign(name target, expr value) | Return(expr? value) | Pass
                  | While(expr test, stmt+ body)
             expr = Name(name id) | Num(number value) | Add(expr left, expr right) | Not(expr it)
                  | Call(name function, expr* arguments) | Column(column it)
             name = text
             number = text
             column = reference
         }",
    );
    Grammar::from_schema(&schema.expect("the toy schema is well-formed"))
}

pub(crate) fn tree(text: &str) -> Tree {
    Tree::parse(&grammar(), text).expect("a tree of the toy language")
}
