use std::sync::Arc;

use patois_database::Place;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::Language as _;
use rand::SeedableRng;

use super::*;

const PETS: &str = "CREATE TABLE pet(name TEXT, age INTEGER, home TEXT);
    INSERT INTO pet VALUES ('Rex', 3, 'New York'), ('Ada', 7, 'Rome'), ('Bo', 12, 'Los Angeles');";

/// What a question and its query may become.
fn swapped(question: &str, query: &str) -> Vec<(String, String)> {
    let place = Place::Script(PETS.to_owned());
    let schema = Arc::new(place.open("pets").unwrap().schema().unwrap().schema);
    let mut corpus = Corpus::default();
    corpus
        .databases
        .insert("pets".to_owned(), Arc::clone(&schema));
    corpus.places.insert("pets".to_owned(), place);
    let grammar = Grammar::from_schema(Sql::schema_of(Mode::Full));
    let language = Sql::new(schema, Mode::Full);
    let tree = grammar.tree(&language.parse(query).unwrap()).unwrap();
    let conditions = Condition::all_of(&grammar, &tree);
    let columns = conditions.iter().map(|it| it.column).collect();
    let columns = IndexMap::from([("pets".to_owned(), columns)]);
    let pools = ValuePools::read(&corpus, &columns).unwrap();
    let mut found: IndexSet<(String, String)> = IndexSet::new();
    for seed in 0..50 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (text, changed) = pools.swap("pets", &conditions, 1.0, (question, &tree), &mut rng);
        let tree = changed.as_ref().unwrap_or(&tree);
        found.insert((text, language.print(&grammar.ast(tree)).unwrap()));
    }
    let mut found: Vec<(String, String)> = found.into_iter().collect();
    found.sort();
    found
}

fn check(question: &str, query: &str, expected: &[(&str, &str)]) {
    let found = swapped(question, query);
    let found: Vec<(&str, &str)> = found.iter().map(|it| (&*it.0, &*it.1)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_value_is_swapped_in_question_and_query_alike() {
    check(
        "How old is Rex?",
        "SELECT age FROM pet WHERE name = 'Rex'",
        &[
            ("How old is Ada?", "SELECT age FROM pet WHERE name = 'Ada'"),
            ("How old is Bo?", "SELECT age FROM pet WHERE name = 'Bo'"),
        ],
    );
    check(
        "Who is older than 3?",
        "SELECT name FROM pet WHERE age > 3",
        &[
            (
                "Who is older than 12?",
                "SELECT name FROM pet WHERE age > 12",
            ),
            ("Who is older than 7?", "SELECT name FROM pet WHERE age > 7"),
        ],
    );
}

/// `New York` has two words, and so has one other city.
#[test]
fn the_other_value_looks_like_the_one_before() {
    check(
        "Pets in New York",
        "SELECT name FROM pet WHERE home = 'New York'",
        &[(
            "Pets in Los Angeles",
            "SELECT name FROM pet WHERE home = 'Los Angeles'",
        )],
    );
}

#[test]
fn what_is_not_said_verbatim_and_once_stays() {
    for (question, query) in [
        ("How old is rex?", "SELECT age FROM pet WHERE name = 'Rex'"),
        ("Rex, is Rex old?", "SELECT age FROM pet WHERE name = 'Rex'"),
        ("Older than 3.5?", "SELECT name FROM pet WHERE age > 3"),
        ("Older than three?", "SELECT name FROM pet WHERE age > 3"),
        // The limit is another 3.
        (
            "3 pets older than that",
            "SELECT name FROM pet WHERE age > 3 LIMIT 3",
        ),
    ] {
        check(question, query, &[(question, query)]);
    }
}
