//! FROM clauses: first all tables come into scope, then the conditions are read.

use patois_syntax::{Ast, Field, ParseError};
use sqlite3_parser::ast::{
    Expr, FromClause, JoinConstraint, JoinOperator, JoinType, Name, SelectTable,
};

use super::condition::holds;
use super::{Reader, Result, alias_name};
use crate::sql::identifier::unquote;
use crate::sql::names::Sides;
use crate::sql::resolve::{Source, SourceKind, column_names};
use crate::sql::{from_clause, names, tree};

/// Where a table of a FROM clause comes from, before conditions can be read.
pub(super) struct Joined<'q> {
    source: Ast,
    operator: Option<JoinOperator>,
    constraint: Option<&'q JoinConstraint<'q>>,
}

impl<'q> Reader<'_, 'q> {
    pub(super) fn sources(
        &mut self,
        from: &'q FromClause<'q>,
        sources: &mut Vec<Source>,
        joined: &mut Vec<Joined<'q>>,
    ) -> Result<()> {
        let Some(first) = from.select else {
            return Err(ParseError::whole("expected a table after FROM"));
        };
        self.source(first, None, None, sources, joined)?;
        for join in from.joins.iter().flatten() {
            let constraint = join.constraint.as_ref();
            self.source(
                &join.table,
                Some(join.operator),
                constraint,
                sources,
                joined,
            )?;
        }
        Ok(())
    }

    fn source(
        &mut self,
        table: &'q SelectTable<'q>,
        operator: Option<JoinOperator>,
        constraint: Option<&'q JoinConstraint<'q>>,
        sources: &mut Vec<Source>,
        joined: &mut Vec<Joined<'q>>,
    ) -> Result<()> {
        let (name, kind, tree) = match table {
            SelectTable::Table(name, alias, None) => {
                let index = self.table(name.db_name.as_ref(), &name.name)?;
                let own = || self.schema.tables[index].name.clone();
                let name = alias.as_ref().map_or_else(own, alias_name);
                (name, SourceKind::Table(index), tree::table_source(index))
            }
            SelectTable::Table(_, _, Some(_)) => {
                return Err(self.unsupported("INDEXED BY", &["INDEXED"]));
            }
            SelectTable::Select(select, alias) => {
                let query = self.nested(|reader| reader.query(select))?;
                let name = alias.as_ref().map(alias_name).unwrap_or_default();
                let tree = vec![Field::one("query", "query", query.tree)];
                let tree = Ast::new("source", "Derived", tree);
                (name, SourceKind::Derived(query.outputs), tree)
            }
            // `(a JOIN b) JOIN c` is `a JOIN b JOIN c`.
            SelectTable::Sub(from, None) if operator.is_none() => {
                return self.nested(|reader| reader.sources(from, sources, joined));
            }
            SelectTable::Sub(from, None) if from.joins.is_none() => {
                let Some(only) = from.select else {
                    return Err(ParseError::whole("expected a table after FROM"));
                };
                return self
                    .nested(|reader| reader.source(only, operator, constraint, sources, joined));
            }
            SelectTable::Sub(..) => {
                return Err(self.unsupported("a join in parentheses", &["JOIN", "("]));
            }
            SelectTable::TableCall(name, ..) => {
                return Err(self.unsupported("a table-valued function", &[name.name.0]));
            }
        };
        sources.push(Source {
            name,
            kind,
            merged: Vec::new(),
        });
        joined.push(Joined {
            source: tree,
            operator,
            constraint,
        });
        let merged = self.merged(sources, joined);
        if let Some(last) = sources.last_mut() {
            last.merged = merged;
        }
        Ok(())
    }

    /// The columns that the last table shares with those before it through USING or NATURAL.
    fn merged(&self, sources: &[Source], joined: &[Joined<'q>]) -> Vec<String> {
        let (Some((last, before)), Some(join)) = (sources.split_last(), joined.last()) else {
            return Vec::new();
        };
        if let Some(JoinConstraint::Using(names)) = join.constraint {
            return names
                .iter()
                .map(|name| unquote(name.0).0.into_owned())
                .collect();
        }
        if !is_natural(join.operator) {
            return Vec::new();
        }
        let columns_before: Vec<String> = before
            .iter()
            .flat_map(|source| column_names(self.schema, source))
            .map(|(name, _)| name)
            .collect();
        column_names(self.schema, last)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| {
                columns_before
                    .iter()
                    .any(|it| it.eq_ignore_ascii_case(name))
            })
            .collect()
    }

    pub(super) fn from(&mut self, joined: Vec<Joined<'q>>) -> Result<Option<Ast>> {
        let mut joined = joined.into_iter();
        let Some(first) = joined.next() else {
            return Ok(None);
        };
        let mut before = from_clause::Joined::default();
        before.push(table_of(&first.source));
        let mut joins = Vec::new();
        for join in joined {
            let table = table_of(&join.source);
            let join = self.join(join, &before)?;
            match (join.constructor, table) {
                ("Join" | "ReverseJoin" | "LeftKeyJoin", Some(table)) => {
                    before.push_along_key(&self.keys, table);
                }
                _ => before.push(table),
            }
            joins.push(join);
        }
        Ok(Some(tree::from_clause(first.source, joins)))
    }

    /// The join that adds a table to those `before`.
    fn join(&mut self, join: Joined<'q>, before: &from_clause::Joined) -> Result<Ast> {
        let index = before.len();
        let ty = match join.operator {
            Some(JoinOperator::TypedJoin(Some(ty))) => ty,
            _ => JoinType::INNER,
        };
        let constructor = match (ty.contains(JoinType::LEFT), ty.contains(JoinType::RIGHT)) {
            (false, false) => "JoinOn",
            (true, false) => "LeftJoin",
            (false, true) => "RightJoin",
            (true, true) => "FullJoin",
        };
        if let Some(JoinConstraint::On(Expr::Qualified(table, column))) = join.constraint
            && let Some(sides) = names::join_without_key(table.0, column.0)
            && let Some(short) = key_join(constructor, sides, &join.source)
        {
            return Ok(short);
        }
        let on = match join.constraint {
            Some(JoinConstraint::On(expr)) => Some(self.condition(expr)?),
            Some(JoinConstraint::Using(_)) => self.merged_condition(index)?,
            None if is_natural(join.operator) => self.merged_condition(index)?,
            None => None,
        };
        if ty.contains(JoinType::RIGHT) && on.is_some() && !is_on(join.constraint) {
            return Err(self.unsupported("USING or NATURAL in a right or full join", &["JOIN"]));
        }
        let on = match on {
            Some(on) => on,
            None if constructor == "JoinOn" => return Ok(tree::cross_join(join.source)),
            None => holds(tree::constant("True")),
        };
        if !is_doubly_parenthesized(join.constraint)
            && let Some(sides) = names::as_key_join(&self.keys, before, &join.source, &on)
            && let Some(short) = key_join(constructor, sides, &join.source)
        {
            return Ok(short);
        }
        let fields = vec![
            Field::one("source", "source", join.source),
            Field::one("on", "condition", on),
        ];
        Ok(Ast::new("join", constructor, fields))
    }

    /// What USING or NATURAL ask of table `index`: equal values in the columns they merge.
    fn merged_condition(&self, index: usize) -> Result<Option<Ast>> {
        let merged = match self.scopes.innermost() {
            Some(scope) => scope.sources[index].merged.clone(),
            None => Vec::new(),
        };
        let mut condition = None;
        for name in merged {
            let left = (0..index).find_map(|source| self.scopes.find_of(source, &name));
            let right = self.scopes.find_of(index, &name);
            let (Some(left), Some(right)) = (left, right) else {
                let message = format!("expected a column `{name}` on both sides of the join");
                return Err(self.at(&[&name], message));
            };
            let fields = [
                ("left", self.scopes.to_value(left)),
                ("right", self.scopes.to_value(right)),
            ];
            let equal = tree::over_values("condition", "Equal", fields);
            condition = Some(match condition {
                Some(before) => tree::connective("And", before, equal),
                None => equal,
            });
        }
        Ok(condition)
    }

    fn table(&self, database: Option<&Name<'q>>, name: &Name<'q>) -> Result<usize> {
        if let Some(database) = database
            && !unquote(database.0).0.eq_ignore_ascii_case("main")
        {
            return Err(self.unsupported("a table of another database", &[database.0, "."]));
        }
        let (table, _) = unquote(name.0);
        self.schema
            .table_named(&table)
            .ok_or_else(|| self.unknown_table(name.0, &table))
    }
}

/// The short form of a join along a key; none where it has none.
fn key_join(constructor: &str, sides: Sides, source: &Ast) -> Option<Ast> {
    let short = match (constructor, sides) {
        ("JoinOn", Sides::BeforeFirst) => "Join",
        ("JoinOn", Sides::BeforeLast) => "ReverseJoin",
        ("LeftJoin", _) => "LeftKeyJoin",
        _ => return None,
    };
    Some(tree::key_join(short, table_of(source)?))
}

/// The table of the database that a source is; none for a derived table.
fn table_of(source: &Ast) -> Option<usize> {
    tree::reference(source, "table", usize::MAX).ok()
}

fn is_natural(operator: Option<JoinOperator>) -> bool {
    matches!(operator, Some(JoinOperator::TypedJoin(Some(ty))) if ty.contains(JoinType::NATURAL))
}

fn is_on(constraint: Option<&JoinConstraint<'_>>) -> bool {
    matches!(constraint, Some(JoinConstraint::On(_)))
}

/// `ON ((a = b))` is how the general join is printed where the short one would say the same.
fn is_doubly_parenthesized(constraint: Option<&JoinConstraint<'_>>) -> bool {
    let Some(JoinConstraint::On(Expr::Parenthesized(outer))) = constraint else {
        return false;
    };
    matches!(&outer[..], [Expr::Parenthesized(_)])
}
