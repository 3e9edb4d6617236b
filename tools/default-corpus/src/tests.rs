//! What the generator promises, and that patois has what it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use patois_database::Database;
use patois_languages::sql::DatabaseSchema;
use patois_metrics::sql_match::{Hardness, SpiderSchema, parse};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::artefact::{self, Example, examples};
use super::databases::{DATABASES, Source};
use super::drawing::Drawn;
use super::generator::Generated;
use super::words::Words;
use super::{english, shapes};

static DRAWN: LazyLock<Drawn> = LazyLock::new(Drawn::draw);

fn generated() -> impl Iterator<Item = &'static Generated> {
    DRAWN.train.iter().chain(&DRAWN.dev).chain(&DRAWN.test)
}

fn source(name: &str) -> &'static Source {
    DATABASES.iter().find(|it| it.name == name).unwrap()
}

fn schema(source: &Source) -> DatabaseSchema {
    let database = Database::from_script(source.name, source.script).unwrap();
    database.schema().unwrap().schema
}

#[test]
fn patois_has_what_the_tool_writes() {
    let mend = "the embedded corpus is not what the tool writes; \
        `cargo run -p patois-default-corpus` writes it anew";
    let packed = std::fs::read(artefact::PATH).unwrap();
    let mut found = String::new();
    GzDecoder::new(&packed[..])
        .read_to_string(&mut found)
        .unwrap();
    let expected = artefact::text(&DRAWN);
    let differs = found
        .lines()
        .zip(expected.lines())
        .position(|(a, b)| a != b);
    assert_eq!(differs, None, "a line differs: {mend}");
    assert!(found == expected, "lines are missing: {mend}");
    assert!(
        packed == artefact::pack(&expected).unwrap(),
        "the text is the same, its packing is not: {mend}"
    );
}

#[test]
fn questions_are_written_properly() {
    for Example { database, text, .. } in examples(&DRAWN) {
        let first = text.chars().next().unwrap();
        let is_in_haste = first.is_lowercase() && !text.ends_with(['.', '?']);
        assert!(
            first.is_uppercase() || first.is_numeric() || first == '\'' || is_in_haste,
            "{database}: {text}"
        );
        assert!(
            !text.contains("  ") && text.trim() == text,
            "spaces in {database}: {text}"
        );
        assert!(!text.contains(['{', '}']), "a gap in {database}: {text}");
        let words: Vec<&str> = text.split(' ').collect();
        for pair in words.windows(2) {
            if let ["a" | "an" | "A" | "An", next] = pair {
                let article = english::article_for(next);
                assert!(
                    article.eq_ignore_ascii_case(pair[0]),
                    "article in {database}: {text}"
                );
            }
            assert_ne!(
                pair[0].to_lowercase(),
                pair[1].to_lowercase(),
                "{database}: {text}"
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
    let shapes = counts(DRAWN.train.iter().map(|it| it.shape));
    assert_eq!(shapes.len(), shapes::SHAPES.len());
    assert!(shapes.len() >= 40);
    let most = shapes.values().max().unwrap();
    assert!(most * 20 <= DRAWN.train.len(), "{shapes:?}");
}

/// How often each item occurs.
fn counts<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

#[test]
fn every_hardness_is_well_represented() {
    let counts = counts(hardnesses("train"));
    let n = DRAWN.train.len();
    for hardness in Hardness::ALL {
        let share = counts[&hardness] as f64 / n as f64;
        assert!(share > 0.05, "{counts:?}");
    }
}

/// How hard the queries of a split are.
fn hardnesses(split: &str) -> Vec<Hardness> {
    let schemas: BTreeMap<&str, SpiderSchema> = DATABASES
        .iter()
        .map(|it| (it.name, SpiderSchema::new(&schema(it))))
        .collect();
    let of_split: Vec<_> = examples(&DRAWN).filter(|it| it.split == split).collect();
    let hardness = |it: &Example<'_>| {
        let query = parse(&schemas[it.database], it.code);
        query.ok().map(|it| Hardness::of(&it))
    };
    let found: Vec<Hardness> = of_split.iter().filter_map(hardness).collect();
    let n_beyond = of_split.len() - found.len();
    assert!(
        n_beyond * 12 <= of_split.len(),
        "{n_beyond} of {} queries of {split} are not in Spider's grammar",
        of_split.len()
    );
    found
}

#[test]
fn every_query_is_read_and_written_again() {
    use patois_languages::sql::{Mode, Sql};
    use patois_syntax::Language as _;
    let languages: BTreeMap<&str, Sql> = DATABASES
        .iter()
        .map(|it| (it.name, Sql::new(schema(it).into(), Mode::Full)))
        .collect();
    for Example { database, code, .. } in examples(&DRAWN) {
        let sql = &languages[database];
        let tree = sql.parse(code).unwrap_or_else(|it| panic!("{code}: {it}"));
        let printed = sql.print(&tree).unwrap_or_else(|it| panic!("{code}: {it}"));
        assert_eq!(
            sql.parse(&printed).unwrap(),
            tree,
            "{code} became {printed}"
        );
    }
}

#[test]
fn what_people_ask_for_is_asked() {
    let n_with = |part: &str| {
        DRAWN
            .train
            .iter()
            .filter(|it| it.sql.contains(part))
            .count()
    };
    for (part, at_least) in [
        (" IS NULL", 80),
        (" IS NOT NULL", 40),
        ("strftime('%Y'", 100),
        ("strftime('%m'", 30),
        (" LEFT JOIN ", 50),
        (" IN ('", 50),
        (" BETWEEN ", 100),
        (" LIKE '", 100),
        (" * T", 15),
        (" EXCEPT ", 200),
        (" INTERSECT ", 200),
        (" HAVING ", 500),
    ] {
        assert!(n_with(part) >= at_least, "{part}: {}", n_with(part));
    }
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
    let words = Words::parse(source(it.database).words).unwrap();
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
            for entity in Words::parse(it.words).unwrap().entities {
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
    for source in DATABASES {
        let (schema, words) = (schema(source), Words::parse(source.words).unwrap());
        let table_of = |column: usize| schema.columns[column].table;
        for relation in words.relations.iter().filter(|it| it.on.len() == 1) {
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
    for source in DATABASES {
        let (schema, words) = (schema(source), Words::parse(source.words).unwrap());
        for relation in &words.relations {
            assert!(words.entity(&relation.one).is_some(), "{}", relation.one);
            assert!(words.entity(&relation.many).is_some(), "{}", relation.many);
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
    println!("{} questions in {:?}", generated().count(), start.elapsed());
    let mut rng = ChaCha8Rng::seed_from_u64(setting("SAMPLE_SEED").parse().unwrap_or(1));
    for split in ["train", "dev", "test", "handwritten"] {
        let counts = counts(hardnesses(split));
        println!("{split}: {} {counts:?}", counts.values().sum::<usize>());
    }
    println!("{:?}", counts(DRAWN.train.iter().map(|it| it.shape)));
    let shape = setting("SAMPLE_SHAPE");
    let fitting: Vec<&Generated> = generated().filter(|it| it.shape.contains(&shape)).collect();
    for it in fitting.sample(&mut rng, 70) {
        println!(
            "[{} {}] {}\n      {}",
            it.database, it.shape, it.text, it.sql
        );
    }
}
