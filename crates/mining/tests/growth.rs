//! Twice the corpus is twice the work, for every miner and every ranking.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use std::ops::ControlFlow;

use patois_growth::{Counter, check_linear, check_linear_by_and_large};
use patois_mining::{
    MIN_CLONE_NODES, MinerKind, MiningConfig, Ranking, Sweep, clones, measure, mine, tally,
};
use patois_syntax::{Grammar, Marker, Schema, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static COUNTER: Counter = Counter;

fn grammar() -> Grammar {
    let schema = "module M { file = (expr* body)
                             expr = Row(expr* cells) | Neg(expr it) | Name(name id)
                             name = text }";
    Grammar::from_schema(&Schema::parse(schema).unwrap())
}

/// Files, in our notation.
type Files = Vec<String>;

/// A table in two copies; its columns have so many different values each, one after the other.
fn copied_table(n_values: &[usize], n_rows: usize) -> Files {
    let cell = |row: usize, (column, n): (usize, &usize)| {
        format!("(Name \"{}{}\") ", char::from(b'a' + column as u8), row % n)
    };
    let row = |row: usize| -> String {
        let cells: String = n_values
            .iter()
            .enumerate()
            .map(|it| cell(row, it))
            .collect();
        format!("(Row [{cells}]) ")
    };
    let rows: String = (0..n_rows).map(row).collect();
    vec![format!("(file [{rows}])"); 2]
}

/// One list of names, in one copy.
fn long_list(n: usize) -> Files {
    let item = |it: usize| format!("(Name \"a{}\") ", it * it % 17);
    let items: String = (0..n).map(item).collect();
    vec![format!("(file [{items}])")]
}

/// Copies of things that nest.
fn deep(n: usize) -> Files {
    let it = format!("{}(Name \"a\"){}", "(Neg ".repeat(n), ")".repeat(n));
    vec![format!("(file [{it}])"); 2]
}

fn many_files(n: usize) -> Files {
    let file = |it: usize| {
        let (a, b) = (it % 7, it * it % 11);
        format!("(file [(Row [(Name \"a{a}\") (Neg (Name \"b{b}\"))]) (Neg (Name \"a{a}\"))])")
    };
    (0..n).map(file).collect()
}

/// What a corpus is called, how large it is at first, and how it is made.
type Shape = (&'static str, usize, fn(usize) -> Files);

/// Corpora of every shape, with how large each is at first.
const SHAPES: [Shape; 6] = [
    ("a table of two columns", 400, |n| copied_table(&[7, 10], n)),
    ("a table of three columns", 400, |n| {
        copied_table(&[7, 10, 3], n)
    }),
    ("a table of many values", 400, |n| {
        copied_table(&[97, 13], n)
    }),
    ("a long list", 2_000, long_list),
    ("deep nesting", 8_000, deep),
    ("many files", 500, many_files),
];

fn trees(grammar: &Grammar, files: &[String]) -> Vec<Tree> {
    let parse = |it: &String| Tree::parse(grammar, it).unwrap();
    files.iter().map(parse).collect()
}

/// How many chains are counted together.
const N_CHAINS: u64 = 2;

fn check_mining(miner: MinerKind, ranking: Ranking) {
    let config = MiningConfig {
        miner,
        ranking,
        n_idioms: 20,
        ..MiningConfig::default()
    };
    let grammar = grammar();
    for (shape, n, files) in SHAPES {
        let what = format!("{miner:?}, {ranking:?}: {shape}");
        let trees = |n| trees(&grammar, &files(n));
        check_linear_by_and_large(&what, n, trees, |trees| {
            // A search is long or short by chance.
            for seed in 1..=N_CHAINS {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let mut watch = |_: &Sweep| ControlFlow::Continue(());
                mine(&grammar, trees, &config, &mut rng, &mut watch).unwrap();
            }
        });
    }
}

/// Candidates with hundreds of holes, each at hundreds of places that overlap, used to make mining a
/// table of 800 rows in two copies take 18 seconds, where one of 1,600 took three.
#[test]
fn type_based_sampling() {
    check_mining(MinerKind::TypeBased, Ranking::Compression);
}

#[test]
fn sampling_site_by_site() {
    check_mining(MinerKind::SingleSite, Ranking::Compression);
}

#[test]
fn byte_pairs() {
    check_mining(MinerKind::BytePairs, Ranking::Compression);
}

#[test]
fn rankings() {
    for ranking in [
        Ranking::Coverage,
        Ranking::CrossEntropy,
        Ranking::Residual,
        Ranking::Surprise,
    ] {
        check_mining(MinerKind::TypeBased, ranking);
    }
}

/// Runs of tables with a period overlap in as many ways as the square of their length.
#[test]
fn clones_of_runs() {
    let grammar = grammar();
    for (shape, n, files) in SHAPES {
        let trees = |n| trees(&grammar, &files(n));
        check_linear(&format!("clones: {shape}"), 8 * n, trees, |trees| {
            drop(clones(&grammar, trees, trees, MIN_CLONE_NODES));
        });
    }
}

/// Trees are marked with a library that was mined from some of the same kind.
#[test]
fn marking_and_measuring() {
    let config = MiningConfig {
        n_idioms: 10,
        ..MiningConfig::default()
    };
    let grammar = grammar();
    for (shape, n, files) in SHAPES {
        let input = |n_now: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut watch = |_: &Sweep| ControlFlow::Continue(());
            let some = trees(&grammar, &files(n / 4));
            let mined = mine(&grammar, &some, &config, &mut rng, &mut watch).unwrap();
            (mined.library, trees(&grammar, &files(n_now)))
        };
        check_linear(
            &format!("marking: {shape}"),
            n,
            input,
            |(library, trees)| {
                let marker = Marker::new(&grammar, library).unwrap();
                for tree in trees {
                    drop(marker.mark(tree));
                }
                let fragments = library.iter().map(|(_, it)| &it.fragment);
                drop(tally(trees, fragments));
                let _ = measure(&grammar, trees, library);
            },
        );
    }
}
