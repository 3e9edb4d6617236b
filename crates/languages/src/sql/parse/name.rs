//! Names: what they stand for, and what is written in their place where they stand for nothing.

use patois_syntax::Ast;
use sqlite3_parser::ast::Expr;

use super::{Reader, Result};
use crate::sql::identifier::unquote;
use crate::sql::resolve::{Found, NotFound};
use crate::sql::{DatabaseSchema, names, tree};

impl<'q> Reader<'_, 'q> {
    /// A name without a qualifier: a column in scope, a name given to a result, a column of an
    /// enclosing query; else, in double quotes, a string, which is SQLite's own rule.
    pub(super) fn bare(&mut self, raw: &'q str) -> Result<Ast> {
        let (name, is_double_quoted) = unquote(raw);
        if raw == "[*]" {
            return Ok(tree::column(DatabaseSchema::STAR));
        }
        if let Some(value) = self.found(raw, self.scopes.find_here(&name))? {
            return Ok(value);
        }
        if let Some(expr) = self.alias(&name) {
            return self.value_without_aliases(expr);
        }
        if let Some(value) = self.found(raw, self.scopes.find_outside(&name))? {
            return Ok(value);
        }
        match raw.to_ascii_lowercase().as_str() {
            "true" => Ok(tree::constant("True")),
            "false" => Ok(tree::constant("False")),
            _ if is_double_quoted => Ok(tree::literal("String", "string", &name)),
            _ => {
                let message = format!("no table in scope has a column `{name}`");
                Err(self.at(&[raw], message))
            }
        }
    }

    fn found(&self, raw: &str, found: Result<Found, NotFound>) -> Result<Option<Ast>> {
        match found {
            Ok(found) => Ok(Some(self.scopes.to_value(found))),
            Err(NotFound::Unknown) => Ok(None),
            Err(NotFound::Ambiguous(first, second)) => {
                let name = unquote(raw).0;
                let message =
                    format!("column `{name}` is ambiguous: `{first}` and `{second}` have one");
                Err(self.at(&[raw], message))
            }
        }
    }

    /// A column of a named table. One that is not in scope is still the column that it names: a
    /// tree under construction may point anywhere, and its text reads back to the same tree.
    pub(super) fn qualified(&self, raw_table: &str, raw_column: &str) -> Result<Ast> {
        if let Some(value) = names::unqualified_escape(raw_table, raw_column) {
            return Ok(value);
        }
        let (table, _) = unquote(raw_table);
        let (column, _) = unquote(raw_column);
        if let Some(found) = self.scopes.find_qualified(&table, &column) {
            return Ok(self.scopes.to_value(found));
        }
        if raw_column == "[*]"
            && let Some((stars, _)) = self.scopes.star_of(&table)
            && let [star] = &stars[..]
        {
            return Ok(star.clone());
        }
        let place = [raw_table, ".", raw_column];
        let Some(index) = self.schema.table_named(&table) else {
            return Err(self.at(&place, format!("no table in scope is called `{table}`")));
        };
        if raw_column == "[*]" {
            return Ok(tree::all_columns(index, 1));
        }
        match self.schema.column_named(index, &column) {
            Some(column) => Ok(tree::column(column)),
            None => Err(self.at(&place, format!("table `{table}` has no column `{column}`"))),
        }
    }

    pub(super) fn doubly_qualified(
        &self,
        database: &str,
        table: &str,
        column: &str,
    ) -> Result<Ast> {
        if let Some(ordinal) = names::ordinal_escape(database) {
            let (table_name, _) = unquote(table);
            let index = self
                .schema
                .table_named(&table_name)
                .ok_or_else(|| self.unknown_table(table, &table_name))?;
            if column == "[*]" {
                return Ok(tree::all_columns(index, ordinal));
            }
            let (column_name, _) = unquote(column);
            let column = self
                .schema
                .column_named(index, &column_name)
                .ok_or_else(|| {
                    let message = format!("table `{table_name}` has no column `{column_name}`");
                    self.at(&[table, ".", column], message)
                })?;
            return Ok(tree::occurrence(column, ordinal));
        }
        if unquote(database).0.eq_ignore_ascii_case("main") {
            return self.qualified(table, column);
        }
        Err(self.unsupported("a column of another database", &[database, ".", table]))
    }

    pub(super) fn aliased(&self, expr: &Expr<'q>) -> Option<&'q Expr<'q>> {
        match expr {
            Expr::Id(id) => self.alias(&unquote(id.0).0),
            Expr::Name(name) => self.alias(&unquote(name.0).0),
            _ => None,
        }
    }

    fn alias(&self, name: &str) -> Option<&'q Expr<'q>> {
        self.aliases
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(name))
            .map(|&(_, expr)| expr)
    }
}
