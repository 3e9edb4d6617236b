//! A few examples are learnt by heart, with each objective; training is repeatable and resumable.

use crate::toy::{Class, config, words};
use patois_collective::{Alone, Collective, Threads};
use patois_syntax::{ExtendedGrammar, Fingerprint, Grammar, IdiomLibrary, Schema};
use patois_synthesis::training::{
    LoadError, TrainingError, read_idioms, read_models, read_remembered, read_run, write_models,
};
use patois_synthesis::{EncoderKind, Model, Objective, Trainer, TrainingConfig, TrainingExample};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn examples_are_learnt_by_heart() {
    for (objective, class) in Class::all() {
        for encoder in [
            EncoderKind::Words,
            EncoderKind::Schema,
            EncoderKind::Pretrained,
        ] {
            // A pretrained encoder is deeper: in a network this narrow, what is dropped is missed.
            let dropout = if encoder == EncoderKind::Pretrained {
                0.0
            } else {
                0.1
            };
            let model = class.model(encoder, dropout, 1);
            let examples = class.examples(&model);
            let before = mean(&model, &examples, objective);
            let mut trainer =
                Trainer::new(vec![model], examples.clone(), config(objective, 300), 1).unwrap();
            for _ in 0..300 {
                trainer.step().unwrap();
            }
            let after = mean(&trainer.models()[0], &examples, objective);
            // The mean over accepted actions cannot fall to zero: they share one.
            let least = if objective == Objective::Mean {
                least_mean(&examples)
            } else {
                0.0
            };
            println!("{objective:?} {encoder:?}: {before:.2} -> {after:.3}, least {least:.3}");
            assert!(after - least < 0.05 * before, "{objective:?} {encoder:?}");
        }
    }
}

fn mean(model: &Model, examples: &[TrainingExample], objective: Objective) -> f64 {
    let all: Vec<&TrainingExample> = examples.iter().collect();
    model.loss(&all, objective) / examples.len() as f64
}

/// Where `n` actions share the probability equally, the mean of their logarithms is `-ln n`.
fn least_mean(examples: &[TrainingExample]) -> f64 {
    let of = |example: &TrainingExample| -> f64 {
        let asked = example
            .steps
            .iter()
            .map(|step| step.choice.n_asked().max(1));
        asked.map(|n_asked| (n_asked as f64).ln()).sum()
    };
    examples.iter().map(of).sum::<f64>() / examples.len() as f64
}

#[test]
fn marginal_without_idioms_is_plain() {
    let class = Class::new(Objective::Plain);
    let model = class.model(EncoderKind::Schema, 0.1, 3);
    let examples = class.examples(&model);
    let plain = mean(&model, &examples, Objective::Plain);
    let marginal = mean(&model, &examples, Objective::Marginal);
    assert!(
        (plain - marginal).abs() < 1e-5 * plain,
        "{plain} {marginal}"
    );
}

/// Trains two models in one go, and in two with a checkpoint between.
#[test]
fn training_goes_on_where_it_stopped() {
    let class = Class::new(Objective::Marginal);
    let finish = |mut trainer: Trainer<'_>| {
        while trainer.n_steps_taken() < 20 {
            trainer.step().unwrap();
        }
        trainer.checkpoint(&class.extended(), None)
    };
    let begin = || {
        let models = [5, 6].map(|seed| class.model(EncoderKind::Schema, 0.1, seed));
        let examples = class.examples(&models[0]);
        Trainer::new(models.into(), examples, config(Objective::Marginal, 20), 5).unwrap()
    };
    let expected = finish(begin());
    let single = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert!(
        single.install(|| finish(begin())) == expected,
        "one thread, same bytes"
    );

    let mut trainer = begin();
    for _ in 0..7 {
        trainer.step().unwrap();
    }
    let bytes = trainer.checkpoint(&class.extended(), None);
    let models = read_models(&bytes, &class.extended()).unwrap();
    let [first, second] = [0, 1].map(|it| write_models(&models[it..=it], &class.extended(), None));
    assert!(models.len() == 2 && first != second);
    let remembered = read_remembered(&bytes, &class.grammar, &models[0]).unwrap();
    assert_eq!(remembered.progress.step, 7);
    let examples = class.examples(&models[0]);
    assert!(finish(Trainer::resume(models, examples, remembered).unwrap()) == expected);
}

/// Two models, a batch in four shards: the same bytes whoever looks at which shard, and whoever goes on.
#[test]
fn the_number_of_ranks_does_not_matter() {
    let class = Class::new(Objective::Marginal);
    let how = || TrainingConfig {
        n_shards: 4,
        ..config(Objective::Marginal, 12)
    };
    let begin = || {
        let models = [5, 6].map(|seed| class.model(EncoderKind::Schema, 0.1, seed));
        let examples = class.examples(&models[0]);
        Trainer::new(models.into(), examples, how(), 5).unwrap()
    };
    let go_on = |bytes: &[u8]| {
        let models = read_models(bytes, &class.extended()).unwrap();
        let remembered = read_remembered(bytes, &class.grammar, &models[0]).unwrap();
        let examples = class.examples(&models[0]);
        Trainer::resume(models, examples, remembered).unwrap()
    };
    let finish = |trainer: Trainer<'_>, ranks: &dyn Collective, n_steps: usize| {
        let mut trainer = trainer.on(ranks);
        while trainer.n_steps_taken() < n_steps {
            trainer.step().unwrap();
        }
        let dev = class.examples(&class.model(EncoderKind::Schema, 0.1, 5));
        let loss = trainer.measure(&dev).loss;
        (loss.to_bits(), trainer.checkpoint(&class.extended(), None))
    };
    let expected = finish(begin(), &Alone, 12);
    let halfway = finish(begin(), &Alone, 5).1;
    let resumed = finish(go_on(&halfway), &Alone, 12);
    for n_ranks in [2, 3, 4, 5] {
        let on_all = |ranks: &Threads<'_>| finish(begin(), ranks, 12);
        let other = |ranks: &Threads<'_>| assert!(on_all(ranks) == expected, "all ranks alike");
        let found = Threads::run(n_ranks, 8 << 20, on_all, &other).unwrap();
        assert!(found == expected, "{n_ranks} ranks, same bytes");
        let on_all = |ranks: &Threads<'_>| finish(go_on(&halfway), ranks, 12);
        let other = |ranks: &Threads<'_>| drop(on_all(ranks));
        let found = Threads::run(n_ranks, 8 << 20, on_all, &other).unwrap();
        assert!(found == resumed, "{n_ranks} ranks go on");
    }
}

#[test]
fn files_say_what_they_are() {
    let class = Class::new(Objective::Mean);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let models = [model, class.model(EncoderKind::Schema, 0.1, 2)];
    let bytes = write_models(&models, &class.extended(), None);
    let read = read_models(&bytes, &class.extended()).unwrap();
    assert_eq!(read.len(), 2);
    assert!(write_models(&read, &class.extended(), None) == bytes);
    let idioms = read_idioms(&bytes, &class.grammar).unwrap();
    assert_eq!(idioms.len(), class.library.len());
    let refusal = |result: Result<Vec<Model>, LoadError>| result.unwrap_err().to_string();

    let plain = Class::new(Objective::Plain);
    let error = refusal(read_models(&bytes, &plain.extended()));
    assert_eq!(
        error,
        "the model knows 4 idioms, and they are not the 0 at hand"
    );
    let other = Grammar::from_schema(&Schema::parse("module M { a = B | C }").unwrap());
    let none = IdiomLibrary::empty(&other);
    let error = refusal(read_models(
        &bytes,
        &ExtendedGrammar::new(&other, &none).unwrap(),
    ));
    assert!(
        error.starts_with("the model is for the grammar "),
        "{error}"
    );
    assert!(matches!(
        read_remembered(&bytes, &class.grammar, &models[0]),
        Err(LoadError::NotACheckpoint)
    ));
    for length in [0, 7, 100, bytes.len() - 1] {
        assert!(read_models(&bytes[..length], &class.extended()).is_err());
    }
    assert_eq!(read_run(&bytes).unwrap(), None);
    let run = Some(Fingerprint::of("seed = 1"));
    let bytes = write_models(&models, &class.extended(), run);
    assert_eq!(read_run(&bytes).unwrap(), run);
}

/// Of 199 models with a bit that was not what it had been, 175 used to be read, and 105 of them answered
/// otherwise.
#[test]
fn damaged_files_are_refused() {
    let class = Class::new(Objective::Mean);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let examples = class.examples(&model);
    let model_file = write_models(std::slice::from_ref(&model), &class.extended(), None);
    let mut trainer =
        Trainer::new(vec![model.clone()], examples, config(Objective::Mean, 5), 1).unwrap();
    trainer.step().unwrap();
    let checkpoint = trainer.checkpoint(&class.extended(), None);
    for whole in [model_file, checkpoint] {
        let header = u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize + 8;
        // Every bit of the header's length, and of the beginning and the end of the description and of
        // the weights; then some hundred anywhere.
        let edges = [
            0..16,
            16..400,
            header - 40..header + 40,
            whole.len() - 8..whole.len(),
        ];
        let bits = edges
            .into_iter()
            .flatten()
            .flat_map(|it| 8 * it..8 * it + 8);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let anywhere: Vec<usize> = (0..400)
            .map(|_| rng.random_range(0..8 * whole.len()))
            .collect();
        for bit in bits.chain(anywhere) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read_run(&bytes).is_err(), "bit {bit}");
            assert!(read_idioms(&bytes, &class.grammar).is_err(), "bit {bit}");
            assert!(read_models(&bytes, &class.extended()).is_err(), "bit {bit}");
            assert!(
                read_remembered(&bytes, &class.grammar, &model).is_err(),
                "bit {bit}"
            );
        }
        let mut bytes = whole.clone();
        bytes[header + 100] ^= 1;
        let error = read_run(&bytes).unwrap_err().to_string();
        assert!(
            error.starts_with("the file is damaged: its checksum is "),
            "{error}"
        );
    }
}

/// Models of the version before have no checksum, and are read.
#[test]
fn models_without_a_checksum_are_read() {
    let class = Class::new(Objective::Mean);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let bytes = write_models(std::slice::from_ref(&model), &class.extended(), None);
    let text = bytes.iter().map(|&it| char::from(it)).collect::<String>();
    let (before, after) = text.split_once(r#"\"checksum\":"#).unwrap();
    let (_, after) = after.split_once(r#",\"version\":4,\"run\":null"#).unwrap();
    // As long as before: the header says how long it is.
    let padding = " ".repeat(text.len() - before.len() - after.len() - r#"\"version\":3"#.len());
    let older = format!(r#"{before}{padding}\"version\":3{after}"#);
    let older: Vec<u8> = older.chars().map(|it| it as u8).collect();
    assert_eq!(older.len(), bytes.len());
    let read = read_models(&older, &class.extended()).unwrap();
    assert!(write_models(&read, &class.extended(), None) == bytes);
    assert_eq!(read_run(&older).unwrap(), None);
}

#[test]
fn a_loss_that_is_no_number_ends_training() {
    let class = Class::new(Objective::Plain);
    let mut model = class.model(EncoderKind::Schema, 0.1, 1);
    let examples = class.examples(&model);
    model.words = words(f32::NAN);
    let before = write_models(std::slice::from_ref(&model), &class.extended(), None);
    let mut trainer = Trainer::new(vec![model], examples, config(Objective::Plain, 5), 1).unwrap();
    match trainer.step() {
        Err(TrainingError::NotFinite {
            step: 1, examples, ..
        }) => assert_eq!(examples.len(), 2),
        other => panic!("{other:?}"),
    }
    assert_eq!(trainer.n_steps_taken(), 0);
    assert!(write_models(&trainer.models(), &class.extended(), None) == before);
}
