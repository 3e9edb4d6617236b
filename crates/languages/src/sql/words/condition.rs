//! Conditions in words.

use patois_syntax::Ast;

use super::{Result, Speaker};
use crate::sql::print::{chain, expect_type, unknown};
use crate::sql::tree;

/// Whether a condition holds, or its opposite does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Plain,
    Opposite,
}

impl Speaker<'_> {
    pub(super) fn condition(&mut self, ast: &Ast) -> Result<String> {
        expect_type(ast, "condition")?;
        match ast.constructor {
            "And" => self.connective(ast, "and"),
            "Or" => self.connective(ast, "or"),
            "Not" => self.not(tree::child(ast, "operand")?),
            _ => self.test(ast, Sense::Plain),
        }
    }

    /// A whole chain at once; what is connected otherwise inside of it is set apart.
    fn connective(&mut self, ast: &Ast, word: &str) -> Result<String> {
        let (first, others) = chain(ast, |constructor| constructor == ast.constructor)?;
        let operands = std::iter::once(first).chain(others.into_iter().map(|it| it.1));
        let said = operands.map(|operand| {
            let said = self.condition(operand)?;
            Ok(match operand.constructor {
                "And" | "Or" => format!("({said})"),
                _ => said,
            })
        });
        let said = said.collect::<Result<Vec<String>>>()?;
        Ok(said.join(&format!(" {word} ")))
    }

    fn not(&mut self, operand: &Ast) -> Result<String> {
        expect_type(operand, "condition")?;
        match operand.constructor {
            "And" | "Or" | "Not" => Ok(format!("not ({})", self.condition(operand)?)),
            _ => self.test(operand, Sense::Opposite),
        }
    }

    /// A test of a value: `age is above 30`, `country is not “France”`.
    fn test(&mut self, ast: &Ast, sense: Sense) -> Result<String> {
        let plain = sense == Sense::Plain;
        let is = if plain { "is" } else { "is not" };
        if let Some(comparison) = comparison(ast.constructor) {
            let left = self.field(ast, "left")?;
            let right = self.field(ast, "right")?;
            return Ok(format!("{left} {is} {comparison}{right}"));
        }
        let operand = match ast.constructor {
            "Exists" => {
                let there = if plain { "there are" } else { "there are no" };
                let query = self.query(tree::child(ast, "query")?)?;
                return Ok(format!("{there} rows in ({query})"));
            }
            _ => self.field(ast, "operand")?,
        };
        let test = match ast.constructor {
            "IsNull" if plain => "is missing".to_owned(),
            "IsNull" => "is known".to_owned(),
            "Between" => {
                let (low, high) = (self.field(ast, "low")?, self.field(ast, "high")?);
                format!("{is} between {low} and {high}")
            }
            "Like" | "LikeEscape" | "Glob" => self.pattern(ast, sense)?,
            "In" => {
                let items = self.list(&tree::list(ast, "items")?, "or")?;
                format!("{is} {items}")
            }
            "InQuery" => {
                let query = self.query(tree::child(ast, "query")?)?;
                format!("{is} among ({query})")
            }
            "Holds" => format!("{is} true"),
            _ => return Err(unknown(ast)),
        };
        Ok(format!("{operand} {test}"))
    }

    /// What a pattern asks for, where it is one of the usual ones.
    fn pattern(&mut self, ast: &Ast, sense: Sense) -> Result<String> {
        let pattern = tree::child(ast, "pattern")?;
        let text = match (ast.constructor, pattern.constructor) {
            ("Like", "String") => Some(tree::text(pattern, "value")?.as_str()),
            _ => None,
        };
        let usual = text.and_then(usual_pattern);
        Ok(match (usual, sense) {
            (Some((verbs, text)), Sense::Plain) => format!("{} “{text}”", verbs.0),
            (Some((verbs, text)), Sense::Opposite) => format!("does not {} “{text}”", verbs.1),
            (None, Sense::Plain) => format!("is like {}", self.value(pattern)?),
            (None, Sense::Opposite) => format!("is not like {}", self.value(pattern)?),
        })
    }
}

/// `contains` and `contain`, with what is contained, and so on.
fn usual_pattern(pattern: &str) -> Option<((&'static str, &'static str), &str)> {
    let inner = pattern.trim_matches('%');
    if inner.is_empty() || inner.contains(['%', '_']) {
        return None;
    }
    Some(match (pattern.starts_with('%'), pattern.ends_with('%')) {
        (true, true) => (("contains", "contain"), inner),
        (false, true) => (("begins with", "begin with"), inner),
        (true, false) => (("ends with", "end with"), inner),
        (false, false) => return None,
    })
}

fn comparison(constructor: &str) -> Option<&'static str> {
    Some(match constructor {
        "Equal" | "Is" => "",
        "NotEqual" => "other than ",
        "Less" => "below ",
        "LessEqual" => "at most ",
        "Greater" => "above ",
        "GreaterEqual" => "at least ",
        _ => return None,
    })
}
