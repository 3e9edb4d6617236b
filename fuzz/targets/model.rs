//! Models and checkpoints: whatever a file of tensors says of itself, it is read or refused.
//!
//! An input is a description in JSON, and behind a NUL a JSON object of tensors in the place of those that a model
//! of the toy language has: `{"weights/words": {"dtype": "F16", "shape": [2, 2]}}`, `null` where one is missing.
//! Its file has zeros for weights. The input is a file of its own as well.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_syntax::{ExtendedGrammar, Grammar, IdiomExpansion, IdiomLibrary, Schema};
use patois_synthesis::training::{
    read_idioms, read_models, read_remembered, read_run, write_models,
};
use patois_synthesis::{
    Actions, EncoderKind, Model, ModelConfig, RelationConfig, Vocabulary, WordVectors, Words,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let schema = "module Toy { block = (stmt* body)
                               stmt = Assign(name target, expr value) | Get(column what)
                               expr = Name(name id) | Add(expr left, expr right)
                               name = text
                               column = reference }";
    Grammar::from_schema(&Schema::parse(schema).expect("the schema is right"))
});

/// The tensors of a model of the toy language, and of what training remembers of it.
static TENSORS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let mut tensors = Map::new();
    for (name, tensor) in header(&model_file()) {
        if let Some(name) = name.strip_prefix("weights/") {
            for group in ["weights", "first", "second", "ema", "weights.2"] {
                tensors.insert(format!("{group}/{name}"), tensor.clone());
            }
        } else if name != "__metadata__" {
            tensors.insert(name, tensor);
        }
    }
    tensors
});

fn model_file() -> Vec<u8> {
    let library = IdiomLibrary::empty(&GRAMMAR);
    let grammar = ExtendedGrammar::new(&GRAMMAR, &library).expect("of one grammar");
    let config = ModelConfig {
        encoder: EncoderKind::Schema,
        word_size: 2,
        hidden_size: 4,
        action_size: 2,
        symbol_size: 2,
        attention_size: 2,
        relations: RelationConfig {
            n_layers: 1,
            n_heads: 2,
            feed_forward_size: 2,
            ..RelationConfig::default()
        },
        ..ModelConfig::default()
    };
    let subtokens = Vocabulary::learn([["x"]], 1);
    let actions = Actions::new(&grammar, subtokens, IdiomExpansion::Replayed);
    let words = Words::new(&Vocabulary::learn([["word"]], 1), WordVectors::default());
    let model = Model::new(config, words, actions, &mut ChaCha8Rng::seed_from_u64(1));
    write_models(&[model], &grammar, None)
}

/// What a file says of its tensors.
fn header(file: &[u8]) -> Map<String, Value> {
    let (length, rest) = file.split_first_chunk().expect("a file has a header");
    let header = &rest[..u64::from_le_bytes(*length) as usize];
    serde_json::from_slice(header).expect("a header is JSON")
}

/// How many bytes the weights of a file have at most.
const MAX_DATA: u64 = 1 << 20;

/// A file with a description and some other tensors.
fn file(description: &str, others: Map<String, Value>) -> Vec<u8> {
    // What is no JSON is refused whatever follows; most inputs are not.
    let is_json = serde_json::from_str::<IgnoredAny>(description).is_ok();
    let mut tensors = if is_json { TENSORS.clone() } else { Map::new() };
    tensors.extend(others);
    let mut header = json!({ "__metadata__": { "patois": description } });
    let mut end = 0_u64;
    for (name, mut tensor) in tensors {
        if tensor.is_null() {
            continue;
        }
        let size = if tensor["dtype"] == "F16" { 2 } else { 4 };
        let dimensions = tensor["shape"].as_array().into_iter().flatten();
        let product = |product: u64, it: &Value| product.saturating_mul(it.as_u64().unwrap_or(1));
        let start = end;
        end = end
            .saturating_add(dimensions.fold(size, product))
            .min(MAX_DATA);
        if let Some(tensor) = tensor.as_object_mut() {
            tensor.insert("data_offsets".to_owned(), json!([start, end]));
        }
        header[name] = tensor;
    }
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    [&length, header.as_bytes(), &vec![0; end as usize]].concat()
}

/// Reads a file as `train` and `synthesize` do; what was read is written, and read as the same.
fn read(bytes: &[u8]) {
    let _ = read_run(bytes);
    let Ok(library) = read_idioms(bytes, &GRAMMAR) else {
        return;
    };
    let grammar = ExtendedGrammar::new(&GRAMMAR, &library).expect("of one grammar");
    let Ok(models) = read_models(bytes, &grammar) else {
        return;
    };
    let _ = read_remembered(bytes, &GRAMMAR, &models[0]);
    let written = write_models(&models, &grammar, None);
    let again = read_models(&written, &grammar).expect("what was written is read");
    assert!(
        write_models(&again, &grammar, None) == written,
        "it is the same"
    );
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let text = String::from_utf8_lossy(bytes);
    let (description, others) = text.split_once('\0').unwrap_or((&text, "{}"));
    let others = serde_json::from_str(others).unwrap_or_default();
    read(&file(description, others));
});
