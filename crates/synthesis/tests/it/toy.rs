//! A toy language, three programs, and a small network for them.

use std::sync::Arc;

use patois_syntax::{
    Ast, ExtendedGrammar, Fragment, Grammar, Idiom, IdiomExpansion, IdiomLibrary, Language, Marker,
    ParseError, PrintError, Schema, Tree,
};
use patois_synthesis::pretrained::{EncoderShape, PretrainedEncoder, WordPieces};
use patois_synthesis::training::weights_generator;
use patois_synthesis::{
    Actions, Column, Context, EncoderKind, ExampleEncoder, FineTuning, IdiomEmbeddings, Item, Link,
    LinkKind, Linking, Model, ModelConfig, Objective, Optimizer, PretrainedConfig, RelationConfig,
    Spec, TrainingConfig, TrainingExample, Vocabulary, WordVectors, Words,
};

pub(crate) const PROGRAMS: [(&str, &str); 3] = [
    (
        "add one to n",
        r#"(block [(Assign "n" (Add (Name "n") (Num "1"))) (Get @1)])"#,
    ),
    (
        "print total twice",
        r#"(block [(Print (Name "total")) (Print (Name "total"))])"#,
    ),
    (
        "count rows of the second table",
        r#"(block [(Get @2) (From @1) (Assign "x" (Add (Name "x") (Num "1")))])"#,
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
    Grammar::from_schema(&schema.expect("the schema is right"))
}

fn library(grammar: &Grammar) -> IdiomLibrary {
    let notations = [
        r#"(Assign ?x (Add (Name ?x) (Num "1")))"#,
        r#"(Add (Name ?x) (Num "1"))"#,
        "(Print (Name ?x))",
        "(Add (Name ?x) ?y)",
    ];
    let idiom = |notation: &&str| Idiom {
        fragment: Fragment::parse(grammar, notation).expect("the idiom is right"),
        coverage: 1,
        score: 0.0,
    };
    IdiomLibrary::new(grammar, notations.iter().map(idiom).collect())
}

pub(crate) fn spec(question: &str, encoder: EncoderKind) -> Spec {
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
        context: (encoder != EncoderKind::Words).then(|| Arc::new(context)),
        links: vec![Link {
            word: 1,
            item: Item::Column(2),
            kind: LinkKind::Name,
        }],
        ..Spec::of_words(question.split(' '))
    }
}

/// The words of the questions, one of which has a pretrained vector of this length, about.
pub(crate) fn words(length: f32) -> Words {
    let texts = PROGRAMS.map(|(question, _)| question.split(' ').collect::<Vec<_>>());
    let pretrained = WordVectors {
        dimension: 12,
        words: ["second".to_owned()].into(),
        values: (0..12_u8).map(|it| length * f32::from(it) / 12.0).collect(),
    };
    Words::new(&Vocabulary::learn(texts, 1), pretrained)
}

/// The files of a small encoder with random weights, which `tests/reference/bert.py` made.
pub(crate) const ENCODER: [&[u8]; 3] = [
    include_bytes!("../reference/bert/config.json"),
    include_bytes!("../reference/bert/vocab.txt"),
    include_bytes!("../reference/bert/model.safetensors"),
];

/// That encoder.
pub(crate) fn pretrained() -> PretrainedEncoder {
    let [config, pieces, weights] = ENCODER;
    let shape = EncoderShape::parse(config).expect("the fixture is right");
    let pieces = std::str::from_utf8(pieces).expect("the fixture is right");
    let pieces = WordPieces::parse(pieces).expect("the fixture is right");
    PretrainedEncoder::new(shape, pieces, weights).expect("the fixture is right")
}

pub(crate) struct Class {
    pub(crate) grammar: Grammar,
    pub(crate) library: IdiomLibrary,
    pub(crate) expansion: IdiomExpansion,
    pub(crate) embeddings: IdiomEmbeddings,
}

impl Class {
    pub(crate) fn new(objective: Objective) -> Class {
        let grammar = grammar();
        let library = match objective {
            Objective::Plain => IdiomLibrary::empty(&grammar),
            Objective::Mean | Objective::Marginal => library(&grammar),
        };
        Class {
            grammar,
            library,
            expansion: IdiomExpansion::Replayed,
            embeddings: IdiomEmbeddings::Own,
        }
    }

    /// A class for each objective, one in which idioms are steps, and these two with idioms put together from their bodies.
    pub(crate) fn all() -> [(Objective, Class); 6] {
        let with = |expansion, embeddings| Class {
            expansion,
            embeddings,
            ..Class::new(Objective::Mean)
        };
        let atomic = with(IdiomExpansion::Atomic, IdiomEmbeddings::Own);
        let composed = with(IdiomExpansion::Replayed, IdiomEmbeddings::Composed);
        let both = with(IdiomExpansion::Atomic, IdiomEmbeddings::Composed);
        let class = |objective| (objective, Class::new(objective));
        [
            class(Objective::Plain),
            class(Objective::Mean),
            class(Objective::Marginal),
            (Objective::Mean, atomic),
            (Objective::Marginal, composed),
            (Objective::Mean, both),
        ]
    }

    pub(crate) fn extended(&self) -> ExtendedGrammar<'_> {
        ExtendedGrammar::new(&self.grammar, &self.library).expect("of one grammar")
    }

    pub(crate) fn model(&self, encoder: EncoderKind, dropout: f32, seed: u64) -> Model {
        let config = ModelConfig {
            encoder,
            word_size: 12,
            hidden_size: 16,
            action_size: 8,
            symbol_size: 4,
            attention_size: 6,
            attentional_vector: encoder != EncoderKind::Words,
            idioms: self.expansion,
            idiom_embeddings: self.embeddings,
            dropout,
            relations: RelationConfig {
                n_layers: 2,
                n_heads: 2,
                feed_forward_size: 20,
                dropout,
                linking: Linking::Values,
            },
            pretrained: PretrainedConfig { dropout },
        };
        let subtokens = Vocabulary::learn([["1", "x"]], 1);
        let actions = Actions::new(&self.extended(), subtokens, self.expansion);
        let rng = &mut weights_generator(seed, 0);
        match encoder {
            EncoderKind::Pretrained => Model::with_encoder(config, pretrained(), actions, rng),
            _ => Model::new(config, words(1.0), actions, rng),
        }
    }

    pub(crate) fn examples(&self, model: &Model) -> Vec<TrainingExample> {
        let marker = Marker::new(&self.grammar, &self.library).expect("of one grammar");
        let encoder = ExampleEncoder {
            grammar: self.extended(),
            words: &model.words,
            actions: &model.actions,
            config: &model.config,
        };
        let whole: fn(&str) -> Vec<&str> = |text| vec![text];
        let mut examples = Vec::new();
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
            let tree = Tree::parse(&self.grammar, &program).expect("the program is right");
            let spec = spec(question, model.config.encoder);
            examples.push(encoder.encode(
                question.to_owned(),
                &spec,
                &marker.mark(&tree),
                &whole,
                &Toy,
            ));
        }
        examples
    }
}

/// The toy language cannot be written; any text but an empty one will do.
pub(crate) struct Toy;

impl Language for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn parse(&self, _: &str) -> Result<Ast, ParseError> {
        Err(ParseError::whole("cannot parse"))
    }

    fn print(&self, _: &Ast) -> Result<String, PrintError> {
        Err(PrintError::new("cannot print"))
    }

    fn accepts_text(&self, _: &str, text: &str) -> bool {
        !text.is_empty()
    }
}

/// How the small network is trained.
pub(crate) fn config(objective: Objective, n_steps: usize) -> TrainingConfig {
    TrainingConfig {
        objective,
        n_steps,
        batch_size: 2,
        optimizer: Optimizer::Adam {
            rate: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-9,
        },
        ema_decay: Some(0.9),
        pretrained: FineTuning {
            embeddings: true,
            rate: 0.01,
            ..FineTuning::default()
        },
        ..TrainingConfig::default()
    }
}
