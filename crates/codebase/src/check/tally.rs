//! Parts counted by their contexts: what is usual where, and what is not.
//!
//! Two passes over all programs. The first counts contexts in a table that two of them may share a
//! place of; the second keeps the parts whose contexts may have enough places. What is kept is sorted, and
//! the parts of a context stand together.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use indexmap::IndexMap;
use patois_syntax::NodeId;
use rayon::prelude::*;

use super::CheckConfig;
use super::context::{Aspect, Kinds, LOCAL, Program, Seen, callee_name};
use crate::repository::RepositoryPrograms;

/// The table has so many places: 64 MB, for some ten million contexts.
const N_SLOTS: usize = 1 << 26;
/// Counts do not grow beyond this.
const MAX_COUNT: u8 = 200;

/// A place of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) program: u32,
    pub(super) root: NodeId,
    pub(super) part: NodeId,
}

/// A context in which one thing is usual.
#[derive(Clone, Debug)]
pub(super) struct Usual {
    pub(super) aspect: Aspect,
    pub(super) variant: u8,
    pub(super) class: u64,
    pub(super) n_places: usize,
    pub(super) n_usual: usize,
    /// Places that are as usual: the first of each of the first files.
    pub(super) examples: Vec<Place>,
    /// Places that are not.
    pub(super) others: Vec<Other>,
    /// How often what is called has which names, where the context leaves that open.
    pub(super) callees: IndexMap<String, usize>,
}

/// A place that is not as usual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    pub(super) place: Place,
    /// How many places are so in the same way.
    pub(super) n_alike: usize,
    pub(super) filling: u64,
}

/// All that was counted.
pub(super) struct Counted {
    pub(super) usual: Vec<Usual>,
    /// How often parts of a class are not as usual in their context, on average over contexts.
    pub(super) rates: IndexMap<u64, Rate>,
}

/// An average over contexts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    pub(super) sum: f64,
    pub(super) n_contexts: f64,
}

/// How many examples are kept of what is usual.
const N_EXAMPLES: usize = 2;

#[derive(Clone, Copy)]
struct Observed {
    seen: Seen,
    program: u32,
}

/// Counts the parts of all programs.
pub(super) fn count(read: &RepositoryPrograms, config: &CheckConfig) -> Counted {
    let kinds = Kinds::of(&read.grammar);
    let slots: Vec<AtomicU8> = (0..N_SLOTS).map(|_| AtomicU8::new(0)).collect();
    let slot = |context: u64| &slots[(context >> 38) as usize];
    let programs = 0..read.trees.len();
    programs.clone().into_par_iter().for_each(|program| {
        of(read, &kinds, program).observe(|seen| {
            let slot = slot(seen.context);
            if slot.load(Relaxed) < MAX_COUNT {
                slot.fetch_add(1, Relaxed);
            }
        });
    });
    let min_places = config.min_places.min(MAX_COUNT.into()) as u8;
    let observed = programs.into_par_iter().flat_map_iter(|program| {
        let mut kept = Vec::new();
        of(read, &kinds, program).observe(|seen| {
            if slot(seen.context).load(Relaxed) >= min_places {
                kept.push(Observed {
                    seen,
                    program: program as u32,
                });
            }
        });
        kept
    });
    let mut observed: Vec<Observed> = observed.collect();
    drop(slots);
    observed.par_sort_unstable_by_key(|it| {
        let Seen {
            context,
            filling,
            root,
            part,
            ..
        } = it.seen;
        (context, filling, it.program, root, part)
    });
    grouped(read, &observed, config)
}

/// A program of a code base.
pub(super) fn of<'r>(
    read: &'r RepositoryPrograms,
    kinds: &'r Kinds,
    program: usize,
) -> Program<'r> {
    let locals = &read.units[program].locals;
    Program::new(&read.grammar, kinds, &read.trees[program], locals)
}

fn grouped(read: &RepositoryPrograms, observed: &[Observed], config: &CheckConfig) -> Counted {
    let mut rates: IndexMap<u64, Rate> = IndexMap::new();
    let mut usual = Vec::new();
    for group in observed.chunk_by(|one, other| one.seen.context == other.seen.context) {
        if group.len() < config.min_places {
            continue;
        }
        let fillings = || group.chunk_by(|one, other| one.seen.filling == other.seen.filling);
        // The first of those that are equally frequent, by where it stands and not by its number.
        let most = fillings().max_by_key(|it| (it.len(), std::cmp::Reverse(it[0].program)));
        let Some(most) = most else { continue };
        let first = most[0].seen;
        let share = most.len() as f64 / group.len() as f64;
        let rate = rates.entry(first.class).or_default();
        rate.sum += 1.0 - share;
        rate.n_contexts += 1.0;
        if most.len() < config.min_places || share < config.min_share || first.filling == LOCAL {
            continue;
        }
        let examples = examples(read, most);
        if examples.len() < N_EXAMPLES.min(read.files.len()) {
            continue;
        }
        let others = fillings().filter(|it| it[0].seen.filling != first.filling);
        let others = others.flat_map(|it| {
            it.iter().map(|other| Other {
                place: place(other),
                n_alike: it.len(),
                filling: other.seen.filling,
            })
        });
        let others: Vec<Other> = others.collect();
        usual.push(Usual {
            callees: callees(read, most),
            aspect: first.aspect,
            variant: first.variant,
            class: first.class,
            n_places: group.len(),
            n_usual: most.len(),
            others,
            examples,
        });
    }
    Counted { usual, rates }
}

fn place(observed: &Observed) -> Place {
    Place {
        program: observed.program,
        root: observed.seen.root,
        part: observed.seen.part,
    }
}

/// How often what is called has which names; nothing where the context says it, or calls nothing.
fn callees(read: &RepositoryPrograms, usual: &[Observed]) -> IndexMap<String, usize> {
    let mut names: IndexMap<String, usize> = IndexMap::new();
    for Observed { seen, program } in usual {
        if !seen.is_open {
            return names;
        }
        let tree = &read.trees[*program as usize];
        let name = callee_name(&read.grammar, tree, seen.root);
        *names.entry(name).or_default() += 1;
    }
    names
}

/// The first place in each of the first files.
fn examples(read: &RepositoryPrograms, usual: &[Observed]) -> Vec<Place> {
    let mut examples: Vec<Place> = Vec::new();
    let mut last_file = None;
    for observed in usual {
        let file = read.units[observed.program as usize].file;
        if last_file != Some(file) {
            last_file = Some(file);
            examples.push(place(observed));
            if examples.len() == N_EXAMPLES {
                break;
            }
        }
    }
    examples
}
