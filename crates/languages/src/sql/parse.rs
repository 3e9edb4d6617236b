//! From SQL text to trees. Only this module and those below it take the parser's trees apart.

mod condition;
mod from;
mod name;
mod value;

use patois_syntax::{Ast, Field, ParseError};
use sqlite3_parser::ast::{
    As, Cmd, CompoundOperator, Distinctness, Expr, Limit, Literal, Name, NullsOrder, OneSelect,
    ResultColumn, Select, SortOrder, SortedColumn, Stmt,
};
use sqlite3_parser::lexer::sql::Parser;
use sqlite3_parser::{Bump, FallibleIterator};

use super::DatabaseSchema;
use super::from_clause::Keys;
use super::identifier::unquote;
use super::resolve::{Scope, Scopes, distinct_names};
use super::scan::{self, OffsetNotation, Tokens};
use super::{MAX_DEPTH, text, tree};

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
        keys: Keys::of(schema),
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
    keys: Keys,
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
        let mut order_by = Vec::new();
        for key in select.order_by.unwrap_or_default() {
            order_by.extend(self.order(key)?);
        }
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
            Field::optional("from", "from", from),
            Field::optional("distinct", "distinct", distinct),
            Field::non_empty("results", "value", results),
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
        let is_column = matches!(value.constructor, "Column" | "Occurrence" | "Output");
        let name = if is_column { column_name(expr) } else { None };
        vec![name.unwrap_or_default()]
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

    /// A key of ORDER BY. One that names a result which is a whole number orders nothing; written
    /// as that number it would mean the result at that position.
    fn order(&mut self, key: &'q SortedColumn<'q>) -> Result<Option<Ast>> {
        let descends = key.order == Some(SortOrder::Desc);
        let constructor = match (descends, key.nulls) {
            (false, None | Some(NullsOrder::First)) => "Ascending",
            (false, Some(NullsOrder::Last)) => "AscendingNullsLast",
            (true, None | Some(NullsOrder::Last)) => "Descending",
            (true, Some(NullsOrder::First)) => "DescendingNullsFirst",
        };
        // As a whole key a name means a result before it means a column.
        let value = match self.aliased(&key.expr) {
            Some(expr) if is_integer(expr) => return Ok(None),
            Some(expr) => self.value_without_aliases(expr)?,
            None => self.value(&key.expr)?,
        };
        let key = tree::over_values("order", constructor, [("key", value)]);
        Ok(Some(key))
    }

    fn limit(&mut self, limit: &'q Limit<'q>) -> Result<Ast> {
        let chain = self.scopes.take();
        let node = match (&limit.expr, &limit.offset) {
            (count, None) => {
                if let Some(count) = whole_number(count) {
                    let count = tree::text_field("count", "count", count);
                    Ast::new("limit", "Limit", vec![count])
                } else {
                    let count = self.value(count)?;
                    tree::over_values("limit", "LimitValue", [("count", count)])
                }
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
                if let (Some(count), Some(offset)) = (whole_number(count), whole_number(offset)) {
                    let fields = [("count", count), ("offset", offset)];
                    let fields = fields.map(|(name, it)| tree::text_field(name, "count", it));
                    Ast::new("limit", "LimitOffset", fields.into())
                } else {
                    let fields = [
                        ("count", self.value(count)?),
                        ("offset", self.value(offset)?),
                    ];
                    tree::over_values("limit", "LimitValueOffset", fields)
                }
            }
        };
        self.scopes.restore(chain);
        Ok(node)
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

fn whole_number<'q>(expr: &Expr<'q>) -> Option<&'q str> {
    match expr {
        Expr::Literal(Literal::Numeric(number)) => Some(*number).filter(|it| text::is_count(it)),
        _ => None,
    }
}

fn without_parentheses<'q>(mut expr: &'q Expr<'q>) -> &'q Expr<'q> {
    while let Expr::Parenthesized(inner) = expr
        && let [only] = &inner[..]
    {
        expr = only;
    }
    expr
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

fn is_integer<'q>(expr: &'q Expr<'q>) -> bool {
    without_parentheses(expr).is_integer().is_some()
}
