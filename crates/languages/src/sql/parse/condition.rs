//! Conditions: what WHERE, HAVING and ON ask.

use patois_syntax::{Ast, Field};
use sqlite3_parser::ast::{Expr, LikeOperator, Literal, Operator, Select, UnaryOperator};

use super::{Reader, Result, without_parentheses};
use crate::sql::names::ESCAPES;
use crate::sql::tree;

impl<'q> Reader<'_, 'q> {
    pub(super) fn optional_condition(&mut self, expr: Option<&'q Expr<'q>>) -> Result<Option<Ast>> {
        expr.map(|expr| self.condition(expr)).transpose()
    }

    pub(super) fn condition(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        self.nested(|reader| reader.condition_here(expr))
    }

    /// Small, because chains of AND and OR recurse through it.
    pub(super) fn condition_here(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
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
            Operator::Equals => self.binary("condition", "Equal", left, right),
            Operator::NotEquals => self.binary("condition", "NotEqual", left, right),
            Operator::Less => self.binary("condition", "Less", left, right),
            Operator::LessEquals => self.binary("condition", "LessEqual", left, right),
            Operator::Greater => self.binary("condition", "Greater", left, right),
            Operator::GreaterEquals => self.binary("condition", "GreaterEqual", left, right),
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

    /// `x IS NULL` has its own node; `x IS (NULL)` is how the general one is printed.
    fn is(&mut self, left: &'q Expr<'q>, right: &'q Expr<'q>) -> Result<Ast> {
        match right {
            Expr::Literal(Literal::Null) => self.is_null(left),
            _ => self.binary("condition", "Is", left, right),
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
                let fields = [operand, pattern].map(|(name, it)| Field::one(name, "value", it));
                let mut fields = Vec::from(fields);
                fields.push(self.escape(escape)?);
                Ast::new("condition", "LikeEscape", fields)
            }
        })
    }

    /// What SQLite takes anything else for is an error once a row is looked at.
    fn escape(&mut self, expr: &'q Expr<'q>) -> Result<Field> {
        let value = self.value(expr)?;
        let text = tree::text(&value, "value").ok();
        let text = text.filter(|_| value.constructor == "String");
        let escape = text.and_then(|text| ESCAPES.iter().find(|it| it.0 == text.as_str()));
        match escape {
            Some(&(_, constructor)) => {
                let escape = Ast::new("escape", constructor, Vec::new());
                Ok(Field::one("escape", "escape", escape))
            }
            None => Err(self.unsupported("ESCAPE with anything but a usual sign", &["ESCAPE"])),
        }
    }
}

/// A value as a condition.
pub(super) fn holds(operand: Ast) -> Ast {
    tree::over_values("condition", "Holds", [("operand", operand)])
}
