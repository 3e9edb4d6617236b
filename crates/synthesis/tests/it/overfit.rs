//! A few examples are learnt by heart, with each objective; training is repeatable and resumable.

use crate::toy::{Class, config, words};
use patois_syntax::{ExtendedGrammar, Grammar, IdiomLibrary, Schema};
use patois_synthesis::training::{
    LoadError, TrainingError, read_idioms, read_models, read_remembered, write_models,
};
use patois_synthesis::{EncoderKind, Model, Objective, Trainer, TrainingExample};

#[test]
fn examples_are_learnt_by_heart() {
    for (objective, class) in Class::all() {
        for encoder in [EncoderKind::Words, EncoderKind::Schema] {
            let model = class.model(encoder, 0.1, 1);
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
    let finish = |mut trainer: Trainer| {
        while trainer.n_steps_taken() < 20 {
            trainer.step().unwrap();
        }
        trainer.checkpoint(&class.extended())
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
    let bytes = trainer.checkpoint(&class.extended());
    let models = read_models(&bytes, &class.extended()).unwrap();
    let [first, second] = [0, 1].map(|it| write_models(&models[it..=it], &class.extended()));
    assert!(models.len() == 2 && first != second);
    let remembered = read_remembered(&bytes, &class.grammar, &models[0]).unwrap();
    assert_eq!(remembered.progress.step, 7);
    let examples = class.examples(&models[0]);
    assert!(finish(Trainer::resume(models, examples, remembered).unwrap()) == expected);
}

#[test]
fn files_say_what_they_are() {
    let class = Class::new(Objective::Mean);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let models = [model, class.model(EncoderKind::Schema, 0.1, 2)];
    let bytes = write_models(&models, &class.extended());
    let read = read_models(&bytes, &class.extended()).unwrap();
    assert_eq!(read.len(), 2);
    assert!(write_models(&read, &class.extended()) == bytes);
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
}

#[test]
fn a_loss_that_is_no_number_ends_training() {
    let class = Class::new(Objective::Plain);
    let mut model = class.model(EncoderKind::Schema, 0.1, 1);
    let examples = class.examples(&model);
    model.words = words(f32::NAN);
    let before = write_models(std::slice::from_ref(&model), &class.extended());
    let mut trainer = Trainer::new(vec![model], examples, config(Objective::Plain, 5), 1).unwrap();
    match trainer.step() {
        Err(TrainingError::NotFinite {
            step: 1, examples, ..
        }) => assert_eq!(examples.len(), 2),
        other => panic!("{other:?}"),
    }
    assert_eq!(trainer.n_steps_taken(), 0);
    assert!(write_models(&trainer.models(), &class.extended()) == before);
}
