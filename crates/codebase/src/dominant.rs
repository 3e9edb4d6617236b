//! Holes that are nearly always filled with the same code: shown as that code.
//!
//! `$1.report($2)` says less than `context.report($2)` where `$1` is `context` at 197 of 197 places. The
//! idiom stays as it is, and a note says how often the code is there.

use indexmap::IndexMap;
use patois_syntax::{Fragment, FragmentIndex, FragmentNode, Grammar, HoleId, Label, NodeId, Tree};
use rayon::prelude::*;

/// A hole is filled with what it is at this share of the places.
const SHARE: f64 = 0.9;

/// In fewer places nothing is nearly always there.
const MIN_PLACES: usize = 4;

/// What is larger is not shown in place of a hole.
const MAX_NODES: usize = 6;

/// What a hole nearly always is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dominant {
    pub(crate) hole: HoleId,
    /// At how many places.
    pub(crate) n_places: usize,
    labels: Vec<Label>,
}

/// What the holes of each fragment nearly always are.
pub(crate) fn dominant<'f>(
    fragments: impl Iterator<Item = &'f Fragment>,
    trees: &[Tree],
) -> Vec<Vec<Dominant>> {
    let fragments: Vec<&Fragment> = fragments.collect();
    let index = FragmentIndex::new(fragments.iter().copied());
    let found: Vec<Vec<(usize, NodeId)>> = trees
        .par_iter()
        .map(|tree| {
            let mut found = Vec::new();
            index.find(tree, |idiom, root, _| found.push((idiom, root)));
            found
        })
        .collect();
    let mut places: Vec<Vec<(usize, NodeId)>> = vec![Vec::new(); fragments.len()];
    for (unit, found) in found.into_iter().enumerate() {
        for (idiom, root) in found {
            places[idiom].push((unit, root));
        }
    }
    let each = fragments.par_iter().zip(&places);
    each.map(|(fragment, places)| of_idiom(fragment, places, trees))
        .collect()
}

fn of_idiom(fragment: &Fragment, places: &[(usize, NodeId)], trees: &[Tree]) -> Vec<Dominant> {
    if places.len() < MIN_PLACES {
        return Vec::new();
    }
    let mut fillings: Vec<IndexMap<&[Label], usize>> = vec![IndexMap::new(); fragment.n_holes()];
    for &(unit, root) in places {
        let Some(bindings) = fragment.match_at(&trees[unit], root) else {
            continue;
        };
        for (hole, node) in bindings.iter() {
            let filling = trees[unit].subtree(node);
            // One label more tells that it is too large.
            let filling = &filling[..filling.len().min(MAX_NODES + 1)];
            *fillings[hole.index()].entry(filling).or_default() += 1;
        }
    }
    let fillings = fillings.into_iter().enumerate();
    let dominant = fillings.filter_map(|(hole, fillings)| {
        let (labels, n_places) = fillings.into_iter().max_by_key(|it| it.1)?;
        let is_usual = n_places as f64 >= SHARE * places.len() as f64;
        (is_usual && labels.len() <= MAX_NODES).then(|| Dominant {
            hole: HoleId::new(hole),
            n_places,
            labels: labels.to_vec(),
        })
    });
    dominant.collect()
}

/// The fragment with what its holes nearly always are, and the holes that are left, in their order.
///
/// Where no hole would be left, or it is no fragment, the fragment as it is.
pub(crate) fn filled(
    grammar: &Grammar,
    fragment: &Fragment,
    dominant: &[Dominant],
) -> (Fragment, Vec<HoleId>) {
    let mut nodes = Vec::with_capacity(fragment.n_nodes());
    let mut left: Vec<HoleId> = Vec::new();
    for node in fragment.nodes() {
        let FragmentNode::Hole(hole) = *node else {
            nodes.push(*node);
            continue;
        };
        if let Some(it) = dominant.iter().find(|it| it.hole == hole) {
            nodes.extend(it.labels.iter().map(|&it| FragmentNode::Fixed(it)));
            continue;
        }
        let number = left.iter().position(|&it| it == hole);
        let number = number.unwrap_or_else(|| {
            left.push(hole);
            left.len() - 1
        });
        nodes.push(FragmentNode::Hole(HoleId::new(number)));
    }
    if let Ok(filled) = Fragment::from_nodes(grammar, fragment.root_symbol(), nodes) {
        return (filled, left);
    }
    let all = (0..fragment.n_holes()).map(HoleId::new);
    (fragment.clone(), all.collect())
}

#[cfg(test)]
mod tests {
    use patois_languages::SourceLanguage;
    use patois_syntax::{Fragment, Idiom, IdiomLibrary};

    use crate::idiom_file::IdiomFile;
    use crate::idiom_source::IdiomPrinter;
    use crate::repository::{RepositoryPrograms, UnitConfig};

    /// What an idiom is shown as where its calls are of these, and at how many places each hole is so.
    fn check(names: &[&str], expected: &str, filled: &[(&str, usize)]) {
        let calls = names.iter().enumerate();
        let calls = calls.map(|(index, name)| format!("{name}.report(x{index})\n"));
        let sources = [("a.py".to_owned(), calls.collect())];
        let python = SourceLanguage::Python;
        let read = RepositoryPrograms::of_sources(python, sources, &UnitConfig::default());
        let notation = r#"(Call (Attribute (Name ?0) "report") [?1] [])"#;
        let idiom = Idiom {
            fragment: Fragment::parse(&read.grammar, notation).unwrap(),
            coverage: 1,
            score: 1.0,
        };
        let library = IdiomLibrary::new(&read.grammar, vec![idiom]);
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let file = IdiomFile::of_repository(&read, &library, "by hand".into(), &printer);
        let record = &file.idioms[0];
        assert_eq!(record.source, expected);
        let found = record.filled.iter().map(|it| (it.hole.as_str(), it.places));
        assert_eq!(found.collect::<Vec<_>>(), filled);
    }

    #[test]
    fn a_hole_that_is_nearly_always_the_same_is_shown_so() {
        check(&["context"; 5], "context.report($argument)", &[("$1", 5)]);
        let mut names = ["context"; 10];
        names[3] = "other";
        check(&names, "context.report($argument)", &[("$1", 9)]);
        names[4] = "other";
        check(&names, "$1.report($argument)", &[]);
        check(&["context"; 3], "$1.report($argument)", &[]);
    }
}
