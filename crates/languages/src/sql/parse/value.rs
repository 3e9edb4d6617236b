//! Values: columns, literals, and what is computed from them.

use patois_syntax::{Ast, Field};
use sqlite3_parser::ast::{Distinctness, Expr, Literal, Operator, Select, UnaryOperator};

use super::{Reader, Result, without_parentheses};
use crate::sql::identifier::unquote;
use crate::sql::{DatabaseSchema, names, text, tree};

impl<'q> Reader<'_, 'q> {
    pub(super) fn values(&mut self, exprs: &'q [Expr<'q>]) -> Result<Vec<Ast>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    pub(super) fn value(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        self.nested(|reader| reader.value_here(expr))
    }

    /// Small, because chains of operators recurse through it.
    fn value_here(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
        let expr = without_parentheses(expr);
        match expr {
            Expr::Binary(left, operator, right) => match arithmetic(*operator) {
                Some(constructor) => self.binary("value", constructor, left, right),
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

    /// A node of type `ty` over two values.
    pub(super) fn binary(
        &mut self,
        ty: &'static str,
        constructor: &'static str,
        left: &'q Expr<'q>,
        right: &'q Expr<'q>,
    ) -> Result<Ast> {
        let fields = [("left", self.value(left)?), ("right", self.value(right)?)];
        Ok(tree::over_values(ty, constructor, fields))
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

    pub(super) fn value_without_aliases(&mut self, expr: &'q Expr<'q>) -> Result<Ast> {
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
    pub(super) fn number(&self, raw: &str) -> Result<String> {
        let number = raw.replace('_', "");
        if text::is_number(&number) {
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
