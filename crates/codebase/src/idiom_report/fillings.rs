//! What fills the holes of an idiom.

use std::cmp::Reverse;

use indexmap::IndexMap;
use patois_syntax::{Label, NodeId};
use serde::Serialize;

use super::survey::Survey;

/// How many values of a hole are shown.
const N_VALUES: usize = 8;

/// How much of a value is shown, in characters.
const MAX_VALUE: usize = 100;

/// What fills a hole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Filling {
    /// How many different values there are.
    distinct: usize,
    /// The most frequent ones, and how often; an empty text where nothing is there.
    values: Vec<(String, usize)>,
}

/// What fills each hole of an idiom.
pub(super) fn fillings(survey: &Survey<'_>, idiom: usize) -> Vec<Filling> {
    let fragment = survey.fragment(idiom);
    let mut tallies: Vec<IndexMap<&[Label], Tally>> = vec![IndexMap::new(); fragment.n_holes()];
    for occurrence in survey.occurrences(idiom) {
        let tree = &survey.trees()[occurrence.unit];
        let Some(bindings) = fragment.match_at(tree, occurrence.root) else {
            continue;
        };
        for (hole, node) in bindings.iter() {
            let tally = tallies[hole.index()].entry(tree.subtree(node));
            let first = (occurrence.unit, node);
            tally.or_insert(Tally { count: 0, first }).count += 1;
        }
    }
    let fillings = tallies.into_iter().map(|tally| filling(survey, tally));
    fillings.collect()
}

/// How often a value is there.
#[derive(Clone, Copy)]
struct Tally {
    count: usize,
    first: (usize, NodeId),
}

fn filling(survey: &Survey<'_>, tallies: IndexMap<&[Label], Tally>) -> Filling {
    let distinct = tallies.len();
    let mut tallies: Vec<Tally> = tallies.into_values().collect();
    tallies.sort_by_key(|it| Reverse(it.count));
    tallies.truncate(N_VALUES);
    let values = tallies.into_iter();
    let values = values.map(|it| (text(survey, it.first.0, it.first.1), it.count));
    Filling {
        distinct,
        values: values.collect(),
    }
}

/// A part of a program on one line.
fn text(survey: &Survey<'_>, unit: usize, node: NodeId) -> String {
    let tree = &survey.trees()[unit];
    if let Label::Text(text) = tree.label(node) {
        return on_one_line(text.as_str());
    }
    let source = &survey.source_of(unit).text;
    let span = survey.spans_of(unit).get(node);
    if let Some(text) = span.and_then(|it| source.get(it.range())) {
        return on_one_line(text);
    }
    if tree.subtree(node).len() == 1 {
        return String::new();
    }
    let shown = tree.cut_out(node).display(survey.grammar()).to_string();
    on_one_line(&shown)
}

fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        if n_chars > 0 {
            line.push(' ');
        }
        for char in word.chars() {
            if n_chars == MAX_VALUE {
                line.push('…');
                return line;
            }
            line.push(char);
            n_chars += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_on_one_line() {
        let check = |text: &str, expected: &str| assert_eq!(on_one_line(text), expected);
        check("", "");
        check("f(\n    a,\tb\n)", "f( a, b )");
        check(&"é".repeat(200), &format!("{}…", "é".repeat(MAX_VALUE)));
    }
}
