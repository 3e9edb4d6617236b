//! Strings, bytes and formatted strings.

use std::borrow::Cow;

use patois_syntax::{Ast, Child, Field};
use ruff_python_ast::str_prefix::StringLiteralPrefix;
use ruff_python_ast::{
    self as ruff, ConversionFlag, FStringPart, InterpolatedElement, InterpolatedStringElement,
    StringLiteral,
};
use ruff_text_size::TextRange;

use super::{Converted, Converter, many, node, one, optional, optional_text, text};
use crate::python::text::{BARE_SURROGATES, surrogate_text};

impl Converter<'_> {
    pub(super) fn string(
        &self,
        ty: &'static str,
        constructor: &'static str,
        it: &ruff::ExprStringLiteral,
    ) -> Ast {
        let value = match it.value.as_slice() {
            [only] => self.literal(only),
            parts => Cow::Owned(parts.iter().map(|part| self.literal(part)).collect()),
        };
        node(ty, constructor, vec![text("value", "string", &value)])
    }

    fn literal<'l>(&self, literal: &'l StringLiteral) -> Cow<'l, str> {
        if !literal.value.contains(BARE_SURROGATES) {
            return Cow::Borrowed(&literal.value);
        }
        let is_raw = matches!(literal.flags.prefix(), StringLiteralPrefix::Raw { .. });
        Cow::Owned(self.exact(literal.content_range(), &literal.value, is_raw))
    }

    /// The value of a literal whose source is `range`, with what the parser could not keep.
    ///
    /// A lone surrogate (`"\ud800"`) is no character: the parser puts U+FFFD in its place.
    fn exact(&self, range: TextRange, value: &str, is_raw: bool) -> String {
        let mut surrogates = if is_raw {
            Vec::new().into_iter()
        } else {
            replaced(&self.source[range]).into_iter()
        };
        let mut exact = String::with_capacity(value.len() + 16);
        for char in value.chars() {
            match char {
                '\u{FFFD}' => match surrogates.next().flatten() {
                    Some(surrogate) => exact.push_str(&surrogate_text(surrogate)),
                    None => exact.push(char),
                },
                '\u{10FFFF}' => exact.push_str("\u{10FFFF}\u{10FFFF}"),
                char => exact.push(char),
            }
        }
        exact
    }

    pub(super) fn f_string(&mut self, it: &ruff::ExprFString) -> Converted<Ast> {
        let mut parts = Parts::default();
        for part in &it.value {
            match part {
                FStringPart::Literal(literal) => parts.text.push_str(&self.literal(literal)),
                FStringPart::FString(part) => {
                    self.parts(&mut parts, &part.elements, part.flags.prefix().is_raw())?;
                }
            }
        }
        Ok(node("expr", "FString", parts.fields()))
    }

    pub(super) fn t_string(&mut self, it: &ruff::ExprTString) -> Converted<Ast> {
        let mut parts = Parts::default();
        for part in &it.value {
            self.parts(&mut parts, &part.elements, part.flags.prefix().is_raw())?;
        }
        Ok(node("expr", "TString", parts.fields()))
    }

    fn parts(
        &mut self,
        parts: &mut Parts,
        elements: &[InterpolatedStringElement],
        is_raw: bool,
    ) -> Converted<()> {
        for element in elements {
            match element {
                InterpolatedStringElement::Literal(literal) => {
                    if literal.value.contains(BARE_SURROGATES) {
                        parts
                            .text
                            .push_str(&self.exact(literal.range, &literal.value, is_raw));
                    } else {
                        parts.text.push_str(&literal.value);
                    }
                }
                InterpolatedStringElement::Interpolation(field) => {
                    if let Some(debug) = &field.debug_text {
                        parts.text.push_str(debug.as_str());
                    }
                    let before = std::mem::take(&mut parts.text);
                    let replacement =
                        self.node_at(field, |it| it.replacement(&before, field, is_raw))?;
                    parts.replacements.push(Child::Node(replacement));
                }
            }
        }
        Ok(())
    }

    fn replacement(
        &mut self,
        before: &str,
        field: &InterpolatedElement,
        is_raw: bool,
    ) -> Converted<Ast> {
        let format_spec = self.maybe(field.format_spec.as_deref(), |it, spec| {
            it.node_at(spec, |it| {
                let mut parts = Parts::default();
                it.parts(&mut parts, &spec.elements, is_raw)?;
                Ok(node("format_spec", "FormatSpec", parts.fields()))
            })
        })?;
        let conversion = match field.conversion {
            ConversionFlag::Str => Some("ToStr"),
            ConversionFlag::Repr => Some("ToRepr"),
            ConversionFlag::Ascii => Some("ToAscii"),
            // `{x=}` shows what `repr` says, unless a format is asked for.
            ConversionFlag::None if field.debug_text.is_some() && format_spec.is_none() => {
                Some("ToRepr")
            }
            ConversionFlag::None => None,
        };
        let conversion = conversion.map(|it| node("conversion", it, Vec::new()));
        let fields = vec![
            optional_text(
                "before",
                "string_part",
                Some(before).filter(|it| !it.is_empty()),
            ),
            one("value", "expr", self.expr(&field.expression)?),
            optional("conversion", "conversion", conversion),
            optional("format_spec", "format_spec", format_spec),
        ];
        Ok(node("replacement", "Replacement", fields))
    }
}

pub(super) fn bytes(
    ty: &'static str,
    constructor: &'static str,
    it: &ruff::ExprBytesLiteral,
) -> Ast {
    let value: String = it.value.bytes().map(char::from).collect();
    node(ty, constructor, vec![text("value", "bytes", &value)])
}

/// The parts of a formatted string seen so far, adjacent texts joined.
#[derive(Default)]
struct Parts {
    replacements: Vec<Child>,
    text: String,
}

impl Parts {
    fn fields(self) -> Vec<Field> {
        let tail = Some(self.text.as_str()).filter(|it| !it.is_empty());
        let tail = optional_text("tail", "string_part", tail);
        vec![many("replacements", "replacement", self.replacements), tail]
    }
}

/// For each U+FFFD that stands in the value of the literal `source`, the surrogate it replaces.
fn replaced(source: &str) -> Vec<Option<u32>> {
    let mut replaced = Vec::new();
    let mut rest = source.chars();
    while let Some(char) = rest.next() {
        match char {
            '\u{FFFD}' => replaced.push(None),
            '\\' => {
                let escape = rest.clone().next();
                match escape {
                    Some('u') => hexadecimal(&mut rest, 4, &mut replaced),
                    Some('U') => hexadecimal(&mut rest, 8, &mut replaced),
                    Some('N') => name(&mut rest, &mut replaced),
                    // An unknown escape keeps its character.
                    Some('\u{FFFD}') | None => {}
                    Some(_) => {
                        rest.next();
                    }
                }
            }
            _ => {}
        }
    }
    replaced
}

fn hexadecimal(rest: &mut std::str::Chars<'_>, digits: usize, replaced: &mut Vec<Option<u32>>) {
    let source = rest.as_str();
    let code = source
        .get(1..=digits)
        .and_then(|it| u32::from_str_radix(it, 16).ok());
    let Some(code) = code else { return };
    *rest = source[digits + 1..].chars();
    match code {
        0xD800..=0xDFFF => replaced.push(Some(code)),
        0xFFFD => replaced.push(None),
        _ => {}
    }
}

/// `\N{REPLACEMENT CHARACTER}`, the only name of U+FFFD.
fn name(rest: &mut std::str::Chars<'_>, replaced: &mut Vec<Option<u32>>) {
    let source = rest.as_str();
    let Some(name) = source.strip_prefix("N{").and_then(|it| it.split_once('}')) else {
        rest.next();
        return;
    };
    if name.0.eq_ignore_ascii_case("REPLACEMENT CHARACTER") {
        replaced.push(None);
    }
    *rest = name.1.chars();
}
