//! What was learnt by heart is found again, with probabilities that are the model's.

use std::collections::BTreeMap;

use crate::toy::{Class, PROGRAMS, Toy, config, spec};
use patois_syntax::{
    Action, Arity, Ast, Beginning, ExtendedGrammar, Fragment, Grammar, Idiom, IdiomExpansion,
    IdiomLibrary, Label, Language, Marker, Next, ParseError, PartialTree, PrintError, Schema,
    SymbolKind, Tree,
};
use patois_synthesis::{
    EncoderKind, Ensemble, ExampleEncoder, IdiomEmbeddings, Model, Objective, Question,
    SearchConfig, Searcher, Spec, Trainer,
};

const WHOLE: fn(&str) -> Vec<&str> = |text| vec![text];

fn question(spec: &Spec) -> Question<'_> {
    Question {
        spec,
        subtokens: &WHOLE,
        language: &Toy,
    }
}

#[test]
fn what_was_learnt_is_found() {
    for (objective, class) in Class::all() {
        let model = class.model(EncoderKind::Schema, 0.0, 1);
        let examples = class.examples(&model);
        let mut trainer =
            Trainer::new(vec![model], examples.clone(), config(objective, 300), 1).unwrap();
        for _ in 0..300 {
            trainer.step().unwrap();
        }
        let models = trainer.models();
        for beam_size in [1, 8] {
            let config = SearchConfig {
                beam_size,
                ..SearchConfig::default()
            };
            let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
            for ((text, program), example) in PROGRAMS.iter().zip(&examples) {
                let expected = Tree::parse(&class.grammar, program).unwrap();
                let spec = spec(text, EncoderKind::Schema);
                let found = searcher.search(question(&spec));
                assert!(found.len() <= beam_size);
                assert!(found.is_sorted_by(|a, b| a.ln_p >= b.ln_p));
                let shown = found[0].tree.display(&class.grammar).to_string();
                assert_eq!(
                    found[0].tree, expected,
                    "{objective:?}, beam {beam_size}: {shown}"
                );
                let exact = -models[0].loss(&[example], Objective::Marginal);
                let error = (found[0].ln_p - exact).abs();
                match class.expansion {
                    IdiomExpansion::Replayed => {
                        // A single hypothesis is one derivation; a beam comes across nearly all.
                        assert!(found[0].ln_p <= exact + 1e-4);
                        assert!(beam_size == 1 || error < 1e-3, "{} {exact}", found[0].ln_p);
                    }
                    // One derivation is taught, the shortest; the others are hardly probable.
                    IdiomExpansion::Atomic => assert!(error < 1e-2, "{} {exact}", found[0].ln_p),
                }
            }
        }
    }
}

/// An idiom is chosen at once; the network then sees its body, step by step, as if there were none.
#[test]
fn a_replayed_idiom_leaves_the_state_of_its_body() {
    let class = Class::new(Objective::Marginal);
    let cases = [
        (
            r#"stmt*.more #0 "n" $ stmt*.more"#,
            r#"stmt*.more stmt.Assign "n" $ expr.Add expr.Name "n" $ expr.Num "1" $ stmt*.more"#,
        ),
        (
            r#"stmt*.more #2 "x""#,
            r#"stmt*.more stmt.Print expr.Name "x""#,
        ),
        (
            r#"stmt*.more stmt.Print #3 "x" $ #1 "n" $"#,
            r#"stmt*.more stmt.Print expr.Add expr.Name "x" $ expr.Add expr.Name "n" $ expr.Num "1" $"#,
        ),
        // One idiom inside another's hole.
        (
            r#"stmt*.more stmt.Print #3 "x" $ #3 "n" $"#,
            r#"stmt*.more stmt.Print #3 "x" $ expr.Add expr.Name "n" $"#,
        ),
    ];
    for seed in 0..4 {
        // An ensemble of one and of two.
        let models: Vec<Model> = (0..=seed % 2)
            .map(|it| class.model(EncoderKind::Schema, 0.0, seed + 10 * it))
            .collect();
        let config = SearchConfig::default();
        let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
        let spec = spec("add x to n", EncoderKind::Schema);
        for (short, long) in cases {
            let [short, long] = [short, long].map(|choices| {
                let actions = choices.split(' ');
                let actions = actions.map(|it| Action::parse(&class.grammar, it).unwrap());
                let followed = searcher.follow(question(&spec), &actions.collect::<Vec<_>>());
                followed.unwrap_or_else(|| panic!("{choices} cannot be followed"))
            });
            assert_eq!(short.state, long.state);
            assert_ne!(short.ln_p.to_bits(), long.ln_p.to_bits());
        }
    }
}

/// A grammar with a handful of programs, and idioms that overlap.
fn small() -> (Grammar, IdiomLibrary) {
    let schema = Schema::parse(
        "module Small {
             pair = (side left, side right)
             side = Here | There | In(box it) | Both(box first, box second)
             box = Empty | Full | At(column what)
             column = reference
         }",
    );
    let grammar = Grammar::from_schema(&schema.expect("the schema is right"));
    let notations = [
        "(In Empty)",
        "(Both ?x ?x)",
        "(Both Empty ?x)",
        "(In (At ?c))",
        "(Both (At ?c) (At ?c))",
    ];
    let idiom = |notation: &str| Idiom {
        fragment: Fragment::parse(&grammar, notation).expect("the idiom is right"),
        coverage: 1,
        score: 0.0,
    };
    let library = IdiomLibrary::new(&grammar, notations.map(idiom).into());
    (grammar, library)
}

/// All derivations that go on from a partial tree, without asking a search.
fn derivations(
    extended: ExtendedGrammar<'_>,
    partial: &PartialTree<'_>,
    choices: &mut Vec<Action>,
    all: &mut Vec<Vec<Action>>,
) {
    let mut partial = partial.clone();
    let symbol = loop {
        match partial.next() {
            Next::Done => return all.push(choices.clone()),
            Next::Forced(action) => partial.apply(&action).expect("it is forced"),
            Next::Choose(symbol) => break symbol,
        }
    };
    let actions: Vec<Action> = match extended.grammar().symbol_kind(symbol) {
        SymbolKind::Reference => (0..3).map(Action::Point).collect(),
        _ => extended.rules(symbol).map(Action::Apply).collect(),
    };
    for action in actions {
        let mut next = partial.clone();
        next.apply(&action).expect("it may be chosen");
        choices.push(action);
        derivations(extended, &next, choices, all);
        choices.pop();
    }
}

/// A beam that forgets nothing finds every program, with the sum of its derivations' probabilities.
#[test]
fn merged_probabilities_are_those_of_all_derivations() {
    let (grammar, library) = small();
    let mut class = Class {
        grammar,
        library,
        expansion: IdiomExpansion::Replayed,
        embeddings: IdiomEmbeddings::Own,
    };
    for seed in 0..6 {
        class.expansion = [IdiomExpansion::Replayed, IdiomExpansion::Atomic][seed as usize % 2];
        class.embeddings = [IdiomEmbeddings::Own, IdiomEmbeddings::Composed][seed as usize / 2 % 2];
        let models = [class.model(EncoderKind::Schema, 0.0, seed)];
        let spec = spec("count rows of it", EncoderKind::Schema);
        let config = SearchConfig {
            beam_size: 10_000,
            ..SearchConfig::default()
        };
        let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
        let start = PartialTree::new(class.extended(), &WHOLE, class.grammar.root())
            .expansion(class.expansion);
        let mut all = Vec::new();
        derivations(class.extended(), &start, &mut Vec::new(), &mut all);
        let mut probabilities: BTreeMap<String, f64> = BTreeMap::new();
        for choices in &all {
            let followed = searcher.follow(question(&spec), choices).unwrap();
            let program = followed.tree.unwrap().display(&class.grammar).to_string();
            *probabilities.entry(program).or_default() += followed.ln_p.exp();
        }
        assert!(all.len() > probabilities.len(), "idioms overlap");
        let total: f64 = probabilities.values().sum();
        assert!((total - 1.0).abs() < 1e-5, "{total}");

        let found = searcher.search(question(&spec));
        assert_eq!(found.len(), probabilities.len());
        for found in found {
            let program = found.tree.display(&class.grammar).to_string();
            let error = found.ln_p.exp() - probabilities[&program];
            assert!(error.abs() < 1e-9, "{program}: {error}");
        }
    }
}

/// A language over the small grammar: the third column is never named, nothing is in both boxes alike, and the right side is
/// not of two boxes where the left one is here.
struct Picky;

impl Language for Picky {
    fn name(&self) -> &'static str {
        "picky"
    }

    fn parse(&self, _: &str) -> Result<Ast, ParseError> {
        Err(ParseError::whole("cannot parse"))
    }

    fn print(&self, _: &Ast) -> Result<String, PrintError> {
        Err(PrintError::new("cannot print"))
    }

    fn beginning(&self, grammar: &Grammar) -> Option<Box<dyn Beginning>> {
        let label = |ty: &str, name: &str| {
            let symbol = grammar.symbol(ty, Arity::One).expect("a type");
            Label::Production(grammar.construct(symbol, name).expect("a constructor"))
        };
        Some(Box::new(PickyBeginning {
            built: Vec::new(),
            here: label("side", "Here"),
            both: label("side", "Both"),
            at: label("box", "At"),
        }))
    }
}

#[derive(Clone)]
struct PickyBeginning {
    built: Vec<Label>,
    here: Label,
    both: Label,
    at: Label,
}

impl Beginning for PickyBeginning {
    fn allows(&self, label: Label) -> bool {
        if label == Label::Reference(2) || (label == self.both && self.built.contains(&self.here)) {
            return false;
        }
        let Some(both) = self.built.iter().rposition(|it| *it == self.both) else {
            return true;
        };
        match &self.built[both + 1..] {
            [first] if *first != self.at => label != *first,
            [at, item, other] if [*at, *other] == [self.at; 2] => label != *item,
            _ => true,
        }
    }

    fn push(&mut self, label: Label) {
        self.built.push(label);
    }

    fn boxed_clone(&self) -> Box<dyn Beginning> {
        Box::new(self.clone())
    }
}

/// Programs that a language does not allow are not found, and the others share the whole probability; what an idiom
/// prescribes in vain is lost.
#[test]
fn probabilities_are_those_of_what_may_follow() {
    let (grammar, library) = small();
    let empty = IdiomLibrary::empty(&grammar);
    for (seed, library) in (0..).zip([&library, &empty, &library, &empty]) {
        let class = Class {
            grammar: grammar.clone(),
            library: library.clone(),
            expansion: [IdiomExpansion::Replayed, IdiomExpansion::Atomic][seed as usize / 2],
            embeddings: IdiomEmbeddings::Own,
        };
        let models = [class.model(EncoderKind::Schema, 0.0, seed)];
        let config = SearchConfig {
            beam_size: 10_000,
            ..SearchConfig::default()
        };
        let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
        let spec = spec("count rows of it", EncoderKind::Schema);
        let found = searcher.search(Question {
            language: &Picky,
            ..question(&spec)
        });
        // Sides: here, there, in one of four boxes, in both of them but not alike; no two boxes after here.
        let n_sides = 2 + 4 + 4 * 3;
        assert_eq!(found.len(), n_sides * n_sides - 4 * 3);
        for it in &found {
            let program = it.tree.display(&class.grammar).to_string();
            assert!(!program.contains("@2"), "{program}");
            assert!(!program.contains("Both Full Full"), "{program}");
        }
        let total: f64 = found.iter().map(|it| it.ln_p.exp()).sum();
        let is_whole = (total - 1.0).abs() < 1e-5;
        assert_eq!(is_whole, library.is_empty(), "{total}");
        assert!(total < 1.0 + 1e-5, "{total}");
    }
}

/// Training normalises over the same: the program that was learnt from is as probable as a search finds it.
#[test]
fn training_and_search_agree_on_what_may_follow() {
    let (grammar, _) = small();
    let library = IdiomLibrary::empty(&grammar);
    let class = Class {
        grammar,
        library,
        expansion: IdiomExpansion::Replayed,
        embeddings: IdiomEmbeddings::Own,
    };
    let models = [class.model(EncoderKind::Schema, 0.0, 5)];
    let spec = spec("count rows of it", EncoderKind::Schema);
    let encoder = ExampleEncoder {
        grammar: class.extended(),
        words: &models[0].words,
        actions: &models[0].actions,
        config: &models[0].config,
    };
    let marker = Marker::new(&class.grammar, &class.library).unwrap();
    let encode = |program: &str, language: &dyn Language| {
        let tree = Tree::parse(&class.grammar, program).unwrap();
        encoder.encode(String::new(), &spec, &marker.mark(&tree), &WHOLE, language)
    };
    let program = "(pair Here (In (At @1)))";
    let (masked, free) = (encode(program, &Picky), encode(program, &Toy));
    assert_eq!((masked.n_surprises, free.n_surprises), (0, 0));
    let ln_p = -models[0].loss(&[&masked], Objective::Marginal);
    assert!(ln_p > -models[0].loss(&[&free], Objective::Marginal));
    let config = SearchConfig {
        beam_size: 10_000,
        ..SearchConfig::default()
    };
    let searcher = Searcher::new(Ensemble::new(&models), class.extended(), config);
    let found = searcher.search(Question {
        language: &Picky,
        ..question(&spec)
    });
    let tree = Tree::parse(&class.grammar, program).unwrap();
    let found = found.iter().find(|it| it.tree == tree).unwrap();
    assert!((found.ln_p - ln_p).abs() < 1e-4, "{} {ln_p}", found.ln_p);
    // What is right stays possible, and is counted.
    let strange = encode("(pair Here (Both Empty (At @2)))", &Picky);
    assert_eq!(strange.n_surprises, 2);
    assert!(models[0].loss(&[&strange], Objective::Marginal).is_finite());
}
