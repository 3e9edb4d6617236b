//! What a sweep of the miner costs, and where the time goes.
//!
//! `PATOIS_DATA=FOLDER cargo bench -p patois --bench sweep`: nanoseconds a site, for each sweep and for
//! each of its phases, on Hearthstone and Spider; without a folder, on the embedded corpus. Rounds of
//! the samplers are interleaved and the medians shown, because machines are noisy.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::time::Instant;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Programs, Split};
use patois_languages::sql::Mode;
use patois_mining::{
    Base, ChainConfig, CorpusArena, LogSums, Sampler, Segmentation, SingleSite, Start, TypeBased,
};
use patois_syntax::Tree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_ROUNDS: usize = 5;
const N_SWEEPS: usize = 10;
const PHASES: [&str; 4] = ["moves", "garbage", "stopping", "record"];

/// Nanoseconds of each phase of each sweep.
type Times = [[f64; PHASES.len()]; N_SWEEPS];

fn main() {
    let names: &[&str] = match std::env::var_os("PATOIS_DATA") {
        Some(_) => &["hearthstone", "spider"],
        None => &["default"],
    };
    for name in names {
        let programs = programs(name);
        let trees: Vec<Tree> = programs.of(Split::Train).cloned().collect();
        let started = Instant::now();
        let arena = CorpusArena::new(&programs.grammar, &trees);
        let flattened = started.elapsed();
        let n_sites = arena.sites().count();
        println!(
            "{name}: {} programs, {n_sites} sites, made flat in {:.1} ms",
            trees.len(),
            flattened.as_secs_f64() * 1e3
        );
        report(&arena, n_sites);
    }
}

fn programs(name: &str) -> Programs {
    let corpus = Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default());
    let corpus = corpus.expect("the dataset is there");
    let languages = Languages::of_corpus(&corpus, Mode::Full).expect("a known language");
    corpus
        .parse(&languages)
        .expect("the language declares its grammar")
}

fn report(arena: &CorpusArena, n_sites: usize) {
    let (mut type_based, mut single_site) = (Vec::new(), Vec::new());
    for _ in 0..N_ROUNDS {
        type_based.push(chain(arena, TypeBased::new(ChainConfig::default().visits)));
        single_site.push(chain(arena, SingleSite));
    }
    for (name, rounds) in [("type-based", type_based), ("single-site", single_site)] {
        let heading = PHASES.map(|phase| format!("{phase:>10}")).concat();
        println!("  {name:<12}{heading}{:>10}  ns a site", "all");
        let mut sums = [0.0; PHASES.len()];
        for sweep in 0..N_SWEEPS {
            let phase = |phase: usize| median(rounds.iter().map(|times| times[sweep][phase]));
            let phases: [f64; PHASES.len()] = std::array::from_fn(phase);
            row(&format!("sweep {}", sweep + 1), phases, n_sites);
            for (sum, phase) in sums.iter_mut().zip(phases) {
                *sum += phase / N_SWEEPS as f64;
            }
        }
        row("mean", sums, n_sites);
    }
}

fn row(name: &str, phases: [f64; PHASES.len()], n_sites: usize) {
    let all: f64 = phases.iter().sum();
    let cells = phases.iter().chain([&all]);
    let cells = cells.map(|it| format!("{:>10.1}", it / n_sites as f64));
    println!("    {name:<10}{}", cells.collect::<String>());
}

/// What `patois_mining::Chain` does, with a clock.
fn chain(arena: &CorpusArena, mut sampler: impl Sampler) -> Times {
    let sums = LogSums::new(ChainConfig::default().prior, arena.n_nodes());
    let mut segmentation = Segmentation::new(arena, Base::new(arena, 0.5), Start::AllCut);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    std::array::from_fn(|_| {
        let mut phases: [&mut dyn FnMut(&mut Segmentation<'_>); PHASES.len()] = [
            &mut |it| sampler.sweep(it, &sums, 1.0, &mut rng),
            &mut |it| it.collect_garbage(),
            &mut |it| it.estimate_stop(),
            &mut |it| {
                std::hint::black_box((it.ln_target(&sums), it.fragments().len()));
            },
        ];
        std::array::from_fn(|phase| {
            let started = Instant::now();
            phases[phase](&mut segmentation);
            started.elapsed().as_nanos() as f64
        })
    })
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
