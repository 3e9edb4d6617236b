//! How grammars are written: the symbols, then a line for each production.

use std::borrow::Cow;
use std::fmt;

use super::cells::cell_named;
use super::{Grammar, Kind};
use crate::schema::{Constructor, FieldType};
use crate::{Arity, ProductionId, ProductionKind, Text};

/// Why a text is not a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct GrammarError {
    /// One-based.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Grammar {
    /// How a production is written: `stmt.Assign`, `stmt*.more`, `stmt*.end`, `stmt+.first`,
    /// `expr?.some`, `expr?.none`.
    pub fn production_name(&self, id: ProductionId) -> String {
        let production = self.production(id);
        let name = match production.kind {
            ProductionKind::Construct(constructor) => self.constructors[constructor.index()].name,
            cell => cell.cell_name(),
        };
        format!("{}.{}", self.symbol_name(production.lhs), quoted(name))
    }

    /// The production that is written as `name`, if the grammar has it.
    pub(crate) fn production_named(&self, name: &str) -> Option<ProductionId> {
        let (symbol, name) = split_production(name)?;
        let arity = parse_symbol(symbol).1;
        let symbol = self.symbol_named(symbol)?;
        match cell_named(arity, name) {
            Some(cell) => self.production_of(symbol, cell),
            None => self.construct(symbol, name),
        }
    }
    /// Reads a grammar in the notation that it displays as; the ids are those of the original.
    ///
    /// # Errors
    ///
    /// When a line is none of that notation.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        let error = |line: usize, message: String| GrammarError {
            line: line + 1,
            message,
        };
        let mut lines = text.lines().enumerate();
        let mut header = |keyword: &str| {
            let (line, text) = lines.next().unwrap_or((0, ""));
            let found = text
                .strip_prefix(keyword)
                .and_then(|rest| rest.strip_prefix(' '));
            found
                .map(|rest| (line, rest))
                .ok_or_else(|| error(line, format!("expected `{keyword} ...`, found `{text}`")))
        };
        let (_, name) = header("grammar")?;
        let (line, symbols) = header("symbols")?;
        let mut symbols = symbols.split(' ');
        let root = intern(symbols.next().unwrap_or_default());
        if root.is_empty() || parse_symbol(root).1 != Arity::One {
            return Err(error(
                line,
                format!("expected the type of programs, found `{root}`"),
            ));
        }
        let mut grammar = Grammar::new(intern(name), root);
        for symbol in symbols {
            let (ty, arity) = parse_symbol(intern(symbol));
            grammar.add_symbol(ty, arity);
        }
        for (line, text) in lines {
            grammar
                .parse_line(text)
                .map_err(|message| error(line, message))?;
        }
        Ok(grammar.finished())
    }

    /// Reads `identifier = text`, `stmt*.more` or `stmt.Assign(expr+ targets, expr value)`.
    fn parse_line(&mut self, text: &str) -> Result<(), String> {
        if let Some((ty, kind)) = text.split_once(" = ").filter(|it| !it.0.contains(QUOTE)) {
            let kind = match kind {
                "text" => Kind::Text,
                "reference" => Kind::Reference,
                _ => return Err(format!("expected `text` or `reference`, found `{kind}`")),
            };
            self.types.insert(intern(ty), kind);
            return Ok(());
        }
        let name_end = text.rfind(QUOTE).map_or(0, |it| it + 1);
        let (head, fields) = match text[name_end..].find('(') {
            Some(at) => (
                &text[..name_end + at],
                text[name_end + at + 1..]
                    .strip_suffix(')')
                    .ok_or("expected a closing `)`")?,
            ),
            None => (text, ""),
        };
        let (symbol, name) = split_production(head).ok_or_else(|| {
            format!("expected a production such as `stmt.Assign`, found `{text}`")
        })?;
        let (ty, arity) = parse_symbol(symbol);
        let id = self
            .symbol(ty, arity)
            .ok_or_else(|| format!("symbol `{symbol}` is not listed"))?;
        if let Some(cell) = cell_named(arity, name) {
            self.add_cell(id, cell);
            return Ok(());
        }
        if arity != Arity::One || self.construct(id, name).is_some() {
            return Err(format!("production `{head}` is unknown or given twice"));
        }
        let fields: Result<Vec<FieldType>, String> = fields
            .split(", ")
            .filter(|field| !field.is_empty())
            .map(|field| {
                let (symbol, name) = field
                    .split_once(' ')
                    .ok_or_else(|| format!("expected a type and a name, found `{field}`"))?;
                let (ty, arity) = parse_symbol(intern(symbol));
                Ok(FieldType {
                    name: intern(name),
                    ty,
                    arity,
                })
            })
            .collect();
        self.types.insert(intern(ty), Kind::Node);
        self.add_constructor(
            intern(ty),
            Constructor {
                name: intern(name),
                fields: fields?,
            },
        );
        Ok(())
    }
}

fn intern(name: &str) -> &'static str {
    Text::new(name).as_str()
}

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grammar {}\nsymbols", self.name)?;
        for (ty, arity) in &self.symbols {
            write!(f, " {ty}{}", arity.suffix())?;
        }
        writeln!(f)?;
        for (ty, kind) in &self.types {
            match kind {
                Kind::Text => writeln!(f, "{ty} = text")?,
                Kind::Reference => writeln!(f, "{ty} = reference")?,
                Kind::Node | Kind::Unknown => {}
            }
        }
        for id in (0..self.n_productions()).map(ProductionId::new) {
            f.write_str(&self.production_name(id))?;
            match self.constructor(id) {
                Some(it) if !it.fields.is_empty() => {
                    writeln!(f, "({})", join(it.fields.iter().copied()))?;
                }
                _ => writeln!(f)?,
            }
        }
        Ok(())
    }
}

pub(crate) fn join(fields: impl Iterator<Item = FieldType>) -> String {
    let fields: Vec<_> = fields
        .map(|it| format!("{}{} {}", it.ty, it.arity.suffix(), it.name))
        .collect();
    fields.join(", ")
}

/// Stands around names that are not made of letters, digits and `_`; no name has it in it.
pub(crate) const QUOTE: char = '`';

/// The name of a constructor as it is written: in backticks where it is no plain word.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    let is_plain = name.chars().all(|it| it.is_alphanumeric() || it == '_');
    if is_plain {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{QUOTE}{name}{QUOTE}"))
    }
}

/// The symbol and the name of a production that is written as `stmt.Assign`.
fn split_production(text: &str) -> Option<(&str, &str)> {
    match text.strip_suffix(QUOTE) {
        Some(text) => {
            let (symbol, name) = text.split_once(QUOTE)?;
            Some((symbol.strip_suffix('.')?, name))
        }
        None => text.rsplit_once('.'),
    }
}

/// `stmt*` is a type and an arity.
pub(super) fn parse_symbol(name: &str) -> (&str, Arity) {
    [Arity::Optional, Arity::Many, Arity::NonEmpty]
        .into_iter()
        .find_map(|arity| Some((name.strip_suffix(arity.suffix())?, arity)))
        .unwrap_or((name, Arity::One))
}
