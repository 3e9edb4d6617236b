//! Printing names: columns with the qualifiers they need.

use patois_syntax::Ast;

use super::{Printer, Result, Source};
use crate::sql::identifier::quote;
use crate::sql::resolve::nearest_first;
use crate::sql::{Column, names, tree};

impl Printer<'_> {
    pub(super) fn column_index(&self, ast: &Ast) -> Result<usize> {
        tree::reference(ast, "column", self.schema.columns.len())
    }

    /// A column of its table's nearest occurrence.
    pub(super) fn column_at(&self, index: usize) -> String {
        let column = &self.schema.columns[index];
        let Some(table) = column.table else {
            return "[*]".into();
        };
        let name = quote(&column.name).into_owned();
        let Some((scope, source)) = self.occurrence_of(table, 1) else {
            let table = quote(&self.schema.tables[table].name);
            return format!("{table}.{name}");
        };
        let is_alone = scope + 1 == self.scopes.len() && self.scopes[scope].sources.len() == 1;
        let source = &self.scopes[scope].sources[source];
        match &source.alias {
            Some(alias) => format!("{alias}.{name}"),
            None if is_alone => name,
            None => format!("{}.{name}", quote(&self.schema.tables[table].name)),
        }
    }

    /// A column of one of the tables of the innermost scope, which has several.
    pub(super) fn column_of(&self, source: usize, index: usize) -> String {
        let scope = self.scopes.last().map_or(&[][..], |it| &it.sources);
        let column = &self.schema.columns[index];
        let name = quote(&column.name);
        match (
            scope.get(source).and_then(|it| it.alias.as_ref()),
            column.table,
        ) {
            (Some(alias), _) => format!("{alias}.{name}"),
            (None, Some(table)) => format!("{}.{name}", quote(&self.schema.tables[table].name)),
            (None, None) => name.into_owned(),
        }
    }

    /// A column called `true` hides the truth value.
    pub(super) fn truth_value(&self, word: &str) -> String {
        let is_hidden = |column: &Column| column.name.eq_ignore_ascii_case(word);
        if self.schema.columns.iter().any(is_hidden) {
            names::escape_output(word)
        } else {
            word.to_ascii_uppercase()
        }
    }

    pub(super) fn occurrence(&mut self, ast: &Ast) -> Result<String> {
        let index = self.column_index(ast)?;
        let ordinal = tree::ordinal(ast)?;
        let column = &self.schema.columns[index];
        let Some(table) = column.table else {
            return Ok(format!("{}.[*]", names::escape_ordinal(ordinal)));
        };
        let name = quote(&column.name).into_owned();
        let qualifier = self.qualifier(table, ordinal);
        Ok(format!("{qualifier}.{name}"))
    }

    /// `t.*`, with the star as it is written at this place.
    pub(super) fn all_columns(&mut self, ast: &Ast, star: &str) -> Result<String> {
        let table = tree::reference(ast, "table", self.schema.tables.len())?;
        if ast.constructor == "AllColumnsOf" {
            let ordinal = tree::ordinal(ast)?;
            let is_in_scope = self.occurrence_of(table, ordinal).is_some();
            let star = if is_in_scope { star } else { "[*]" };
            let qualifier = self.qualifier(table, ordinal);
            return Ok(format!("{qualifier}.{star}"));
        }
        let alias = self
            .occurrence_of(table, 1)
            .and_then(|(scope, source)| self.scopes[scope].sources[source].alias.clone());
        let name = quote(&self.schema.tables[table].name);
        Ok(match alias {
            Some(alias) => format!("{alias}.{star}"),
            None => format!("{name}.{star}"),
        })
    }

    /// What says that an occurrence of a table other than the nearest is meant: its alias, which
    /// it is to have from now on, or an escape where there is no such occurrence.
    fn qualifier(&mut self, table: usize, ordinal: usize) -> String {
        let Some((scope, source)) = self.occurrence_of(table, ordinal) else {
            let table = quote(&self.schema.tables[table].name);
            return format!("{}.{table}", names::escape_ordinal(ordinal));
        };
        self.wanted.insert((self.scopes[scope].select, source));
        match &self.scopes[scope].sources[source].alias {
            Some(alias) => alias.clone(),
            None => quote(&self.schema.tables[table].name).into_owned(),
        }
    }

    fn occurrence_of(&self, table: usize, ordinal: usize) -> Option<(usize, usize)> {
        self.sources()
            .filter(|(_, _, source)| source.table == Some(table))
            .nth(ordinal.checked_sub(1)?)
            .map(|(scope, index, _)| (scope, index))
    }

    pub(super) fn output(&mut self, ast: &Ast) -> Result<String> {
        let position = tree::position(ast)?;
        let mut remaining = position;
        let mut place = None;
        for (scope, index, source) in self.sources() {
            if remaining <= source.outputs.len() {
                place = Some((scope, index));
                break;
            }
            remaining -= source.outputs.len();
        }
        let Some((scope, index)) = place else {
            return Ok(names::escape_output(position));
        };
        self.wanted.insert((self.scopes[scope].select, index));
        let source = &self.scopes[scope].sources[index];
        let name = quote(&source.outputs[remaining - 1]);
        let alias = source.alias.as_deref().unwrap_or("T");
        Ok(format!("{alias}.{name}"))
    }

    /// All tables in scope, nearest first.
    fn sources(&self) -> impl Iterator<Item = (usize, usize, &Source)> {
        nearest_first(&self.scopes, |scope| &scope.sources)
    }
}
