//! A model that has learnt nothing writes nonsense, but nonsense of the language.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use patois::corpus::DataDir;
use patois::run::config::RunConfig;
use patois::run::mark::{new_models, specify};
use patois::run::mine::mine;
use patois::run::read::Source;
use patois::run::{Surroundings, Unobserved};
use patois::spec::linking::ValueCache;
use patois::spec::subtokens::Subtokenizer;
use patois_database::{QueryError, QueryLimits};
use patois_syntax::{ExtendedGrammar, IdiomExpansion, Language};
use patois_synthesis::{Ensemble, Question, SearchConfig, Searcher};

/// Programs for some of a corpus's texts, each with the text's database.
fn nonsense(
    config: &RunConfig,
    source: &Source,
    beam_size: usize,
    n_examples: usize,
) -> Vec<(Option<String>, String)> {
    let here = Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::none(),
    };
    let idioms = mine(config, source, &mut Unobserved).unwrap();
    let grammar = ExtendedGrammar::new(&source.programs.grammar, &idioms.library).unwrap();
    let specs = specify(config, source, &here).unwrap();
    let models = new_models(config, source, &specs, None, &grammar, &here.data).unwrap();
    let search = SearchConfig {
        beam_size,
        max_steps: 60,
        max_subtokens: 6,
    };
    let searcher = Searcher::new(Ensemble::new(&models), grammar, search);
    let mut programs = Vec::new();
    let examples = source.programs.corpus.examples.iter().zip(&specs);
    // The examples of a database stand together.
    let step = (specs.len() / n_examples).max(1);
    for (example, spec) in examples.step_by(step).take(n_examples) {
        let language: &dyn Language = source.languages.of(example).unwrap();
        let subtokenizer = Subtokenizer::new(language, models[0].actions.subtokens(), spec);
        let found = searcher.search(Question {
            spec,
            subtokens: &subtokenizer,
            language,
        });
        assert!(!found.is_empty(), "no program for `{}`", example.text);
        let total: f64 = found.iter().map(|it| it.ln_p.exp()).sum();
        assert!(total < 1.0 + 1e-4, "{total} for `{}`", example.text);
        for found in found {
            let ast = source.programs.grammar.ast(&found.tree);
            let code = language.print(&ast).unwrap();
            assert_eq!(language.parse(&code).as_ref(), Ok(&ast), "{code}");
            programs.push((example.database.clone(), code));
        }
    }
    programs
}

/// Replayed idioms with the first seeds of four, atomic ones with the others.
fn expansion(seed: u64) -> IdiomExpansion {
    match seed % 4 {
        0 | 1 => IdiomExpansion::Replayed,
        _ => IdiomExpansion::Atomic,
    }
}

/// Lets models that have learnt nothing write queries until there are `n_queries`, and runs them.
fn check_queries(n_queries: usize, n_examples: usize) {
    let mut config = RunConfig::parse("tiny.toml", crate::TINY).unwrap();
    "default".clone_into(&mut config.corpus);
    config.n_train = Some(600);
    let data = DataDir::locate(None);
    let source = Source::read(&config, &data).unwrap();
    let databases = source.programs.corpus.places();
    // Names are looked up before a query runs, and nonsense may run for ages.
    let limits = QueryLimits {
        time: Duration::from_millis(100),
        ..QueryLimits::default()
    };
    let (mut n_written, mut failures) = (0, Vec::new());
    for seed in 0.. {
        config.seed = seed;
        config.model.idioms = expansion(seed);
        let beam_size = [1, 8][seed as usize % 2];
        for (database, code) in nonsense(&config, &source, beam_size, n_examples) {
            n_written += 1;
            let database = databases.open(&database.unwrap()).unwrap();
            match database.query(&code, &limits) {
                Ok(_) | Err(QueryError::Time(_) | QueryError::Rows(_) | QueryError::Size(_)) => {}
                Err(error) => failures.push(format!("{error}: {code}")),
            }
        }
        if n_written >= n_queries {
            break;
        }
    }
    failures.sort_by_key(String::len);
    let n_failures = failures.len();
    failures.truncate(10);
    assert!(
        n_failures == 0,
        "{n_failures} of {n_written}: {failures:#?}"
    );
}

/// Whatever else is wrong with them.
#[test]
fn every_query_prints_and_runs() {
    check_queries(300, 24);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_queries_print_and_run() {
    check_queries(10_000, 250);
}

#[test]
fn every_python_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("programs.jsonl");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/tests/fixtures/python");
    let mut lines = String::new();
    for name in ["card.py", "expressions.py", "statements.py"] {
        let code = std::fs::read_to_string(fixtures.join(name)).unwrap();
        let text = format!("the {name} of 3 'small words', twice");
        let line = serde_json::json!({ "text": text, "code": code });
        writeln!(lines, "{line}").unwrap();
    }
    std::fs::write(&file, lines).unwrap();
    let config = crate::TINY.replace("encoder = \"schema\"", "encoder = \"words\"");
    let mut config = RunConfig::parse("tiny.toml", &config).unwrap();
    config.corpus = file.to_str().unwrap().to_owned();
    config.language = Some("python".to_owned());
    config.training.min_count = 1;
    let source = Source::read(&config, &DataDir::locate(None)).unwrap();
    for seed in 0..12 {
        config.seed = seed;
        config.model.idioms = expansion(seed);
        nonsense(&config, &source, 1 + 3 * (seed as usize % 2), 8);
    }
}
