//! Every occurrence of every idiom, by idiom and by file.

use patois_syntax::{Fragment, FragmentIndex, Grammar, IdiomLibrary, NodeId, NodeSpans, Tree};
use rayon::prelude::*;

use crate::repository::{RepositoryPrograms, SpanCache};
use crate::source_file::SourceFile;

/// Where the idioms of a library occur in a repository.
pub(super) struct Survey<'r> {
    read: &'r RepositoryPrograms,
    fragments: Vec<&'r Fragment>,
    /// For each idiom, in the order of the source.
    occurrences: Vec<Vec<Occurrence>>,
    /// For each program.
    covered: Vec<usize>,
    spans: SpanCache<'r>,
}

/// A place where an idiom occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    /// The program.
    pub(super) unit: usize,
    pub(super) root: NodeId,
}

/// How much of a file is inside of an idiom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) nodes: usize,
    pub(super) covered: usize,
}

impl<'r> Survey<'r> {
    pub(super) fn new(read: &'r RepositoryPrograms, library: &'r IdiomLibrary) -> Survey<'r> {
        let fragments: Vec<&Fragment> = library.iter().map(|it| &it.1.fragment).collect();
        let index = FragmentIndex::new(fragments.iter().copied());
        let trees = &read.trees;
        let found: Vec<(Vec<(usize, NodeId)>, usize)> = trees
            .par_iter()
            .map(|tree| {
                let mut found = Vec::new();
                index.find(tree, |idiom, root, _| found.push((idiom, root)));
                let n_covered = n_covered(&fragments, tree, &found);
                (found, n_covered)
            })
            .collect();
        let mut occurrences = vec![Vec::new(); fragments.len()];
        let mut covered = Vec::with_capacity(trees.len());
        for (unit, (found, n_covered)) in found.into_iter().enumerate() {
            covered.push(n_covered);
            for (idiom, root) in found {
                occurrences[idiom].push(Occurrence { unit, root });
            }
        }
        Survey {
            read,
            fragments,
            occurrences,
            covered,
            spans: SpanCache::new(read),
        }
    }

    pub(super) fn grammar(&self) -> &'r Grammar {
        &self.read.grammar
    }

    pub(super) fn n_idioms(&self) -> usize {
        self.fragments.len()
    }

    pub(super) fn fragment(&self, idiom: usize) -> &'r Fragment {
        self.fragments[idiom]
    }

    pub(super) fn occurrences(&self, idiom: usize) -> &[Occurrence] {
        &self.occurrences[idiom]
    }

    pub(super) fn trees(&self) -> &'r [Tree] {
        &self.read.trees
    }

    /// The index of the file that a program is in.
    pub(super) fn file_of(&self, unit: usize) -> usize {
        self.read.units[unit].file
    }

    /// The file that a program is in.
    pub(super) fn source_of(&self, unit: usize) -> &'r SourceFile {
        &self.read.files[self.file_of(unit)]
    }

    pub(super) fn spans_of(&self, unit: usize) -> &NodeSpans {
        self.spans.of(unit)
    }

    /// How much there is of each file, and how much of that is inside of an idiom.
    pub(super) fn file_figures(&self) -> Vec<Figures> {
        let mut figures = vec![Figures::default(); self.read.files.len()];
        for (unit, tree) in self.trees().iter().enumerate() {
            let file = &mut figures[self.file_of(unit)];
            file.nodes += tree.n_nodes();
            file.covered += self.covered[unit];
        }
        figures
    }

    /// The files that an idiom occurs in, in their order, and how often.
    pub(super) fn files_of(&self, idiom: usize) -> Vec<(usize, usize)> {
        let mut files: Vec<(usize, usize)> = Vec::new();
        for occurrence in &self.occurrences[idiom] {
            let file = self.file_of(occurrence.unit);
            match files.last_mut() {
                Some((last, count)) if *last == file => *count += 1,
                _ => files.push((file, 1)),
            }
        }
        files
    }
}

/// How many nodes of a tree are inside of an idiom; what fills a hole is not.
fn n_covered(fragments: &[&Fragment], tree: &Tree, found: &[(usize, NodeId)]) -> usize {
    let mut is_covered = vec![false; tree.n_nodes()];
    for &(idiom, root) in found {
        for node in fragments[idiom].own_nodes(tree, root) {
            is_covered[node.index()] = true;
        }
    }
    is_covered.into_iter().filter(|&it| it).count()
}
