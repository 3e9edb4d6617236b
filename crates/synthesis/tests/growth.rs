//! Twice the derivation, or twice the examples, is twice the work: to encode, to train, to search.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

#[path = "it/toy.rs"]
mod toy;

use std::sync::Arc;

use patois_growth::{Counter, MAX_GROWTH, check_growth, check_linear, turn};
use patois_syntax::{Marker, Tree};
use patois_synthesis::{
    Column, Context, EncoderKind, Ensemble, ExampleEncoder, Model, Objective, Question,
    SearchConfig, Searcher, Spec, Trainer, TrainingExample,
};
use toy::{Class, Toy, config, spec};

#[global_allocator]
static COUNTER: Counter = Counter;

const WHOLE: fn(&str) -> Vec<&str> = |text| vec![text];

/// Every pair of schema elements has its relation: twice the elements are four times the work.
const MAX_GROWTH_OF_PAIRS: f64 = 4.4;

/// Where two hypotheses come of one, what it has written is copied: some 46 bytes for each step before,
/// which is little beside a network of useful size, and ends where `max_steps` does.
const MAX_GROWTH_OF_COPIES: f64 = 4.0;

/// A program of so many statements.
fn program(n: usize) -> String {
    let statement = |it: usize| match it % 3 {
        0 => r#"(Assign "n" (Add (Name "n") (Num "1"))) "#,
        1 => r#"(Print (Name "total")) "#,
        _ => r#"(Print (Add (Name "x") (Add (Name "n") (Num "1")))) "#,
    };
    format!("(block [{}])", (0..n).map(statement).collect::<String>())
}

/// A program as something to learn from.
fn encode(class: &Class, model: &Model, spec: &Spec, tree: &Tree) -> TrainingExample {
    let marker = Marker::new(&class.grammar, &class.library).unwrap();
    let encoder = ExampleEncoder {
        grammar: class.extended(),
        words: &model.words,
        actions: &model.actions,
        config: &model.config,
    };
    let id = "a program".to_owned();
    encoder.encode(id, spec, &marker.mark(tree), &WHOLE, &Toy)
}

/// A training step and the loss of some examples.
fn train(model: &Model, examples: &[TrainingExample], objective: Objective) {
    let models = vec![model.clone()];
    let mut trainer = Trainer::new(models, examples.to_vec(), config(objective, 1), 1).unwrap();
    trainer.step().unwrap();
}

#[test]
fn long_derivations_are_encoded() {
    let _turn = turn();
    for (objective, class) in Class::all() {
        let model = class.model(EncoderKind::Words, 0.1, 1);
        let spec = spec("add one to n", EncoderKind::Words);
        let tree = |n| Tree::parse(&class.grammar, &program(n)).unwrap();
        check_linear(&format!("encoding, {objective:?}"), 200, tree, |tree| {
            drop(encode(&class, &model, &spec, tree));
        });
    }
}

#[test]
fn long_derivations_are_learnt() {
    let _turn = turn();
    for (objective, class) in Class::all() {
        let model = class.model(EncoderKind::Words, 0.1, 1);
        let spec = spec("add one to n", EncoderKind::Words);
        let example = |n| {
            let tree = Tree::parse(&class.grammar, &program(n)).unwrap();
            vec![encode(&class, &model, &spec, &tree)]
        };
        check_linear(&format!("a step, {objective:?}"), 30, example, |examples| {
            train(&model, examples, objective);
        });
    }
}

#[test]
fn many_examples_are_learnt() {
    let _turn = turn();
    let class = Class::new(Objective::Marginal);
    let model = class.model(EncoderKind::Words, 0.1, 1);
    let examples = |n| {
        let some = class.examples(&model);
        some.iter().cycle().take(n).cloned().collect::<Vec<_>>()
    };
    check_linear("a pass", 40, examples, |examples| {
        let models = vec![model.clone()];
        let n_steps = examples.len() / 2;
        let config = config(Objective::Marginal, n_steps);
        let mut trainer = Trainer::new(models, examples.clone(), config, 1).unwrap();
        for _ in 0..n_steps {
            trainer.step().unwrap();
        }
    });
}

/// A question about a table of so many columns.
fn wide(n_columns: usize) -> Spec {
    let column = |it: usize| Column {
        kind: "text".to_owned(),
        words: vec![format!("column{it}")],
        table: Some(0),
        is_primary_key: it == 0,
    };
    let context = Context {
        columns: (0..n_columns).map(column).collect(),
        tables: vec![vec!["first".to_owned()]],
        foreign_keys: Vec::new(),
    };
    Spec {
        context: Some(Arc::new(context)),
        ..Spec::of_words("add one to n".split(' '))
    }
}

#[test]
fn wide_schemas_take_their_square_and_no_more() {
    let _turn = turn();
    let class = Class::new(Objective::Plain);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let tree = Tree::parse(&class.grammar, "(block [(Get @1)])").unwrap();
    let example = |n| vec![encode(&class, &model, &wide(n), &tree)];
    check_growth(
        "a step of many columns",
        MAX_GROWTH_OF_PAIRS,
        40,
        example,
        |examples| {
            train(&model, examples, Objective::Plain);
        },
    );
}

/// Random weights write programs until they may not go on.
#[test]
fn long_derivations_are_found() {
    let _turn = turn();
    for (objective, class) in Class::all() {
        // A seed whose derivations go on until they are cut.
        let models = [class.model(EncoderKind::Schema, 0.0, 7)];
        let spec = spec("add one to n", EncoderKind::Schema);
        for (beam_size, max_growth) in [(1, MAX_GROWTH), (4, MAX_GROWTH_OF_COPIES)] {
            let input = |max_steps| SearchConfig {
                beam_size,
                max_steps,
                ..SearchConfig::default()
            };
            let what = format!("search, {objective:?}, beam {beam_size}");
            check_growth(&what, max_growth, 64, input, |&config| {
                let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
                let question = Question {
                    spec: &spec,
                    subtokens: &WHOLE,
                    language: &Toy,
                };
                assert!(!searcher.search(question).is_empty());
            });
        }
    }
}
