//! What a query needs of its database.

use patois_languages::sql::DatabaseSchema;
use patois_syntax::{Grammar, Label, ProductionId, Tree};

/// The tables and columns that a query cannot do without: those it names, and the keys between its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// For each column, whether it is needed.
    pub columns: Vec<bool>,
    /// For each table, whether it is needed.
    pub tables: Vec<bool>,
}

impl Needed {
    /// What a query needs; `tree` is the whole of it, with its FROM clauses.
    ///
    /// All of a database is needed where the query counts the columns of what it selects from: these would be other
    /// numbers if there were fewer of them.
    pub fn of(schema: &DatabaseSchema, grammar: &Grammar, tree: &Tree) -> Needed {
        let counts_columns = |label: &Label| match label {
            Label::Production(id) => constructor(grammar, *id) == Some("Output"),
            Label::Text(_) | Label::Reference(_) => false,
        };
        let is_all = tree.labels().iter().any(counts_columns);
        let mut needed = Needed {
            columns: vec![is_all; schema.columns.len()],
            tables: vec![is_all; schema.tables.len()],
        };
        for node in tree.nodes() {
            if let Label::Reference(item) = tree.label(node) {
                match grammar.symbol_type(tree.symbol(node)) {
                    "table" => needed.tables[item as usize] = true,
                    _ => needed.columns[item as usize] = true,
                }
            }
        }
        needed.columns[DatabaseSchema::STAR] = true;
        needed.complete(schema);
        needed
    }

    /// Adds the tables of the columns, and the keys between the tables.
    fn complete(&mut self, schema: &DatabaseSchema) {
        for (column, _) in schema.columns.iter().zip(&self.columns).filter(|it| *it.1) {
            if let Some(table) = column.table {
                self.tables[table] = true;
            }
        }
        for &(from, to) in &schema.foreign_keys {
            let is_needed = |column: usize| {
                let table = schema.columns[column].table;
                table.is_some_and(|it| self.tables[it])
            };
            if is_needed(from) && is_needed(to) {
                self.columns[from] = true;
                self.columns[to] = true;
            }
        }
    }
}

/// The name of the constructor that a production is, where it is one.
pub(super) fn constructor(grammar: &Grammar, production: ProductionId) -> Option<&'static str> {
    grammar.constructor(production).map(|it| it.name)
}
