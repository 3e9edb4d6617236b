//! What is shown of a place where an idiom occurs: where it is, and its first line.

use patois_syntax::{Fragment, Grammar, Label, NodeId};

use super::{MinedProgram, Place};
use crate::idiom_source::IdiomPrinter;
use crate::repository::RepositoryPrograms;

/// How much of an example's first line is kept, in characters.
const MAX_LINE: usize = 120;

/// Where an idiom occurs in a program of a source file.
pub(super) fn place_in_file(
    read: &RepositoryPrograms,
    fragment: &Fragment,
    program: usize,
    node: NodeId,
) -> Place {
    let spans = read.spans(program);
    match read.place(fragment, program, node, &spans) {
        Some((file, span)) => Place {
            example: format!("{}:{}", file.path, file.line_column(span.range().start).0),
            line: first_line(&file.text[span.range()]),
        },
        None => Place {
            example: read.id(program),
            line: String::new(),
        },
    }
}

/// Where an idiom occurs in a program that is a row of its own.
pub(super) fn place_of_program(
    grammar: &Grammar,
    printer: &IdiomPrinter<'_>,
    program: MinedProgram<'_>,
    node: NodeId,
) -> Place {
    let tree = program.tree;
    // What refers to a database can only be printed as part of the program.
    let has_references = tree
        .subtree(node)
        .iter()
        .any(|label| matches!(label, Label::Reference(_)));
    let closed = Fragment::from_tree(grammar, tree, node, |_| false).ok();
    let source = closed
        .filter(|_| !has_references)
        .and_then(|fragment| printer.source(&fragment))
        .filter(|source| !source.is_empty());
    let text = source.as_deref().unwrap_or(program.code);
    Place {
        example: program.id.to_owned(),
        line: first_line(text),
    }
}

fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
