//! What it takes to write programs with a trained model.
//!
//! `cargo bench -p patois --bench search -- RUN...`: for each run, its dev split with one hypothesis and
//! with ten, on all cores, and how long one question takes on one. Rounds are interleaved and
//! the medians shown, because machines are noisy. Without a run there is nothing to measure.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Split};
use patois::databases::Databases;
use patois::linking::ValueCache;
use patois::run_dir::RunDir;
use patois::specs::Specs;
use patois::writer::Writer;
use patois_synthesis::{SearchConfig, Searcher};
use rayon::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_ROUNDS: usize = 5;
const BEAMS: [usize; 2] = [1, 10];

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
    writer: Writer,
    corpus: Corpus,
    languages: Languages,
    specs: Specs,
}

impl Exam {
    fn open(run: &Path) -> Exam {
        let run = RunDir::open(run).expect("the folder of a run");
        let writer = Writer::load(&run).expect("a run with a model");
        let data = DataDir::locate(None);
        let corpus = Corpus::open(&writer.config.corpus, &data, &CorpusOptions::default());
        let mut corpus = corpus.expect("the corpus of the run");
        corpus.examples.retain(|it| it.split == Split::Dev);
        let mode = writer.config.sql.mode.into();
        let languages = Languages::of_corpus(&corpus, mode).expect("a known language");
        let databases = Databases::of(&writer.config.corpus, None, &data);
        let linking = writer.model.config.relations.linking;
        let specs = Specs::linked(&corpus, linking, &databases, &ValueCache::none());
        Exam {
            specs: specs.expect("the databases of the corpus"),
            writer,
            corpus,
            languages,
        }
    }

    fn searcher(&self, beam_size: usize) -> Searcher<'_> {
        self.writer.searcher(SearchConfig {
            beam_size,
            ..self.writer.config.search
        })
    }

    /// Writes a program for an example, and prints it.
    fn answer(&self, searcher: &Searcher<'_>, example: usize) {
        let example = &self.corpus.examples[example];
        let language = self.languages.of(example).expect("a known language");
        let spec = self.specs.of(example);
        let answers = self.writer.write(searcher, &example.text, &spec, language);
        std::hint::black_box(answers);
    }
}

fn measure(run: &Path) {
    let started = Instant::now();
    let exam = Exam::open(run);
    let n_examples = exam.corpus.examples.len();
    println!(
        "{}: {n_examples} examples, loaded in {:.0} ms",
        run.display(),
        started.elapsed().as_secs_f64() * 1e3
    );
    let searchers = BEAMS.map(|beam_size| exam.searcher(beam_size));
    let mut all = [const { Vec::new() }; BEAMS.len()];
    let mut single = [const { Vec::new() }; BEAMS.len()];
    for _ in 0..N_ROUNDS {
        for (index, searcher) in searchers.iter().enumerate() {
            let started = Instant::now();
            (0..n_examples)
                .into_par_iter()
                .for_each(|example| exam.answer(searcher, example));
            all[index].push(started.elapsed().as_secs_f64());
            for example in 0..n_examples.min(20) {
                let started = Instant::now();
                exam.answer(searcher, example);
                single[index].push(started.elapsed().as_secs_f64());
            }
        }
    }
    for (index, beam_size) in BEAMS.into_iter().enumerate() {
        println!(
            "  beam {beam_size:>2}: all {:.2} s, one {:.1} ms",
            median(&mut all[index]),
            median(&mut single[index]) * 1e3
        );
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
