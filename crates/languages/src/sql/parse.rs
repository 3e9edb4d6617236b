//! From SQL text to trees: the one file that takes the parser's trees apart.

use patois_syntax::{Ast, Field, ParseError};
use sqlite3_parser::ast::{
    As, Cmd, CompoundOperator, Distinctness, Expr, FromClause, JoinConstraint, JoinOperator,
    JoinType, LikeOperator, Limit, Literal, Name, NullsOrder, OneSelect, Operator, ResultColumn,
    Select, SelectTable, SortOrder, SortedColumn, Stmt, UnaryOperator,
};
use sqlite3_parser::lexer::sql::Parser;
use sqlite3_parser::{Bump, FallibleIterator};

use super::DatabaseSchema;
use super::identifier::unquote;
use super::resolve::{Found, NotFound, Scope, Scopes, Source, SourceKind, distinct_names};
use super::scan::{self, OffsetNotation, Tokens};
use super::{MAX_DEPTH, names, tree};

/// Parses one query over `schema` to a tree of full mode.
pub(super) fn parse(schema: &DatabaseSchema, source: &str) -> Result<Ast, ParseError> {
    let tokens = Tokens::scan(source)?;
    if let Some(at) = tokens.second_statement() {
        return Err(ParseError::at(
            at,
            "expected one statement, found a second one",
        ));
    }
    let bump = Bump::new();
    let mut parser = Parser::new(&bump, source.as_bytes());
    let command = parser
        .next()
        .map_err(|error| scan::parser_error(source, &error))?;
    let select = match command {
        Some(Cmd::Stmt(Stmt::Select(select))) => select,
        Some(Cmd::Explain(_) | Cmd::ExplainQueryPlan(_)) => {
            return Err(expected_query(&tokens, "EXPLAIN"));
        }
        Some(Cmd::Stmt(_)) => return Err(expected_query(&tokens, "another statement")),
        None => return Err(ParseError::at(0, "expected a query, found nothing")),
    };
    let mut reader = Reader {
        schema,
        tokens: &tokens,
        scopes: Scopes::new(schema),
        aliases: Vec::new(),
        depth: 0,
    };
    Ok(reader.query(select)?.tree)
}

fn expected_query(tokens: &Tokens<'_>, found: &str) -> ParseError {
    let trimmed = tokens.source().trim_start();
    let at = tokens.source().len() - trimmed.len();
    ParseError::at(at, format!("expected a SELECT statement, found {found}"))
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

/// Turns the parser's trees into ours.
struct Reader<'d, 'q> {
    schema: &'d DatabaseSchema,
    tokens: &'d Tokens<'d>,
    scopes: Scopes<'d>,
    /// Names that the innermost SELECT gives to its results; empty while they have no meaning.
    aliases: Vec<(String, &'q Expr<'q>)>,
    depth: usize,
}

/// A query's tree, with what others can see of it.
struct Query {
    tree: Ast,
    outputs: Vec<String>,
}

/// One SELECT's tree, with what ORDER BY and others can see of it.
struct Core<'q> {
    tree: Ast,
    scope: Scope,
    aliases: Vec<(String, &'q Expr<'q>)>,
    outputs: Vec<String>,
}

impl<'q> Reader<'_, 'q> {
    fn query(&mut self, select: &'q Select<'q>) -> Result<Query> {
        if select.with.is_some() {
            return Err(self.unsupported("a common table expression", &["WITH"]));
        }
        let outer_aliases = std::mem::take(&mut self.aliases);
        let first = self.nested(|reader| reader.core(&select.body.select))?;
        let mut scopes = vec![first.scope];
        let mut aliases = first.aliases;
        let mut compounds = Vec::new();
        for compound in select.body.compounds.iter().flatten() {
            let core = self.nested(|reader| reader.core(&compound.select))?;
            let constructor = match compound.operator {
                CompoundOperator::Union => "Union",
                CompoundOperator::UnionAll => "UnionAll",
                CompoundOperator::Except => "Except",
                CompoundOperator::Intersect => "Intersect",
            };
            let fields = vec![Field::one("select", "select", core.tree)];
            compounds.push(Ast::new("compound", constructor, fields));
            scopes.push(core.scope);
            aliases.extend(core.aliases);
        }
        let n_scopes = scopes.len();
        // The first SELECT is the one whose columns ORDER BY sees first.
        for scope in scopes.into_iter().rev() {
            self.scopes.push(scope);
        }
        self.aliases = aliases;
        let order_by = select.order_by.unwrap_or_default();
        let order_by: Vec<Ast> = order_by
            .iter()
            .map(|key| self.order(key))
            .collect::<Result<_>>()?;
        for _ in 0..n_scopes {
            self.scopes.pop();
        }
        self.aliases.clear();
        let limit = select.limit.map(|limit| self.limit(limit)).transpose()?;
        self.aliases = outer_aliases;
        let fields = vec![
            Field::one("select", "select", first.tree),
            Field::many("compounds", "compound", compounds),
            Field::many("order_by", "order", order_by),
            Field::optional("limit", "limit", limit),
        ];
        Ok(Query {
            tree: Ast::new("query", "query", fields),
            outputs: first.outputs,
        })
    }

    fn core(&mut self, select: &'q OneSelect<'q>) -> Result<Core<'q>> {
        let OneSelect::Select {
            distinctness,
            columns,
            from,
            where_clause,
            group_by,
            having,
            window_clause,
        } = select
        else {
            return Err(self.unsupported("a VALUES clause", &["VALUES"]));
        };
        if window_clause.is_some() {
            return Err(self.unsupported("a WINDOW clause", &["WINDOW"]));
        }
        let mut sources = Vec::new();
        let mut joined = Vec::new();
        if let Some(from) = from {
            self.sources(from, &mut sources, &mut joined)?;
        }
        self.scopes.push(Scope { sources });
        let from = self.from(joined)?;
        let (results, outputs) = self.results(columns)?;
        self.aliases = aliases(columns);
        let where_clause = self.optional_condition(*where_clause)?;
        let grouping = self.grouping(*group_by, *having)?;
        let distinct = (*distinctness == Some(Distinctness::Distinct))
            .then(|| Ast::new("distinct", "Distinct", Vec::new()));
        let fields = vec![
            Field::optional("distinct", "distinct", distinct),
            Field::non_empty("results", "value", results),
            Field::optional("from", "from", from),
            Field::optional("where", "condition", where_clause),
            Field::optional("grouping", "grouping", grouping),
        ];
        Ok(Core {
            tree: Ast::new("select", "select", fields),
            scope: self.scopes.pop(),
            aliases: std::mem::take(&mut self.aliases),
            outputs: distinct_names(outputs),
        })
    }

    /// The nodes of the result columns, and the names that a query around this one knows them by.
    fn results(&mut self, columns: &'q [ResultColumn<'q>]) -> Result<(Vec<Ast>, Vec<String>)> {
        let mut results = Vec::new();
        let mut outputs = Vec::new();
        for column in columns {
            match column {
                ResultColumn::Star => self.star(&mut results, &mut outputs),
                ResultColumn::TableStar(name) => {
                    self.table_star(name, &mut results, &mut outputs)?;
                }
                ResultColumn::Expr(expr, alias) => {
                    let value = self.value(expr)?;
                    match alias {
                        Some(alias) => outputs.push(alias_name(alias)),
                        None => outputs.extend(self.names_of_result(expr, &value)),
                    }
                    results.push(value);
                }
            }
        }
        Ok((results, outputs))
    }

    /// The names of a result without an alias; a star that is written as a value has several.
    fn names_of_result(&self, expr: &'q Expr<'q>, value: &Ast) -> Vec<String> {
        if value.constructor == "AllColumnsOf"
            && let Ok(table) = tree::reference(value, "table", self.schema.tables.len())
        {
            let columns = self.schema.columns_of(table);
            return columns.map(|(_, column)| column.name.clone()).collect();
        }
        vec![column_name(expr).unwrap_or_default()]
    }

    /// `*` stays `*`, unless `USING` or `NATURAL` made it leave columns out: our joins do not.
    fn star(&self, results: &mut Vec<Ast>, outputs: &mut Vec<String>) {
        let sources = self.scopes.innermost().map_or(&[][..], |it| &it.sources);
        let has_merged = sources.iter().any(|source| !source.merged.is_empty());
        if !has_merged {
            results.push(tree::column(DatabaseSchema::STAR));
        }
        for source in 0..sources.len() {
            for (name, found) in self.scopes.columns_of(source) {
                outputs.push(name);
                if has_merged {
                    results.push(self.scopes.to_value(found));
                }
            }
        }
    }

    fn table_star(
        &mut self,
        name: &Name<'q>,
        results: &mut Vec<Ast>,
        outputs: &mut Vec<String>,
    ) -> Result<()> {
        let (qualifier, _) = unquote(name.0);
        if let Some((stars, names)) = self.scopes.star_of(&qualifier) {
            results.extend(stars);
            outputs.extend(names);
            return Ok(());
        }
        // A table that is not in scope; see `qualified`.
        let Some(table) = self.schema.table_named(&qualifier) else {
            return Err(self.unknown_table(name.0, &qualifier));
        };
        results.push(tree::all_columns(table, 1));
        let columns = self.schema.columns_of(table);
        outputs.extend(columns.map(|(_, column)| column.name.clone()));
        Ok(())
    }

    fn grouping(
        &mut self,
        keys: Option<&'q [Expr<'q>]>,
        having: Option<&'q Expr<'q>>,
    ) -> Result<Option<Ast>> {
        let Some(keys) = keys else {
            return match having {
                Some(_) => Err(self.unsupported("HAVING without GROUP BY", &["HAVING"])),
                None => Ok(None),
            };
        };
        let keys = self.values(keys)?;
        let having = self.optional_condition(having)?;
        let fields = vec![
            Field::non_empty("keys", "value", keys),
            Field::optional("having", "condition", having),
        ];
        Ok(Some(Ast::new("grouping", "grouping", fields)))
    }

    fn order(&mut self, key: &'q SortedColumn<'q>) -> Result<Ast> {
        let descends = key.order == Some(SortOrder::Desc);
        let constructor = match (descends, key.nulls) {
            (false, None | Some(NullsOrder::First)) => "Ascending",
            (false, Some(NullsOrder::Last)) => "AscendingNullsLast",
            (true, None | Some(NullsOrder::Last)) => "Descending",
            (true, Some(NullsOrder::First)) => "DescendingNullsFirst",
        };
        // As a whole key a name means a result before it means a column.
        let value = match self.aliased(&key.expr) {
            Some(expr) => self.value_without_aliases(expr)?,
            None => self.value(&key.expr)?,
        };
        Ok(tree::over_values("order", constructor, [("key", value)]))
    }

    fn limit(&mut self, limit: &'q Limit<'q>) -> Result<Ast> {
        let chain = self.scopes.take();
        let node = match (&limit.expr, &limit.offset) {
            (Expr::Literal(Literal::Numeric(number)), None) => {
                let count = tree::text_field("count", "number", &self.number(number)?);
                Ast::new("limit", "Limit", vec![count])
            }
            (count, None) => {
                let count = self.value(count)?;
                tree::over_values("limit", "LimitValue", [("count", count)])
            }
            (count, Some(offset)) => {
                // The parser does not tell `LIMIT offset, count` from `LIMIT count OFFSET offset`.
                let (count, offset) = match self.tokens.offset_notation() {
                    OffsetNotation::Keyword => (count, offset),
                    OffsetNotation::Comma => (offset, count),
                    OffsetNotation::Mixed(at) => {
                        let message =
                            "expected OFFSET in every LIMIT clause or a comma in every one";
                        return Err(ParseError::at(at, message));
                    }
                };
                let count = self.value(count)?;
                let offset = self.value(offset)?;
                let fields = [("count", count), ("offset", offset)];
                tree::over_values("limit", "LimitOffset", fields)
            }
        };
        self.scopes.restore(chain);
        Ok(node)
    }
}

/// Where a table of a FROM clause comes from, before conditions can be read.
struct Joined<'q> {
    source: Ast,
    operator: Option<JoinOperator>,
    constraint: Option<&'q JoinConstraint<'q>>,
}

/// FROM clauses: first all tables come into scope, then the conditions are read.
impl<'q> Reader<'_, 'q> {
    fn sources(
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
        let (source, tree) = match table {
            SelectTable::Table(name, alias, indexed) => {
                if indexed.is_some() {
                    return Err(self.unsupported("INDEXED BY", &["INDEXED"]));
                }
                let index = self.table(name.db_name.as_ref(), &name.name)?;
                let name = match alias {
                    Some(alias) => alias_name(alias),
                    None => self.schema.tables[index].name.clone(),
                };
                let kind = SourceKind::Table(index);
                (
                    Source {
                        name,
                        kind,
                        merged: Vec::new(),
                    },
                    tree::table_source(index),
                )
            }
            SelectTable::Select(select, alias) => {
                let query = self.nested(|reader| reader.query(select))?;
                let name = alias.as_ref().map(alias_name).unwrap_or_default();
                let kind = SourceKind::Derived(query.outputs);
                let fields = vec![Field::one("query", "query", query.tree)];
                let tree = Ast::new("source", "Derived", fields);
                (
                    Source {
                        name,
                        kind,
                        merged: Vec::new(),
                    },
                    tree,
                )
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
        sources.push(source);
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
            .flat_map(|source| super::resolve::column_names(self.schema, source))
            .map(|(name, _)| name)
            .collect();
        super::resolve::column_names(self.schema, last)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| {
                columns_before
                    .iter()
                    .any(|it| it.eq_ignore_ascii_case(name))
            })
            .collect()
    }

    fn from(&mut self, joined: Vec<Joined<'q>>) -> Result<Option<Ast>> {
        let mut joined = joined.into_iter();
        let Some(first) = joined.next() else {
            return Ok(None);
        };
        let joins = joined
            .enumerate()
            .map(|(index, join)| self.join(index + 1, join))
            .collect::<Result<_>>()?;
        Ok(Some(tree::from_clause(first.source, joins)))
    }

    /// The join that adds table `index` of the scope.
    fn join(&mut self, index: usize, join: Joined<'q>) -> Result<Ast> {
        let on = match join.constraint {
            Some(JoinConstraint::On(expr)) => Some(self.condition(expr)?),
            Some(JoinConstraint::Using(_)) => self.merged_condition(index)?,
            None if is_natural(join.operator) => self.merged_condition(index)?,
            None => None,
        };
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
        if ty.contains(JoinType::RIGHT) && on.is_some() && !is_on(join.constraint) {
            return Err(self.unsupported("USING or NATURAL in a right or full join", &["JOIN"]));
        }
        let on = match on {
            Some(on) => on,
            None if constructor == "JoinOn" => return Ok(tree::cross_join(join.source)),
            None => holds(tree::constant("True")),
        };
        if constructor == "JoinOn"
            && !is_doubly_parenthesized(join.constraint)
            && let Some((table, left, right)) = names::as_equi_join(&join.source, &on)
        {
            return Ok(tree::equi_join(table, left, right));
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

/// Conditions.
impl<'q> Reader<'_, 'q> {
    fn optional_condition(&mut self, expr: Option<&'q Expr<'q>>) -> Result<Option<Ast>> {
        expr.map(|expr| self.condition(expr)).transpose()
    }

    fn condition(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        self.nested(|reader| reader.condition_here(expr))
    }

    /// Small, because chains of AND and OR recurse through it.
    fn condition_here(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        match without_parentheses(expr) {
            Expr::Binary(left, Operator::And, right) => self.connective("And", left, right),
            Expr::Binary(left, Operator::Or, right) => self.connective("Or", left, right),
            Expr::Unary(UnaryOperator::Not, operand) => Ok(tree::not(self.condition(operand)?)),
            // A plus that changes nothing marks a value that is no condition by itself.
            Expr::Unary(UnaryOperator::Positive, operand) => self.holds(operand),
            Expr::Binary(left, operator, right) => self.relation(expr, left, *operator, right),
            Expr::IsNull(operand) => self.is_null(operand),
            Expr::NotNull(operand) => Ok(tree::not(self.is_null(operand)?)),
            other => self.predicate(other),
        }
    }

    fn holds(&mut self, operand: &'q Expr<'q>) -> Result<Ast> {
        Ok(holds(self.value(operand)?))
    }

    fn relation(
        &mut self,
        whole: &'q Expr<'q>,
        left: &'q Expr<'q>,
        operator: Operator,
        right: &'q Expr<'q>,
    ) -> Result<Ast> {
        match operator {
            Operator::Is => self.is(left, right),
            Operator::IsNot => Ok(tree::not(self.is(left, right)?)),
            Operator::Equals => self.comparison("Equal", left, right),
            Operator::NotEquals => self.comparison("NotEqual", left, right),
            Operator::Less => self.comparison("Less", left, right),
            Operator::LessEquals => self.comparison("LessEqual", left, right),
            Operator::Greater => self.comparison("Greater", left, right),
            Operator::GreaterEquals => self.comparison("GreaterEqual", left, right),
            _ => self.holds(whole),
        }
    }

    fn predicate(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let (not, condition) = match expr {
            Expr::Between {
                lhs,
                not,
                start,
                end,
            } => {
                let fields = [
                    ("operand", self.value(lhs)?),
                    ("low", self.value(start)?),
                    ("high", self.value(end)?),
                ];
                (*not, tree::over_values("condition", "Between", fields))
            }
            Expr::Like {
                lhs,
                not,
                op,
                rhs,
                escape,
            } => (*not, self.like(*op, lhs, rhs, *escape)?),
            Expr::InList { lhs, not, rhs } => (*not, self.in_list(lhs, rhs.unwrap_or_default())?),
            Expr::InSelect { lhs, not, rhs } => (*not, self.in_query(lhs, rhs)?),
            Expr::InTable { rhs, .. } => {
                return Err(self.unsupported("IN with a table", &["IN", rhs.name.0]));
            }
            Expr::Exists(select) => {
                let fields = vec![Field::one("query", "query", self.query(select)?.tree)];
                (false, Ast::new("condition", "Exists", fields))
            }
            _ => return self.holds(expr),
        };
        Ok(if not { tree::not(condition) } else { condition })
    }

    fn in_list(&mut self, operand: &'q Expr<'q>, items: &'q [Expr<'q>]) -> Result<Ast> {
        let fields = vec![
            Field::one("operand", "value", self.value(operand)?),
            Field::many("items", "value", self.values(items)?),
        ];
        Ok(Ast::new("condition", "In", fields))
    }

    fn in_query(&mut self, operand: &'q Expr<'q>, query: &'q Select<'q>) -> Result<Ast> {
        let fields = vec![
            Field::one("operand", "value", self.value(operand)?),
            Field::one("query", "query", self.query(query)?.tree),
        ];
        Ok(Ast::new("condition", "InQuery", fields))
    }

    fn connective(
        &mut self,
        constructor: &'static str,
        left: &'q Expr<'q>,
        right: &'q Expr<'q>,
    ) -> Result<Ast> {
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        Ok(tree::connective(constructor, left, right))
    }

    fn comparison(
        &mut self,
        constructor: &'static str,
        left: &'q Expr<'q>,
        right: &'q Expr<'q>,
    ) -> Result<Ast> {
        let fields = [("left", self.value(left)?), ("right", self.value(right)?)];
        Ok(tree::over_values("condition", constructor, fields))
    }

    /// `x IS NULL` has its own node; `x IS (NULL)` is how the general one is printed.
    fn is(&mut self, left: &'q Expr<'q>, right: &'q Expr<'q>) -> Result<Ast> {
        match right {
            Expr::Literal(Literal::Null) => self.is_null(left),
            _ => self.comparison("Is", left, right),
        }
    }

    fn is_null(&mut self, operand: &'q Expr<'q>) -> Result<Ast> {
        let fields = [("operand", self.value(operand)?)];
        Ok(tree::over_values("condition", "IsNull", fields))
    }

    fn like(
        &mut self,
        operator: LikeOperator,
        operand: &'q Expr<'q>,
        pattern: &'q Expr<'q>,
        escape: Option<&'q Expr<'q>>,
    ) -> Result<Ast> {
        let constructor = match operator {
            LikeOperator::Like => "Like",
            LikeOperator::Glob if escape.is_none() => "Glob",
            LikeOperator::Glob => return Err(self.unsupported("GLOB with ESCAPE", &["ESCAPE"])),
            LikeOperator::Match => return Err(self.unsupported("MATCH", &["MATCH"])),
            LikeOperator::Regexp => return Err(self.unsupported("REGEXP", &["REGEXP"])),
        };
        let operand = ("operand", self.value(operand)?);
        let pattern = ("pattern", self.value(pattern)?);
        Ok(match escape {
            None => tree::over_values("condition", constructor, [operand, pattern]),
            Some(escape) => {
                let escape = ("escape", self.value(escape)?);
                tree::over_values("condition", "LikeEscape", [operand, pattern, escape])
            }
        })
    }
}

/// Values.
impl<'q> Reader<'_, 'q> {
    fn values(&mut self, exprs: &'q [Expr<'q>]) -> Result<Vec<Ast>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn value(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        self.nested(|reader| reader.value_here(expr))
    }

    /// Small, because chains of operators recurse through it.
    fn value_here(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let expr = without_parentheses(expr);
        match expr {
            Expr::Binary(left, operator, right) => match arithmetic(*operator) {
                Some(constructor) => self.binary(constructor, left, right),
                None if matches!(operator, Operator::ArrowRight | Operator::ArrowRightShift) => {
                    Err(self.unsupported("a JSON operator", &["->"]))
                }
                None => self.truth(expr),
            },
            Expr::Unary(UnaryOperator::Negative, operand) => self.unary("Negate", operand),
            Expr::Unary(UnaryOperator::BitwiseNot, operand) => self.unary("BitNot", operand),
            Expr::FunctionCall { .. } | Expr::FunctionCallStar { .. } => self.call(expr),
            Expr::Collate(operand, collation) => self.collate(operand, collation),
            Expr::Cast { expr, type_name } => {
                self.cast(expr, type_name.as_ref().map_or("", |it| it.name))
            }
            Expr::Case {
                base,
                when_then_pairs,
                else_expr,
            } => self.case(*base, when_then_pairs, *else_expr),
            Expr::Subquery(select) => self.subquery(select),
            other => self.atom(other),
        }
    }

    fn atom(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        match expr {
            Expr::Id(id) => self.bare(id.0),
            Expr::Name(name) => self.bare(name.0),
            Expr::Qualified(table, column) => self.qualified(table.0, column.0),
            Expr::DoublyQualified(database, table, column) => {
                self.doubly_qualified(database.0, table.0, column.0)
            }
            Expr::Literal(literal) => self.literal(literal),
            Expr::Parenthesized(_) => Err(self.unsupported("a row of several values", &["("])),
            Expr::Raise(..) => Err(self.unsupported("RAISE", &["RAISE"])),
            // The parser takes the question mark off.
            Expr::Variable(name) => {
                let numbered = format!("?{name}");
                let place = [name, numbered.as_str()];
                let place = place
                    .into_iter()
                    .find(|it| self.tokens.find(&[it]).is_some());
                Err(self.unsupported("a parameter", &[place.unwrap_or("?")]))
            }
            _ => self.truth(expr),
        }
    }

    fn binary(
        &mut self,
        constructor: &'static str,
        left: &'q Expr<'q>,
        right: &'q Expr<'q>,
    ) -> Result<Ast> {
        let fields = [("left", self.value(left)?), ("right", self.value(right)?)];
        Ok(tree::over_values("value", constructor, fields))
    }

    fn cast(&mut self, operand: &'q Expr<'q>, type_name: &str) -> Result<Ast> {
        let affinity = Ast::new("affinity", affinity(type_name), Vec::new());
        let fields = vec![
            Field::one("operand", "value", self.value(operand)?),
            Field::one("affinity", "affinity", affinity),
        ];
        Ok(Ast::new("value", "Cast", fields))
    }

    fn subquery(&mut self, select: &'q Select<'q>) -> Result<Ast> {
        let fields = vec![Field::one("query", "query", self.query(select)?.tree)];
        Ok(Ast::new("value", "Subquery", fields))
    }

    fn value_without_aliases(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let aliases = std::mem::take(&mut self.aliases);
        let value = self.value(expr);
        self.aliases = aliases;
        value
    }

    fn truth(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let condition = self.condition_here(expr)?;
        Ok(Ast::new(
            "value",
            "Truth",
            vec![Field::one("condition", "condition", condition)],
        ))
    }

    fn unary(&mut self, constructor: &'static str, operand: &'q Expr<'q>) -> Result<Ast> {
        let fields = [("operand", self.value(operand)?)];
        Ok(tree::over_values("value", constructor, fields))
    }

    fn literal(&self, literal: &Literal<'q>) -> Result<Ast> {
        Ok(match literal {
            Literal::Numeric(number) => tree::literal("Number", "number", &self.number(number)?),
            Literal::String(raw) => tree::literal("String", "string", &unquote(raw).0),
            Literal::Blob(raw) => {
                let digits = raw.trim_start_matches(['x', 'X']).trim_matches('\'');
                tree::literal("Blob", "blob", &digits.to_ascii_uppercase())
            }
            Literal::Null => tree::constant("Null"),
            Literal::CurrentDate => tree::constant("CurrentDate"),
            Literal::CurrentTime => tree::constant("CurrentTime"),
            Literal::CurrentTimestamp => tree::constant("CurrentTimestamp"),
            Literal::Keyword(word) => return Err(self.unsupported("a keyword", &[word])),
        })
    }

    /// Digits may be grouped by underscores since SQLite 3.46; older ones cannot read that.
    fn number(&self, raw: &str) -> Result<String> {
        let number = raw.replace('_', "");
        if super::text::is_number(&number) {
            Ok(number)
        } else {
            Err(self.at(&[raw], format!("expected a number, found `{raw}`")))
        }
    }

    fn call(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let (name, distinct, args, is_star) = match expr {
            Expr::FunctionCall {
                name,
                filter_over: None,
                order_by: None,
                args,
                distinctness,
            } => {
                let is_distinct = *distinctness == Some(Distinctness::Distinct);
                (name.0, is_distinct, args.unwrap_or_default(), false)
            }
            Expr::FunctionCallStar {
                name,
                filter_over: None,
            } => (name.0, false, &[][..], true),
            Expr::FunctionCall {
                name,
                order_by: Some(_),
                ..
            } => {
                return Err(self.unsupported("ORDER BY in a function call", &[name.0, "("]));
            }
            Expr::FunctionCall {
                name,
                filter_over: Some(tail),
                ..
            }
            | Expr::FunctionCallStar {
                name,
                filter_over: Some(tail),
            } => {
                let what = match tail.over_clause {
                    Some(_) => "a window function",
                    None => "a FILTER clause",
                };
                return Err(self.unsupported(what, &[name.0, "("]));
            }
            _ => return Err(self.unsupported("this expression", &[])),
        };
        let function = unquote(name).0.to_ascii_lowercase();
        let arguments = self.values(args)?;
        if is_star || (function == "count" && args.is_empty() && !distinct) {
            if function != "count" {
                return Err(self.unsupported("`*` in a function other than count", &[name, "("]));
            }
            let star = tree::column(DatabaseSchema::STAR);
            return Ok(tree::over_values("value", "Count", [("argument", star)]));
        }
        names::call(&function, distinct, arguments)
            .map_err(|message| self.at(&[name, "("], message))
    }

    fn collate(&mut self, operand: &'q Expr<'q>, collation: &str) -> Result<Ast> {
        let constructor = match unquote(collation).0.to_ascii_lowercase().as_str() {
            "binary" => "Binary",
            "nocase" => "NoCase",
            "rtrim" => "RTrim",
            _ => return Err(self.unsupported("this collation", &["COLLATE", collation])),
        };
        let operand = self.value(operand)?;
        let collation = Ast::new("collation", constructor, Vec::new());
        let fields = vec![
            Field::one("operand", "value", operand),
            Field::one("collation", "collation", collation),
        ];
        Ok(Ast::new("value", "Collate", fields))
    }

    fn case(
        &mut self,
        base: Option<&'q Expr<'q>>,
        pairs: &'q [(Expr<'q>, Expr<'q>)],
        otherwise: Option<&'q Expr<'q>>,
    ) -> Result<Ast> {
        let subject = base.map(|base| self.value(base)).transpose()?;
        let arm = if subject.is_some() {
            "choice"
        } else {
            "branch"
        };
        let mut arms = Vec::new();
        for (when, then) in pairs {
            let when = match &subject {
                Some(_) => Field::one("when", "value", self.value(when)?),
                None => Field::one("when", "condition", self.condition(when)?),
            };
            let then = Field::one("then", "value", self.value(then)?);
            arms.push(Ast::new(arm, arm, vec![when, then]));
        }
        let otherwise = otherwise
            .map(|otherwise| self.value(otherwise))
            .transpose()?;
        let otherwise = Field::optional("otherwise", "value", otherwise);
        Ok(match subject {
            None => {
                let branches = Field::non_empty("branches", "branch", arms);
                Ast::new("value", "Case", vec![branches, otherwise])
            }
            Some(subject) => {
                let subject = Field::one("subject", "value", subject);
                let choices = Field::non_empty("choices", "choice", arms);
                Ast::new("value", "CaseOf", vec![subject, choices, otherwise])
            }
        })
    }
}

/// Names.
impl<'q> Reader<'_, 'q> {
    /// A name without a qualifier: a column in scope, a name given to a result, a column of an
    /// enclosing query; else, in double quotes, a string, which is SQLite's own rule.
    fn bare(&mut self, raw: &'q str) -> Result<Ast> {
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
    fn qualified(&self, raw_table: &str, raw_column: &str) -> Result<Ast> {
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

    fn doubly_qualified(&self, database: &str, table: &str, column: &str) -> Result<Ast> {
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

    fn aliased(&self, expr: &Expr<'q>) -> Option<&'q Expr<'q>> {
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

/// Errors.
impl Reader<'_, '_> {
    /// Runs `read` one level deeper; levels are what our own recursion is bounded by.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("expressions are nested deeper than {MAX_DEPTH}");
            return Err(ParseError::whole(message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn unsupported(&self, construct: &str, place: &[&str]) -> ParseError {
        self.at(
            place,
            format!("{construct} is outside the SQL that trees can hold"),
        )
    }

    fn unknown_table(&self, raw: &str, name: &str) -> ParseError {
        let database = &self.schema.name;
        self.at(
            &[raw],
            format!("database `{database}` has no table `{name}`"),
        )
    }

    fn at(&self, place: &[&str], message: String) -> ParseError {
        match self.tokens.find(place) {
            Some(offset) => ParseError::at(offset, message),
            None => ParseError::whole(message),
        }
    }
}

fn aliases<'q>(columns: &'q [ResultColumn<'q>]) -> Vec<(String, &'q Expr<'q>)> {
    columns
        .iter()
        .filter_map(|column| match column {
            ResultColumn::Expr(expr, Some(alias)) => Some((alias_name(alias), expr)),
            _ => None,
        })
        .collect()
}

fn without_parentheses<'q>(mut expr: &'q Expr<'q>) -> &'q Expr<'q> {
    while let Expr::Parenthesized(inner) = expr
        && let [only] = &inner[..]
    {
        expr = only;
    }
    expr
}

/// The name of a result that is a column.
fn column_name<'q>(expr: &'q Expr<'q>) -> Option<String> {
    let raw = match without_parentheses(expr) {
        Expr::Id(id) => id.0,
        Expr::Name(name) | Expr::Qualified(_, name) | Expr::DoublyQualified(_, _, name) => name.0,
        _ => return None,
    };
    Some(unquote(raw).0.into_owned())
}

fn alias_name(alias: &As<'_>) -> String {
    let (As::As(name) | As::Elided(name)) = alias;
    unquote(name.0).0.into_owned()
}

fn holds(operand: Ast) -> Ast {
    tree::over_values("condition", "Holds", [("operand", operand)])
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

fn arithmetic(operator: Operator) -> Option<&'static str> {
    Some(match operator {
        Operator::Add => "Add",
        Operator::Subtract => "Subtract",
        Operator::Multiply => "Multiply",
        Operator::Divide => "Divide",
        Operator::Modulus => "Modulo",
        Operator::Concat => "Concat",
        Operator::BitwiseAnd => "BitAnd",
        Operator::BitwiseOr => "BitOr",
        Operator::LeftShift => "ShiftLeft",
        Operator::RightShift => "ShiftRight",
        _ => return None,
    })
}

/// What CAST makes of a type's name: <https://www.sqlite.org/datatype3.html>, section 3.1.
fn affinity(name: &str) -> &'static str {
    let name = name.to_ascii_uppercase();
    let has = |part: &str| name.contains(part);
    if has("INT") {
        "Integer"
    } else if has("CHAR") || has("CLOB") || has("TEXT") {
        "Text"
    } else if has("BLOB") {
        "Bytes"
    } else if has("REAL") || has("FLOA") || has("DOUB") {
        "Real"
    } else {
        "Numeric"
    }
}
