//! Foreign keys that nobody has declared.
//!
//! Many databases declare none: files that were imported, exports of other systems. What a column is called and what it
//! holds tells most of them.

use std::time::{Duration, Instant};

use patois_languages::sql::{Column, DatabaseSchema};

use crate::statement::quoted;
use crate::{Database, QueryLimits};

/// What a look at the values of two columns may cost; what takes longer is not taken for a key.
const LOOK: QueryLimits = QueryLimits {
    time: Duration::from_millis(500),
    n_rows: 1,
    n_bytes: 1 << 20,
};

/// How long values are looked at in all, before what was found so far is enough.
const ALL_LOOKS: Duration = Duration::from_secs(2);

impl Database {
    /// Foreign keys of one column that are not declared, as far as names and values tell: pairs like those of
    /// [`DatabaseSchema::foreign_keys`].
    ///
    /// A column refers to the key of another table where it is called by that table, or as that key, and all its
    /// values are there.
    ///
    /// ```
    /// use patois_database::Database;
    ///
    /// let script = "CREATE TABLE customers(id, name); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Ida');
    ///     CREATE TABLE invoices(id, customer_id); INSERT INTO invoices VALUES (1, 2), (2, 2);";
    /// let shop = Database::from_script("shop", script)?;
    /// let schema = shop.schema()?.schema;
    /// let (from, to) = shop.guessed_keys(&schema)[0];
    /// assert_eq!((schema.columns[from].name.as_str(), schema.columns[to].name.as_str()), ("customer_id", "id"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn guessed_keys(&self, schema: &DatabaseSchema) -> Vec<(usize, usize)> {
        let keys: Vec<TableKey> = (0..schema.tables.len())
            .filter_map(|table| TableKey::of(schema, table))
            .collect();
        let started = Instant::now();
        let mut found = Vec::new();
        for (from, column) in schema.columns.iter().enumerate() {
            let is_declared = schema.foreign_keys.iter().any(|it| it.0 == from);
            let said = words(&column.words);
            if is_declared || said.is_empty() {
                continue;
            }
            let is_own_key = keys.iter().any(|it| it.column == from);
            for key in named(&keys, column, &said, is_own_key) {
                let is_other = key.column != from && started.elapsed() < ALL_LOOKS;
                if is_other && self.refers(schema, from, key) {
                    found.push((from, key.column));
                    break;
                }
            }
        }
        found
    }

    /// Whether the values of a column are all among those of a key, which are all different.
    fn refers(&self, schema: &DatabaseSchema, from: usize, key: &TableKey) -> bool {
        let place = |column: usize| {
            let column = &schema.columns[column];
            let table = column.table.map(|it| &schema.tables[it].name);
            table.map(|table| (quoted(&column.name), quoted(table)))
        };
        let (Some((from, table)), Some((to, target))) = (place(from), place(key.column)) else {
            return false;
        };
        let is_missing = format!(
            "SELECT 1 FROM {table} WHERE {from} IS NOT NULL AND {from} NOT IN \
             (SELECT {to} FROM {target} WHERE {to} IS NOT NULL) LIMIT 1"
        );
        let is_twice = format!(
            "SELECT 1 FROM {target} WHERE {to} IS NOT NULL GROUP BY {to} HAVING count(*) > 1 LIMIT 1"
        );
        let is_empty = |sql: &str| self.query(sql, &LOOK).is_ok_and(|it| it.rows.is_empty());
        is_empty(&is_missing) && (key.is_declared || is_empty(&is_twice))
    }
}

/// What the rows of a table are known by.
struct TableKey {
    table: usize,
    column: usize,
    /// Whether it is a primary key, whose values SQLite keeps different.
    is_declared: bool,
    /// The words that other tables would call it by: those of the table and of the key.
    full_name: Vec<String>,
    /// The words of the key, where they say more than that it is one.
    own_name: Vec<String>,
}

/// What keys are called.
const KEY_WORDS: [&str; 9] = [
    "id", "no", "nr", "number", "num", "code", "cd", "key", "uid",
];

impl TableKey {
    /// The primary key of a table, or the column that is called as if it were.
    fn of(schema: &DatabaseSchema, table: usize) -> Option<TableKey> {
        let table_words = words(&schema.tables[table].words);
        let columns: Vec<(usize, &Column)> = schema.columns_of(table).collect();
        let primary: Vec<usize> = columns
            .iter()
            .filter(|it| it.1.is_primary_key)
            .map(|it| it.0)
            .collect();
        let is_called_key =
            |it: &&(usize, &Column)| is_key_name(&it.1.words, &schema.tables[table].words);
        let column = match primary[..] {
            [only] => only,
            [] => columns.iter().find(is_called_key)?.0,
            _ => return None,
        };
        let own_name = words(&schema.columns[column].words);
        let last = own_name.last()?.clone();
        let mut full_name = table_words;
        if full_name.last() != Some(&last) {
            full_name.push(last);
        }
        let is_telling = own_name.iter().any(|it| !KEY_WORDS.contains(&it.as_str()));
        Some(TableKey {
            table,
            column,
            is_declared: !primary.is_empty(),
            full_name,
            own_name: if is_telling { own_name } else { Vec::new() },
        })
    }

    /// How clearly a column is called by this key.
    fn is_named(&self, column: &Column, said: &[String]) -> Option<Clarity> {
        if column.table == Some(self.table) {
            let has_role = said.iter().any(|it| ROLES.contains(&it.as_str()));
            let is_longer = said.len() > self.full_name.len() && said.ends_with(&self.full_name);
            return (has_role || is_longer).then_some(Clarity::Hinted);
        }
        let is_own = said == self.own_name && self.own_name.len() > 1;
        if is_own || said.ends_with(&self.full_name) {
            return Some(Clarity::Said);
        }
        let (last, before) = said.split_last()?;
        let (key_word, table) = self.full_name.split_last()?;
        let is_part = table.ends_with(before) || (table.len() == 1 && is_short(before, table));
        let is_person = table.iter().any(|it| PEOPLE.contains(&it.as_str()));
        let does = |word: &String| ["er", "or", "ee"].iter().any(|it| word.ends_with(it));
        let is_doer = is_person && before.iter().any(does);
        (last == key_word && !before.is_empty() && (is_part || is_doer)).then_some(Clarity::Hinted)
    }
}

/// How clearly the name of a column says what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clarity {
    /// It names the table.
    Said,
    /// It could mean the table, if nothing else is meant: a part of its name, its first letters, what a person does.
    Hinted,
}

/// The keys that a column may refer to: those it names; else the only one that it hints at, unless it is the key of its
/// own table.
fn named<'k>(
    keys: &'k [TableKey],
    column: &Column,
    said: &[String],
    is_own_key: bool,
) -> Vec<&'k TableKey> {
    let with = |clarity: Clarity| -> Vec<&TableKey> {
        let keys = keys.iter();
        keys.filter(|it| it.is_named(column, said) == Some(clarity))
            .collect()
    };
    let clear = with(Clarity::Said);
    if is_own_key || !clear.is_empty() {
        return clear;
    }
    let hinted = with(Clarity::Hinted);
    if hinted.len() == 1 {
        hinted
    } else {
        Vec::new()
    }
}

/// What a row of a table is to another row of the same one.
const ROLES: [&str; 12] = [
    "manager",
    "mgr",
    "boss",
    "supervisor",
    "chief",
    "parent",
    "mentor",
    "leader",
    "referrer",
    "predecessor",
    "prerequisite",
    "reply",
];

/// What tables of people are called, who own, write and approve.
const PEOPLE: [&str; 8] = [
    "user", "employee", "person", "people", "staff", "member", "emp", "customer",
];

/// Whether a column is called as the key of its table would be, both in words: `id`, `order id` or `ord id` of `orders`.
pub(super) fn is_key_name(column: &str, table: &str) -> bool {
    let (column, table) = (words(column), words(table));
    let Some((last, before)) = column.split_last() else {
        return false;
    };
    let is_key = KEY_WORDS.contains(&last.as_str());
    is_key && (before.is_empty() || before == table || is_short(before, &table))
}

/// Whether a word is the beginning of another one: `emp_no` is the key of employees.
fn is_short(short: &[String], words: &[String]) -> bool {
    matches!((short, words), ([short], [word, ..]) if short.len() > 1 && word.starts_with(short.as_str()))
}

/// The words of a name, each for one of what it says.
fn words(name: &str) -> Vec<String> {
    let words = name.split_whitespace().map(str::to_lowercase);
    words.map(|it| singular(&it)).collect()
}

/// The same for one and for many: `class` for `classes`, `cours` for `course` and `courses`.
fn singular(word: &str) -> String {
    let one = match (word.strip_suffix("ies"), word.strip_suffix('s')) {
        (Some(stem), _) if stem.len() > 2 => return format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    };
    let hissing = |stem: &&str| {
        ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|it| stem.ends_with(it))
    };
    one.strip_suffix('e')
        .filter(hissing)
        .unwrap_or(one)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that are guessed, as `table.column -> table.column`.
    fn check(script: &str, expected: &[&str]) {
        let database = Database::from_script("guess", script).unwrap();
        let schema = database.schema().unwrap().schema;
        let name = |index: usize| {
            let column = &schema.columns[index];
            let table = &schema.tables[column.table.unwrap()].name;
            format!("{table}.{}", column.name)
        };
        let keys = database.guessed_keys(&schema).into_iter();
        let keys: Vec<String> = keys
            .map(|(from, to)| format!("{} -> {}", name(from), name(to)))
            .collect();
        assert_eq!(keys, expected, "{script}");
    }

    #[test]
    fn keys_are_guessed_by_names_and_values() {
        let tables = "CREATE TABLE Customers(Id INTEGER PRIMARY KEY, Name); INSERT INTO Customers VALUES (1, 'Ada');
            CREATE TABLE employee(emp_no, name); INSERT INTO employee VALUES (7, 'Ida'), (8, 'Eve');";
        let with = |more: &str| format!("{tables}{more}");
        check(
            &with(
                "CREATE TABLE Orders(Id, CustomerId); INSERT INTO Orders VALUES (1, 1), (2, NULL)",
            ),
            &["Orders.CustomerId -> Customers.Id"],
        );
        check(
            &with("CREATE TABLE call(billing_customer_id, emp_no); INSERT INTO call VALUES (1, 8)"),
            &[
                "call.billing_customer_id -> Customers.Id",
                "call.emp_no -> employee.emp_no",
            ],
        );
    }

    #[test]
    fn what_only_hints_at_a_key_is_taken_where_nothing_else_is_meant() {
        let tables = "CREATE TABLE auth_user(id INTEGER PRIMARY KEY, name, boss_id);
            INSERT INTO auth_user VALUES (1, 'Ada', NULL), (2, 'Ida', 1);
            CREATE TABLE classes(id INTEGER PRIMARY KEY, name); INSERT INTO classes VALUES (1, 'Yoga');
            CREATE TABLE gym(gym_id INTEGER PRIMARY KEY, name); INSERT INTO gym VALUES (1, 'Fit');
            CREATE TABLE gym_visit(visit_id INTEGER PRIMARY KEY, day); INSERT INTO gym_visit VALUES (1, 'Monday');";
        check(
            &format!(
                "{tables} CREATE TABLE bookings(id INTEGER PRIMARY KEY, class_id, user_id, approver_id, price_id);
                INSERT INTO bookings VALUES (1, 1, 2, 1, 1)"
            ),
            &[
                "auth_user.boss_id -> auth_user.id",
                "bookings.class_id -> classes.id",
                "bookings.user_id -> auth_user.id",
                "bookings.approver_id -> auth_user.id",
            ],
        );
    }

    #[test]
    fn what_is_called_like_a_key_and_leads_nowhere_is_none() {
        let tables =
            "CREATE TABLE customer(id, name); INSERT INTO customer VALUES (1, 'Ada'), (1, 'Ida');
            CREATE TABLE shop(id, name); INSERT INTO shop VALUES (1, 'A');";
        // Two customers with one number; a shop that does not exist; a number of its own.
        check(
            &format!(
                "{tables} CREATE TABLE sale(id, customer_id, shop_id); INSERT INTO sale VALUES (1, 1, 2)"
            ),
            &[],
        );
        // What is declared is not guessed.
        check(
            "CREATE TABLE shop(id INTEGER PRIMARY KEY); CREATE TABLE sale(shop_id REFERENCES shop(id))",
            &[],
        );
    }
}
