//! Questions about the sample database.

use std::sync::LazyLock;

use patois::run::synthesizer::{Purpose, Synthesizer};
use patois::spec::linking::ValueCache;
use patois_ask::{Answer, Asker, Confidence, Keys, Memory, Note, Request, Source, bundled, sample};
use patois_database::{Database, SqlValue};

static MODEL: LazyLock<(Synthesizer, Confidence)> =
    LazyLock::new(|| bundled(Purpose::Asking).expect("the program has a model"));

fn asker_of(source: Source, memory: Memory) -> Asker<'static> {
    let (model, confidence) = &*MODEL;
    let values = ValueCache::none();
    Asker::new(model, confidence.clone(), source, memory, values).unwrap()
}

fn shop() -> Asker<'static> {
    asker_of(sample(Keys::Guessed).unwrap(), Memory::default())
}

fn ask(question: &str) -> Answer {
    shop().ask(question, &Request::default())
}

#[test]
fn plain_questions_are_answered() {
    let check = |question: &str, expected: SqlValue| {
        let answer = ask(question);
        assert!(!answer.abstained, "{answer:?}");
        assert_eq!(answer.programs[0].rows, [[expected]], "{answer:?}");
    };
    check("How many customers are there?", SqlValue::Integer(12));
    check("how many artists", SqlValue::Integer(12));
    check("How many customers are from Berlin?", SqlValue::Integer(2));
}

#[test]
fn a_model_that_only_answers_answers_as_one_that_may_learn() {
    let (model, confidence) = bundled(Purpose::Learning).unwrap();
    let source = sample(Keys::Guessed).unwrap();
    let (memory, values) = (Memory::default(), ValueCache::none());
    let learning = Asker::new(&model, confidence, source, memory, values).unwrap();
    for question in ["How many customers are there?", "Albums of each artist"] {
        let [expected, found] = [&learning, &shop()].map(|it| {
            let answer = it.ask(question, &Request::default());
            (
                answer.programs[0].code.clone(),
                answer.programs[0].probability,
            )
        });
        assert_eq!(found.0, expected.0);
        assert!(
            (found.1 - expected.1).abs() < 0.05,
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn one_of_a_thousand_tables_is_found() {
    let other = |index| format!("CREATE TABLE log_{index}(id INTEGER, note TEXT, amount REAL);");
    let mut script: String = (0..1_000).map(other).collect();
    script += "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        INSERT INTO customer VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome'), (3, 'Cy', 'Oslo');";
    let place = patois_database::Place::Script(script);
    let source = Source::of_place(place, "large", Keys::Declared).unwrap();
    let asker = asker_of(source, Memory::default());
    let answer = asker.ask("How many customers live in Oslo?", &Request::default());
    assert_eq!(
        answer.programs[0].rows,
        [[SqlValue::Integer(2)]],
        "{answer:?}"
    );
}

#[test]
fn answers_differ_in_their_rows_and_are_said_in_words() {
    let answer = ask("Which artist has the most albums?");
    for (index, program) in answer.programs.iter().enumerate() {
        assert!(!program.words.is_empty(), "{program:?}");
        assert!((0.0..=1.0).contains(&program.confidence), "{program:?}");
        let before = &answer.programs[..index];
        assert!(
            before.iter().all(|it| it.rows != program.rows),
            "{answer:?}"
        );
    }
}

#[test]
fn what_is_not_there_is_refused_with_a_reason() {
    for question in [
        "Delete all customers",
        "",
        "What will the weather be like in Tokyo tomorrow?",
        &"word ".repeat(10_000),
    ] {
        let answer = ask(question);
        assert!(answer.abstained, "{answer:?}");
        assert!(answer.reason.is_some_and(|it| !it.is_empty()), "{question}");
    }
}

#[test]
fn what_was_said_is_used_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("firm.sqlite");
    let script =
        "CREATE TABLE t1(c1 TEXT, c2 INTEGER); INSERT INTO t1 VALUES ('Ada', 3), ('Ben', 5);";
    patois_database::Place::Script(script.to_owned())
        .copy(&file, &[])
        .unwrap();
    let before = std::fs::read(&file).unwrap();
    let source = Source::of_file(&file, Keys::Guessed).unwrap();
    let memory = Memory::beside(&file, &source.schema).unwrap();
    let mut asker = asker_of(source, memory);
    let note = |column: Option<&str>, words: &str| Note {
        table: "t1".to_owned(),
        column: column.map(str::to_owned),
        words: words.to_owned(),
    };
    asker.note(note(None, "employee")).unwrap();
    asker.note(note(Some("c1"), "name")).unwrap();
    asker.note(note(Some("c2"), "age")).unwrap();
    let answer = asker.ask(
        "What is the name of the oldest employee?",
        &Request::default(),
    );
    assert!(
        answer.programs.iter().any(|it| it.code.contains("c2")),
        "{answer:?}"
    );
    let question = "Who is the boss?";
    asker
        .learn(question, "SELECT c1 FROM t1 WHERE c2 = 5")
        .unwrap();
    let answer = asker.ask("who is the boss", &Request::default());
    assert!(answer.programs[0].is_remembered, "{answer:?}");
    assert_eq!(answer.programs[0].rows[0][0].to_string(), "Ben");
    assert_eq!(
        std::fs::read(&file).unwrap(),
        before,
        "the database was written to"
    );
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn queries_are_checked_without_harm() {
    let shop = shop();
    let check = |sql: &str, runs: bool| assert_eq!(shop.check(sql).runs, runs, "{sql}");
    check("SELECT name FROM artist", true);
    check("SELECT nickname FROM artist", false);
    check("DELETE FROM artist", false);
    check("ATTACH 'x' AS y", false);
    let words = shop.check("SELECT count(*) FROM artist").words;
    assert!(words.is_some_and(|it| it.contains("artist")));
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n";
    assert!(shop.run(endless, 10).is_ok_and(|it| it.0.rows.len() == 10));
}

/// Whatever a database is, asking it gives an answer or a refusal.
#[test]
fn strange_databases_can_be_asked() {
    let wide: Vec<String> = (0..150).map(|it| format!("column_{it} TEXT")).collect();
    for script in [
        "CREATE TABLE \"select\"(\"from\" TEXT, \"wh\"\"ere\" INT, \"\u{1f600}\" TEXT);".to_owned(),
        "CREATE VIEW v AS SELECT 1 AS one, 'x' AS letter;".to_owned(),
        format!("CREATE TABLE wide({});", wide.join(", ")),
    ] {
        let database = Database::from_script("strange", &script).unwrap();
        assert!(!database.schema().unwrap().schema.tables.is_empty());
        let place = patois_database::Place::Script(script);
        let source = Source::of_place(place, "strange", Keys::Guessed).unwrap();
        let answer =
            asker_of(source, Memory::default()).ask("how many are there", &Request::default());
        assert!(
            answer.abstained || !answer.programs.is_empty(),
            "{answer:?}"
        );
    }
}
