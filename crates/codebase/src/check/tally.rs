//! Parts counted by their contexts: what is usual where, and what is not.
//!
//! Two passes over all programs. The first counts contexts in a table that two of them may share a
//! place of; the second keeps the parts whose contexts may have enough places. What is kept is sorted, and
//! the parts of a context stand together.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use indexmap::IndexMap;
use patois_syntax::{Label, NodeId, Text};
use rayon::prelude::*;

use super::CheckConfig;
use super::context::{Aspect, Kinds, LOCAL, Program, Seen, callee_name, class, is_telling};
use super::library::Context;
use crate::repository::RepositoryPrograms;

/// The table has so many places: 64 MB, for some ten million contexts.
const N_SLOTS: usize = 1 << 26;
/// Counts do not grow beyond this.
const MAX_COUNT: u8 = 200;

/// A local name that this share of the programs have is a convention,
const CONVENTION: f64 = 0.1;
/// and in so many programs at least.
const MIN_CONVENTION: f64 = 20.0;

/// A place of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) program: u32,
    pub(super) root: NodeId,
    pub(super) part: NodeId,
}

/// A context in which one thing is usual.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "as many places are usual")]
pub(super) struct Usual {
    pub(super) aspect: Aspect,
    pub(super) variant: u8,
    pub(super) class: u64,
    pub(super) n_places: usize,
    pub(super) n_usual: usize,
    /// Places that are as usual: the first of each of the first files.
    pub(super) examples: Vec<Place>,
    /// The files with places that are as usual, in order.
    pub(super) files: Vec<usize>,
    /// Places that are not, and that do not do what several others do.
    pub(super) others: Vec<Place>,
    /// All places of other ways that are too frequent to be mistakes, where somebody requires rules.
    pub(super) frequent: Vec<Place>,
    /// A place of each other way that is too frequent to be a mistake.
    pub(super) alternatives: Vec<Place>,
    /// The context, where it is not one of [`super::context`].
    pub(super) context: Option<Context>,
    /// How many names the context has.
    pub(super) n_names: usize,
    /// How often what is called has which names, where the context leaves that open.
    pub(super) callees: IndexMap<String, usize>,
}

impl Usual {
    /// Whether the file of a place does it the usual way elsewhere.
    pub(super) fn is_known_in_file(&self, read: &RepositoryPrograms, place: Place) -> bool {
        let file = read.units[place.program as usize].file;
        self.files.binary_search(&file).is_ok()
    }

    /// How many other places that are not as usual do the same as a place.
    pub(super) fn n_same(&self, read: &RepositoryPrograms, place: Place) -> usize {
        let label = |it: &Place| read.trees[it.program as usize].label(it.part);
        let same = self.others.iter().filter(|it| label(it) == label(&place));
        same.count().saturating_sub(1)
    }

    /// Whether the file of a place does the same several times, and never what is usual.
    pub(super) fn is_way_of_file(&self, read: &RepositoryPrograms, place: Place) -> bool {
        let way = |it: &Place| {
            let program = it.program as usize;
            (read.units[program].file, read.trees[program].label(it.part))
        };
        let same = self.others.iter().filter(|it| way(it) == way(&place));
        same.count() > 1 && !self.is_known_in_file(read, place)
    }
}

/// All that was counted.
pub(super) struct Counted {
    pub(super) usual: Vec<Usual>,
    /// How strict contexts are with parts of a class.
    pub(super) rates: IndexMap<u64, Rate>,
    /// A place of each way that there is too often to be a mistake, in contexts that say no more than what is called.
    pub(super) ways: IndexMap<u64, Vec<Place>>,
}

/// How many contexts there are, and in how many of them nearly all places are the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    pub(super) n_strict: f64,
    pub(super) n_contexts: f64,
}

/// So many places are nearly all.
const STRICT: f64 = 0.95;

/// What is there so often is another way to do it.
pub(super) const ALTERNATIVE: usize = 3;

/// What is usual is so in as many files, where there are as many.
const MIN_FILES: usize = 3;

/// How many examples are kept of what is usual.
const N_EXAMPLES: usize = 2;

#[derive(Clone, Copy)]
struct Observed {
    seen: Seen,
    program: u32,
}

/// Counts the parts of all programs.
pub(super) fn count(
    read: &RepositoryPrograms,
    conventions: &Conventions,
    config: &CheckConfig,
) -> Counted {
    let kinds = Kinds::of(&read.grammar);
    let slots: Vec<AtomicU8> = (0..N_SLOTS).map(|_| AtomicU8::new(0)).collect();
    let slot = |context: u64| &slots[(context >> 38) as usize];
    let programs = 0..read.trees.len();
    programs.clone().into_par_iter().for_each(|program| {
        of(read, &kinds, conventions, program).observe(|seen| {
            let slot = slot(seen.context);
            if slot.load(Relaxed) < MAX_COUNT {
                slot.fetch_add(1, Relaxed);
            }
        });
    });
    let min_places = config.min_places.min(MAX_COUNT.into()) as u8;
    let observed = programs.into_par_iter().flat_map_iter(|program| {
        let mut kept = Vec::new();
        of(read, &kinds, conventions, program).observe(|seen| {
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
    grouped(read, conventions, &observed, config)
}

/// Local names that are called the same nearly everywhere: `self`, `ctx`, `err`. They are no blanks.
#[derive(Clone, Debug, Default)]
pub(super) struct Conventions(BTreeSet<Text>);

impl Conventions {
    /// The local names of so many programs that they must be a convention.
    pub(super) fn of(read: &RepositoryPrograms) -> Conventions {
        let mut n_programs: IndexMap<Text, usize> = IndexMap::new();
        for (tree, unit) in read.trees.iter().zip(&read.units) {
            let texts = unit.locals.iter().filter_map(|it| match tree.label(*it) {
                Label::Text(text) => Some(text),
                _ => None,
            });
            for text in texts.collect::<BTreeSet<_>>() {
                *n_programs.entry(text).or_default() += 1;
            }
        }
        let least = (CONVENTION * read.trees.len() as f64).max(MIN_CONVENTION);
        let names = n_programs.into_iter().filter(|it| it.1 as f64 >= least);
        Conventions(names.map(|it| it.0).collect())
    }

    /// Those that somebody has found before.
    pub(super) fn named(names: &[String]) -> Conventions {
        Conventions(names.iter().map(|it| Text::new(it)).collect())
    }

    /// The names, in order.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Whether a label is one of them.
    pub(super) fn is_one(&self, label: Label) -> bool {
        matches!(label, Label::Text(text) if self.0.contains(&text))
    }
}

/// A program of a code base.
pub(super) fn of<'r>(
    read: &'r RepositoryPrograms,
    kinds: &'r Kinds,
    conventions: &Conventions,
    program: usize,
) -> Program<'r> {
    let tree = &read.trees[program];
    let locals = read.units[program].locals.iter().copied();
    let locals = locals.filter(|it| !conventions.is_one(tree.label(*it)));
    Program::new(&read.grammar, kinds, tree, locals.collect())
}

fn grouped(
    read: &RepositoryPrograms,
    conventions: &Conventions,
    observed: &[Observed],
    config: &CheckConfig,
) -> Counted {
    let kinds = Kinds::of(&read.grammar);
    let mut rates: IndexMap<u64, Rate> = IndexMap::new();
    let mut usual = Vec::new();
    let mut ways: IndexMap<u64, Vec<Place>> = IndexMap::new();
    for group in observed.chunk_by(|one, other| one.seen.context == other.seen.context) {
        if group.len() < config.min_places {
            continue;
        }
        let fillings = || group.chunk_by(|one, other| one.seen.filling == other.seen.filling);
        // The first of those that are equally frequent, by where it stands and not by its number.
        let most = fillings().max_by_key(|it| (it.len(), std::cmp::Reverse(it[0].program)));
        let Some(most) = most else { continue };
        let first = most[0].seen;
        if first.variant == 0 && most.len() < group.len() {
            let frequent = fillings().filter(|it| it.len() >= ALTERNATIVE);
            let places: Vec<Place> = frequent.map(|it| place(&it[0])).collect();
            if places.len() > 1 {
                ways.insert(first.context, places);
            }
        }
        let share = most.len() as f64 / group.len() as f64;
        let class = class(&read.trees[most[0].program as usize], &first);
        let rate = rates.entry(class).or_default();
        rate.n_strict += f64::from(u8::from(share >= STRICT));
        rate.n_contexts += 1.0;
        if most.len() < config.min_places || share < config.min_share || first.filling == LOCAL {
            continue;
        }
        let files = files(read, most.iter().map(place));
        if !are_several(read, &files) {
            continue;
        }
        let examples = examples(read, most.iter().map(place));
        let others = fillings().filter(|it| it[0].seen.filling != first.filling);
        let (frequent, rare): (Vec<&[Observed]>, Vec<_>) =
            others.partition(|it| it.len() >= ALTERNATIVE);
        let others: Vec<Place> = rare.into_iter().flatten().map(place).collect();
        let alternatives: Vec<Place> = frequent.iter().map(|it| place(&it[0])).collect();
        let frequent = frequent.into_iter().filter(|_| !config.required.is_empty());
        usual.push(Usual {
            n_names: n_names(read, &kinds, conventions, &most[0]),
            alternatives,
            frequent: frequent.flatten().map(place).collect(),
            context: None,
            callees: callees(read, most),
            aspect: first.aspect,
            variant: first.variant,
            class,
            n_places: group.len(),
            n_usual: most.len(),
            files,
            others,
            examples,
        });
    }
    Counted { usual, rates, ways }
}

fn place(observed: &Observed) -> Place {
    Place {
        program: observed.program,
        root: observed.seen.root,
        part: observed.seen.part,
    }
}

/// How many names a context has.
fn n_names(
    read: &RepositoryPrograms,
    kinds: &Kinds,
    conventions: &Conventions,
    observed: &Observed,
) -> usize {
    let Seen {
        root,
        variant,
        part,
        aspect,
        ..
    } = observed.seen;
    let program = of(read, kinds, conventions, observed.program as usize);
    let part = if aspect == Aspect::Inside { part } else { root };
    let nodes = program
        .context_nodes(root, variant, part)
        .unwrap_or_default();
    let names = nodes
        .iter()
        .filter(|it| is_telling(program.tree.label(**it)));
    names.count()
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

/// The files of some places, in order.
pub(super) fn files(read: &RepositoryPrograms, places: impl Iterator<Item = Place>) -> Vec<usize> {
    let files = places.map(|it| read.units[it.program as usize].file);
    files.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether what these files do is more than a way of one of them.
fn are_several(read: &RepositoryPrograms, files: &[usize]) -> bool {
    files.len() >= MIN_FILES.min(read.files.len().saturating_sub(1))
}

/// The first place in each of the first files.
pub(super) fn examples(
    read: &RepositoryPrograms,
    usual: impl Iterator<Item = Place>,
) -> Vec<Place> {
    let mut examples: Vec<Place> = Vec::new();
    let mut last_file = None;
    for place in usual {
        let file = read.units[place.program as usize].file;
        if last_file != Some(file) {
            last_file = Some(file);
            examples.push(place);
            if examples.len() == N_EXAMPLES {
                break;
            }
        }
    }
    examples
}
