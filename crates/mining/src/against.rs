//! Ranking against a background: what a corpus writes again and again, and others do not.

use patois_syntax::{Fragment, IdVec, SymbolId, Tree};
use rayon::prelude::*;

use crate::background::NodeBits;
use crate::candidates::{Candidate, Place, Pool, TreeId};
use crate::phrases::Texts;
use crate::rank::{Ranked, apart, by_residual};

/// Decides by its places about a fragment.
pub type Keeps<'a> = &'a (dyn Fn(&[Place]) -> bool + Sync);

/// Says how much a fragment is worth.
pub type Weigh<'a> = &'a (dyn Fn(&Fragment) -> f64 + Sync);

/// What somebody who mines knows beyond the trees.
#[derive(Clone, Copy, Default)]
pub struct Guide<'a> {
    /// What the nodes of the trees cost others.
    pub bits: Option<&'a NodeBits>,
    /// How much more a fragment is worth than the bits that it saves say, as a factor.
    pub weigh: Option<Weigh<'a>>,
    /// Whether a fragment at these places may become an idiom.
    pub keeps: Option<Keeps<'a>>,
    /// What the programs were written from.
    pub texts: Option<&'a Texts>,
}

/// A place of an idiom that is a corpus's own saves so many bits beyond what is usual.
///
/// A background takes choices that are far apart for independent, so that a long fragment which everybody
/// writes saves some bits, too: `super().__init__(*args, **kwargs)` eleven to sixteen.
pub const OWN_BITS: f64 = 17.0;

/// How many of the idioms are usual ones: one of so many.
const USUAL_SHARE: usize = 4;

/// How many places of a candidate are looked at.
const MAX_PLACES: usize = 64;

impl Guide<'_> {
    /// The candidates that may become idioms; they were counted in one of `step` trees.
    pub(crate) fn kept(&self, pool: Pool, step: usize) -> Pool {
        let Some(keeps) = self.keeps else {
            return pool;
        };
        let in_all = |place: &Place| Place {
            tree: TreeId::new(place.tree.index() * step),
            ..*place
        };
        let is_kept = |it: &Candidate| {
            let places: Vec<Place> = it.places.iter().map(in_all).collect();
            keeps(&places)
        };
        pool.into_iter().filter(is_kept).collect()
    }

    fn weight(&self, fragment: &Fragment) -> f64 {
        self.weigh.map_or(1.0, |weigh| weigh(fragment))
    }
}

/// What candidates save beyond what is usual.
pub(crate) struct Lifts<'a> {
    bits: &'a NodeBits,
    trees: &'a [Tree],
    /// How many nodes stand for each symbol.
    n_nodes: IdVec<SymbolId, u32>,
}

impl<'a> Lifts<'a> {
    pub(crate) fn new(trees: &'a [Tree], bits: &'a NodeBits) -> Lifts<'a> {
        let symbols = || {
            trees
                .iter()
                .flat_map(|it| it.nodes().map(|node| it.symbol(node)))
        };
        let n_symbols = symbols().max().map_or(0, |it| it.index() + 1);
        let mut n_nodes = IdVec::filled(0, n_symbols);
        symbols().for_each(|it| n_nodes[it] += 1);
        Lifts {
            bits,
            trees,
            n_nodes,
        }
    }

    /// How many bits a place saves: what it costs others, less what it costs to say that it is one of the
    /// *n* places among the *N* nodes of its symbol.
    ///
    /// ```text
    /// lift = -log2 p_others(fragment) - log2(N / n)
    /// ```
    pub(crate) fn of(&self, candidate: &Candidate) -> f64 {
        let places: &[Place] = &candidate.places;
        let step = places.len().div_ceil(MAX_PLACES).max(1);
        let seen = places.iter().step_by(step);
        let n_seen = seen.len().max(1) as f64;
        let cost: f64 = seen.map(|it| self.place(candidate, *it)).sum();
        let n_nodes = f64::from(self.n_nodes[candidate.fragment.root_symbol()]);
        let choice = (n_nodes / places.len().max(1) as f64).max(1.0).log2();
        cost / n_seen - choice
    }

    fn place(&self, candidate: &Candidate, place: Place) -> f64 {
        let nodes = candidate
            .fragment
            .own_nodes(place.tree(self.trees), place.node);
        nodes.map(|it| self.bits.node(place.tree, it)).sum()
    }
}

/// What is a corpus's own, by all that its programs save; then what is usual, by what it covers.
pub(crate) fn by_background(
    pool: &Pool,
    trees: &[Tree],
    bits: &NodeBits,
    guide: &Guide<'_>,
    n_idioms: usize,
) -> Vec<Ranked> {
    let lifts = Lifts::new(trees, bits);
    let scores: Vec<(f64, f64)> = pool
        .par_iter()
        .map(|it| {
            let lift = lifts.of(it);
            let total = lift * (it.coverage - 1) as f64;
            (lift, total * guide.weight(&it.fragment))
        })
        .collect();
    let n_usual = n_idioms / USUAL_SHARE;
    let (own, usual): (Vec<_>, Vec<_>) = pool
        .ids()
        .zip(scores)
        .partition(|(_, (lift, _))| *lift >= OWN_BITS);
    let mut own: Vec<Ranked> = own
        .into_iter()
        .map(|(id, (_, total))| (id, total))
        .collect();
    own.sort_by(|left, right| right.1.total_cmp(&left.1));
    let mut chosen = apart(pool, trees, own, n_idioms - n_usual);
    let usual = usual.into_iter().map(|it| it.0);
    chosen.extend(by_residual(pool, usual, trees, n_usual));
    chosen
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Grammar, Schema};

    use super::*;
    use crate::BackgroundCounts;
    use crate::candidates::locate;

    #[test]
    fn what_others_do_not_write_comes_first() {
        let schema = "module M { block = (stmt* body)
                                 stmt = Set(name to, name from) | Call(name function, name* arguments)
                                 name = text }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).unwrap());
        let parse = |text: &str| Tree::parse(&grammar, text).unwrap();
        let set = |it| format!(r#"(Set "self" "x{it}")"#);
        let call = |it| format!(r#"(Call "retry" ["x{it}"])"#);
        let open = |it| format!(r#"(Call "open" ["x{it}"])"#);
        let block = |stmts: [String; 2]| parse(&format!("(block [{}])", stmts.join(" ")));
        let others: Vec<Tree> = (0..40).map(|it| block([set(it), open(it)])).collect();
        let trees: Vec<Tree> = (0..40)
            .map(|it| {
                if it < 30 {
                    block([set(it), open(it)])
                } else {
                    block([set(it), call(it)])
                }
            })
            .collect();
        let mut counts = BackgroundCounts::default();
        counts.add(&grammar, &others);
        let bits = counts.all("others").bits(&grammar, &trees);
        let fragments = [
            r#"(Set "self" ?0)"#,
            r#"(Call "open" [?0])"#,
            r#"(Call "retry" [?0])"#,
        ];
        let fragments = fragments.map(|it| Fragment::parse(&grammar, it).unwrap());
        let pool = locate(&trees, fragments);
        let check = |guide: Guide<'_>, expected: &[usize]| {
            let ranked = by_background(&guide.kept(pool.clone(), 1), &trees, &bits, &guide, 8);
            let order: Vec<usize> = ranked.iter().map(|it| it.0.index()).collect();
            assert_eq!(order, expected);
        };
        // Of two that are usual, the one that covers more.
        check(Guide::default(), &[2, 1, 0]);
        let keeps = |places: &[Place]| places.len() > 10;
        let guide = Guide {
            keeps: Some(&keeps),
            ..Guide::default()
        };
        check(guide, &[1, 0]);

        let lifts = Lifts::new(&trees, &bits);
        let lift = |it: usize| lifts.of(&pool[crate::candidates::CandidateId::new(it)]);
        assert!(lift(2) > OWN_BITS && lift(0) < 2.0 && lift(1) < 2.0);
    }
}
