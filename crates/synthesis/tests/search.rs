//! What was learnt by heart is found again, with probabilities that are the model's.

mod toy;

use patois_syntax::{Ast, Language, ParseError, PrintError, Tree};
use patois_synthesis::{EncoderKind, Objective, Question, SearchConfig, Searcher, Trainer};
use toy::{Class, PROGRAMS, config, spec};

/// The toy language cannot be written; any text but an empty one will do.
struct Toy;

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

#[test]
fn what_was_learnt_is_found() {
    for objective in [Objective::Plain, Objective::Mean, Objective::Marginal] {
        let class = Class::new(objective);
        let model = class.model(EncoderKind::Schema, 0.0, 1);
        let lessons = class.lessons(&model);
        let mut trainer = Trainer::new(model, lessons.clone(), config(objective, 300), 1).unwrap();
        for _ in 0..300 {
            trainer.step().unwrap();
        }
        let model = trainer.model();
        for beam_size in [1, 8] {
            let config = SearchConfig {
                beam_size,
                ..SearchConfig::default()
            };
            let searcher = Searcher::new(model.inference(), class.extended(), config);
            let whole: fn(&str) -> Vec<&str> = |text| vec![text];
            for ((text, program), lesson) in PROGRAMS.iter().zip(&lessons) {
                let expected = Tree::parse(&class.grammar, program).unwrap();
                let spec = spec(text, EncoderKind::Schema);
                let question = Question {
                    spec: &spec,
                    pieces: &whole,
                    language: &Toy,
                };
                let found = searcher.search(question);
                assert!(found.len() <= beam_size);
                assert!(found.is_sorted_by(|a, b| a.ln_p >= b.ln_p));
                let shown = found[0].tree.display(&class.grammar).to_string();
                assert_eq!(
                    found[0].tree, expected,
                    "{objective:?}, beam {beam_size}: {shown}"
                );
                let exact = -model.loss(&[lesson], Objective::Marginal);
                let error = (found[0].ln_p - exact).abs();
                // A single hypothesis is one derivation; a beam comes across nearly all.
                assert!(found[0].ln_p <= exact + 1e-4);
                assert!(beam_size == 1 || error < 1e-3, "{} {exact}", found[0].ln_p);
            }
        }
    }
}
