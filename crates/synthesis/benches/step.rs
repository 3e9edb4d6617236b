//! What a step of training costs, for the shapes of Hearthstone and Spider, and of Spider with an encoder of six
//! layers that is trained with the rest.
//!
//! `cargo bench -p patois-synthesis --bench step -- [hearthstone|spider|pretrained] [THREADS] [STEPS] [half]`; without arguments, all
//! on one thread and on two. All examples of a batch are equally long, so that an implementation that
//! pads does the same work. `benches/peers/pytorch.py` runs this beside PyTorch.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::sync::Arc;
use std::time::Instant;

use patois_syntax::{ExtendedGrammar, Grammar, IdiomExpansion, IdiomLibrary, Schema};
use patois_synthesis::pretrained::{EncoderShape, WordPieces};
use patois_synthesis::training::weights_generator;
use patois_synthesis::training_example::{
    Alternative, Choice, CopyOrigin, Derivations, EncodedCopy, EncodedSpec, ExampleStep, Fed,
};
use patois_synthesis::{
    Actions, Column, Context, EncoderKind, Model, ModelConfig, Objective, Optimizer, Precision,
    PretrainedEncoder, RelationType, Spec, Trainer, TrainingConfig, TrainingExample, Vocabulary,
    WordVectors, Words,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a batch looks like.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    encoder: EncoderKind,
    n_steps: usize,
    /// Of these steps, how many emit subtokens and how many point.
    n_texts: usize,
    n_items: usize,
    /// How many different previous actions, parents' actions and symbols a program has.
    n_different: [usize; 3],
    n_words: usize,
    n_columns: usize,
    n_tables: usize,
    n_copies: usize,
    n_rules: usize,
    n_subtokens: usize,
    word_size: usize,
}

/// Means over the train splits, as `patois data stats` prints them; 80 idioms among the rules. How many
/// of a program's actions and symbols differ was counted there too: 52, 20 and 18 at 169 steps of
/// Hearthstone, 16, 6 and 12 at 20 steps of Spider as the paper has it (taken in proportion).
const SHAPES: [Shape; 3] = [
    Shape {
        name: "hearthstone",
        encoder: EncoderKind::Words,
        n_steps: 168,
        n_texts: 68,
        n_items: 0,
        n_different: [52, 20, 18],
        n_words: 30,
        n_columns: 0,
        n_tables: 0,
        n_copies: 93,
        n_rules: 400,
        n_subtokens: 737,
        word_size: 256,
    },
    SPIDER,
    Shape {
        name: "pretrained",
        encoder: EncoderKind::Pretrained,
        ..SPIDER
    },
];

const SPIDER: Shape = Shape {
    name: "spider",
    encoder: EncoderKind::Schema,
    n_steps: 28,
    n_texts: 5,
    n_items: 6,
    n_different: [22, 9, 17],
    n_words: 13,
    n_columns: 28,
    n_tables: 5,
    n_copies: 38,
    n_rules: 240,
    n_subtokens: 2167,
    word_size: 100,
};

const BATCH_SIZE: usize = 10;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    let number = |index: usize| arguments.get(index).and_then(|it| it.parse().ok());
    let n_steps = number(2).unwrap_or(20);
    let precision = match arguments.get(3).map(String::as_str) {
        Some("half") => Precision::Half,
        _ => Precision::Single,
    };
    for shape in SHAPES {
        if arguments.first().is_some_and(|it| it != shape.name) {
            continue;
        }
        for n_threads in number(1).map_or(vec![1, 2], |it| vec![it]) {
            let (wall, cpu) = seconds_per_step(shape, precision, n_threads, n_steps);
            let cpu = cpu.map_or(String::from("unknown"), |it| format!("{:.1} ms", it * 1e3));
            println!(
                "{}\t{n_threads} threads\t{:.1} ms\tcpu {cpu}",
                shape.name,
                wall * 1e3
            );
        }
    }
}

/// How many steps do not count: they find no memory to use again.
const N_WARM_UP: usize = 3;

/// Medians over some steps: on the wall's clock, and of all threads where the system tells.
fn seconds_per_step(
    shape: Shape,
    precision: Precision,
    n_threads: usize,
    n_steps: usize,
) -> (f64, Option<f64>) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build();
    let pool = pool.expect("threads can be started");
    let mut trainer = trainer(shape, precision, n_threads);
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for index in 0..n_steps + N_WARM_UP {
        let (start, cpu_start) = (Instant::now(), cpu_seconds());
        pool.install(|| trainer.step())
            .expect("the loss is a number");
        if index >= N_WARM_UP {
            wall.push(start.elapsed().as_secs_f64());
            let taken = cpu_seconds().zip(cpu_start);
            cpu.extend(taken.map(|(end, start)| end - start));
        }
    }
    (median(wall).expect("a step was timed"), median(cpu))
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// What all threads of this process have used so far, as Linux counts it.
fn cpu_seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 * 1e-9)
}

fn trainer(shape: Shape, precision: Precision, n_shards: usize) -> Trainer<'static> {
    let rng = &mut weights_generator(1, 0);
    let n_symbols = shape.n_different[2];
    let rules: Vec<String> = (n_symbols..=shape.n_rules)
        .map(|it| format!("R{it}"))
        .collect();
    let others = (1..n_symbols).map(|it| format!(" other{it} = R{it}"));
    let others: String = others.collect();
    let reference = match shape.encoder {
        EncoderKind::Words => "",
        EncoderKind::Schema | EncoderKind::Pretrained => " column = reference",
    };
    let rules = rules.join(" | ");
    let schema = format!("module Bench {{ rule = {rules}{others}{reference} }}");
    let schema = Schema::parse(&schema).expect("the schema is right");
    let grammar = Grammar::from_schema(&schema);
    let library = IdiomLibrary::empty(&grammar);
    let extended = ExtendedGrammar::new(&grammar, &library).expect("of one grammar");

    let known: Vec<String> = (0..500).map(|it| format!("w{it}")).collect();
    let frequent = Vocabulary::learn([known.iter().map(String::as_str)], 1);
    let words = Words::new(&frequent, WordVectors::default());
    let subtokens: Vec<String> = (0..shape.n_subtokens).map(|it| format!("p{it}")).collect();
    let subtokens = Vocabulary::learn([subtokens.iter().map(String::as_str)], 1);
    let config = ModelConfig {
        encoder: shape.encoder,
        word_size: shape.word_size,
        ..ModelConfig::default()
    };
    let actions = Actions::new(&extended, subtokens, IdiomExpansion::Replayed);
    let model = match shape.encoder {
        EncoderKind::Pretrained => Model::with_encoder(config, encoder(rng), actions, rng),
        _ => Model::new(config, words, actions, rng),
    };
    let examples: Vec<_> = (0..BATCH_SIZE * 5)
        .map(|_| example(shape, &model, rng))
        .collect();
    let training = TrainingConfig {
        objective: Objective::Mean,
        optimizer: Optimizer::ADAM,
        batch_size: BATCH_SIZE,
        n_shards,
        precision,
        ..TrainingConfig::default()
    };
    Trainer::new(vec![model], examples, training, 1).expect("there are examples")
}

/// An encoder of the shape of MiniLM-L6 (Wang et al. 2020).
fn encoder(rng: &mut ChaCha8Rng) -> PretrainedEncoder {
    let special = ["[UNK]", "[CLS]", "[SEP]", ":", ","].map(str::to_owned);
    let pieces = (special.len()..30_522).map(|it| format!("w{it}"));
    let pieces = special.into_iter().chain(pieces).collect();
    let pieces = WordPieces::new(pieces).expect("all special pieces are there");
    let shape = EncoderShape {
        width: 384,
        n_layers: 6,
        n_heads: 12,
        feed_forward_size: 1536,
        n_pieces: 30_522,
        n_positions: 512,
        n_segments: 2,
        epsilon: 1e-12,
    };
    PretrainedEncoder::untrained(shape, pieces, rng)
}

fn example(shape: Shape, model: &Model, rng: &mut ChaCha8Rng) -> TrainingExample {
    let spec = encoded_spec(shape, model, rng);
    let n_rows = model.actions.n_rows();
    let [n_previous, n_parents, n_symbols] = shape.n_different;
    let mut rows = |n_rows_used: usize| -> Vec<Fed> {
        let row = |_| Fed::Row(below(n_rows, rng) as u32);
        (0..n_rows_used).map(row).collect()
    };
    let (previous, parent_actions) = (rows(n_previous), rows(n_parents));
    let possible: Arc<[u32]> = (0..40).collect();
    let mut steps: Vec<ExampleStep> = Vec::new();
    for index in 0..shape.n_steps {
        let choice = choice(shape, index, &possible, rng);
        steps.push(ExampleStep {
            previous: previous[below(n_previous, rng)],
            parent: (index > 0).then(|| below(index, rng) as u32),
            parent_action: parent_actions[below(n_parents, rng)],
            symbol: below(n_symbols, rng) as u32,
            place: 0,
            choice,
        });
    }
    let n_choices = steps.iter().map(|it| it.choice.n_asked()).sum();
    TrainingExample {
        id: String::new(),
        spec,
        steps,
        derivations: Arc::new(Derivations {
            nodes: vec![vec![Alternative::default()]],
            n_choices,
        }),
        n_surprises: 0,
    }
}

/// A question and a schema of 127 pieces: half of the columns have two words.
fn spec_of_pieces(shape: Shape, rng: &mut ChaCha8Rng) -> Spec {
    let mut words = |n_words: usize| -> Vec<String> {
        let word = |_| format!("w{}", 5 + below(30_000, rng));
        (0..n_words).map(word).collect()
    };
    let column = |index: usize, words: Vec<String>| Column {
        kind: "w9".to_owned(),
        words,
        table: index.checked_sub(1).map(|it| it % shape.n_tables),
        is_primary_key: false,
    };
    let columns = (0..shape.n_columns).map(|index| column(index, words(1 + index % 2)));
    let context = Context {
        columns: columns.collect(),
        tables: (0..shape.n_tables).map(|_| words(2)).collect(),
        foreign_keys: Vec::new(),
    };
    Spec {
        words: words(shape.n_words),
        context: Some(Arc::new(context)),
        ..Spec::default()
    }
}

fn copy_of(first: u32, last: u32) -> EncodedCopy {
    EncodedCopy {
        first,
        last,
        origin: CopyOrigin::Words(3),
    }
}

fn encoded_spec(shape: Shape, model: &Model, rng: &mut ChaCha8Rng) -> EncodedSpec {
    if shape.encoder == EncoderKind::Pretrained {
        let spec = spec_of_pieces(shape, rng);
        let mut encoded = EncodedSpec::new(&spec, &model.words, &model.config);
        let pieces = encoded.pieces.as_ref().map(|it| it.n_pieces());
        assert_eq!(pieces, Some(127), "pieces of a pair");
        let mut word = || below(shape.n_words, rng) as u32;
        let copies = (0..shape.n_copies).map(|_| copy_of(word(), word()));
        encoded.copies = Arc::new(copies.collect());
        return encoded;
    }
    let mut names = |n_names: usize, n_words: usize| -> Vec<Vec<u32>> {
        let mut name = || (0..n_words).map(|_| below(500, rng) as u32).collect();
        (0..n_names).map(|_| name()).collect()
    };
    let words = names(1, shape.n_words).remove(0);
    let (columns, tables) = (names(shape.n_columns, 3), names(shape.n_tables, 2));
    let n_elements = shape.n_columns + shape.n_tables + shape.n_words;
    let n_types = RelationType::n_types(model.config.relations.linking);
    let relations = (0..n_elements * n_elements).map(|_| below(n_types, rng) as u8);
    let relations = Arc::new(relations.collect());
    let mut word = || below(shape.n_words, rng) as u32;
    let copies = (0..shape.n_copies).map(|_| copy_of(word(), word()));
    EncodedSpec {
        relations,
        copies: Arc::new(copies.collect()),
        words,
        columns,
        tables,
        pieces: None,
        readings: None,
    }
}

/// What is chosen at a step: texts come first, then items, then rules.
fn choice(shape: Shape, step: usize, possible: &Arc<[u32]>, rng: &mut ChaCha8Rng) -> Choice {
    if step < shape.n_texts {
        Choice::Text {
            subtoken: Some(below(shape.n_subtokens, rng) as u32),
            copied: vec![below(shape.n_copies, rng) as u32],
        }
    } else if step < shape.n_texts + shape.n_items {
        Choice::Item {
            items: (0..shape.n_columns as u32).collect(),
            target: below(shape.n_columns, rng),
        }
    } else {
        Choice::Rule {
            possible: Arc::clone(possible),
            accepted: vec![below(40, rng) as u32, below(40, rng) as u32],
        }
    }
}

fn below(n: usize, rng: &mut ChaCha8Rng) -> usize {
    rng.next_u32() as usize % n
}
