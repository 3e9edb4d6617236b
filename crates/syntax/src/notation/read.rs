//! Reading the notation of trees and fragments.

use indexmap::IndexSet;

use super::{Pending, only_symbol_with};
use crate::grammar::QUOTE;
use crate::{
    FragmentNode, Grammar, HoleId, Label, ParseError, ProductionKind, SymbolId, SymbolKind, Text,
};

/// Reads nodes in preorder and the symbol of the first one.
pub(crate) fn parse(
    grammar: &Grammar,
    text: &str,
) -> Result<(SymbolId, Vec<FragmentNode>), ParseError> {
    let mut reader = Reader {
        grammar,
        text,
        at: 0,
        nodes: Vec::new(),
        holes: IndexSet::new(),
    };
    let root = reader.root()?;
    let mut pending = vec![Pending::Symbol(root)];
    while let Some(item) = pending.pop() {
        match item {
            Pending::Symbol(symbol) => reader.item(symbol, &mut pending)?,
            Pending::ListRest(symbol) => reader.list_rest(symbol, &mut pending)?,
            Pending::Close => reader.expect(')')?,
        }
    }
    reader.skip_blank();
    if reader.at < text.len() {
        return Err(reader.unexpected("nothing more"));
    }
    Ok((root, reader.nodes))
}

/// Reads a text in quotes, and nothing after it.
pub(crate) fn parse_text(text: &str) -> Result<String, ParseError> {
    let (parsed, end) = text_literal(text, 0)?;
    if end < text.len() {
        return Err(ParseError::at(
            end,
            "expected nothing after the closing `\"`",
        ));
    }
    Ok(parsed)
}

/// Reads the text in quotes that begins at `start`; what it says, and where it ends.
fn text_literal(source: &str, start: usize) -> Result<(String, usize), ParseError> {
    let unfinished = || ParseError::at(start, "expected a closing `\"`");
    let mut text = String::new();
    let mut chars = source[start..]
        .char_indices()
        .map(|(at, it)| (start + at, it))
        .skip(1);
    loop {
        let (at, it) = chars.next().ok_or_else(unfinished)?;
        match it {
            '"' => return Ok((text, at + 1)),
            '\\' => match chars.next().ok_or_else(unfinished)?.1 {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                it @ ('"' | '\\') => text.push(it),
                'u' => {
                    let digits: String = chars
                        .by_ref()
                        .map(|(_, it)| it)
                        .take_while(|&it| it != '}')
                        .collect();
                    let code = digits.strip_prefix('{').filter(|code| code.len() <= 6);
                    let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                    let it = code.and_then(char::from_u32);
                    text.push(it.ok_or_else(|| {
                        ParseError::at(at, "expected a character such as `\\u{7f}`")
                    })?);
                }
                it => {
                    let message = format!("unknown escape `\\{}`", it.escape_debug());
                    return Err(ParseError::at(at, message));
                }
            },
            it => text.push(it),
        }
    }
}

struct Reader<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    at: usize,
    nodes: Vec<FragmentNode>,
    holes: IndexSet<&'a str>,
}

impl<'a> Reader<'a> {
    /// Reads `symbol:`, or finds the only symbol that has the constructor which follows.
    fn root(&mut self) -> Result<SymbolId, ParseError> {
        self.skip_blank();
        let start = self.at;
        let mut end = start + length_while(&self.text[start..], is_name);
        end += length_while(&self.text[end..], |it| matches!(it, '?' | '*' | '+')).min(1);
        if self.text[end..].starts_with(':') {
            let name = &self.text[start..end];
            self.at = end + 1;
            return self.grammar.symbol_named(name).ok_or_else(|| {
                ParseError::at(start, format!("the grammar has no symbol `{name}`"))
            });
        }
        self.eat('(');
        self.skip_blank();
        let name = self.name();
        self.at = start;
        if name.is_empty() {
            return Err(self.unexpected("a constructor, or a symbol and a colon such as `stmt*:`"));
        }
        only_symbol_with(self.grammar, name).map_err(|found| {
            let message = match &found[..] {
                [] => format!("the grammar has no constructor `{name}`"),
                several => {
                    let names: Vec<_> = several
                        .iter()
                        .map(|&it| self.grammar.symbol_name(it))
                        .collect();
                    let names = names.join("`, `");
                    format!("`{name}` is a constructor of `{names}`: write which, and a colon")
                }
            };
            ParseError::at(start, message)
        })
    }

    fn item(&mut self, symbol: SymbolId, pending: &mut Vec<Pending>) -> Result<(), ParseError> {
        self.skip_blank();
        if self.eat('?') {
            return self.hole();
        }
        match self.grammar.symbol_kind(symbol) {
            SymbolKind::Node => self.node(symbol, pending),
            SymbolKind::Text => {
                let text = self.text_literal()?;
                self.fixed(Label::Text(Text::new(&text)));
                Ok(())
            }
            SymbolKind::Reference => self.reference(),
            SymbolKind::Optional(item) => {
                if self.eat('+') {
                    self.cell(symbol, ProductionKind::Present)?;
                    pending.push(Pending::Symbol(item));
                    return Ok(());
                }
                if self.eat('_') {
                    return self.cell(symbol, ProductionKind::Absent);
                }
                Err(self.unexpected("`_`, `+` or a hole"))
            }
            SymbolKind::Many(_) => {
                self.expect('[')?;
                self.skip_blank();
                if self.text[self.at..].starts_with('|') {
                    return Err(self.unexpected("an item or `]`"));
                }
                pending.push(Pending::ListRest(symbol));
                Ok(())
            }
            SymbolKind::NonEmpty(item, rest) => {
                self.expect('[')?;
                self.cell(symbol, ProductionKind::First)?;
                pending.push(Pending::ListRest(rest));
                pending.push(Pending::Symbol(item));
                Ok(())
            }
        }
    }

    fn list_rest(
        &mut self,
        symbol: SymbolId,
        pending: &mut Vec<Pending>,
    ) -> Result<(), ParseError> {
        self.skip_blank();
        if self.eat(']') {
            return self.cell(symbol, ProductionKind::Nil);
        }
        if self.eat('|') {
            self.skip_blank();
            self.expect('?')?;
            self.hole()?;
            return self.expect(']');
        }
        let SymbolKind::Many(item) = self.grammar.symbol_kind(symbol) else {
            unreachable!("the rest of a list is a list");
        };
        self.cell(symbol, ProductionKind::Cons)?;
        pending.push(Pending::ListRest(symbol));
        pending.push(Pending::Symbol(item));
        Ok(())
    }

    fn node(&mut self, symbol: SymbolId, pending: &mut Vec<Pending>) -> Result<(), ParseError> {
        let is_open = self.eat('(');
        self.skip_blank();
        let start = self.at;
        let name = self.name();
        if name.is_empty() {
            let expected = format!("a constructor of `{}`", self.grammar.symbol_name(symbol));
            return Err(self.unexpected(&expected));
        }
        let Some(id) = self.grammar.construct(symbol, name) else {
            let symbol = self.grammar.symbol_name(symbol);
            return Err(ParseError::at(
                start,
                format!("`{symbol}` has no constructor `{name}`"),
            ));
        };
        let rhs = &self.grammar.production(id).rhs;
        if !is_open && !rhs.is_empty() {
            let message = format!("`{name}` has fields: expected `({name} ...)`");
            return Err(ParseError::at(start, message));
        }
        self.fixed(Label::Production(id));
        if is_open {
            pending.push(Pending::Close);
        }
        pending.extend(rhs.iter().rev().map(|&symbol| Pending::Symbol(symbol)));
        Ok(())
    }

    fn cell(&mut self, symbol: SymbolId, kind: ProductionKind) -> Result<(), ParseError> {
        let id = self.grammar.production_of(symbol, kind).ok_or_else(|| {
            let name = self.grammar.symbol_name(symbol);
            let message = match kind {
                ProductionKind::Cons => format!("`{name}` is always empty in this grammar"),
                ProductionKind::Present => format!("`{name}` is always absent in this grammar"),
                ProductionKind::Absent => format!("`{name}` is never absent in this grammar"),
                _ => format!("the grammar has no `{name}`"),
            };
            ParseError::at(self.at, message)
        })?;
        self.fixed(Label::Production(id));
        Ok(())
    }

    fn hole(&mut self) -> Result<(), ParseError> {
        let name = self.name();
        if name.is_empty() {
            return Err(self.unexpected("the name of a hole"));
        }
        let hole = self.holes.insert_full(name).0;
        self.nodes.push(FragmentNode::Hole(HoleId::new(hole)));
        Ok(())
    }

    fn reference(&mut self) -> Result<(), ParseError> {
        self.expect('@')?;
        let start = self.at;
        self.at += length_while(&self.text[start..], |it| it.is_ascii_digit());
        let index = self.text[start..self.at].parse().map_err(|_| {
            ParseError::at(
                start,
                "expected the number of a reference after `@`".to_owned(),
            )
        })?;
        self.fixed(Label::Reference(index));
        Ok(())
    }

    fn text_literal(&mut self) -> Result<String, ParseError> {
        if !self.text[self.at..].starts_with('"') {
            return Err(self.unexpected("`\"`"));
        }
        let (text, end) = text_literal(self.text, self.at)?;
        self.at = end;
        Ok(text)
    }

    fn fixed(&mut self, label: Label) {
        self.nodes.push(FragmentNode::Fixed(label));
    }

    fn name(&mut self) -> &'a str {
        let start = self.at;
        if let Some(rest) = self.text[start..].strip_prefix(QUOTE)
            && let Some(length) = rest.find(QUOTE)
        {
            self.at += length + 2 * QUOTE.len_utf8();
            return &rest[..length];
        }
        self.at += length_while(&self.text[start..], is_name);
        &self.text[start..self.at]
    }

    fn expect(&mut self, symbol: char) -> Result<(), ParseError> {
        self.skip_blank();
        if self.eat(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.text[self.at..].starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn skip_blank(&mut self) {
        self.at += length_while(&self.text[self.at..], char::is_whitespace);
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let found = match self.text[self.at..].chars().next() {
            Some(it) if it.is_control() => format!("`{}`", it.escape_default()),
            Some(it) => format!("`{it}`"),
            None => "the end".to_owned(),
        };
        ParseError::at(self.at, format!("expected {expected}, found {found}"))
    }
}

fn is_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

fn length_while(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|it| !holds(it)).unwrap_or(text.len())
}
