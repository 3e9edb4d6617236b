//! From our tree to source text.
//!
//! A tree is first checked against the grammar, texts included; printing itself then cannot fail.

mod expression;
mod pattern;
mod statement;
mod string;

use patois_syntax::{Ast, Child, FieldValue, PrintError};

use self::string::Quotes;
use super::{check, nesting};

/// Prints a module.
pub(super) fn print(ast: &Ast) -> Result<String, PrintError> {
    let depth = check::check_program(ast)?;
    let run = || {
        let mut printer = Printer::default();
        printer.module(ast);
        printer.out
    };
    nesting::with_stack(depth, run)
        .ok_or_else(|| PrintError::new("no thread could be started for a tree this deep"))
}

/// The text so far, and where in the program it has arrived.
#[derive(Default)]
struct Printer {
    out: String,
    /// Levels of indentation of the current line.
    indentation: usize,
    /// Quotes that a string may use here.
    quotes: Quotes,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints `items` with `separator` between them.
    fn separated<T>(
        &mut self,
        separator: &str,
        items: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Printer, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            print(self, item);
        }
    }
}

/// The only child of a field.
fn one(ast: &Ast, field: usize) -> &Ast {
    maybe(ast, field).expect("the tree was checked: the field holds a node")
}

/// The child of a field, if it has one.
fn maybe(ast: &Ast, field: usize) -> Option<&Ast> {
    match ast.fields[field].value.children() {
        [Child::Node(child)] => Some(child),
        _ => None,
    }
}

/// The children of a list.
fn list(ast: &Ast, field: usize) -> impl ExactSizeIterator<Item = &Ast> + Clone {
    ast.fields[field]
        .value
        .children()
        .iter()
        .map(|child| match child {
            Child::Node(child) => child,
            Child::Text(_) | Child::Reference(_) => {
                unreachable!("the tree was checked: a list of nodes")
            }
        })
}

fn text(ast: &Ast, field: usize) -> &'static str {
    maybe_text(ast, field).expect("the tree was checked: the field holds a text")
}

fn maybe_text(ast: &Ast, field: usize) -> Option<&'static str> {
    texts(&ast.fields[field].value).next()
}

fn texts(value: &FieldValue) -> impl Iterator<Item = &'static str> {
    value.children().iter().filter_map(|child| match child {
        Child::Text(text) => Some(text.as_str()),
        Child::Node(_) | Child::Reference(_) => None,
    })
}
