//! Holes that are nearly always filled with the same code: shown as that code.
//!
//! `$1.report($2)` says less than `context.report($2)` where `$1` is `context` at 197 of 197 places. The
//! idiom stays as it is, and a note says how often the code is there.

use indexmap::IndexMap;
use patois_collective::{Reader, Writer};
use patois_mining::{read_labels, write_labels};
use patois_syntax::{Fragment, FragmentIndex, FragmentNode, Grammar, HoleId, Label, NodeId, Tree};
use rayon::prelude::*;

use crate::share::Share;

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

/// What the holes of each fragment nearly always are, in the programs of all ranks.
///
/// What fills a hole at so many of all places fills it at as many of those of some rank. So each rank names what it finds,
/// and all count what was named.
pub(crate) fn dominant_in_all<'f>(
    share: &Share<'_>,
    fragments: impl Iterator<Item = &'f Fragment>,
) -> Vec<Vec<Dominant>> {
    let fragments: Vec<&Fragment> = fragments.collect();
    let (ranks, trees) = (share.ranks, &share.read.trees);
    if ranks.size() == 1 {
        return dominant(fragments.into_iter(), trees);
    }
    let places = places_of(&fragments, trees);
    let mut n_places: Vec<u64> = places.iter().map(|it| it.len() as u64).collect();
    ranks.sum(&mut n_places);
    let each = fragments.par_iter().zip(&places);
    let fillings: Vec<_> = each
        .map(|(fragment, places)| fillings(fragment, places, trees))
        .collect();
    let mut named: IndexMap<(usize, usize, Vec<Label>), u64> = IndexMap::new();
    for bytes in ranks.all_gather(named_by_rank(&fillings, &places)) {
        let mut reader = Reader::new(&bytes);
        let holes: Vec<_> = (0..reader.size())
            .map(|_| (reader.size(), reader.size()))
            .collect();
        for ((fragment, hole), labels) in holes.into_iter().zip(read_labels(reader.rest())) {
            named.entry((fragment, hole, labels)).or_insert(0);
        }
    }
    let own = named.keys().map(|(fragment, hole, labels)| {
        let n = fillings[*fragment][*hole].get(labels.as_slice());
        n.copied().unwrap_or(0) as u64
    });
    let mut counts: Vec<u64> = own.collect();
    ranks.sum(&mut counts);
    let mut dominant = vec![Vec::new(); fragments.len()];
    for ((fragment, hole, labels), n) in named.into_keys().zip(counts) {
        let n_places = n_places[fragment] as usize;
        if n_places >= MIN_PLACES && is_usual(n as usize, n_places) {
            dominant[fragment].push(Dominant {
                hole: HoleId::new(hole),
                n_places: n as usize,
                labels,
            });
        }
    }
    for of_fragment in &mut dominant {
        of_fragment.sort_by_key(|it| it.hole);
    }
    dominant
}

/// What fills each hole of each fragment at most places of this rank, as bytes.
fn named_by_rank(fillings: &[Vec<Fillings<'_>>], places: &[Vec<(usize, NodeId)>]) -> Vec<u8> {
    let (mut holes, mut named) = (Vec::new(), Vec::new());
    for (fragment, fillings) in fillings.iter().enumerate() {
        for (hole, fillings) in fillings.iter().enumerate() {
            let most = fillings.iter().max_by_key(|it| it.1);
            if let Some((&labels, &n)) = most
                && is_usual(n, places[fragment].len())
                && labels.len() <= MAX_NODES
            {
                holes.push((fragment, hole));
                named.push(labels);
            }
        }
    }
    let mut writer = Writer::default();
    writer.number(holes.len() as u64);
    for (fragment, hole) in holes {
        writer.number(fragment as u64);
        writer.number(hole as u64);
    }
    let mut bytes = writer.finish();
    bytes.extend(write_labels(named));
    bytes
}

/// What the holes of each fragment nearly always are.
pub(crate) fn dominant<'f>(
    fragments: impl Iterator<Item = &'f Fragment>,
    trees: &[Tree],
) -> Vec<Vec<Dominant>> {
    let fragments: Vec<&Fragment> = fragments.collect();
    let places = places_of(&fragments, trees);
    let each = fragments.par_iter().zip(&places);
    each.map(|(fragment, places)| of_idiom(fragment, places, trees))
        .collect()
}

/// Where each fragment is: in which program, and where there.
fn places_of(fragments: &[&Fragment], trees: &[Tree]) -> Vec<Vec<(usize, NodeId)>> {
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
    places
}

fn of_idiom(fragment: &Fragment, places: &[(usize, NodeId)], trees: &[Tree]) -> Vec<Dominant> {
    if places.len() < MIN_PLACES {
        return Vec::new();
    }
    let fillings = fillings(fragment, places, trees).into_iter().enumerate();
    let dominant = fillings.filter_map(|(hole, fillings)| {
        let (labels, n_places) = fillings.into_iter().max_by_key(|it| it.1)?;
        (is_usual(n_places, places.len()) && labels.len() <= MAX_NODES).then(|| Dominant {
            hole: HoleId::new(hole),
            n_places,
            labels: labels.to_vec(),
        })
    });
    dominant.collect()
}

/// What fills a hole, and at how many places.
type Fillings<'t> = IndexMap<&'t [Label], usize>;

/// What fills each hole of a fragment.
fn fillings<'t>(
    fragment: &Fragment,
    places: &[(usize, NodeId)],
    trees: &'t [Tree],
) -> Vec<Fillings<'t>> {
    let mut fillings: Vec<Fillings<'t>> = vec![IndexMap::new(); fragment.n_holes()];
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
    fillings
}

/// Whether so many of the places are nearly all.
fn is_usual(n: usize, n_places: usize) -> bool {
    n as f64 >= SHARE * n_places as f64
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
