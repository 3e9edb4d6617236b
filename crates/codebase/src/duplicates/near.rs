//! Functions that are nearly the same: a literal was changed, a line put in or taken out.
//!
//! A function is the sequence of its lines, and a line what stands in it: constructors and texts, local names left
//! out. Functions that share a rare line are compared by the longest sequence that both have, weighed by nodes
//! (as `SourcererCC` does with bags of tokens, Sajnani et al. 2016, and unlike it in order). The first
//! line says what the function is called, and does not count.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use indexmap::IndexMap;
use patois_syntax::{Grammar, Label, ProductionKind, Tree};
use rayon::prelude::*;

use super::is_parameters;
use crate::repository::{RepositoryPrograms, SpanCache};

/// Functions are nearly the same that share so much of the larger one, by nodes.
const ALIKE: f64 = 0.65;

/// They are compared where their rare lines alone are so much of it.
const PROMISING: f64 = 0.3;

/// A line that more functions have is not rare.
const MAX_FUNCTIONS: usize = 20;

/// A line with fewer nodes says nothing: `else:`, `}`, `return x`.
const MIN_LINE_NODES: u32 = 4;

/// Longer functions are left to exact search.
const MAX_LINES: usize = 1_000;

/// Functions that are nearly the same as the first of them.
#[derive(Debug, PartialEq)]
pub(super) struct NearClass {
    /// Programs, the largest first.
    pub(super) programs: Vec<usize>,
    /// How much the one that is least like the first has in common with it, from 0 to 1.
    pub(super) similarity: f64,
}

/// A function as a sequence of lines.
struct Function {
    program: usize,
    lines: Vec<Line>,
    n_nodes: u32,
}

#[derive(Clone, Copy)]
struct Line {
    hash: u64,
    n_nodes: u32,
}

/// Finds functions of so many lines and nodes that are nearly the same; `blanked` are the programs without local names.
pub(super) fn near(
    read: &RepositoryPrograms,
    blanked: &[Tree],
    spans: &SpanCache<'_>,
    min_lines: usize,
    min_nodes: usize,
) -> Vec<NearClass> {
    let programs = (0..blanked.len()).into_par_iter();
    let functions = programs.map(|program| Function::of(read, blanked, spans, program));
    let is_large = |it: &Function| {
        let n_lines = it.lines.len() + 1;
        (min_lines..=MAX_LINES).contains(&n_lines) && it.n_nodes as usize >= min_nodes
    };
    let mut functions: Vec<Function> = functions.filter(is_large).collect();
    functions.sort_by_key(|it| (std::cmp::Reverse(it.n_nodes), it.program));
    let rare = rare_lines(&functions);
    let pairs: Vec<Vec<(usize, f64)>> = (0..functions.len())
        .into_par_iter()
        .map(|at| alike(&functions, &rare, at))
        .collect();
    let mut is_taken = vec![false; functions.len()];
    let mut classes = Vec::new();
    for (at, alike) in pairs.iter().enumerate() {
        let others: Vec<(usize, f64)> =
            alike.iter().copied().filter(|it| !is_taken[it.0]).collect();
        if is_taken[at] || others.is_empty() {
            continue;
        }
        let mut programs = vec![functions[at].program];
        let mut similarity: f64 = 1.0;
        for (other, share) in others {
            is_taken[other] = true;
            programs.push(functions[other].program);
            similarity = similarity.min(share);
        }
        classes.push(NearClass {
            programs,
            similarity,
        });
    }
    classes
}

impl Function {
    fn of(
        read: &RepositoryPrograms,
        blanked: &[Tree],
        spans: &SpanCache<'_>,
        program: usize,
    ) -> Function {
        let unit = &read.units[program];
        let file = &read.files[unit.file];
        let (tree, spans) = (&blanked[program], spans.of(program));
        let (first, _) = file.line_column(unit.span.range().start);
        let mut lines: BTreeMap<usize, (DefaultHasher, u32)> = BTreeMap::new();
        // A name stands on the line of the node before it, which it is part of.
        let mut line = first;
        let mut behind_parameters = 0;
        for node in tree.nodes() {
            // How parameters are listed says nothing, and they may be many.
            if node.index() >= behind_parameters && is_parameters(&read.grammar, tree.symbol(node))
            {
                behind_parameters = tree.end(node).index();
            }
            if node.index() < behind_parameters {
                continue;
            }
            if let Some(span) = spans.get(node) {
                line = file.line_column(span.range().start).0;
            }
            if is_cell(&read.grammar, tree.label(node)) {
                continue;
            }
            let (hasher, n_nodes) = lines.entry(line).or_default();
            tree.label(node).hash(hasher);
            *n_nodes += 1;
        }
        lines.remove(&first);
        let lines: Vec<Line> = lines
            .into_values()
            .map(|(hasher, n_nodes)| Line {
                hash: hasher.finish(),
                n_nodes,
            })
            .collect();
        Function {
            program,
            n_nodes: lines.iter().map(|it| it.n_nodes).sum(),
            lines,
        }
    }
}

/// Whether a label only holds a list or option together: it says something of what follows, not of its line.
fn is_cell(grammar: &Grammar, label: Label) -> bool {
    match label {
        Label::Production(id) => {
            !matches!(grammar.production(id).kind, ProductionKind::Construct(_))
        }
        Label::Text(_) | Label::Reference(_) => false,
    }
}

/// Lines that few functions have, each with these.
fn rare_lines(functions: &[Function]) -> IndexMap<u64, Vec<usize>> {
    let mut having: IndexMap<u64, Vec<usize>> = IndexMap::new();
    for (at, function) in functions.iter().enumerate() {
        for line in function
            .lines
            .iter()
            .filter(|it| it.n_nodes >= MIN_LINE_NODES)
        {
            let having = having.entry(line.hash).or_default();
            if having.last() != Some(&at) && having.len() <= MAX_FUNCTIONS {
                having.push(at);
            }
        }
    }
    having.retain(|_, having| (2..=MAX_FUNCTIONS).contains(&having.len()));
    having
}

/// The functions behind one that are nearly the same, with how much they have in common.
fn alike(functions: &[Function], rare: &IndexMap<u64, Vec<usize>>, at: usize) -> Vec<(usize, f64)> {
    let function = &functions[at];
    let mut shared: BTreeMap<usize, u32> = BTreeMap::new();
    for line in &function.lines {
        let having = rare.get(&line.hash).into_iter().flatten();
        for &other in having.filter(|&&it| it > at) {
            *shared.entry(other).or_default() += line.n_nodes;
        }
    }
    // Those behind are smaller: one that is much smaller cannot have enough in common.
    let n_nodes = f64::from(function.n_nodes);
    let promising = shared.into_iter().filter(|&(other, shared)| {
        f64::from(shared) >= PROMISING * n_nodes
            && f64::from(functions[other].n_nodes) >= ALIKE * n_nodes
    });
    let compared = promising.map(|(other, _)| {
        let common = common_nodes(&function.lines, &functions[other].lines);
        (other, f64::from(common) / n_nodes)
    });
    compared.filter(|it| it.1 >= ALIKE).collect()
}

/// How many nodes the heaviest common subsequence of two sequences of lines has.
fn common_nodes(one: &[Line], other: &[Line]) -> u32 {
    let mut best = vec![0; other.len() + 1];
    for line in one {
        let mut diagonal = 0;
        for (at, candidate) in other.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = if line.hash == candidate.hash {
                diagonal + line.n_nodes
            } else {
                above.max(best[at])
            };
            diagonal = above;
        }
    }
    best[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_sequences_share_is_weighed() {
        let lines = |text: &str| -> Vec<Line> {
            let lines = text.bytes().map(|it| Line {
                hash: u64::from(it),
                n_nodes: if it == b'x' { 10 } else { 1 },
            });
            lines.collect()
        };
        let check = |one: &str, other: &str, expected: u32| {
            assert_eq!(common_nodes(&lines(one), &lines(other)), expected);
            assert_eq!(common_nodes(&lines(other), &lines(one)), expected);
        };
        check("abcd", "abcd", 4);
        check("abcd", "abd", 3);
        check("abcd", "aybcd", 4);
        check("axb", "bxa", 10);
        check("", "abc", 0);
        check("abcx", "xabc", 10);
    }
}
