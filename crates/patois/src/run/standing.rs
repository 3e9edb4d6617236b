//! Which of a model's queries stand up to the database that they are about.

use std::time::Duration;

use patois_database::{Database, QueryLimits, Rows, SqlValue};

use super::synthesizer::Answers;

/// What comes of a query, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// It selects something.
    Something,
    /// It selects no row, or nothing but NULL.
    Nothing,
    /// It cannot be run.
    Failure,
}

/// A look at a query's first row. What takes longer is given the benefit of the doubt.
const LOOK: QueryLimits = QueryLimits {
    time: Duration::from_secs(2),
    n_rows: 1,
    n_bytes: 1 << 20,
};

impl Answers {
    /// Puts queries that cannot be run behind those that can, and queries that select nothing behind those that
    /// select something; else the more probable one stays before the other. Probabilities are what they were.
    pub(crate) fn put_to_the_test(&mut self, database: &Database) {
        if self.programs.len() < 2 {
            return;
        }
        let standing = |code: &str| standing(database, code);
        self.programs.sort_by_cached_key(|it| standing(&it.code));
    }
}

fn standing(database: &Database, code: &str) -> Standing {
    use patois_database::QueryError::{Rows as Many, Size, Time};
    match database.first_rows(code, &LOOK) {
        Ok((rows, _)) if is_nothing(&rows) => Standing::Nothing,
        Ok(_) | Err(Many(_) | Size(_) | Time(_)) => Standing::Something,
        Err(_) => Standing::Failure,
    }
}

fn is_nothing(rows: &Rows) -> bool {
    let mut values = rows.rows.iter().flatten();
    values.all(|it| *it == SqlValue::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_put_to_the_test() {
        let script =
            "CREATE TABLE pet(name, age); INSERT INTO pet VALUES ('Rex', 3), ('Tom', NULL)";
        let pets = Database::from_script("pets", script).unwrap();
        let check = |code: &str, expected| assert_eq!(standing(&pets, code), expected, "{code}");
        check("SELECT name FROM pet", Standing::Something);
        check(
            "SELECT count(*) FROM pet WHERE age > 5",
            Standing::Something,
        );
        check("SELECT name FROM pet WHERE name = 'rex'", Standing::Nothing);
        check("SELECT max(age) FROM pet WHERE age > 5", Standing::Nothing);
        check("SELECT nickname FROM pet", Standing::Failure);
        check("DROP TABLE pet", Standing::Failure);
        // Far too many rows to wait for: that there are some is enough.
        let many =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
        check(many, Standing::Something);
    }
}
