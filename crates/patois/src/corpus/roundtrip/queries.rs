//! What of a query survives the round trip: what it asks, and the rows it returns.

use std::collections::BTreeMap;

use patois_database::{Database, QueryLimits};
use patois_metrics::execution_match;
use patois_metrics::sql_match::{Component, SpiderSchema, SqlMatch, exact_match};

/// Whether a reprinted query still is what the original was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is.
    Yes,
    /// It is not; in a few words, why.
    No(String),
    /// The original itself is at fault, so that there is nothing to compare with.
    Defective(String),
}

/// Whether `reprinted` is an exact set match with `original`.
///
/// The cause of a loss is a list of the components that differ; `from` where only the tables do.
/// The metric knows one table for an alias, even where the parts of a query use it for several; a
/// query that does is defective if it is misread for it.
pub fn keeps_match(schema: &SpiderSchema, original: &str, reprinted: &str) -> Kept {
    match exact_match(schema, original, reprinted) {
        Err(error) => Kept::Defective(error.to_string()),
        Ok(found) if found.is_exact => Kept::Yes,
        Ok(found) => match (ambiguous_alias(original), &found.prediction_error) {
            (Some(alias), _) => Kept::Defective(format!("`{alias}` stands for several tables")),
            (None, Some(error)) => Kept::No(format!("not understood: {error}")),
            (None, None) => Kept::No(differing_components(&found)),
        },
    }
}

/// Whether `reprinted` returns the rows that `original` returns, column by column.
pub fn keeps_rows(
    database: &Database,
    original: &str,
    reprinted: &str,
    limits: &QueryLimits,
) -> Kept {
    match execution_match(database, original, reprinted, limits) {
        Err(error) => Kept::Defective(error.to_string()),
        Ok(found) if found.is_strictly_equal => Kept::Yes,
        Ok(found) => Kept::No(match found.prediction_error {
            Some(error) => format!("does not run: {error}"),
            None => "other rows".to_owned(),
        }),
    }
}

/// An alias that a query gives to more than one table.
fn ambiguous_alias(query: &str) -> Option<String> {
    let lower = query.to_ascii_lowercase();
    let words: Vec<_> = lower
        .split(|it: char| !(it.is_alphanumeric() || it == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let mut tables: BTreeMap<&str, &str> = BTreeMap::new();
    for window in words.windows(3) {
        if let [table, "as", alias] = window {
            let first = tables.entry(alias).or_insert(table);
            if first != table {
                return Some((*alias).to_owned());
            }
        }
    }
    None
}

/// The coarse components, which the others are parts of.
const COARSE: [Component; 5] = [
    Component::Select,
    Component::Where,
    Component::Group,
    Component::Order,
    Component::SetOperations,
];

fn differing_components(found: &SqlMatch) -> String {
    let differs = |it: &Component| !found.components.get(*it).is_correct;
    let mut names: Vec<_> = COARSE.into_iter().filter(differs).collect();
    if names.is_empty() {
        names.extend(Component::ALL.into_iter().filter(differs));
    }
    if names.is_empty() {
        return "from".to_owned();
    }
    let names: Vec<_> = names.into_iter().map(Component::name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use patois_languages::sql::DatabaseSchema;

    use super::*;

    fn schema() -> SpiderSchema {
        let tables = r#"[{
            "db_id": "pets",
            "table_names": ["pet", "owner"], "table_names_original": ["pet", "owner"],
            "column_names": [[-1, "*"], [0, "age"], [1, "age"]],
            "column_names_original": [[-1, "*"], [0, "age"], [1, "age"]],
            "column_types": ["text", "number", "number"],
            "primary_keys": [], "foreign_keys": []
        }]"#;
        SpiderSchema::new(&DatabaseSchema::from_tables_json(tables).unwrap()["pets"])
    }

    fn lost(cause: &str) -> Kept {
        Kept::No(cause.to_owned())
    }

    #[test]
    fn a_loss_is_named_after_what_differs() {
        let check = |reprinted: &str, expected: Kept| {
            let original = "SELECT count(*) FROM pet WHERE pet.age > 3";
            assert_eq!(keeps_match(&schema(), original, reprinted), expected);
        };
        check("SELECT count(*) FROM pet WHERE pet.age > 7", Kept::Yes);
        check("SELECT count(*) FROM pet WHERE pet.age < 3", lost("where"));
        check(
            "SELECT count(*) FROM pet JOIN owner WHERE pet.age > 3",
            lost("from"),
        );
        check(
            "SELECT count(*) FROM cat",
            lost("not understood: unknown table `cat`"),
        );
    }

    #[test]
    fn an_original_that_the_metric_misreads_is_defective() {
        let original = "SELECT T1.age FROM pet AS T1 UNION SELECT T1.age FROM owner AS T1";
        let reprinted = "SELECT pet.age FROM pet UNION SELECT owner.age FROM owner";
        let kept = keeps_match(&schema(), original, reprinted);
        assert_eq!(
            kept,
            Kept::Defective("`t1` stands for several tables".to_owned())
        );
    }

    #[test]
    fn rows_are_compared_and_failures_told_apart() {
        let script = "CREATE TABLE pet(age); INSERT INTO pet VALUES (1), (2);";
        let database = Database::from_script("pets", script).unwrap();
        let check = |original: &str, reprinted: &str| {
            keeps_rows(&database, original, reprinted, &QueryLimits::default())
        };
        let all = "SELECT age FROM pet";
        assert_eq!(check(all, "SELECT age FROM pet WHERE age > 0"), Kept::Yes);
        assert_eq!(
            check(all, "SELECT age FROM pet LIMIT 1"),
            lost("other rows")
        );
        let not_run = check(all, "SELECT name FROM pet");
        assert_eq!(not_run, lost("does not run: no such column: name"));
        assert!(matches!(check("SELECT", all), Kept::Defective(_)));
    }
}
