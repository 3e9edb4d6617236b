use std::sync::Arc;

use patois_languages::sql::{Mode, Sql};
use patois_syntax::Language as _;
use rand::SeedableRng;

use super::*;
use crate::corpus::default;

/// The database `library` of the embedded corpus has keys between its tables; any with several tables would do.
fn queries() -> Vec<(Arc<DatabaseSchema>, String)> {
    let corpus = default::corpus();
    let of = |it: &crate::corpus::Example| {
        let name = it.database.as_ref().unwrap();
        (Arc::clone(&corpus.databases[name]), it.code.clone())
    };
    corpus.examples.iter().step_by(37).map(of).collect()
}

/// What is left of a schema is enough for the query: it prints as it did, with all that was said of its tables and
/// columns still true.
fn check(change: impl Fn(&mut Change, &DatabaseSchema, &Needed, &mut ChaCha8Rng)) -> usize {
    let grammar = Grammar::from_schema(Sql::schema_of(Mode::Full));
    let mut n_smaller = 0;
    for (seed, (schema, code)) in (0..).zip(queries()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let language = Sql::new(Arc::clone(&schema), Mode::Full);
        let ast = language.parse(&code).unwrap();
        let tree = grammar.tree(&ast).unwrap();
        let needed = Needed::of(&schema, &grammar, &tree);
        let mut changed = Change::none(&schema);
        change(&mut changed, &schema, &needed, &mut rng);
        let renumbered = changed.apply(&schema);
        let after = renumbered.tree(&grammar, &tree);
        let language = Sql::new(Arc::new(renumbered.schema.clone()), Mode::Full);
        let printed = language.print(&grammar.ast(&after)).unwrap();
        let before = Sql::new(Arc::clone(&schema), Mode::Full)
            .print(&ast)
            .unwrap();
        assert_eq!(printed, before);
        let new = &renumbered.schema;
        assert_eq!(
            new.columns[DatabaseSchema::STAR],
            schema.columns[DatabaseSchema::STAR]
        );
        for &(from, to) in &new.foreign_keys {
            let old = |column: usize| {
                let found = renumbered.columns.iter().position(|it| *it == Some(column));
                found.unwrap()
            };
            assert!(schema.foreign_keys.contains(&(old(from), old(to))));
        }
        for (old, new_index) in renumbered.columns.iter().enumerate() {
            let Some(new_index) = new_index else { continue };
            let (old, now) = (&schema.columns[old], &new.columns[*new_index]);
            assert_eq!((&old.name, old.kind), (&now.name, now.kind));
            let table = |schema: &DatabaseSchema, it: Option<usize>| {
                it.map(|it| schema.tables[it].name.clone())
            };
            assert_eq!(table(&schema, old.table), table(new, now.table));
        }
        n_smaller += usize::from(new.columns.len() < schema.columns.len());
    }
    n_smaller
}

#[test]
fn a_query_keeps_what_it_needs() {
    let n_smaller = check(Change::drop_some);
    assert!(n_smaller > queries().len() / 2, "{n_smaller} are smaller");
}

#[test]
fn there_are_no_more_columns_than_allowed_unless_they_are_needed() {
    let n_smaller = check(|change, schema, needed, rng| {
        let limits = Limits {
            max_columns: Some(8),
        };
        change.limit(schema, needed, limits, rng);
        let n_needed = needed.columns.iter().filter(|it| **it).count();
        let most = schema.columns.len().min(8).max(n_needed);
        assert_eq!(change.n_columns(), most, "as many as can be");
    });
    assert!(n_smaller > 0);
    // Nothing is left out where all of it may stay.
    let none = check(|change, schema, needed, rng| {
        let limits = Limits {
            max_columns: Some(1000),
        };
        change.limit(schema, needed, limits, rng);
        assert!(change.is_none());
    });
    assert_eq!(none, 0);
}

#[test]
fn columns_of_other_databases_move_none_of_the_others() {
    let corpus = default::corpus();
    let other = corpus.databases.values().next_back().unwrap();
    let said = BTreeSet::from(["name".to_owned()]);
    let n_smaller = check(|change, schema, _, rng| {
        change.add_some(schema, other, &said, rng);
        let renumbered = change.apply(schema);
        for column in &renumbered.schema.columns {
            let is_own = schema.columns.iter().any(|it| it.name == column.name);
            let is_said = column.words.split(' ').any(|it| it == "name");
            assert!(
                is_own || !is_said,
                "{} is said in the question",
                column.words
            );
        }
    });
    assert_eq!(n_smaller, 0);
}
