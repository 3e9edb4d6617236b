//! Twenty cards of Hearthstone are learnt by heart, with each objective.

use std::path::Path;

use patois::corpus::{DataDir, Split};
use patois::run::config::RunConfig;
use patois::run::mark::{examples, new_models, specify};
use patois::run::mine::mine;
use patois::run::read::Source;
use patois::run::{Surroundings, Unobserved};
use patois::spec::linking::ValueCache;
use patois::spec::subtokens::Subtokenizer;
use patois_languages::python::Python;
use patois_syntax::ExtendedGrammar;
use patois_synthesis::{Ensemble, Objective, Question, SearchConfig, Searcher, Trainer};

const CONFIG: &str = r#"
corpus = "hearthstone"

[idioms.mining]
n_idioms = 40

[model]
word_size = 64
hidden_size = 96
action_size = 64
symbol_size = 32
dropout = 0.0

[training]
n_steps = 240
batch_size = 10
min_count = 1

[training.optimizer]
name = "adam"
rate = 4e-3
beta1 = 0.9
beta2 = 0.999
epsilon = 1e-9
"#;

const N_CARDS: usize = 20;

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_twenty_cards_are_learnt_by_heart() {
    let data = std::env::var("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    let data = DataDir::locate(Some(Path::new(&data)));
    let mut config = RunConfig::parse("by_heart.toml", CONFIG).unwrap();
    let mut source = Source::read(&config, &data).unwrap();
    source.programs.keep(|split| split == Split::Train);
    source.programs.corpus.examples.truncate(N_CARDS);
    source.programs.trees.truncate(N_CARDS);
    for objective in [Objective::Plain, Objective::Mean, Objective::Marginal] {
        config.training.objective = objective;
        let n_right = n_learnt(&config, &source, &data);
        println!("{objective:?}: {n_right} of {N_CARDS} cards");
        assert!(n_right >= N_CARDS - 1, "{objective:?}: {n_right}");
    }
}

/// Trains on all cards, then searches for their programs; how many are found.
fn n_learnt(config: &RunConfig, source: &Source, data: &DataDir) -> usize {
    let idioms = mine(config, source, &mut Unobserved).unwrap();
    let grammar = ExtendedGrammar::new(&source.programs.grammar, &idioms.library).unwrap();
    let here = Surroundings {
        data: data.clone(),
        values: ValueCache::none(),
    };
    let specs = specify(config, source, &here).unwrap();
    let models = new_models(config, source, &specs, None, &grammar, data).unwrap();
    let examples = examples(config, source, &specs, &grammar, &models[0]).train;
    let mut trainer = Trainer::new(models, examples, config.training.clone(), 1).unwrap();
    for _ in 0..config.training.n_steps {
        trainer.step().unwrap();
    }
    let models = trainer.models();
    let searcher = Searcher::new(Ensemble::new(&models), grammar, SearchConfig::default());
    let examples = source.programs.iter().zip(&specs);
    let is_found = |((_, tree), spec): &((&patois::corpus::Example, &_), &_)| {
        let subtokenizer = Subtokenizer::new(&Python, models[0].actions.subtokens(), spec);
        let question = Question {
            spec,
            subtokens: &subtokenizer,
            language: &Python,
        };
        searcher
            .search(question)
            .first()
            .is_some_and(|found| found.tree == **tree)
    };
    examples.filter(is_found).count()
}
