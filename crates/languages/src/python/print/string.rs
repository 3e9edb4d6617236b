//! Strings, bytes and formatted strings.

use std::fmt::Write;

use patois_syntax::{Ast, Child};

use super::expression::TEST;
use super::{Printer, list, maybe, maybe_text, one};
use crate::python::text::{ESCAPE, surrogate};

/// The quotes that a string may use.
///
/// Since Python 3.12 the fields of a formatted string may use its quotes again. Before, they may
/// not; so they do not here either, as long as there are quotes left.
#[derive(Clone, Copy)]
pub(super) struct Quotes(u8);

/// One way to quote a string: a bit of [`Quotes`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    Double = 1,
    Single = 2,
    TripleDouble = 4,
    TripleSingle = 8,
}

const QUOTES: [Quote; 4] = [
    Quote::Double,
    Quote::Single,
    Quote::TripleDouble,
    Quote::TripleSingle,
];

impl Default for Quotes {
    fn default() -> Quotes {
        Quotes(15)
    }
}

impl Quotes {
    fn has(self, quote: Quote) -> bool {
        self.0 & quote as u8 != 0
    }

    /// What is left for the fields of a string in `quote`.
    fn within(self, quote: Quote) -> Quotes {
        let taken = match quote {
            Quote::Double => Quote::Double as u8 | Quote::TripleDouble as u8,
            Quote::Single => Quote::Single as u8 | Quote::TripleSingle as u8,
            quote => quote as u8,
        };
        Quotes(self.0 & !taken)
    }

    /// How many strings can be nested with these.
    fn capacity(self) -> usize {
        let nested = |&quote: &Quote| 1 + self.within(quote).capacity();
        QUOTES
            .iter()
            .filter(|&&it| self.has(it))
            .map(nested)
            .max()
            .unwrap_or(0)
    }

    /// The quote for a string with `height` further ones nested in it, and what is left for these.
    fn choose(self, text_has: impl Fn(char) -> bool, height: usize) -> (Quote, Quotes) {
        let order = if text_has('"') && !text_has('\'') {
            [
                Quote::Single,
                Quote::Double,
                Quote::TripleSingle,
                Quote::TripleDouble,
            ]
        } else {
            QUOTES
        };
        let fits = |it: &Quote| self.has(*it) && self.within(*it).capacity() >= height;
        match order.into_iter().find(fits) {
            Some(quote) => (quote, self.within(quote)),
            None => (order[0], Quotes::default()),
        }
    }
}

impl Quote {
    fn as_str(self) -> &'static str {
        match self {
            Quote::Double => "\"",
            Quote::Single => "'",
            Quote::TripleDouble => "\"\"\"",
            Quote::TripleSingle => "'''",
        }
    }

    fn is(self, char: char) -> bool {
        self.as_str().starts_with(char)
    }
}

/// Where a text stands, which decides what must be escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Str,
    Bytes,
    /// Between the fields of a formatted string, where braces are doubled.
    Formatted,
    /// In a format, where braces cannot be doubled.
    FormatSpec,
}

impl Printer {
    pub(super) fn string(&mut self, text: &str) {
        let (quote, _) = self.quotes.choose(|it| text.contains(it), 0);
        self.quoted("", quote, text, Place::Str);
    }

    pub(super) fn bytes(&mut self, text: &str) {
        let (quote, _) = self.quotes.choose(|it| text.contains(it), 0);
        self.quoted("b", quote, text, Place::Bytes);
    }

    fn quoted(&mut self, prefix: &str, quote: Quote, text: &str, place: Place) {
        self.put(prefix);
        self.put(quote.as_str());
        self.escaped(text, quote, place);
        self.put(quote.as_str());
    }

    /// A string that is a statement of its own, in triple quotes, with its lines as they are.
    pub(super) fn doc_string(&mut self, text: &str) {
        self.put("\"\"\"");
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.put("\n");
            }
            // Two quotes in a row stay as they are, if a third does not follow: neither of their
            // line, nor of the delimiter.
            for (index, words) in line.split('"').enumerate() {
                if index > 0 {
                    let is_safe = !words.is_empty() && !self.out.ends_with("\"\"");
                    self.put(if is_safe { "\"" } else { "\\\"" });
                }
                self.escaped(words, Quote::TripleDouble, Place::Str);
            }
        }
        self.put("\"\"\"");
    }

    fn escaped(&mut self, text: &str, quote: Quote, place: Place) {
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' => self.put("\\\\"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\t' => self.put("\\t"),
                '{' if place == Place::Formatted => self.put("{{"),
                '}' if place == Place::Formatted => self.put("}}"),
                '{' if place == Place::FormatSpec => self.put("\\x7b"),
                '}' if place == Place::FormatSpec => self.put("\\x7d"),
                ESCAPE => {
                    let code = chars.next().and_then(surrogate);
                    self.unicode_escape(code.unwrap_or(u32::from(ESCAPE)));
                }
                char if quote.is(char) => {
                    self.put("\\");
                    self.out.push(char);
                }
                ' '..='~' => self.out.push(char),
                char if char <= '\u{FF}' && (place == Place::Bytes || is_hidden(char)) => {
                    self.hexadecimal("\\x", u32::from(char), 2);
                }
                char if is_hidden(char) => self.unicode_escape(u32::from(char)),
                char => self.out.push(char),
            }
        }
    }

    fn unicode_escape(&mut self, code: u32) {
        if code > 0xFFFF {
            self.hexadecimal("\\U", code, 8);
        } else {
            self.hexadecimal("\\u", code, 4);
        }
    }

    fn hexadecimal(&mut self, prefix: &str, code: u32, width: usize) {
        write!(self.out, "{prefix}{code:0width$x}").expect("writing to a string cannot fail");
    }

    /// A formatted string: `f` or `t` is the `prefix`.
    pub(super) fn formatted(&mut self, prefix: &str, ast: &Ast) {
        let height = height(ast) - 1;
        let (quote, inner) = if list(ast, 0).any(holds_quotes) {
            // Strings in the fields cannot escape their quotes, before Python 3.12.
            let triple =
                Quotes(self.quotes.0 & (Quote::TripleDouble as u8 | Quote::TripleSingle as u8));
            let (quote, _) = triple.choose(|_| false, 0);
            (quote, self.quotes.within(quote))
        } else {
            self.quotes.choose(|it| any_text(ast, it), height)
        };
        let outer = std::mem::replace(&mut self.quotes, inner);
        self.put(prefix);
        self.put(quote.as_str());
        self.parts(ast, quote, Place::Formatted);
        self.put(quote.as_str());
        self.quotes = outer;
    }

    fn parts(&mut self, ast: &Ast, quote: Quote, place: Place) {
        for replacement in list(ast, 0) {
            if let Some(before) = maybe_text(replacement, 0) {
                self.escaped(before, quote, place);
            }
            self.replacement(replacement, quote);
        }
        if let Some(tail) = maybe_text(ast, 1) {
            self.escaped(tail, quote, place);
        }
    }

    fn replacement(&mut self, ast: &Ast, quote: Quote) {
        self.put("{");
        let start = self.out.len();
        let value = one(ast, 1);
        if ends_with_lambda(value) {
            // Its colon would start the format.
            self.put("(");
            self.expr(value, TEST);
            self.put(")");
        } else {
            self.expr(value, TEST);
        }
        if self.out[start..].starts_with('{') {
            self.out.insert(start, ' ');
        }
        if let Some(conversion) = maybe(ast, 2) {
            self.put(match conversion.constructor {
                "ToStr" => "!s",
                "ToRepr" => "!r",
                _ => "!a",
            });
        }
        if let Some(format_spec) = maybe(ast, 3) {
            self.put(":");
            self.parts(format_spec, quote, Place::FormatSpec);
        }
        self.put("}");
    }
}

fn ends_with_lambda(mut ast: &Ast) -> bool {
    while ast.constructor == "IfExp" {
        ast = one(ast, 2);
    }
    ast.constructor == "Lambda"
}

/// How many strings are nested in the expression, itself included.
fn height(ast: &Ast) -> usize {
    let children = ast.fields.iter().flat_map(|field| field.value.children());
    let below = children.map(|child| match child {
        Child::Node(child) => height(child),
        Child::Text(_) | Child::Reference(_) => 0,
    });
    let is_string =
        matches!(ast.constructor, "Str" | "Bytes" | "FString" | "TString") && ast.ty == "expr";
    below.max().unwrap_or(0) + usize::from(is_string)
}

/// Whether there is a string with quotes in it below, other than the text between fields.
fn holds_quotes(ast: &Ast) -> bool {
    let is_string = matches!(ast.constructor, "Str" | "Bytes") && ast.ty == "expr";
    let mut children = ast.fields.iter().flat_map(|field| field.value.children());
    children.any(|child| match child {
        Child::Node(child) => holds_quotes(child),
        Child::Text(text) => is_string && text.as_str().contains(['"', '\'']),
        Child::Reference(_) => false,
    })
}

/// Whether a text between the fields of a formatted string contains `char`.
fn any_text(ast: &Ast, char: char) -> bool {
    let has = |text: Option<&str>| text.is_some_and(|it| it.contains(char));
    has(maybe_text(ast, 1)) || list(ast, 0).any(|it| has(maybe_text(it, 0)))
}

/// Characters that a reader cannot see, or that change how a line is displayed.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{A0}' | '\u{AD}' | '\u{61C}' | '\u{1680}' | '\u{180E}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{206F}' | '\u{3000}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}
