//! Models whose bytes are whole and whose description is a lie, as a stranger's may be.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use patois_synthesis::training::{read_idioms, read_models, read_remembered};
use patois_synthesis::{EncoderKind, Objective, Trainer};
use serde_json::{Value, json};

use crate::toy::{Class, config};

/// A file with another description. It is of the version before, which has no checksum: one could as well be
/// computed anew.
fn described(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (length, rest) = file.split_first_chunk().unwrap();
    let (header, data) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut header: Value = serde_json::from_slice(header).unwrap();
    let description = header["__metadata__"]["patois"].as_str().unwrap();
    let mut description: Value = serde_json::from_str(description).unwrap();
    description["version"] = json!(3);
    change(&mut description);
    header["__metadata__"]["patois"] = json!(description.to_string());
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    [&length, header.as_bytes(), data].concat()
}

/// A model of which one training step was made, as a checkpoint.
fn checkpoint(class: &Class, encoder: EncoderKind) -> Vec<u8> {
    let model = class.model(encoder, 0.1, 1);
    let examples = class.examples(&model);
    let config = config(Objective::Mean, 5);
    let mut trainer = Trainer::new(vec![model], examples, config, 1).unwrap();
    trainer.step().unwrap();
    trainer.checkpoint(&class.extended(), None)
}

/// Checks that models with a key of their description changed are refused, and what is said of it.
#[track_caller]
fn check(file: &[u8], class: &Class, path: &str, value: Value, expected: &str) {
    let change = |description: &mut Value| *description.pointer_mut(path).unwrap() = value;
    let file = described(file, change);
    let error = read_models(&file, &class.extended()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

/// Widths used to be believed, and memory was asked for by them: a file of some kilobytes ended the program.
#[test]
fn sizes_are_not_believed() {
    let class = Class::new(Objective::Mean);
    let file = checkpoint(&class, EncoderKind::Schema);
    let same = described(&file, |_| {});
    assert_eq!(read_models(&same, &class.extended()).unwrap().len(), 1);
    let check = |path: &str, value: Value, expected: &str| {
        check(&file, &class, path, value, expected);
    };
    let n_bytes = described(&file, |it| it["config"]["hidden_size"] = json!(1_000_000)).len();
    check(
        "/config/hidden_size",
        json!(1_000_000),
        &format!(
            "the configuration of the model asks for more weights than its {n_bytes} bytes can hold"
        ),
    );
    check(
        "/config/hidden_size",
        json!(u64::MAX - 1),
        "the configuration of the model: `model.hidden_size`: expected at least 1, at most 1048576, \
         found 18446744073709551614",
    );
    check(
        "/config/relations/n_layers",
        json!(u64::MAX),
        "the configuration of the model: `model.relations.n_layers`: expected at most 1000, found \
         18446744073709551615",
    );
    check(
        "/config/relations/n_heads",
        json!(0),
        "the configuration of the model: `model.relations.n_heads`: expected at least 1, found 0",
    );
    check(
        "/config/word_size",
        json!(13),
        "expected numbers of shape 1 x 13 for `vectors`, found F32 of shape [1, 12]",
    );
    check(
        "/progress/config/n_shards",
        json!(0),
        "the configuration of the model: `training.n_shards`: expected at least 1, found 0",
    );
}

#[test]
fn models_that_are_not_there_are_missed() {
    let class = Class::new(Objective::Mean);
    let file = checkpoint(&class, EncoderKind::Words);
    let file = described(&file, |it| it["n_models"] = json!(u64::MAX));
    let error = read_models(&file, &class.extended()).unwrap_err();
    let expected = "expected numbers of shape 13 x 12 for `weights.2/words`, found nothing";
    assert_eq!(error.to_string(), expected);
    let model = class.model(EncoderKind::Words, 0.1, 1);
    assert!(read_remembered(&file, &class.grammar, &model).is_err());
    assert_eq!(read_idioms(&file, &class.grammar).unwrap().len(), 4);
}
