//! Printing values.

use patois_syntax::Ast;

use super::{Level, Naming, Printer, Result, accepted, chain, expect_type, parenthesize, unknown};
use crate::sql::identifier::quote;
use crate::sql::names::AGGREGATES;
use crate::sql::{DatabaseSchema, functions, tree};

impl Printer<'_> {
    pub(super) fn values(&mut self, values: &[&Ast]) -> Result<String> {
        let values: Vec<String> = values
            .iter()
            .map(|value| self.value(value))
            .collect::<Result<_>>()?;
        Ok(values.join(", "))
    }

    pub(super) fn value(&mut self, ast: &Ast) -> Result<String> {
        self.value_at(ast, Level::Or)
    }

    /// The value in field `name`, as a side of a comparison.
    pub(super) fn operand(&mut self, ast: &Ast, name: &str) -> Result<String> {
        self.value_at(tree::child(ast, name)?, Level::Bits)
    }

    pub(super) fn value_at(&mut self, ast: &Ast, level: Level) -> Result<String> {
        expect_type(ast, "value")?;
        let (sql, own) = self.value_here(ast)?;
        Ok(parenthesize(sql, own < level))
    }

    pub(super) fn value_here(&mut self, ast: &Ast) -> Result<(String, Level)> {
        if let Some((_, level)) = arithmetic(ast.constructor) {
            return self.chained(ast, level);
        }
        let sql = match ast.constructor {
            "Column" => self.column_at(self.column_index(ast)?),
            "Occurrence" => self.occurrence(ast)?,
            "AllColumns" | "AllColumnsOf" => self.all_columns(ast, "[*]")?,
            "Output" => self.output(ast)?,
            "String" => {
                let string = accepted(ast, "value", "string")?;
                format!("'{}'", string.replace('\'', "''"))
            }
            "Number" => accepted(ast, "value", "number")?.into(),
            "Blob" => format!("X'{}'", accepted(ast, "value", "blob")?),
            "Null" => "NULL".into(),
            "True" => self.truth_value("true"),
            "False" => self.truth_value("false"),
            "CurrentDate" => "CURRENT_DATE".into(),
            "CurrentTime" => "CURRENT_TIME".into(),
            "CurrentTimestamp" => "CURRENT_TIMESTAMP".into(),
            "Negate" => return self.unary(ast, '-'),
            "BitNot" => return self.unary(ast, '~'),
            "Collate" => {
                let operand = self.value_at(tree::child(ast, "operand")?, Level::Collate)?;
                let collation = collation(tree::child(ast, "collation")?)?;
                return Ok((format!("{operand} COLLATE {collation}"), Level::Collate));
            }
            "Cast" => {
                let operand = self.value(tree::child(ast, "operand")?)?;
                let affinity = affinity(tree::child(ast, "affinity")?)?;
                format!("CAST({operand} AS {affinity})")
            }
            "Case" | "CaseOf" => self.case(ast)?,
            "Subquery" => format!("({})", self.subquery(ast)?),
            "Truth" => return self.truth(ast),
            _ => self.call(ast)?,
        };
        Ok((sql, Level::Primary))
    }

    /// A whole chain of operators of one level.
    fn chained(&mut self, ast: &Ast, level: Level) -> Result<(String, Level)> {
        let is_of_level = |it: &str| arithmetic(it).is_some_and(|it| it.1 == level);
        let (first, others) = chain(ast, is_of_level)?;
        let mut sql = self.value_at(first, level)?;
        for (constructor, operand) in others {
            let symbol = arithmetic(constructor).map_or("", |it| it.0);
            let operand = self.value_at(operand, level.tighter())?;
            sql.extend([" ", symbol, " ", &operand]);
        }
        Ok((sql, level))
    }

    fn unary(&mut self, ast: &Ast, sign: char) -> Result<(String, Level)> {
        let operand = self.value_at(tree::child(ast, "operand")?, Level::Primary)?;
        Ok((format!("{sign}{operand}"), Level::Unary))
    }

    /// A condition as a value; see [`holds`](Printer::holds) for the plus.
    fn truth(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let condition = tree::child(ast, "condition")?;
        if condition.constructor == "Holds" {
            let operand = self.value_at(tree::child(condition, "operand")?, Level::Primary)?;
            return Ok((format!("+{operand}"), Level::Unary));
        }
        expect_type(condition, "condition")?;
        self.condition_here(condition)
    }

    fn call(&mut self, ast: &Ast) -> Result<String> {
        let aggregate = AGGREGATES
            .iter()
            .find(|it| it.1 == ast.constructor || it.2 == ast.constructor);
        if let Some(&(function, plain, _)) = aggregate {
            let argument = tree::child(ast, "argument")?;
            if ast.constructor != plain {
                return Ok(format!("{function}(DISTINCT {})", self.value(argument)?));
            }
            let is_star = argument.constructor == "Column"
                && self.column_index(argument)? == DatabaseSchema::STAR;
            if function == "count" && is_star {
                return Ok("count(*)".into());
            }
            return Ok(format!("{function}({})", self.value(argument)?));
        }
        match ast.constructor {
            "Least" | "Greatest" => {
                let function = if ast.constructor == "Least" {
                    "min"
                } else {
                    "max"
                };
                let first = self.value(tree::child(ast, "first")?)?;
                let others = self.values(&tree::list(ast, "others")?)?;
                Ok(format!("{function}({first}, {others})"))
            }
            "Call" => {
                let function = function(ast)?;
                let arguments = self.values(&tree::list(ast, "arguments")?)?;
                Ok(format!("{function}({arguments})"))
            }
            "CallDistinct" => {
                let function = function(ast)?;
                let argument = self.value(tree::child(ast, "argument")?)?;
                Ok(format!("{function}(DISTINCT {argument})"))
            }
            _ => Err(unknown(ast)),
        }
    }

    fn case(&mut self, ast: &Ast) -> Result<String> {
        let mut sql = String::from("CASE");
        let arms = if ast.constructor == "Case" {
            tree::list(ast, "branches")?
        } else {
            sql.push(' ');
            sql.push_str(&self.value(tree::child(ast, "subject")?)?);
            tree::list(ast, "choices")?
        };
        for arm in arms {
            let when = tree::child(arm, "when")?;
            let when = if ast.constructor == "Case" {
                self.condition(when, Level::Or)?
            } else {
                self.value(when)?
            };
            let then = self.value(tree::child(arm, "then")?)?;
            sql.extend([" WHEN ", &when, " THEN ", &then]);
        }
        if let Some(otherwise) = tree::optional(ast, "otherwise")? {
            sql.push_str(" ELSE ");
            sql.push_str(&self.value(otherwise)?);
        }
        sql.push_str(" END");
        Ok(sql)
    }

    pub(super) fn subquery(&mut self, ast: &Ast) -> Result<String> {
        self.query(tree::child(ast, "query")?, Naming::None)
    }
}

fn arithmetic(constructor: &str) -> Option<(&'static str, Level)> {
    Some(match constructor {
        "Add" => ("+", Level::Sum),
        "Subtract" => ("-", Level::Sum),
        "Multiply" => ("*", Level::Product),
        "Divide" => ("/", Level::Product),
        "Modulo" => ("%", Level::Product),
        "Concat" => ("||", Level::Concat),
        "BitAnd" => ("&", Level::Bits),
        "BitOr" => ("|", Level::Bits),
        "ShiftLeft" => ("<<", Level::Bits),
        "ShiftRight" => (">>", Level::Bits),
        _ => return None,
    })
}

/// The name of the function in field `function`.
fn function(ast: &Ast) -> Result<std::borrow::Cow<'static, str>> {
    let node = tree::child(ast, "function")?;
    let function = functions::of_constructor(node.constructor);
    Ok(quote(function.ok_or_else(|| unknown(node))?.name))
}

fn collation(ast: &Ast) -> Result<&'static str> {
    Ok(match ast.constructor {
        "Binary" => "BINARY",
        "NoCase" => "NOCASE",
        "RTrim" => "RTRIM",
        _ => return Err(unknown(ast)),
    })
}

fn affinity(ast: &Ast) -> Result<&'static str> {
    Ok(match ast.constructor {
        "Text" => "TEXT",
        "Numeric" => "NUMERIC",
        "Integer" => "INTEGER",
        "Real" => "REAL",
        "Bytes" => "BLOB",
        _ => return Err(unknown(ast)),
    })
}
