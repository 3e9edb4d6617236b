//! Every query that a trained model writes can be run.

use patois::corpus::{Corpus, CorpusOptions, DataDir, Split};
use patois::run::synthesizer::Purpose;
use patois::spec::linking::ValueCache;
use patois_ask::bundled;
use patois_database::{QueryError, QueryLimits};
use patois_synthesis::SearchConfig;

/// How many questions are asked, each with ten hypotheses: `PATOIS_QUESTIONS`, or so many.
const N_QUESTIONS: usize = 100;

#[test]
#[ignore = "needs Spider: PATOIS_DATA"]
fn data_no_query_of_the_bundled_model_fails_to_prepare() {
    let n_questions = std::env::var("PATOIS_QUESTIONS").ok();
    let n_questions = n_questions.map_or(N_QUESTIONS, |it| it.parse().expect("a number"));
    let data = DataDir::locate(None);
    let corpus = Corpus::open("spider", &data, &CorpusOptions::default()).unwrap();
    let (model, _) = bundled(Purpose::Asking).unwrap();
    let search = SearchConfig {
        beam_size: 10,
        ..model.config.search
    };
    let examples: Vec<_> = corpus.of(Split::Dev).collect();
    let step = examples.len().div_ceil(n_questions).max(1);
    let mut n_queries = 0;
    for example in examples.into_iter().step_by(step) {
        let name = example.database.as_ref().unwrap();
        let (schema, place) = (corpus.databases[name].clone(), corpus.places[name].clone());
        let database = place.open(name).unwrap();
        let subject = model.about(schema, place, &ValueCache::none()).unwrap();
        let answers = model.ask(&example.text, &subject, search);
        assert_eq!(
            answers.unprintable,
            Vec::<String>::new(),
            "{}",
            example.text
        );
        for written in answers.programs {
            n_queries += 1;
            let limits = QueryLimits {
                n_rows: 0,
                ..QueryLimits::default()
            };
            let failed = match database.first_rows(&written.code, &limits) {
                Ok(_) | Err(QueryError::Time(_)) => None,
                Err(error) => Some(error),
            };
            assert_eq!(failed, None, "{}: {}", example.text, written.code);
        }
    }
    assert!(n_queries >= n_questions, "{n_queries} queries");
}
