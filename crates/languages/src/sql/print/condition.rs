//! Printing conditions.

use patois_syntax::Ast;

use super::{Level, Printer, Result, chain, expect_type, parenthesize, unknown};
use crate::sql::names::ESCAPES;
use crate::sql::tree;

impl Printer<'_> {
    /// A condition as part of something that needs it to hold together at `level`.
    pub(super) fn condition(&mut self, ast: &Ast, level: Level) -> Result<String> {
        expect_type(ast, "condition")?;
        let (sql, own) = self.condition_here(ast)?;
        Ok(parenthesize(sql, own < level))
    }

    pub(super) fn condition_here(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let sql = match ast.constructor {
            "And" => return self.connective(ast, "AND", Level::And),
            "Or" => return self.connective(ast, "OR", Level::Or),
            "Not" => return self.not(ast),
            "Holds" => return self.holds(ast),
            "Exists" => format!("EXISTS ({})", self.subquery(ast)?),
            _ => self.test(ast, "")?.ok_or_else(|| unknown(ast))?,
        };
        Ok((sql, Level::Comparison))
    }

    /// A test of a value, with `not` (empty, or `NOT `) where SQL wants it.
    fn test(&mut self, ast: &Ast, not: &str) -> Result<Option<String>> {
        Ok(Some(match ast.constructor {
            "IsNull" => format!("{} IS {not}NULL", self.operand(ast, "operand")?),
            "Is" => {
                let left = self.operand(ast, "left")?;
                let right = self.operand(ast, "right")?;
                // A bare NULL would read as `IsNull`.
                let is_null = tree::child(ast, "right")?.constructor == "Null";
                format!("{left} IS {not}{}", parenthesize(right, is_null))
            }
            "Between" => {
                let operand = self.operand(ast, "operand")?;
                let low = self.operand(ast, "low")?;
                let high = self.operand(ast, "high")?;
                format!("{operand} {not}BETWEEN {low} AND {high}")
            }
            "Like" => self.like(ast, not, "LIKE")?,
            "Glob" => self.like(ast, not, "GLOB")?,
            "LikeEscape" => {
                let node = tree::child(ast, "escape")?;
                let mut escapes = ESCAPES.iter();
                let escape = escapes.find(|it| it.1 == node.constructor);
                let escape = escape.ok_or_else(|| unknown(node))?.0;
                format!("{} ESCAPE '{escape}'", self.like(ast, not, "LIKE")?)
            }
            "In" => {
                let operand = self.operand(ast, "operand")?;
                let items = self.values(&tree::list(ast, "items")?)?;
                format!("{operand} {not}IN ({items})")
            }
            "InQuery" => {
                let operand = self.operand(ast, "operand")?;
                format!("{operand} {not}IN ({})", self.subquery(ast)?)
            }
            _ if not.is_empty() => match comparison(ast.constructor) {
                Some(symbol) => {
                    let left = self.operand(ast, "left")?;
                    format!("{left} {symbol} {}", self.operand(ast, "right")?)
                }
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    fn like(&mut self, ast: &Ast, not: &str, keyword: &str) -> Result<String> {
        let operand = self.operand(ast, "operand")?;
        let pattern = self.operand(ast, "pattern")?;
        Ok(format!("{operand} {not}{keyword} {pattern}"))
    }

    /// A whole chain of conditions at once: one after the other, each would be written as often as there are others.
    fn connective(&mut self, ast: &Ast, word: &str, level: Level) -> Result<(String, Level)> {
        let (first, others) = chain(ast, |constructor| constructor == ast.constructor)?;
        let mut sql = self.condition(first, level)?;
        for (_, operand) in others {
            let operand = self.condition(operand, level.tighter())?;
            sql.extend([" ", word, " ", &operand]);
        }
        Ok((sql, level))
    }

    /// `x NOT IN ...` where SQL has such a form, else `NOT ...`.
    fn not(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let operand = tree::child(ast, "operand")?;
        expect_type(operand, "condition")?;
        if let Some(sql) = self.test(operand, "NOT ")? {
            return Ok((sql, Level::Comparison));
        }
        let operand = self.condition(operand, Level::Not)?;
        Ok((format!("NOT {operand}"), Level::Not))
    }

    /// A value as a condition. One that is a condition again is marked by a plus, which changes
    /// nothing, or the two would cancel out in the text.
    fn holds(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let operand = tree::child(ast, "operand")?;
        if operand.constructor == "Truth" {
            let operand = self.value_at(operand, Level::Primary)?;
            return Ok((format!("+{operand}"), Level::Unary));
        }
        expect_type(operand, "value")?;
        self.value_here(operand)
    }
}

fn comparison(constructor: &str) -> Option<&'static str> {
    Some(match constructor {
        "Equal" => "=",
        "NotEqual" => "!=",
        "Less" => "<",
        "LessEqual" => "<=",
        "Greater" => ">",
        "GreaterEqual" => ">=",
        _ => return None,
    })
}
