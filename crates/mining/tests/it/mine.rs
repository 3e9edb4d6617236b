//! The stage as a whole, on generated corpora and at its edges.

use std::ops::ControlFlow;

use patois_mining::{
    Filter, Mined, MinerKind, MiningConfig, MiningError, PitmanYor, Ranking, Stop, mine,
};
use patois_syntax::{Marker, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::planted::{grammar, planted_corpus};

fn run(trees: &[Tree], config: &MiningConfig) -> Result<Mined, MiningError> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    mine(&grammar(), trees, config, &mut rng, &mut |_| {
        ControlFlow::Continue(())
    })
}

fn parse(texts: &[&str]) -> Vec<Tree> {
    let grammar = grammar();
    let tree = |it: &&str| Tree::parse(&grammar, it).expect("a toy tree");
    texts.iter().map(tree).collect()
}

fn notations(mined: &Mined) -> Vec<String> {
    let grammar = grammar();
    let idioms = mined.library.iter();
    idioms
        .map(|(_, it)| it.fragment.display(&grammar).to_string())
        .collect()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let trees = planted_corpus(300, 1);
    for ranking in RANKINGS {
        let config = MiningConfig {
            ranking,
            n_idioms: 20,
            ..MiningConfig::default()
        };
        let with_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
            let mined = pool
                .expect("a thread pool")
                .install(|| run(&trees, &config).expect("a corpus that can be mined"));
            (notations(&mined), mined.idioms, mined.sweeps, mined.figures)
        };
        assert_eq!(with_threads(1), with_threads(2));
    }
}

const RANKINGS: [Ranking; 4] = [
    Ranking::Coverage,
    Ranking::CrossEntropy,
    Ranking::Residual,
    Ranking::Compression,
];

#[test]
fn no_idiom_is_dead_and_all_are_within_bounds() {
    let grammar = grammar();
    let trees = planted_corpus(200, 1);
    for miner in [
        MinerKind::TypeBased,
        MinerKind::SingleSite,
        MinerKind::BytePairs,
    ] {
        for ranking in RANKINGS {
            let config = MiningConfig {
                miner,
                ranking,
                n_idioms: 25,
                ..MiningConfig::default()
            };
            let mined = run(&trees, &config).expect("a corpus that can be mined");
            let marker = Marker::new(&grammar, &mined.library).expect("the same grammar");
            let mut found = vec![0; mined.library.len()];
            for tree in &trees {
                for occurrence in marker.mark(tree).occurrences() {
                    found[occurrence.idiom.index()] += 1;
                }
            }
            let counted: Vec<usize> = mined.idioms.iter().map(|it| it.n_occurrences).collect();
            assert_eq!(found, counted, "{miner:?} {ranking:?}");
            assert!(found.iter().all(|&n| n > 0) && !found.is_empty());
            assert!(
                mined
                    .idioms
                    .windows(2)
                    .all(|it| it[0].score >= it[1].score || ranking == Ranking::Compression)
            );
            let figures = mined.figures;
            assert!(figures.applications.with < figures.applications.without);
            assert!((0.0..1.0).contains(&figures.discarded));
            for (idiom, (_, it)) in mined.idioms.iter().zip(mined.library.iter()) {
                assert!(it.fragment.n_holes() > 0 && idiom.coverage >= 2);
                assert!(!idiom.examples.is_empty() && idiom.examples.len() <= 3);
            }
        }
    }
}

#[test]
fn named_arguments_are_found() {
    let texts: Vec<String> = (0..40)
        .map(|n| {
            format!(
                "(block [(Assign \"v{n}\" (Add (Name \"v{n}\") (Num \"{}\")))])",
                n % 7
            )
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mined = run(&parse(&texts), &MiningConfig::default()).expect("a corpus");
    assert_eq!(
        notations(&mined)[0],
        "(block [(Assign ?0 (Add (Name ?0) (Num ?1)))])"
    );
}

#[test]
fn small_and_odd_corpora_make_small_libraries() {
    let check = |texts: &[&str], copies: usize, n_idioms: usize| {
        let trees: Vec<Tree> = parse(texts)
            .iter()
            .flat_map(|it| std::iter::repeat_n(it.clone(), copies))
            .collect();
        for miner in [
            MinerKind::TypeBased,
            MinerKind::SingleSite,
            MinerKind::BytePairs,
        ] {
            let config = MiningConfig {
                miner,
                n_idioms,
                filter: Filter {
                    keep_closed: true,
                    ..Filter::default()
                },
                ..MiningConfig::default()
            };
            let mined = run(&trees, &config).expect("a corpus that can be mined");
            assert!(mined.library.len() <= n_idioms);
            assert!(mined.idioms.iter().all(|it| it.n_occurrences > 0));
            assert_eq!(mined.idioms.len(), mined.library.len());
        }
    };
    let one = "(block [(Assign \"x\" (Num \"1\")) (Return _)])";
    check(&["(block [])"], 1, 10);
    check(&[one], 1, 10);
    check(&[one, "(block [(Do (Not (Name \"z\")))])"], 1, 10);
    check(&[one], 20_000, 10);
    check(&[one, one, "(block [Pass])"], 3, usize::MAX);
    check(&[one, one], 3, 0);
}

#[test]
fn what_cannot_be_mined_is_refused() {
    let trees = parse(&["(block [Pass])"]);
    let check = |trees: &[Tree], change: fn(&mut MiningConfig), expected: &str| {
        let mut config = MiningConfig::default();
        change(&mut config);
        assert_eq!(
            run(trees, &config).expect_err(expected).to_string(),
            expected
        );
    };
    check(
        &[],
        |_| {},
        "expected at least one tree to mine, found none",
    );
    check(
        &trees,
        |it| it.chain.prior.discount = 1.5,
        "expected a discount of at least 0 and below 1, found 1.5",
    );
    check(
        &trees,
        |it| {
            it.chain.prior = PitmanYor {
                concentration: -0.7,
                discount: 0.5,
            };
        },
        "expected a concentration above -0.5, found -0.7",
    );
    check(
        &trees,
        |it| it.chain.stop = Stop::Fixed(1.0),
        "expected a probability of stopping above 0 and below 1, found 1",
    );
    check(
        &trees,
        |it| it.chain.visits = 0.0,
        "expected a positive number of visits to a block, found 0",
    );
    check(
        &trees,
        |it| it.chain.n_sweeps = 0,
        "expected at least one sweep, found none",
    );
}

#[test]
fn a_search_can_be_ended_early() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut watch = |sweep: &patois_mining::Sweep| match sweep.number {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let trees = planted_corpus(50, 1);
    let mined = mine(
        &grammar(),
        &trees,
        &MiningConfig::default(),
        &mut rng,
        &mut watch,
    );
    let mined = mined.expect("a corpus that can be mined");
    assert_eq!(mined.sweeps.len(), 3);
    assert!(!mined.library.is_empty());
}
