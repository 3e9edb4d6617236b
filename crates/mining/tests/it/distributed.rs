//! Several ranks: what is exact must be so to the last bit, and a chain must be near the posterior.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use patois_collective::{Collective, Threads};
use patois_mining::{
    Base, CorpusArena, Guide, Keeper, Kept, LogSums, Mined, MinerKind, MiningConfig, MiningError,
    MiningRanks, Part, PitmanYor, Ranking, Sampler as _, Segmentation, Site, Start, Sweep, Task,
    TypeBased,
};
use patois_syntax::{Grammar, Schema, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::exact_posterior::{independent, total_variation};
use crate::planted::{grammar, planted_corpus};

const STACK: usize = 8 << 20;

fn rng(rank: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    rng.set_stream(rank as u64);
    rng
}

fn go_on(_: &Sweep) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Mines with ranks that have all trees in memory.
fn on_threads(
    trees: &[Tree],
    held_out: &[Tree],
    config: &MiningConfig,
    n_ranks: usize,
) -> Result<Mined, MiningError> {
    on_ranks(&task(&grammar(), trees, held_out, config), n_ranks)
}

fn task<'a>(
    grammar: &'a Grammar,
    trees: &'a [Tree],
    held_out: &'a [Tree],
    config: &'a MiningConfig,
) -> Task<'a> {
    Task {
        grammar,
        trees,
        held_out,
        guide: Guide::default(),
        config,
        keeper: None,
    }
}

fn on_ranks(task: &Task<'_>, n_ranks: usize) -> Result<Mined, MiningError> {
    let ranks = MiningRanks::Threads {
        n: n_ranks,
        stack_bytes: STACK,
    };
    let mined = ranks.mine(task, &rng, &mut go_on)?;
    Ok(mined.expect("rank 0 has it"))
}

/// Mines with ranks that have nothing but their own trees, cut at some places.
fn on_parts(trees: &[Tree], config: &MiningConfig, ends: &[usize]) -> Mined {
    let grammar = grammar();
    let mined = |ranks: &Threads<'_>| {
        let rank = ranks.rank();
        let first_tree = if rank == 0 { 0 } else { ends[rank - 1] };
        let part = Part {
            grammar: &grammar,
            trees: &trees[first_tree..ends[rank]],
            first_tree,
            all: None,
            keeper: None,
        };
        let guide = Guide::default();
        part.mine(ranks, &[], &guide, config, &mut rng(rank), &mut go_on)
            .expect("a corpus that can be mined")
    };
    let other = |ranks: &Threads<'_>| assert!(mined(ranks).is_none());
    let mined = Threads::run(ends.len(), STACK, mined, &other);
    mined.expect("all ranks end").expect("rank 0 has it")
}

/// All that is said of what was mined, but for the sums of logarithms, whose order is another.
fn told(mined: &Mined) -> String {
    let grammar = grammar();
    let idioms = mined.library.iter();
    let idioms: Vec<_> = idioms
        .map(|(_, it)| {
            (
                it.fragment.display(&grammar).to_string(),
                it.coverage,
                it.score.to_bits(),
            )
        })
        .collect();
    let sweeps = mined.sweeps.iter();
    let sweeps: Vec<_> = sweeps
        .map(|it| (it.number, it.n_fragments, it.n_cuts))
        .collect();
    let sizes = (mined.n_sites, mined.n_candidates, mined.n_left_out);
    format!(
        "{idioms:#?} {:#?} {sweeps:?} {sizes:?} {:?}",
        mined.idioms, mined.figures
    )
}

#[test]
fn byte_pairs_and_what_is_chosen_are_the_same_for_any_number_of_ranks() {
    let trees = planted_corpus(150, 1);
    for ranking in [
        Ranking::Compression,
        Ranking::Coverage,
        Ranking::CrossEntropy,
        Ranking::Residual,
        Ranking::Surprise,
    ] {
        let config = MiningConfig {
            miner: MinerKind::BytePairs,
            ranking,
            n_idioms: 20,
            ..MiningConfig::default()
        };
        let alone = told(&on_threads(&trees, &[], &config, 1).unwrap());
        for n_ranks in [2, 4] {
            let several = on_threads(&trees, &[], &config, n_ranks).unwrap();
            assert_eq!(told(&several), alone, "{ranking:?}, {n_ranks} ranks");
        }
        for ends in [&[75, 150][..], &[0, 1, 1, 140, 150]] {
            assert_eq!(
                told(&on_parts(&trees, &config, ends)),
                alone,
                "{ranking:?}, {ends:?}"
            );
        }
    }
}

/// So many trees that idioms are looked for in every other one, and counted in all.
#[test]
fn idioms_of_a_sample_are_counted_on_all_ranks() {
    let few = planted_corpus(400, 2);
    let n_nodes: usize = few.iter().map(Tree::n_nodes).sum();
    let trees: Vec<Tree> = few
        .iter()
        .cycle()
        .take(400 * (510_000 / n_nodes + 1))
        .cloned()
        .collect();
    let config = MiningConfig {
        miner: MinerKind::BytePairs,
        n_idioms: 10,
        ..MiningConfig::default()
    };
    let alone = told(&on_threads(&trees, &[], &config, 1).unwrap());
    assert_eq!(told(&on_threads(&trees, &[], &config, 2).unwrap()), alone);
    let n = trees.len();
    assert_eq!(
        told(&on_parts(&trees, &config, &[n / 3 + 1, n / 3 + 2, n])),
        alone
    );
}

#[test]
fn held_out_programs_are_predicted_alike_by_byte_pairs_and_nearly_by_chains() {
    let (trees, held_out) = (planted_corpus(200, 1), planted_corpus(50, 2));
    let bits = |miner, n_ranks| {
        let config = MiningConfig {
            miner,
            ..MiningConfig::default()
        };
        let mined = on_threads(&trees, &held_out, &config, n_ranks).unwrap();
        mined.bits_per_node.unwrap()
    };
    let (alone, several) = (bits(MinerKind::BytePairs, 1), bits(MinerKind::BytePairs, 3));
    assert_eq!(alone.pcfg.to_bits(), several.pcfg.to_bits());
    assert!((alone.fragments - several.fragments).abs() < 1e-9);
    // 1.562 alone; 2.793 without fragments.
    let alone = bits(MinerKind::TypeBased, 1);
    for n_ranks in 2..=4 {
        let several = bits(MinerKind::TypeBased, n_ranks);
        assert_eq!(alone.pcfg.to_bits(), several.pcfg.to_bits());
        let distance = (alone.fragments - several.fragments).abs();
        assert!(distance < 0.1, "{alone:?} and {several:?}");
    }
}

#[test]
fn a_chain_of_several_ranks_is_the_same_whenever_it_runs() {
    let trees = planted_corpus(100, 3);
    let config = MiningConfig::default();
    let twice = [0; 2].map(|_| on_threads(&trees, &[], &config, 3).unwrap());
    assert_eq!(told(&twice[0]), told(&twice[1]));
    assert_eq!(twice[0].sweeps, twice[1].sweeps);
    // It does not matter where the trees are.
    let parted = on_parts(&trees, &config, &[30, 31, 100]);
    let gathered = told(&parted);
    assert_eq!(gathered, told(&on_parts(&trees, &config, &[30, 31, 100])));
}

#[test]
fn ranks_without_a_tree_have_nothing_to_do() {
    let trees = planted_corpus(3, 1);
    let mined = on_threads(&trees, &[], &MiningConfig::default(), 7).unwrap();
    assert!(mined.figures.applications.without > 0);
    let error = on_threads(&[], &[], &MiningConfig::default(), 2).unwrap_err();
    assert_eq!(error, MiningError::NoTrees);
}

/// States that are kept in memory, until a sweep at which the disk is full.
#[derive(Debug, Default)]
struct Memory {
    parts: Mutex<BTreeMap<(usize, usize), Vec<u8>>>,
    kept: Mutex<Option<Kept>>,
    full_at: Option<(usize, usize)>,
}

impl Keeper for Memory {
    fn keep(&self, sweep: usize, rank: usize, part: &[u8]) -> Result<(), String> {
        if self.full_at == Some((sweep, rank)) {
            return Err("no space left on device".to_owned());
        }
        let mut parts = self.parts.lock().expect("nobody panicked");
        parts.insert((sweep, rank), part.to_vec());
        Ok(())
    }

    fn complete(&self, kept: Kept) -> Result<(), String> {
        *self.kept.lock().expect("nobody panicked") = Some(kept);
        Ok(())
    }

    fn kept(&self) -> Result<Option<Kept>, String> {
        Ok(*self.kept.lock().expect("nobody panicked"))
    }

    fn part(&self, sweep: usize, rank: usize) -> Result<Vec<u8>, String> {
        let parts = self.parts.lock().expect("nobody panicked");
        let part = parts.get(&(sweep, rank));
        part.cloned().ok_or_else(|| "there is none".to_owned())
    }
}

#[test]
fn a_chain_that_was_ended_goes_on_as_if_it_had_not_been() {
    let (trees, held_out) = (planted_corpus(120, 4), planted_corpus(30, 5));
    let mut config = MiningConfig::default();
    config.chain.n_kept_sweeps = 3;
    let mine = |n_ranks, keeper: Option<&dyn Keeper>| {
        let grammar = grammar();
        let task = Task {
            keeper,
            ..task(&grammar, &trees, &held_out, &config)
        };
        on_ranks(&task, n_ranks)
    };
    for n_ranks in [1, 3] {
        let whole = mine(n_ranks, None).unwrap();
        for full_at in [(7, n_ranks - 1), (9, 0)] {
            let mut memory = Memory {
                full_at: Some(full_at),
                ..Memory::default()
            };
            let error = mine(n_ranks, Some(&memory)).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("rank {}: no space left on device", full_at.1)
            );
            let kept = memory.kept.get_mut().expect("nobody panicked").unwrap();
            assert_eq!((kept.sweep, kept.n_ranks), (full_at.0 - 1, n_ranks));
            memory.full_at = None;
            let resumed = mine(n_ranks, Some(&memory)).unwrap();
            assert_eq!(told(&resumed), told(&whole), "{n_ranks} ranks, {full_at:?}");
            assert_eq!(resumed.sweeps, whole.sweeps);
            assert_eq!(resumed.bits_per_node, whole.bits_per_node);
        }
    }
}

#[test]
fn another_number_of_ranks_goes_on_with_the_same_cuts() {
    let (trees, held_out) = (planted_corpus(120, 4), planted_corpus(30, 5));
    let config = MiningConfig::default();
    let grammar = grammar();
    let alone = on_ranks(&task(&grammar, &trees, &held_out, &config), 1).unwrap();
    let alone = alone.bits_per_node.unwrap();
    for (before, after) in [(1, 3), (3, 1), (2, 4)] {
        let mut memory = Memory {
            full_at: Some((7, 0)),
            ..Memory::default()
        };
        let mine = |memory: &Memory, n_ranks| {
            let task = Task {
                keeper: Some(memory),
                ..task(&grammar, &trees, &held_out, &config)
            };
            on_ranks(&task, n_ranks)
        };
        mine(&memory, before).unwrap_err();
        memory.full_at = None;
        let resumed = mine(&memory, after).unwrap();
        let last = resumed.sweeps.last().map(|it| it.number);
        assert_eq!(last, Some(config.chain.n_sweeps));
        let distance = resumed.bits_per_node.unwrap().fragments - alone.fragments;
        assert!(
            distance.abs() < 0.1,
            "{before} to {after} ranks: {distance}"
        );
    }
}

#[test]
fn the_state_of_another_chain_is_refused() {
    let trees = planted_corpus(40, 4);
    let (grammar, config, memory) = (grammar(), MiningConfig::default(), Memory::default());
    let kept = |trees, n_ranks| {
        let task = Task {
            keeper: Some(&memory),
            ..task(&grammar, trees, &[], &config)
        };
        on_ranks(&task, n_ranks)
    };
    kept(&trees, 2).unwrap();
    for n_ranks in [1, 2, 3] {
        let error = kept(&trees[1..], n_ranks).unwrap_err();
        assert_eq!(error, MiningError::OtherState);
    }
    let last = (config.chain.n_sweeps, 1);
    let whole = memory.part(last.0, last.1).unwrap();
    let mut other = whole.clone();
    other[50] ^= 4;
    for damaged in [&whole[..5], &whole[..100], &other] {
        memory.keep(last.0, last.1, damaged).unwrap();
        for n_ranks in [1, 2] {
            let error = kept(&trees, n_ranks).unwrap_err().to_string();
            assert!(error.contains("expected the state of a chain"), "{error}");
        }
    }
}

/// A corpus that is small enough to list every way of cutting it.
struct Toy {
    name: &'static str,
    grammar: Grammar,
    trees: Vec<Tree>,
    prior: PitmanYor,
    stop: f64,
}

impl Toy {
    fn new(name: &'static str, trees: &[&str], prior: PitmanYor, stop: f64) -> Toy {
        let schema = "module Toy { expr = A | B | Neg(expr it) | Add(expr left, expr right) }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).expect("a schema"));
        let trees = trees
            .iter()
            .map(|it| Tree::parse(&grammar, it).expect("a tree"));
        Toy {
            name,
            trees: trees.collect(),
            grammar,
            prior,
            stop,
        }
    }

    /// The probability of every cut vector.
    fn posterior(&self) -> Vec<f64> {
        let arena = CorpusArena::new(&self.grammar, &self.trees);
        let sites: Vec<Site> = arena.sites().collect();
        let sums = LogSums::new(self.prior, arena.n_nodes());
        let weight = |state: usize| {
            let mut cuts: Vec<bool> = arena.nodes().map(|it| arena.is_root(it)).collect();
            for (bit, site) in sites.iter().enumerate() {
                cuts[site.node().index()] = state >> bit & 1 == 1;
            }
            let base = Base::new(&arena, self.stop);
            Segmentation::from_cuts(&arena, base, cuts)
                .ln_target(&sums)
                .exp()
        };
        let weights: Vec<f64> = (0..1 << sites.len()).map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|it| it / total).collect()
    }

    /// How often each cut vector is the state of ranks after a sweep, if they tell each other `n_exchanges`
    /// times in each.
    fn visited(&self, n_ranks: usize, n_exchanges: usize, n_sweeps: usize) -> Vec<usize> {
        let states: Vec<Mutex<Vec<usize>>> = (0..n_ranks).map(|_| Mutex::default()).collect();
        let work = |ranks: &Threads<'_>| {
            let rank = ranks.rank();
            let own = self.trees.len() * rank / n_ranks..self.trees.len() * (rank + 1) / n_ranks;
            let mut arena = CorpusArena::new(&self.grammar, &self.trees[own.clone()]);
            arena.count_in_all(ranks);
            let before = CorpusArena::new(&self.grammar, &self.trees[..own.start]);
            let n_before = before.sites().count();
            let sites: Vec<Site> = arena.sites().collect();
            let n_nodes: usize = self.trees.iter().map(Tree::n_nodes).sum();
            let sums = LogSums::of_any_size(self.prior, n_nodes);
            let base = Base::new(&arena, self.stop);
            let mut segmentation = Segmentation::new(&arena, base, Start::AllCut);
            segmentation.share(ranks);
            let (mut sampler, mut rng) = (TypeBased::new(10.0), rng(rank));
            let mut visited = Vec::with_capacity(n_sweeps);
            for sweep in 0..n_sweeps {
                for part in 0..n_exchanges {
                    let sites = arena.sites_of_part(part, n_exchanges);
                    sampler.visit(&mut segmentation, &sums, 1.0, sites, &mut rng);
                    segmentation.exchange(ranks);
                }
                let bits = sites.iter().enumerate();
                let bits = bits.map(|(bit, &it)| usize::from(segmentation.is_cut(it)) << bit);
                visited.push(bits.sum::<usize>() << n_before);
                if sweep % 997 == 0 {
                    segmentation.collect_garbage();
                    assert!(segmentation.is_consistent(), "counts drifted");
                }
            }
            *states[rank].lock().expect("nobody panicked") = visited;
        };
        Threads::run(n_ranks, STACK, work, &work).expect("all ranks end");
        let states: Vec<Vec<usize>> = states
            .into_iter()
            .map(|it| it.into_inner().expect("nobody panicked"))
            .collect();
        let arena = CorpusArena::new(&self.grammar, &self.trees);
        let mut counts = vec![0; 1 << arena.sites().count()];
        for sweep in 0..n_sweeps {
            counts[states.iter().map(|it| it[sweep]).sum::<usize>()] += 1;
        }
        counts
    }
}

fn toys() -> Vec<Toy> {
    let spread = PitmanYor {
        concentration: 0.3,
        discount: 0.8,
    };
    let paper = PitmanYor::PAPER;
    vec![
        Toy::new(
            "alike",
            &["(Add A B)", "(Add A B)", "(Add A B)", "(Add A B)"],
            paper,
            0.5,
        ),
        Toy::new(
            "spread",
            &["(Neg A)", "(Add A B)", "(Neg A)", "(Add A B)"],
            spread,
            0.3,
        ),
        Toy::new(
            "mixed",
            &["(Neg (Neg A))", "(Add (Neg A) B)", "(Neg A)", "(Neg B)"],
            paper,
            0.2,
        ),
    ]
}

/// Checks the distance to the posterior of so many sweeps.
#[expect(
    clippy::print_stdout,
    reason = "the distances are what the test is about"
)]
fn check_distances(n_sweeps: usize, exchanges: &[usize], allowed: f64) {
    for toy in toys() {
        let posterior = toy.posterior();
        let noise = independent(&posterior, n_sweeps, &mut rng(99));
        let noise = total_variation(&noise, &posterior);
        let distance = |n_ranks, n_exchanges| {
            let counts = toy.visited(n_ranks, n_exchanges, n_sweeps);
            total_variation(&counts, &posterior)
        };
        let alone = distance(1, 1);
        println!("{}: independent {noise:.4}, one rank {alone:.4}", toy.name);
        assert!(alone < 1.7 * noise + 0.005, "{alone}");
        for n_ranks in [2, 4] {
            for &n_exchanges in exchanges {
                let found = distance(n_ranks, n_exchanges);
                println!("  {n_ranks} ranks, {n_exchanges} exchanges a sweep: {found:.4}");
                assert!(found < noise + allowed, "{}: {found}", toy.name);
            }
        }
    }
}

#[test]
fn ranks_that_tell_each_other_are_near_the_posterior() {
    check_distances(6_000, &[1, 8], 0.2);
}

#[test]
#[ignore = "the long form"]
fn ranks_that_tell_each_other_are_as_near_as_they_were_measured() {
    check_distances(60_000, &[1, 2, 4, 8], 0.2);
}
