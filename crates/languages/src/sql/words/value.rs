//! Values in words.

use patois_syntax::Ast;

use super::{Result, Speaker, spoken};
use crate::sql::print::{expect_type, unknown};
use crate::sql::{DatabaseSchema, tree};

impl Speaker<'_> {
    /// The value in a field.
    pub(super) fn field(&mut self, ast: &Ast, name: &str) -> Result<String> {
        self.value(tree::child(ast, name)?)
    }

    /// Several values: `a, b and c`.
    pub(super) fn list(&mut self, values: &[&Ast], last: &str) -> Result<String> {
        let said = values.iter().map(|it| self.value(it));
        let said = said.collect::<Result<Vec<String>>>()?;
        Ok(match said.split_last() {
            None => "nothing".to_owned(),
            Some((only, [])) => only.clone(),
            Some((end, others)) => format!("{} {last} {end}", others.join(", ")),
        })
    }

    pub(super) fn value(&mut self, ast: &Ast) -> Result<String> {
        expect_type(ast, "value")?;
        if let Some(operator) = operator(ast.constructor) {
            let (left, right) = (self.field(ast, "left")?, self.field(ast, "right")?);
            return Ok(format!("{left} {operator} {right}"));
        }
        if let Some(aggregate) = aggregate(ast.constructor) {
            return self.aggregate(ast, aggregate);
        }
        Ok(match ast.constructor {
            "Column" | "Occurrence" => self.column(ast)?,
            "AllColumns" | "AllColumnsOf" => format!("all there is about {}", self.table(ast)?),
            "String" => format!("“{}”", tree::text(ast, "value")?.as_str()),
            "Number" => tree::text(ast, "value")?.as_str().to_owned(),
            "Blob" => "some bytes".to_owned(),
            "Null" => "nothing".to_owned(),
            "True" => "true".to_owned(),
            "False" => "false".to_owned(),
            "CurrentDate" => "today".to_owned(),
            "CurrentTime" | "CurrentTimestamp" => "now".to_owned(),
            "Output" => format!("result {}", tree::position(ast)?),
            "Subquery" => format!("({})", self.query(tree::child(ast, "query")?)?),
            "Truth" => format!(
                "whether {}",
                self.condition(tree::child(ast, "condition")?)?
            ),
            "Call" | "CallDistinct" => self.call(ast)?,
            "Negate" => format!("minus {}", self.field(ast, "operand")?),
            "BitNot" | "Collate" | "Cast" => self.field(ast, "operand")?,
            "Least" | "Greatest" => self.extreme(ast)?,
            "Case" | "CaseOf" => "a value that depends on the row".to_owned(),
            _ => return Err(unknown(ast)),
        })
    }

    /// A column; where there are several tables, with the one that it is of.
    fn column(&self, ast: &Ast) -> Result<String> {
        let index = tree::reference(ast, "column", self.schema.columns.len())?;
        let column = &self.schema.columns[index];
        let name = spoken(&column.words, &column.name);
        let is_joined = self.scopes.last().is_some_and(|it| it.is_joined);
        let Some(table) = column.table.filter(|_| is_joined) else {
            return Ok(name.to_owned());
        };
        let table = &self.schema.tables[table];
        let table = spoken(&table.words, &table.name);
        // Some columns begin with the name of their table.
        if name.starts_with(table) {
            return Ok(name.to_owned());
        }
        Ok(format!("{table} {name}"))
    }

    pub(super) fn is_star(&self, ast: &Ast) -> bool {
        let column = tree::reference(ast, "column", self.schema.columns.len());
        column.is_ok_and(|it| it == DatabaseSchema::STAR)
    }

    /// Whether a count is one of rows, not of values.
    pub(super) fn counts_rows(&self, ast: &Ast) -> bool {
        let argument = tree::child(ast, "argument");
        argument.is_ok_and(|it| it.constructor == "Column" && self.is_star(it))
    }

    fn aggregate(&mut self, ast: &Ast, aggregate: &str) -> Result<String> {
        if ast.constructor == "Count" && self.counts_rows(ast) {
            return Ok(match self.rows() {
                "" => "number of rows".to_owned(),
                rows => format!("number of {rows}"),
            });
        }
        let argument = self.field(ast, "argument")?;
        let different = match ast.constructor {
            "CountDistinct" | "SumDistinct" | "AvgDistinct" => "different ",
            _ => "",
        };
        let values = if aggregate == "number of" {
            " values"
        } else {
            ""
        };
        Ok(format!("{aggregate} {different}{argument}{values}"))
    }

    fn extreme(&mut self, ast: &Ast) -> Result<String> {
        let which = if ast.constructor == "Least" {
            "smallest"
        } else {
            "largest"
        };
        let mut values = vec![tree::child(ast, "first")?];
        values.extend(tree::list(ast, "others")?);
        Ok(format!("{which} of {}", self.list(&values, "and")?))
    }

    /// A part of a date by its name; any other function as SQL writes it.
    fn call(&mut self, ast: &Ast) -> Result<String> {
        let function = tree::child(ast, "function")?.constructor;
        let arguments = match ast.constructor {
            "Call" => tree::list(ast, "arguments")?,
            _ => vec![tree::child(ast, "argument")?],
        };
        if let ("StrfTime", [form, date]) = (function, &arguments[..])
            && form.constructor == "String"
            && let Some(part) = part_of_date(tree::text(form, "value")?.as_str())
        {
            return Ok(format!("{part} of {}", self.value(date)?));
        }
        let arguments = arguments.iter().map(|it| self.value(it));
        let arguments = arguments.collect::<Result<Vec<String>>>()?;
        Ok(format!(
            "{}({})",
            function.to_lowercase(),
            arguments.join(", ")
        ))
    }
}

fn part_of_date(form: &str) -> Option<&'static str> {
    Some(match form {
        "%Y" => "year",
        "%m" => "month",
        "%Y-%m" => "year and month",
        "%d" => "day",
        "%H" => "hour",
        "%w" => "day of the week",
        _ => return None,
    })
}

fn operator(constructor: &str) -> Option<&'static str> {
    Some(match constructor {
        "Add" => "plus",
        "Subtract" => "minus",
        "Multiply" => "times",
        "Divide" => "divided by",
        "Modulo" => "modulo",
        "Concat" => "followed by",
        "BitAnd" => "&",
        "BitOr" => "|",
        "ShiftLeft" => "<<",
        "ShiftRight" => ">>",
        _ => return None,
    })
}

fn aggregate(constructor: &str) -> Option<&'static str> {
    Some(match constructor {
        "Count" | "CountDistinct" => "number of",
        "Sum" | "SumDistinct" => "total",
        "Avg" | "AvgDistinct" => "average",
        "Min" | "MinDistinct" => "smallest",
        "Max" | "MaxDistinct" => "largest",
        _ => return None,
    })
}
