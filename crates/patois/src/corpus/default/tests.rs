//! What the default corpus promises.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use patois_metrics::sql_match::{Hardness, SpiderSchema, parse};

use super::*;

static CORPUS: LazyLock<Corpus> = LazyLock::new(corpus);
static DRAWN: LazyLock<Generation> = LazyLock::new(|| {
    let drawn = Drawn::draw();
    Generation {
        train: drawn.train,
        dev: drawn.dev,
        test: drawn.test,
    }
});

/// The generated questions without the databases, which cannot be shared between threads.
struct Generation {
    train: Vec<Generated>,
    dev: Vec<Generated>,
    test: Vec<Generated>,
}

fn domains() -> impl Iterator<Item = Domain> {
    DATABASES.iter().map(Embedded::load)
}

fn of(split: Split) -> impl Iterator<Item = &'static Example> {
    CORPUS.examples.iter().filter(move |it| it.split == split)
}

fn generated() -> impl Iterator<Item = &'static Generated> {
    DRAWN.train.iter().chain(&DRAWN.dev).chain(&DRAWN.test)
}

fn database(example: &Example) -> &str {
    example.database.as_deref().unwrap()
}

#[test]
fn splits_have_the_promised_sizes() {
    assert!(of(Split::Train).count() >= 2300);
    assert!(of(Split::Dev).count() >= 200);
    assert!(of(Split::Test).count() >= 200);
    assert!(of(Split::Handwritten).count() >= 120);
    assert_eq!(CORPUS.databases.len(), 14);
    assert_eq!(CORPUS.language, "sql");
}

#[test]
fn the_same_bytes_come_out_twice() {
    assert_eq!(corpus().examples, CORPUS.examples);
}

#[test]
fn ids_are_numbered_within_their_split() {
    let ids: BTreeSet<&str> = CORPUS.examples.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), CORPUS.examples.len());
    assert!(ids.contains("default/handwritten/1"));
}

#[test]
fn every_query_runs_and_nearly_all_return_something() {
    let domains: BTreeMap<&str, Domain> = domains().map(|domain| (domain.name, domain)).collect();
    let mut n_empty = 0;
    for example in &CORPUS.examples {
        let outcome = domains[database(example)].run(&example.code);
        let outcome = outcome.unwrap_or_else(|| panic!("{}: {}", example.id, example.code));
        n_empty += usize::from(outcome.n_rows == 0 || !outcome.has_value);
    }
    assert!(
        n_empty * 20 <= CORPUS.examples.len(),
        "{n_empty} queries return nothing"
    );
}

#[test]
fn held_out_databases_are_unseen() {
    let seen: BTreeSet<&str> = of(Split::Train)
        .chain(of(Split::Dev))
        .map(database)
        .collect();
    let held_out: BTreeSet<&str> = of(Split::Test)
        .chain(of(Split::Handwritten))
        .map(database)
        .collect();
    assert_eq!(seen.len(), 12);
    assert_eq!(held_out, BTreeSet::from(["concerts", "vet_clinic"]));
    assert!(seen.is_disjoint(&held_out));
}

#[test]
fn no_question_is_asked_twice() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for example in &CORPUS.examples {
        let text = example.text.to_lowercase();
        let text = text.trim_end_matches(['.', '?']);
        let known = seen.insert(format!("{}: {text}", database(example)), &example.id);
        assert_eq!(known, None, "{} repeats a question: {text}", example.id);
    }
}

#[test]
fn train_and_dev_share_no_query() {
    let queries = |split| -> BTreeSet<(&str, &str)> {
        of(split)
            .map(|it| (database(it), it.code.as_str()))
            .collect()
    };
    assert!(queries(Split::Train).is_disjoint(&queries(Split::Dev)));
}

#[test]
fn questions_are_written_properly() {
    for example in &CORPUS.examples {
        let (id, text) = (&example.id, &example.text);
        let first = text.chars().next().unwrap();
        assert!(
            first.is_uppercase() || first.is_numeric() || first == '\'',
            "{id}: {text}"
        );
        assert!(
            !text.contains("  ") && text.trim() == text,
            "spaces in {id}: {text}"
        );
        assert!(!text.contains(['{', '}']), "a gap in {id}: {text}");
        let words: Vec<&str> = text.split(' ').collect();
        for pair in words.windows(2) {
            if let ["a" | "an" | "A" | "An", next] = pair {
                let article = english::article_for(next);
                assert!(
                    article.eq_ignore_ascii_case(pair[0]),
                    "article in {id}: {text}"
                );
            }
            assert_ne!(
                pair[0].to_lowercase(),
                pair[1].to_lowercase(),
                "{id}: {text}"
            );
        }
    }
}

#[test]
fn most_questions_end_as_people_end_them() {
    let n = generated().count();
    let n_bare = generated()
        .filter(|it| !it.text.ends_with(['.', '?']))
        .count();
    assert!(
        n_bare * 100 >= n * 5 && n_bare * 100 <= n * 25,
        "{n_bare} of {n}"
    );
}

#[test]
fn all_shapes_occur_and_none_prevails() {
    let mut shapes: BTreeMap<&str, usize> = BTreeMap::new();
    for it in &DRAWN.train {
        *shapes.entry(it.shape).or_default() += 1;
    }
    assert_eq!(shapes.len(), shapes::SHAPES.len());
    assert!(shapes.len() >= 40);
    let most = shapes.values().max().unwrap();
    assert!(most * 20 <= DRAWN.train.len(), "{shapes:?}");
}

#[test]
fn every_hardness_is_well_represented() {
    let mut counts: BTreeMap<Hardness, usize> = BTreeMap::new();
    for example in of(Split::Train) {
        *counts.entry(hardness(example)).or_default() += 1;
    }
    let n = of(Split::Train).count();
    for hardness in Hardness::ALL {
        let share = counts[&hardness] as f64 / n as f64;
        assert!(share > 0.05, "{counts:?}");
    }
}

fn hardness(example: &Example) -> Hardness {
    let schema = SpiderSchema::new(&CORPUS.databases[database(example)]);
    let query = parse(&schema, &example.code)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", example.id, example.code));
    Hardness::of(&query)
}

#[test]
fn openings_and_skeletons_are_varied() {
    let mut openings = BTreeSet::new();
    let mut skeletons = BTreeSet::new();
    for it in &DRAWN.train {
        let words: Vec<&str> = it.text.split(' ').take(3).collect();
        openings.insert(words.join(" "));
        skeletons.insert(skeleton(it));
    }
    let n = DRAWN.train.len() as f64;
    assert!(openings.len() >= 300, "{} openings", openings.len());
    assert!(
        skeletons.len() as f64 / n >= 0.6,
        "{} skeletons",
        skeletons.len()
    );
}

/// A question without what belongs to its database: values, nouns and the words for columns.
fn skeleton(it: &Generated) -> String {
    let embedded = DATABASES
        .iter()
        .find(|known| known.name == it.database)
        .unwrap();
    let words = words::Words::parse(embedded.words).unwrap();
    let mut text = it.text.to_lowercase();
    let mut masked: Vec<String> = it
        .sql
        .split('\'')
        .skip(1)
        .step_by(2)
        .map(str::to_lowercase)
        .collect();
    for entity in &words.entities {
        masked.extend(entity.nouns.iter().map(|noun| english::plural(noun)));
        masked.extend(entity.nouns.iter().cloned());
        for column in &entity.columns {
            masked.extend(column.say.iter().map(|say| english::plural(say)));
            masked.extend(column.say.iter().cloned());
        }
    }
    masked.sort_by_key(|it| std::cmp::Reverse(it.len()));
    for word in masked.iter().filter(|it| it.len() > 2) {
        text = text.replace(word.as_str(), "_");
    }
    text.split(' ')
        .map(|word| {
            if word.contains(|it: char| it.is_ascii_digit()) {
                "#"
            } else {
                word
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn held_out_words_of_degree_were_taught_in_training() {
    let adjectives = |is_held_out: bool| -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for it in DATABASES.iter().filter(|it| it.is_held_out == is_held_out) {
            for entity in words::Words::parse(it.words).unwrap().entities {
                for column in entity.columns {
                    for word in column.most.iter().chain(&column.least) {
                        let last = column.column.rsplit('_').next().unwrap();
                        found.insert((word.clone(), last.to_owned()));
                    }
                }
            }
        }
        found
    };
    let taught: BTreeSet<String> = adjectives(false).into_iter().map(|it| it.0).collect();
    for (word, column) in adjectives(true) {
        assert!(taught.contains(&word), "{word} ({column}) is never taught");
    }
}

#[test]
fn relations_that_are_one_of_several_say_so() {
    for domain in domains() {
        let schema = domain.schema();
        let table_of = |column: usize| schema.columns[column].table;
        for relation in domain.words.relations.iter().filter(|it| it.on.len() == 1) {
            let ends = (
                schema.table_named(&relation.many),
                schema.table_named(&relation.one),
            );
            let n_keys = schema
                .foreign_keys
                .iter()
                .filter(|&&(from, to)| (table_of(from), table_of(to)) == ends)
                .count();
            let is_one_of_several = n_keys > 1 || relation.one == relation.many;
            assert_eq!(
                relation.is_one_of_several, is_one_of_several,
                "{}",
                relation.on[0]
            );
        }
    }
}

#[test]
fn annotations_name_what_exists() {
    for domain in domains() {
        let schema = domain.schema();
        for relation in &domain.words.relations {
            assert!(
                domain.words.entity(&relation.one).is_some(),
                "{}",
                relation.one
            );
            assert!(
                domain.words.entity(&relation.many).is_some(),
                "{}",
                relation.many
            );
            let mut table = relation.one.as_str();
            for (left, next, right) in relation.joins() {
                let find = |table, column| {
                    schema
                        .table_named(table)
                        .and_then(|it| schema.column_named(it, column))
                };
                let (from, to) = (find(table, left).unwrap(), find(next, right).unwrap());
                let is_key = |pair| schema.foreign_keys.contains(&pair);
                assert!(
                    is_key((from, to)) || is_key((to, from)),
                    "{table}.{left} = {next}.{right}"
                );
                table = next;
            }
            assert_eq!(table, relation.many);
        }
    }
}

#[test]
#[ignore = "prints figures and a sample to be read by a person"]
fn report() {
    use rand::seq::IndexedRandom;
    let setting = |name| std::env::var(name).unwrap_or_default();
    let start = std::time::Instant::now();
    println!(
        "{} examples in {:?}",
        corpus().examples.len(),
        start.elapsed()
    );
    let mut rng = ChaCha8Rng::seed_from_u64(setting("SAMPLE_SEED").parse().unwrap_or(1));
    for split in [Split::Train, Split::Dev, Split::Test, Split::Handwritten] {
        let mut counts: BTreeMap<Hardness, usize> = BTreeMap::new();
        for example in of(split) {
            *counts.entry(hardness(example)).or_default() += 1;
        }
        println!("{split}: {} {counts:?}", of(split).count());
    }
    let mut shapes: BTreeMap<&str, usize> = BTreeMap::new();
    for it in &DRAWN.train {
        *shapes.entry(it.shape).or_default() += 1;
    }
    println!("{shapes:?}");
    let shape = setting("SAMPLE_SHAPE");
    let fitting: Vec<&Generated> = generated().filter(|it| it.shape.contains(&shape)).collect();
    for it in fitting.sample(&mut rng, 70) {
        println!(
            "[{} {}] {}\n      {}",
            it.database, it.shape, it.text, it.sql
        );
    }
}
