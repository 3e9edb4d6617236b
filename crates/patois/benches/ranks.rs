//! What mining on several ranks finds, how long it takes, and what ranks tell each other.
//!
//! `PATOIS_DATA=FOLDER cargo bench -p patois --bench ranks -- hearthstone 1,2,4 1,2,3`: a corpus, numbers of
//! ranks and seeds. For each of them, bits a node of the dev programs, compression, seconds until the chain
//! had ended and in all, and the bytes that rank 0 sent: in all, and in the last sweep.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::ops::ControlFlow;
use std::time::Instant;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Programs, Split};
use patois_collective::{Alone, Collective, Metered, Threads};
use patois_languages::sql::Mode;
use patois_mining::{Guide, Mined, MiningConfig, MiningRanks, Sweep, Task};
use patois_syntax::Tree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const STACK_BYTES: usize = 64 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    let argument = |index: usize, usual: &str| {
        arguments
            .get(index)
            .map_or(usual, String::as_str)
            .to_owned()
    };
    let programs = programs(&argument(0, "default"));
    let trees: Vec<Tree> = programs.of(Split::Train).cloned().collect();
    let dev: Vec<Tree> = programs.of(Split::Dev).cloned().collect();
    let n_nodes: usize = trees.iter().map(Tree::n_nodes).sum();
    println!("{} programs, {n_nodes} nodes", trees.len());
    let mut config = MiningConfig::default();
    config.chain.n_sweeps = (40_000_000 / n_nodes.max(1)).clamp(3, 10);
    println!(
        "ranks seed   bits   compression  chain s    all s  bytes in all  in a sweep  meetings"
    );
    for n_ranks in numbers(&argument(1, "1,2,4")) {
        for seed in numbers(&argument(2, "1")) {
            let corpus = (&programs, &trees[..], &dev[..]);
            report(corpus, &config, n_ranks as usize, seed);
        }
    }
}

fn numbers(list: &str) -> Vec<u64> {
    let numbers = list.split(',').map(str::parse);
    numbers
        .collect::<Result<_, _>>()
        .expect("numbers, with commas between them")
}

fn programs(name: &str) -> Programs {
    let options = CorpusOptions {
        language: std::path::Path::new(name)
            .is_file()
            .then(|| "python".to_owned()),
        ..CorpusOptions::default()
    };
    let corpus = Corpus::open(name, &DataDir::locate(None), &options);
    let corpus = corpus.expect("the corpus is there");
    let languages = Languages::of_corpus(&corpus, Mode::Full).expect("a known language");
    corpus
        .parse(&languages)
        .expect("the language declares its grammar")
}

fn report(
    (programs, trees, dev): (&Programs, &[Tree], &[Tree]),
    config: &MiningConfig,
    n_ranks: usize,
    seed: u64,
) {
    let rng = |rank: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(rank as u64);
        rng
    };
    let task = Task {
        grammar: &programs.grammar,
        trees,
        held_out: dev,
        guide: Guide::default(),
        config,
        keeper: None,
    };
    let started = Instant::now();
    let mut swept: Vec<(f64, u64)> = Vec::new();
    let mut mine = |ranks: &dyn Collective| {
        let ranks = Metered::new(ranks);
        let mut watch = |_: &Sweep| {
            swept.push((started.elapsed().as_secs_f64(), ranks.n_bytes()));
            ControlFlow::Continue(())
        };
        let mined = MiningRanks::Processes(&ranks).mine(&task, &rng, &mut watch);
        let mined = mined
            .expect("a corpus that can be mined")
            .expect("rank 0 has it");
        (mined, ranks.n_bytes(), ranks.n_meetings())
    };
    let (mined, n_bytes, n_meetings): (Mined, u64, u64) = if n_ranks == 1 {
        mine(&Alone)
    } else {
        let other = |ranks: &Threads<'_>| {
            let mut watch = |_: &Sweep| ControlFlow::Continue(());
            let ranks = MiningRanks::Processes(ranks);
            let _ = ranks.mine(&task, &rng, &mut watch);
        };
        let mined = Threads::run(n_ranks, STACK_BYTES, |ranks| mine(ranks), &other);
        mined.expect("all ranks end")
    };
    let seconds = started.elapsed().as_secs_f64();
    let bits = mined.bits_per_node.map_or(0.0, |it| it.fragments);
    let in_last = match swept.as_slice() {
        [.., before, last] => last.1 - before.1,
        _ => 0,
    };
    println!(
        "{n_ranks:>5} {seed:>4} {bits:>7.4} {:>12.3} {:>8.1} {seconds:>8.1} {n_bytes:>13} {in_last:>11} {n_meetings:>9}",
        mined.figures.applications.ratio(),
        swept.last().map_or(0.0, |it| it.0),
    );
}
