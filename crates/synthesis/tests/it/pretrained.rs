//! Models with a pretrained encoder: what is trained of it, what is kept, and how real ones compare with others'
//! numbers.

use std::path::{Path, PathBuf};

use patois_synthesis::pretrained::{EncoderShape, Piece, PretrainedEncoder, WordPieces};
use patois_synthesis::training::{
    read_compact_models, read_models, read_remembered, write_models, write_small_models,
};
use patois_synthesis::{
    EncoderKind, FineTuning, Model, Objective, Trainer, TrainingConfig, TrainingExample,
};
use serde::Deserialize;

use crate::toy::{Class, config};

/// How the small network is trained when some layers of its encoder are.
fn tuned(n_layers: Option<usize>, embeddings: bool) -> TrainingConfig {
    let mut config = config(Objective::Marginal, 20);
    config.pretrained = FineTuning {
        n_layers,
        embeddings,
        ..config.pretrained
    };
    config
}

fn begin(class: &Class, config: TrainingConfig) -> Trainer<'static> {
    let model = class.model(EncoderKind::Pretrained, 0.1, 5);
    let examples = class.examples(&model);
    Trainer::new(vec![model], examples, config, 5).expect("there are examples")
}

fn run(trainer: &mut Trainer<'_>, n_steps: usize) {
    while trainer.n_steps_taken() < n_steps {
        trainer.step().expect("the loss is a number");
    }
}

/// Which tensors of a file differ from those of another, by a part of their names.
fn differ(first: &[u8], second: &[u8], part: &str) -> bool {
    let read = |bytes| safetensors::SafeTensors::deserialize(bytes).expect("a file of tensors");
    let (first, second) = (read(first), read(second));
    let own: Vec<&str> = first
        .names()
        .into_iter()
        .filter(|it| it.contains(part))
        .collect();
    assert!(!own.is_empty(), "{part}");
    own.iter().any(|name| {
        let [first, second] = [&first, &second].map(|it| it.tensor(name).expect("the same names"));
        first.dtype() != second.dtype() || first.data() != second.data()
    })
}

#[test]
fn only_what_is_to_be_trained_changes() {
    let class = Class::new(Objective::Marginal);
    let check = |n_layers, embeddings, expected: [bool; 4]| {
        let mut trainer = begin(&class, tuned(n_layers, embeddings));
        let before = write_models(&trainer.models(), &class.extended(), None);
        run(&mut trainer, 3);
        let after = write_models(&trainer.models(), &class.extended(), None);
        let parts = [
            "word_embeddings",
            "layer.0.",
            "layer.1.",
            "projection.weight",
        ];
        let found = parts.map(|part| differ(&before, &after, part));
        assert_eq!(found, expected, "{n_layers:?} {embeddings}");
    };
    check(Some(0), true, [false, false, false, true]);
    check(Some(1), true, [false, false, true, true]);
    check(Some(2), false, [false, true, true, true]);
    check(None, true, [true, true, true, true]);
}

/// What stays as it is has neither a memory nor a moving average, and training goes on all the same.
#[test]
fn training_goes_on_where_it_stopped() {
    let class = Class::new(Objective::Marginal);
    let resumed = |bytes: &[u8], config: Option<TrainingConfig>| {
        let models = read_models(bytes, &class.extended()).unwrap();
        let mut remembered = read_remembered(bytes, &class.grammar, &models[0]).unwrap();
        if let Some(config) = config {
            remembered.progress.config = config;
        }
        let examples = class.examples(&models[0]);
        Trainer::resume(models, examples, remembered).unwrap()
    };
    let mut lengths = Vec::new();
    for (n_layers, embeddings) in [
        (Some(0), false),
        (Some(1), false),
        (None, false),
        (None, true),
    ] {
        let mut trainer = begin(&class, tuned(n_layers, embeddings));
        run(&mut trainer, 7);
        let bytes = trainer.checkpoint(&class.extended(), None);
        lengths.push(bytes.len());
        let mut again = resumed(&bytes, None);
        assert!(again.checkpoint(&class.extended(), None) == bytes);
        run(&mut trainer, 12);
        run(&mut again, 12);
        assert!(
            again.checkpoint(&class.extended(), None)
                == trainer.checkpoint(&class.extended(), None)
        );
        // More of the encoder, or less, may be trained from now on.
        for other in [Some(0), None] {
            let mut again = resumed(&bytes, Some(tuned(other, true)));
            run(&mut again, 9);
            resumed(&again.checkpoint(&class.extended(), None), None);
        }
    }
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
}

/// A model file has all that it takes, and frozen weights in as few bits as others published them.
#[test]
fn models_are_read_as_they_were_written() {
    let class = Class::new(Objective::Marginal);
    let mut trainer = begin(&class, tuned(Some(1), false));
    run(&mut trainer, 2);
    let models = trainer.models();
    let bytes = write_models(&models, &class.extended(), None);
    let read = read_models(&bytes, &class.extended()).unwrap();
    assert!(write_models(&read, &class.extended(), None) == bytes);
    let losses = [&read[0], &models[0]].map(|it| loss(it, &class).to_bits());
    assert_eq!(losses[0], losses[1]);
    assert_eq!(
        read[0].encoder_fingerprint(),
        models[0].encoder_fingerprint()
    );
    for length in [0, 100, 3_000, bytes.len() / 2, bytes.len() - 1] {
        assert!(read_models(&bytes[..length], &class.extended()).is_err());
    }
}

/// A model that only answers is another one by as much as half precision takes away.
#[test]
fn models_that_only_answer_come_to_the_same() {
    let class = Class::new(Objective::Marginal);
    let mut trainer = begin(&class, tuned(None, true));
    run(&mut trainer, 5);
    let grammar = class.extended();
    for write in [write_models, write_small_models] {
        let bytes = write(&trainer.models(), &grammar, None);
        let exact = read_models(&bytes, &grammar).unwrap();
        let copied = read_compact_models(bytes.clone().into(), &grammar).unwrap();
        let half = bytes[..bytes.len() / 2].to_vec();
        assert!(read_compact_models(half.into(), &grammar).is_err());
        let bytes: &'static [u8] = bytes.leak();
        let borrowed = read_compact_models(bytes.into(), &grammar).unwrap();
        let losses = [exact, copied, borrowed].map(|it| loss(&it[0], &class));
        let [exact, copied, borrowed] = losses;
        assert!((exact - copied).abs() < 0.01 * exact, "{exact} {copied}");
        assert_eq!(borrowed.to_bits(), copied.to_bits());
    }
}

#[test]
fn a_model_goes_some_of_the_way_to_another() {
    let class = Class::new(Objective::Marginal);
    let mut trainer = begin(&class, tuned(None, true));
    let before = trainer.models().remove(0);
    run(&mut trainer, 5);
    let after = trainer.models().remove(0);
    let losses = [0.0, 0.5, 1.0].map(|share| loss(&before.towards(&after, share), &class));
    assert_eq!(losses[0].to_bits(), loss(&before, &class).to_bits());
    assert!((losses[2] - loss(&after, &class)).abs() < 1e-4);
    assert!(losses[2] < losses[1] && losses[1] < losses[0], "{losses:?}");
}

fn loss(model: &Model, class: &Class) -> f64 {
    let examples = class.examples(model);
    model.loss(&examples.iter().collect::<Vec<_>>(), Objective::Marginal)
}

/// What an encoder that stays as it is has read once it need not read again.
#[test]
fn training_from_kept_readings_is_the_same() {
    let class = Class::new(Objective::Marginal);
    let model = class.model(EncoderKind::Pretrained, 0.1, 5);
    let mut examples = class.examples(&model);
    let mut plain = begin(&class, tuned(Some(0), false));
    for TrainingExample { spec, .. } in &mut examples {
        let bytes = model.read(spec).unwrap().to_bytes();
        let kept =
            patois_synthesis::training_example::Readings::from_bytes(&bytes, spec.n_elements());
        assert_eq!(kept, model.read(spec));
        spec.readings = kept;
    }
    let mut kept = Trainer::new(vec![model], examples, tuned(Some(0), false), 5).unwrap();
    run(&mut plain, 5);
    run(&mut kept, 5);
    assert!(kept.checkpoint(&class.extended(), None) == plain.checkpoint(&class.extended(), None));
}

/// The folder of one of the public encoders.
fn public(name: &str) -> PathBuf {
    let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    Path::new(&data).join("encoders").join(name)
}

fn open(folder: &Path) -> PretrainedEncoder {
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file of the datasets");
    let shape = EncoderShape::parse(&read("config.json")).expect("a configuration");
    let pieces = String::from_utf8(read("vocab.txt")).expect("a text");
    let pieces = WordPieces::parse(&pieces).expect("word pieces");
    PretrainedEncoder::new(shape, pieces, &read("model.safetensors")).expect("weights")
}

/// What somebody else's implementation made of some texts.
#[derive(Deserialize)]
struct Reference {
    text: String,
    pair: Option<String>,
    tokens: Vec<String>,
    ids: Vec<u32>,
    type_ids: Vec<u8>,
    first_8_of_each_row: Vec<[f32; 8]>,
    norms: Vec<f32>,
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_public_encoders_are_what_others_made_of_them() {
    for name in ["minilm-l6", "gte-small"] {
        let encoder = open(&public(name));
        let references = std::fs::read(public(name).join("reference.json")).unwrap();
        let references: Vec<Reference> = serde_json::from_slice(&references).unwrap();
        for reference in &references {
            check(&encoder, reference);
        }
        assert_eq!(references.len(), 3);
    }
}

fn check(encoder: &PretrainedEncoder, reference: &Reference) {
    let pieces = encoder.pieces();
    let [start, end] = ["[CLS]", "[SEP]"].map(|special| {
        let is_special = |it: &u32| pieces.text(*it) == special;
        (0..pieces.len() as u32)
            .find(is_special)
            .expect("a special piece")
    });
    let mut cut = vec![start];
    for text in [Some(&reference.text), reference.pair.as_ref()]
        .into_iter()
        .flatten()
    {
        cut.extend(pieces.cut(text));
        cut.push(end);
    }
    let texts: Vec<&str> = cut.iter().map(|&it| pieces.text(it)).collect();
    assert_eq!(texts, reference.tokens);
    assert_eq!(cut, reference.ids);
    let sequence = cut.into_iter().zip(&reference.type_ids);
    let sequence = sequence.map(|(piece, &segment)| Piece { piece, segment });
    let states = encoder.hidden_states(&sequence.collect::<Vec<_>>());
    assert_eq!(states.len(), reference.norms.len());
    for (row, state) in states.iter().enumerate() {
        let norm = state.iter().map(|it| it * it).sum::<f32>().sqrt();
        let numbers = state.iter().zip(&reference.first_8_of_each_row[row]);
        for (found, expected) in numbers.chain([(&norm, &reference.norms[row])]) {
            assert!(
                (found - expected).abs() < 1e-3,
                "{row}: {found}, {expected}"
            );
        }
    }
}
