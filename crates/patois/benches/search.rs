//! What it takes to write programs with a trained model.
//!
//! `cargo bench -p patois --bench search -- RUN...`: for each run, its dev split with one hypothesis and
//! with ten, several texts at once, on all cores; and how long one question takes on one. Rounds are interleaved and
//! the medians shown, because machines are noisy. Without a run there is nothing to measure.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use patois::corpus::{Corpus, DataDir, Example, Languages, Split};
use patois::run::folder::RunDir;
use patois::run::read::open_corpus;
use patois::run::synthesizer::{Request, Synthesizer};
use patois::spec::Topics;
use patois::spec::linking::ValueCache;
use patois_synthesis::{SearchConfig, Searcher, Spec};
use rayon::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_ROUNDS: usize = 5;
const BEAMS: [usize; 2] = [1, 10];
/// How many texts the network is asked for at once.
const BATCHES: [usize; 4] = [1, 4, 8, 16];

fn main() {
    let runs = std::env::args().skip(1).filter(|it| !it.starts_with('-'));
    let runs: Vec<PathBuf> = runs.map(PathBuf::from).collect();
    if runs.is_empty() {
        println!("name the folders of runs: cargo bench -p patois --bench search -- RUN...");
    }
    for run in &runs {
        measure(run);
    }
}

/// A model, and what it is asked.
struct Exam {
    synthesizer: Synthesizer,
    corpus: Corpus,
    languages: Languages,
    topics: Topics,
}

impl Exam {
    fn open(run: &Path) -> Exam {
        let run = RunDir::open(run).expect("the folder of a run");
        let synthesizer = Synthesizer::load(&run).expect("a run with a model");
        let data = DataDir::locate(None);
        let corpus = open_corpus(&synthesizer.config, &data);
        let mut corpus = corpus.expect("the corpus of the run");
        corpus.keep(Split::Dev);
        let mode = synthesizer.config.sql.mode;
        let languages = Languages::of_corpus(&corpus, mode).expect("a known language");
        let linking = synthesizer.model().config.relations.linking;
        let topics = Topics::linked(&corpus, linking, &ValueCache::none());
        Exam {
            topics: topics.expect("the databases of the corpus"),
            synthesizer,
            corpus,
            languages,
        }
    }

    fn searcher(&self, beam_size: usize) -> Searcher<'_> {
        self.synthesizer.searcher(SearchConfig {
            beam_size,
            ..self.synthesizer.config.search
        })
    }

    /// Writes programs for examples, and prints them.
    fn answer(&self, searcher: &Searcher<'_>, examples: &[Example]) {
        let specs: Vec<Spec> = examples.iter().map(|it| self.topics.spec(it)).collect();
        let requests: Vec<Request<'_>> = examples
            .iter()
            .zip(&specs)
            .map(|(example, spec)| Request {
                spec,
                language: self.languages.of(example).expect("a known language"),
            })
            .collect();
        std::hint::black_box(self.synthesizer.answer_all(searcher, &requests));
    }
}

fn measure(run: &Path) {
    let started = Instant::now();
    let exam = Exam::open(run);
    let examples = &exam.corpus.examples;
    println!(
        "{}: {} examples, loaded in {:.0} ms",
        run.display(),
        examples.len(),
        started.elapsed().as_secs_f64() * 1e3
    );
    let searchers = BEAMS.map(|beam_size| exam.searcher(beam_size));
    let mut all = [const { [const { Vec::new() }; BATCHES.len()] }; BEAMS.len()];
    let mut single = [const { Vec::new() }; BEAMS.len()];
    for _ in 0..N_ROUNDS {
        for (beam, searcher) in searchers.iter().enumerate() {
            for (batch, &size) in BATCHES.iter().enumerate() {
                let started = Instant::now();
                let batches = examples.par_chunks(size).with_max_len(1);
                batches.for_each(|examples| exam.answer(searcher, examples));
                all[beam][batch].push(started.elapsed().as_secs_f64());
            }
            for example in examples.chunks(1).take(20) {
                let started = Instant::now();
                exam.answer(searcher, example);
                single[beam].push(started.elapsed().as_secs_f64());
            }
        }
    }
    for (beam, beam_size) in BEAMS.into_iter().enumerate() {
        for (batch, size) in BATCHES.into_iter().enumerate() {
            let seconds = median(&mut all[beam][batch]);
            println!("  beam {beam_size:>2}, {size:>2} at once: all in {seconds:.2} s");
        }
        let seconds = median(&mut single[beam]);
        println!("  beam {beam_size:>2}: one in {:.1} ms", seconds * 1e3);
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
