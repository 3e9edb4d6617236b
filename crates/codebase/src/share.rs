//! Programs that ranks have read, each its own: what is counted in all of them.

use patois_collective::{Alone, Collective, Reader, Writer};
use patois_mining::{Figures, Place, TreeId, measure_on, read_fragments, write_fragments};
use patois_syntax::{Fragment, NodeId, Tree};

use crate::repository::RepositoryPrograms;
use crate::tally::{N_EXAMPLES, Tally};

/// The programs of a rank, and how many those of all are. What one process has read is a share, too: everything.
///
/// All ranks must ask the same of their shares, in the same order.
#[derive(Clone, Copy)]
pub struct Share<'s> {
    /// What this rank has read.
    pub read: &'s RepositoryPrograms,
    pub(crate) ranks: &'s dyn Collective,
    /// How many programs lower ranks have.
    pub(crate) first_program: usize,
    n_files: usize,
    n_programs: usize,
    n_nodes: usize,
}

impl<'s> Share<'s> {
    /// Everything, read by one process.
    pub fn alone(read: &'s RepositoryPrograms) -> Share<'s> {
        Share::of(read, &Alone)
    }

    /// What was read on this rank, of the programs of all.
    pub fn of(read: &'s RepositoryPrograms, ranks: &'s dyn Collective) -> Share<'s> {
        let mut writer = Writer::default();
        writer.number(read.files.len() as u64);
        writer.number(read.trees.len() as u64);
        writer.number(read.trees.iter().map(Tree::n_nodes).sum::<usize>() as u64);
        let sizes = ranks.all_gather(writer.finish());
        let (mut first_program, mut n_files, mut n_programs, mut n_nodes) = (0, 0, 0, 0);
        for (rank, sizes) in sizes.iter().enumerate() {
            if rank == ranks.rank() {
                first_program = n_programs;
            }
            let mut sizes = Reader::new(sizes);
            n_files += sizes.size();
            n_programs += sizes.size();
            n_nodes += sizes.size();
        }
        Share {
            read,
            ranks,
            first_program,
            n_files,
            n_programs,
            n_nodes,
        }
    }

    /// How many files all ranks have.
    pub fn n_files(&self) -> usize {
        self.n_files
    }

    /// How many programs all ranks have.
    pub fn n_programs(&self) -> usize {
        self.n_programs
    }

    /// How many nodes these have.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The fragments that rank 0 has, on all ranks.
    pub(crate) fn agree_on<'f>(
        &self,
        fragments: impl Iterator<Item = &'f Fragment>,
    ) -> Vec<Fragment> {
        if self.ranks.size() == 1 {
            return fragments.cloned().collect();
        }
        let bytes = self.ranks.broadcast(0, write_fragments(fragments.cloned()));
        read_fragments(&self.read.grammar, &bytes).collect()
    }

    /// What fragments do for all programs.
    pub(crate) fn measure(&self, fragments: impl IntoIterator<Item = Fragment>) -> Figures {
        let (grammar, trees) = (&self.read.grammar, &self.read.trees);
        measure_on(self.ranks, grammar, trees, fragments)
    }

    /// Where fragments occur in all programs; programs have the numbers of one process. The first places are known on
    /// rank 0 only.
    pub(crate) fn tally<'f>(
        &self,
        fragments: impl ExactSizeIterator<Item = &'f Fragment>,
    ) -> Vec<Tally> {
        let trees: Vec<&Tree> = self.read.trees.iter().collect();
        let mut tallies = Tally::of(fragments, &trees);
        self.sum(&mut tallies);
        tallies
    }

    /// Makes tallies of this rank's programs ones of all.
    pub(crate) fn sum(&self, tallies: &mut [Tally]) {
        if self.ranks.size() == 1 {
            return;
        }
        let counts = tallies.iter().flat_map(|it| [it.occurrences, it.coverage]);
        let mut counts: Vec<u64> = counts.map(|it| it as u64).collect();
        self.ranks.sum(&mut counts);
        for (tally, &[occurrences, coverage]) in tallies.iter_mut().zip(counts.as_chunks().0) {
            (tally.occurrences, tally.coverage) = (occurrences as usize, coverage as usize);
        }
        let first = self.first_of_all(
            tallies.iter().map(|it| &it.examples),
            |writer, place: &Place| {
                writer.number((self.first_program + place.tree.index()) as u64);
                writer.number(place.node.index() as u64);
            },
            |reader| Place {
                tree: TreeId::new(reader.size()),
                node: NodeId::new(reader.size()),
            },
        );
        for (tally, examples) in tallies.iter_mut().zip(first) {
            tally.examples = examples;
        }
    }

    /// For each of some lists, the first entries of those of all ranks, on rank 0; nothing elsewhere.
    pub(crate) fn first_of_all<'t, T: Clone + 't>(
        &self,
        lists: impl Iterator<Item = &'t Vec<T>>,
        write: impl Fn(&mut Writer, &T),
        read: impl Fn(&mut Reader<'_>) -> T,
    ) -> Vec<Vec<T>> {
        if self.ranks.size() == 1 {
            return lists.cloned().collect();
        }
        let mut writer = Writer::default();
        let mut n_lists = 0;
        for list in lists {
            writer.number(list.len() as u64);
            for it in list {
                write(&mut writer, it);
            }
            n_lists += 1;
        }
        let mut first: Vec<Vec<T>> = vec![Vec::new(); n_lists];
        for bytes in self.ranks.gather(writer.finish()) {
            let mut reader = Reader::new(&bytes);
            for list in &mut first {
                let n = reader.size();
                list.extend((0..n).map(|_| read(&mut reader)));
                list.truncate(N_EXAMPLES);
            }
        }
        first
    }

    /// Which file each program is in, of all ranks, on rank 0.
    pub(crate) fn files_of_programs(&self) -> Vec<u32> {
        let mut writer = Writer::default();
        let n_files = self.read.files.len();
        writer.number(n_files as u64);
        for unit in &self.read.units {
            writer.number(unit.file as u64);
        }
        let mut files = Vec::new();
        let mut first_file = 0;
        for bytes in self.ranks.gather(writer.finish()) {
            let mut reader = Reader::new(&bytes);
            let n_files = reader.number() as u32;
            while !reader.is_empty() {
                files.push(first_file + reader.number() as u32);
            }
            first_file += n_files;
        }
        files
    }
}
