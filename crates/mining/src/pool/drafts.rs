//! What may become a candidate, before it is written down.

use std::cmp::Reverse;

use indexmap::IndexSet;
use patois_syntax::Fragment;
use rustc_hash::FxBuildHasher;

use super::budget::Budget;
use super::{FragmentSet, PoolBuilder, Variants, usefulness};
use crate::candidates::Looks;
use crate::generalisations::Generalisation;

/// Fragments with their generalisations; those first that could save most.
///
/// A fragment may have as many generalisations as it has nodes, and each is nearly as large as itself.
/// Only as many of them are written down as there is room for.
pub(super) struct Drafts<'b> {
    builder: &'b PoolBuilder<'b>,
    originals: Vec<&'b Fragment>,
    all: Vec<Draft>,
}

/// What may become a candidate.
#[derive(Clone, Copy, Debug)]
struct Draft {
    shape: Shape,
    n_places: usize,
    n_choices: usize,
}

/// What it looks like.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// As one of the originals.
    Original(usize),
    /// With one more hole.
    General(Generalisation),
}

impl<'b> Drafts<'b> {
    /// What comes of fragments that occur so often.
    pub(super) fn new(
        builder: &'b PoolBuilder<'b>,
        counted: &'b [(Fragment, usize)],
    ) -> Drafts<'b> {
        let originals: Vec<&Fragment> = counted.iter().map(|it| &it.0).collect();
        let mut drafts: Vec<Draft> = Vec::new();
        for (original, (fragment, n_places)) in counted.iter().enumerate() {
            let looks = Looks::of(builder.grammar, fragment);
            if builder.filter.accepts_looks(looks) {
                drafts.push(Draft {
                    shape: Shape::Original(original),
                    n_places: *n_places,
                    n_choices: looks.choices,
                });
            }
        }
        if builder.config.variants == Variants::Holes {
            let general = builder.generalisations_of(&originals).into_iter();
            drafts.extend(general.map(|it| Draft {
                shape: Shape::General(it),
                n_places: it.n_places,
                n_choices: it.n_choices,
            }));
        }
        drafts.sort_by_key(|it| Reverse(usefulness(it.n_choices, it.n_places)));
        Drafts {
            builder,
            originals,
            all: drafts,
        }
    }

    /// As many fragments as there may be candidates, each once; and how many drafts are left for
    /// which there is no room.
    pub(super) fn make(self) -> (FragmentSet, usize) {
        let known: IndexSet<&Fragment, FxBuildHasher> = self.originals.iter().copied().collect();
        let mut made = FragmentSet::default();
        let mut budget = Budget::of(self.builder.trees);
        for (number, draft) in self.all.iter().enumerate() {
            if made.len() == self.builder.config.max_candidates {
                break;
            }
            let fragment = match draft.shape {
                Shape::Original(original) => self.originals[original].clone(),
                Shape::General(general) => {
                    match general.fragment(self.builder.grammar, &self.originals) {
                        Some(it) if !known.contains(&it) && !made.contains(&it) => it,
                        _ => continue,
                    }
                }
            };
            if !budget.allows(&fragment, draft.n_places) {
                return (made, self.all.len() - number);
            }
            made.insert(fragment);
        }
        (made, 0)
    }
}
