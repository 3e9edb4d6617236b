//! A few examples are learnt by heart, with each objective; training is repeatable and resumable.

use std::sync::Arc;

use indexmap::IndexSet;
use patois_syntax::{
    ExtendedGrammar, Fragment, Grammar, Idiom, IdiomLibrary, Marker, Schema, Text, Tree,
};
use patois_synthesis::matrix::Matrix;
use patois_synthesis::training::{
    LoadError, TrainingError, read_idioms, read_model, read_remembered, weights_generator,
    write_model,
};
use patois_synthesis::{
    Actions, Column, Context, Copied, EncoderKind, Form, Item, Lesson, Link, LinkKind, Linking,
    Model, ModelConfig, Objective, Optimizer, Spec, Teacher, Trainer, TrainingConfig, Vocabulary,
    Words,
};

const PROGRAMS: [(&str, &str); 3] = [
    (
        "add one to n",
        r#"(block [(Assign "n" (Add (Name "n") (Num "1"))) (Get 1)])"#,
    ),
    (
        "print total twice",
        r#"(block [(Print (Name "total")) (Print (Name "total"))])"#,
    ),
    (
        "count rows of the second table",
        r#"(block [(Get 2) (From 1) (Assign "x" (Add (Name "x") (Num "1")))])"#,
    ),
];

fn grammar() -> Grammar {
    let schema = Schema::parse(
        "module Toy {
             block = (stmt* body)
             stmt = Assign(name target, expr value) | Print(expr value) | Get(column what) | From(table what)
             expr = Name(name id) | Add(expr left, expr right) | Num(number value)
             name = text
             number = text
             column = reference
             table = reference
         }",
    );
    Grammar::from_schema(&schema.unwrap())
}

fn library(grammar: &Grammar) -> IdiomLibrary {
    let notations = [
        r#"(Assign ?x (Add (Name ?x) (Num "1")))"#,
        r#"(Add (Name ?x) (Num "1"))"#,
        "(Print (Name ?x))",
        "(Add (Name ?x) ?y)",
    ];
    let idiom = |notation: &&str| Idiom {
        fragment: Fragment::parse(grammar, notation).unwrap(),
        coverage: 1,
        score: 0.0,
    };
    IdiomLibrary::new(grammar, notations.iter().map(idiom).collect())
}

fn spec(question: &str, encoder: EncoderKind) -> Spec {
    let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
    let copies = (0..).zip(&words).map(|(index, word)| Copied {
        text: Text::new(word),
        first: index,
        last: index,
        form: Form::Same,
    });
    let column = |name: &str, table: Option<usize>| Column {
        kind: "text".to_owned(),
        words: vec![name.to_owned()],
        table,
        is_primary_key: name == "id",
    };
    let context = Context {
        columns: vec![
            column("*", None),
            column("id", Some(0)),
            column("rows", Some(1)),
        ],
        tables: vec![vec!["first".to_owned()], vec!["second".to_owned()]],
        foreign_keys: vec![(2, 1)],
    };
    Spec {
        copies: copies.collect(),
        context: (encoder == EncoderKind::Schema).then(|| Arc::new(context)),
        links: vec![Link {
            word: 1,
            item: Item::Column(2),
            kind: LinkKind::Name,
        }],
        words,
    }
}

struct Class {
    grammar: Grammar,
    library: IdiomLibrary,
}

impl Class {
    fn new(objective: Objective) -> Class {
        let grammar = grammar();
        let library = match objective {
            Objective::Plain => IdiomLibrary::empty(&grammar),
            Objective::Mean | Objective::Marginal => library(&grammar),
        };
        Class { grammar, library }
    }

    fn extended(&self) -> ExtendedGrammar<'_> {
        ExtendedGrammar::new(&self.grammar, &self.library).unwrap()
    }

    fn model(&self, encoder: EncoderKind, seed: u64) -> Model {
        let config = ModelConfig {
            encoder,
            word_size: 12,
            hidden_size: 16,
            action_size: 8,
            symbol_size: 4,
            attention_size: 6,
            dropout: 0.1,
            relations: patois_synthesis::RelationConfig {
                n_layers: 2,
                n_heads: 2,
                feed_forward_size: 20,
                dropout: 0.1,
                linking: Linking::Values,
            },
        };
        let texts = PROGRAMS.map(|(question, _)| question.split(' ').collect::<Vec<_>>());
        let words = Vocabulary::learn(texts, 1);
        let fixed: IndexSet<String> = ["second".to_owned()].into();
        let words = Words::new(
            &words,
            fixed,
            Matrix::from_fn(1, 12, |_, it| it as f32 / 12.0),
        );
        let pieces = Vocabulary::learn([["1", "x"]], 1);
        let actions = Actions::new(&self.extended(), pieces);
        Model::new(config, words, actions, &mut weights_generator(seed))
    }

    fn lessons(&self, model: &Model) -> Vec<Lesson> {
        let marker = Marker::new(&self.grammar, &self.library).unwrap();
        let teacher = Teacher {
            grammar: self.extended(),
            words: &model.words,
            actions: &model.actions,
            linking: model.config.relations.linking,
        };
        let whole: fn(&str) -> Vec<&str> = |text| vec![text];
        let mut lessons = Vec::new();
        for (question, program) in PROGRAMS {
            let is_pointing = program.contains("Get") || program.contains("From");
            if is_pointing && model.config.encoder == EncoderKind::Words {
                continue;
            }
            let program = ["0", "1", "2"]
                .iter()
                .fold(program.to_owned(), |program, it| {
                    program.replace(&format!(" {it})"), &format!(" @{it})"))
                });
            let tree = Tree::parse(&self.grammar, &program).unwrap();
            let spec = spec(question, model.config.encoder);
            lessons.push(teacher.lesson(question.to_owned(), &spec, &marker.mark(&tree), &whole));
        }
        lessons
    }
}

fn config(objective: Objective, n_steps: usize) -> TrainingConfig {
    TrainingConfig {
        objective,
        n_steps,
        batch_size: 2,
        optimizer: Optimizer::Adam {
            rate: 0.02,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-9,
        },
        average: Some(0.9),
        ..TrainingConfig::default()
    }
}

#[test]
fn examples_are_learnt_by_heart() {
    for objective in [Objective::Plain, Objective::Mean, Objective::Marginal] {
        for encoder in [EncoderKind::Words, EncoderKind::Schema] {
            let class = Class::new(objective);
            let model = class.model(encoder, 1);
            let lessons = class.lessons(&model);
            let before = mean(&model, &lessons, objective);
            let mut trainer =
                Trainer::new(model, lessons.clone(), config(objective, 300), 1).unwrap();
            for _ in 0..300 {
                trainer.step().unwrap();
            }
            let after = mean(&trainer.model(), &lessons, objective);
            // The mean over accepted actions cannot fall to zero: they share one.
            let least = if objective == Objective::Mean {
                least_mean(&lessons)
            } else {
                0.0
            };
            println!("{objective:?} {encoder:?}: {before:.2} -> {after:.3}, least {least:.3}");
            assert!(after - least < 0.05 * before, "{objective:?} {encoder:?}");
        }
    }
}

fn mean(model: &Model, lessons: &[Lesson], objective: Objective) -> f64 {
    let all: Vec<&Lesson> = lessons.iter().collect();
    model.loss(&all, objective) / lessons.len() as f64
}

/// Where `n` actions share the probability equally, the mean of their logarithms is `-ln n`.
fn least_mean(lessons: &[Lesson]) -> f64 {
    let of = |lesson: &Lesson| -> f64 {
        let asked = lesson.steps.iter().map(|step| step.choice.n_asked().max(1));
        asked.map(|n_asked| (n_asked as f64).ln()).sum()
    };
    lessons.iter().map(of).sum::<f64>() / lessons.len() as f64
}

#[test]
fn marginal_without_idioms_is_plain() {
    let class = Class::new(Objective::Plain);
    let model = class.model(EncoderKind::Schema, 3);
    let lessons = class.lessons(&model);
    let plain = mean(&model, &lessons, Objective::Plain);
    let marginal = mean(&model, &lessons, Objective::Marginal);
    assert!(
        (plain - marginal).abs() < 1e-5 * plain,
        "{plain} {marginal}"
    );
}

/// Trains in one go, and in two with a checkpoint between.
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
        let model = class.model(EncoderKind::Schema, 5);
        let lessons = class.lessons(&model);
        Trainer::new(model, lessons, config(Objective::Marginal, 20), 5).unwrap()
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
    let model = read_model(&bytes, &class.extended()).unwrap();
    let remembered = read_remembered(&bytes, &class.grammar, &model).unwrap();
    assert_eq!(remembered.progress.step, 7);
    let lessons = class.lessons(&model);
    assert!(finish(Trainer::resume(model, lessons, remembered).unwrap()) == expected);
}

#[test]
fn files_say_what_they_are() {
    let class = Class::new(Objective::Mean);
    let model = class.model(EncoderKind::Schema, 1);
    let bytes = write_model(&model, &class.extended());
    let read = read_model(&bytes, &class.extended()).unwrap();
    assert_eq!(read.parameters, model.parameters);
    assert_eq!(read.words, model.words);
    let idioms = read_idioms(&bytes, &class.grammar).unwrap();
    assert_eq!(idioms.len(), class.library.len());
    let refusal = |result: Result<Model, LoadError>| result.unwrap_err().to_string();

    let plain = Class::new(Objective::Plain);
    let error = refusal(read_model(&bytes, &plain.extended()));
    assert_eq!(
        error,
        "the model knows 4 idioms, and they are not the 0 at hand"
    );
    let other = Grammar::from_schema(&Schema::parse("module M { a = B | C }").unwrap());
    let none = IdiomLibrary::empty(&other);
    let error = refusal(read_model(
        &bytes,
        &ExtendedGrammar::new(&other, &none).unwrap(),
    ));
    assert!(
        error.starts_with("the model is for the grammar "),
        "{error}"
    );
    assert!(matches!(
        read_remembered(&bytes, &class.grammar, &model),
        Err(LoadError::NotACheckpoint)
    ));
    for length in [0, 7, 100, bytes.len() - 1] {
        assert!(read_model(&bytes[..length], &class.extended()).is_err());
    }
}

#[test]
fn a_loss_that_is_no_number_ends_training() {
    let class = Class::new(Objective::Plain);
    let mut model = class.model(EncoderKind::Schema, 1);
    let lessons = class.lessons(&model);
    let id = model.parameters.named("decoder.bias").unwrap();
    model.parameters.get_mut(id).values_mut()[0] = f32::NAN;
    let before = model.parameters.iter().count();
    let mut trainer = Trainer::new(model, lessons, config(Objective::Plain, 5), 1).unwrap();
    match trainer.step() {
        Err(TrainingError::NotFinite {
            step: 1, examples, ..
        }) => assert_eq!(examples.len(), 2),
        other => panic!("{other:?}"),
    }
    assert_eq!(trainer.n_steps_taken(), 0);
    assert_eq!(trainer.model().parameters.len(), before);
}
