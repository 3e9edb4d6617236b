//! Queries over a database as people have them: what its tables, keys and values allow.

use std::time::Duration;

use patois_database::{Database, QueryLimits, SqlValue};
use patois_languages::sql::DatabaseSchema;

/// How many values of a column are looked at.
const N_VALUES: usize = 50;

/// Queries over the tables and along the keys of a database.
pub(super) fn made_queries(schema: &DatabaseSchema, database: &Database) -> Vec<String> {
    let made = Made::new(schema, database);
    let mut queries: Vec<String> = made.tables.iter().flat_map(Made::of_table).collect();
    for key in &made.keys {
        queries.extend(made.of_key(key));
        for next in made.keys.iter().filter(|it| it.child == key.parent) {
            queries.extend(made.of_two_keys(key, next));
        }
    }
    queries
}

/// What queries are made of.
struct Made {
    tables: Vec<Table>,
    /// Keys of one column.
    keys: Vec<Key>,
}

struct Table {
    name: String,
    columns: Vec<Column>,
    /// The columns that a row is called by: the first text, or both parts of a name.
    label: Vec<String>,
}

struct Column {
    name: String,
    kind: Kind,
    has_nulls: bool,
    /// Some values, as SQL writes them.
    values: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    /// Zero or one.
    Flag,
    Date,
    /// A key, or nothing that is known.
    Other,
}

struct Key {
    /// Index of the table that has it.
    child: usize,
    child_column: String,
    /// Index of the table that it leads to.
    parent: usize,
    parent_column: String,
}

impl Made {
    fn new(schema: &DatabaseSchema, database: &Database) -> Made {
        let table_of = |column: usize| schema.columns[column].table;
        let keys: Vec<(usize, usize)> = schema
            .keys()
            .iter()
            .filter_map(|key| match key[..] {
                [pair] => Some(pair),
                _ => None,
            })
            .collect();
        let is_key = |column: usize| {
            let in_key = keys
                .iter()
                .any(|&(from, to)| from == column || to == column);
            schema.columns[column].is_primary_key || in_key
        };
        let table = |index: usize| {
            let name = quoted(&schema.tables[index].name);
            let own = (0..schema.columns.len()).filter(|&it| table_of(it) == Some(index));
            let columns: Vec<Column> = own
                .map(|it| Column::look(database, &name, &schema.columns[it].name, is_key(it)))
                .collect();
            let label = label(&columns);
            Table {
                name,
                columns,
                label,
            }
        };
        let key = |&(from, to): &(usize, usize)| {
            Some(Key {
                child: table_of(from)?,
                child_column: quoted(&schema.columns[from].name),
                parent: table_of(to)?,
                parent_column: quoted(&schema.columns[to].name),
            })
        };
        Made {
            tables: (0..schema.tables.len()).map(table).collect(),
            keys: keys.iter().filter_map(key).collect(),
        }
    }

    /// Queries over one table.
    fn of_table(table: &Table) -> Vec<String> {
        let (name, label) = (&table.name, table.label.join(", "));
        let mut queries = vec![format!("SELECT count(*) FROM {name}")];
        let mut add = |query: String| queries.push(query);
        if !label.is_empty() {
            add(format!("SELECT {label} FROM {name}"));
        }
        for condition in table.conditions() {
            add(format!("SELECT count(*) FROM {name} WHERE {condition}"));
            if !label.is_empty() {
                add(format!("SELECT {label} FROM {name} WHERE {condition}"));
            }
        }
        for text in table.of_kind(Kind::Text) {
            let text = &text.name;
            add(format!("SELECT DISTINCT {text} FROM {name}"));
            add(format!(
                "SELECT {text}, count(*) FROM {name} GROUP BY {text}"
            ));
            add(format!(
                "SELECT {text} FROM {name} GROUP BY {text} ORDER BY count(*) DESC LIMIT 1"
            ));
        }
        for number in table.of_kind(Kind::Number) {
            let number = &number.name;
            for function in ["avg", "max", "min", "sum"] {
                add(format!("SELECT {function}({number}) FROM {name}"));
            }
            if !label.is_empty() {
                add(format!(
                    "SELECT {label} FROM {name} ORDER BY {number} DESC LIMIT 1"
                ));
            }
            for text in table.of_kind(Kind::Text).skip(1).take(2) {
                let text = &text.name;
                add(format!(
                    "SELECT {text}, avg({number}) FROM {name} GROUP BY {text}"
                ));
            }
            for condition in table.conditions().into_iter().step_by(3).take(2) {
                add(format!(
                    "SELECT sum({number}) FROM {name} WHERE {condition}"
                ));
            }
        }
        for date in table.of_kind(Kind::Date) {
            let date = &date.name;
            add(format!(
                "SELECT strftime('%Y', {date}), count(*) FROM {name} GROUP BY strftime('%Y', {date})"
            ));
            if !label.is_empty() {
                add(format!(
                    "SELECT {label} FROM {name} ORDER BY {date} DESC LIMIT 1"
                ));
            }
        }
        queries
    }

    /// Queries over two tables, or one and itself, that a key joins.
    fn of_key(&self, key: &Key) -> Vec<String> {
        let (child, parent) = (&self.tables[key.child], &self.tables[key.parent]);
        let (one, many) = if key.child == key.parent {
            ("T1".to_owned(), "T2".to_owned())
        } else {
            (parent.name.clone(), child.name.clone())
        };
        let as_named = |table: &Table, name: &str| {
            if table.name == name {
                name.to_owned()
            } else {
                format!("{} AS {name}", table.name)
            }
        };
        let join = format!(
            "{} JOIN {} ON {one}.{} = {many}.{}",
            as_named(parent, &one),
            as_named(child, &many),
            key.parent_column,
            key.child_column
        );
        let (of_one, of_many) = (parent.label_of(&one), child.label_of(&many));
        let mut queries = Vec::new();
        let mut add = |query: String| queries.push(query);
        if !of_one.is_empty() {
            let group = format!("{one}.{}", key.parent_column);
            add(format!(
                "SELECT {of_one}, count(*) FROM {join} GROUP BY {group}"
            ));
            add(format!(
                "SELECT {of_one} FROM {join} GROUP BY {group} ORDER BY count(*) DESC LIMIT 1"
            ));
            for number in child.of_kind(Kind::Number).take(2) {
                add(format!(
                    "SELECT {of_one}, sum({many}.{}) FROM {join} GROUP BY {group}",
                    number.name
                ));
            }
            for condition in child.conditions_of(&many).into_iter().step_by(2).take(4) {
                add(format!(
                    "SELECT DISTINCT {of_one} FROM {join} WHERE {condition}"
                ));
            }
        }
        if let Some(condition) = parent.called(&one) {
            add(format!("SELECT count(*) FROM {join} WHERE {condition}"));
            if !of_many.is_empty() {
                add(format!("SELECT {of_many} FROM {join} WHERE {condition}"));
            }
            for number in child.of_kind(Kind::Number).take(1) {
                add(format!(
                    "SELECT sum({many}.{}) FROM {join} WHERE {condition}",
                    number.name
                ));
            }
        }
        if key.child == key.parent
            && !of_one.is_empty()
            && let Some(condition) = child.called(&many)
        {
            add(format!("SELECT {of_one} FROM {join} WHERE {condition}"));
        }
        queries
    }

    /// Queries over three tables that two keys join, one after the other.
    fn of_two_keys(&self, key: &Key, next: &Key) -> Vec<String> {
        let [child, middle, parent] =
            [key.child, key.parent, next.parent].map(|it| &self.tables[it]);
        if [key.child, next.parent].contains(&key.parent) || key.child == next.parent {
            return Vec::new();
        }
        let join = format!(
            "{one} JOIN {two} ON {one}.{} = {two}.{} JOIN {three} ON {two}.{} = {three}.{}",
            next.parent_column,
            next.child_column,
            key.parent_column,
            key.child_column,
            one = parent.name,
            two = middle.name,
            three = child.name,
        );
        let mut queries = Vec::new();
        if let Some(condition) = parent.called(&parent.name) {
            queries.push(format!("SELECT count(*) FROM {join} WHERE {condition}"));
            for number in child.of_kind(Kind::Number).take(1) {
                queries.push(format!(
                    "SELECT sum({}.{}) FROM {join} WHERE {condition}",
                    child.name, number.name
                ));
            }
        }
        let label = parent.label_of(&parent.name);
        if !label.is_empty() {
            queries.push(format!(
                "SELECT {label}, count(*) FROM {join} GROUP BY {}.{}",
                parent.name, next.parent_column
            ));
        }
        queries
    }
}

impl Table {
    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |it| it.kind == kind)
    }

    /// The columns that a row is called by, of the table under a name.
    fn label_of(&self, name: &str) -> String {
        let columns = self.label.iter().map(|it| format!("{name}.{it}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// That a row is the one that is called so, of the table under a name.
    fn called(&self, name: &str) -> Option<String> {
        let part = |label: &String| {
            let column = self.columns.iter().find(|it| it.name == *label)?;
            Some(format!("{name}.{label} = {}", column.values.first()?))
        };
        let parts: Option<Vec<String>> = self.label.iter().map(part).collect();
        parts.filter(|it| !it.is_empty()).map(|it| it.join(" AND "))
    }

    /// What can be asked of its rows.
    fn conditions(&self) -> Vec<String> {
        self.columns
            .iter()
            .flat_map(|it| it.conditions(""))
            .collect()
    }

    /// The same of the table under a name.
    fn conditions_of(&self, name: &str) -> Vec<String> {
        let prefix = format!("{name}.");
        let conditions = self.columns.iter().flat_map(|it| it.conditions(&prefix));
        conditions.collect()
    }
}

impl Column {
    fn look(database: &Database, table: &str, name: &str, is_key: bool) -> Column {
        let name = quoted(name);
        let sql = format!("SELECT DISTINCT {name} FROM {table}");
        let limits = QueryLimits {
            time: Duration::from_millis(200),
            n_rows: N_VALUES,
            n_bytes: 1 << 16,
        };
        let rows = database.first_rows(&sql, &limits);
        let found: Vec<SqlValue> = rows
            .map(|(rows, _)| rows.rows.into_iter().flatten().collect())
            .unwrap_or_default();
        let has_nulls = found.contains(&SqlValue::Null);
        let values: Vec<&SqlValue> = found.iter().filter(|it| **it != SqlValue::Null).collect();
        let all = |is: fn(&SqlValue) -> bool| !values.is_empty() && values.iter().all(|it| is(it));
        let kind = if is_key {
            Kind::Other
        } else if all(is_date) {
            Kind::Date
        } else if all(|it| matches!(it, SqlValue::Integer(0 | 1))) {
            Kind::Flag
        } else if all(|it| matches!(it, SqlValue::Integer(_) | SqlValue::Real(_))) {
            Kind::Number
        } else if all(|it| matches!(it, SqlValue::Text(_))) {
            Kind::Text
        } else {
            Kind::Other
        };
        Column {
            kind,
            has_nulls,
            values: values.iter().filter_map(|it| literal(it)).collect(),
            name,
        }
    }

    /// What can be asked of it.
    fn conditions(&self, prefix: &str) -> Vec<String> {
        let name = format!("{prefix}{}", self.name);
        let mut conditions = Vec::new();
        match self.kind {
            Kind::Text => {
                let values = self.values.iter().take(3);
                conditions.extend(values.map(|it| format!("{name} = {it}")));
            }
            Kind::Flag => conditions.extend(["1", "0"].map(|it| format!("{name} = {it}"))),
            Kind::Number => {
                let value = self.values.get(self.values.len() / 2);
                conditions.extend(value.map(|it| format!("{name} > {it}")));
            }
            Kind::Date => {
                let year = self
                    .values
                    .get(self.values.len() / 2)
                    .and_then(|it| it.get(1..5));
                conditions.extend(year.map(|it| format!("{name} >= '{it}-01-01'")));
                conditions.extend(year.map(|it| format!("strftime('%Y', {name}) = '{it}'")));
            }
            Kind::Other => {}
        }
        if self.has_nulls {
            conditions.push(format!("{name} IS NULL"));
        }
        conditions
    }
}

/// The columns that a row is called by.
fn label(columns: &[Column]) -> Vec<String> {
    let texts: Vec<&Column> = columns.iter().filter(|it| it.kind == Kind::Text).collect();
    let is_name = |it: &Column| {
        let name = it.name.to_lowercase();
        name.contains("name") || name.contains("nm")
    };
    let names: Vec<&Column> = texts.iter().copied().filter(|it| is_name(it)).collect();
    let label = match (&names[..], &texts[..]) {
        ([first, second, ..], _) => vec![first, second],
        ([only], _) => vec![only],
        ([], [first, ..]) => vec![first],
        ([], []) => Vec::new(),
    };
    label.iter().map(|it| it.name.clone()).collect()
}

/// Whether a value is a day, or a time of one, as ISO 8601 writes it.
fn is_date(value: &SqlValue) -> bool {
    let SqlValue::Text(text) = value else {
        return false;
    };
    let day = text.get(..10).unwrap_or_default().as_bytes();
    day.len() == 10
        && day.iter().enumerate().all(|(index, byte)| match index {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// A value as SQL writes it, where it is short.
fn literal(value: &SqlValue) -> Option<String> {
    match value {
        SqlValue::Text(text) if text.len() < 60 => Some(format!("'{}'", text.replace('\'', "''"))),
        SqlValue::Integer(number) => Some(number.to_string()),
        SqlValue::Real(number) => Some(number.to_string()),
        _ => None,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
