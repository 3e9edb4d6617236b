//! Patterns of `match`.

use patois_syntax::{Ast, Child, Field, ParseError};
use ruff_python_ast::{self as ruff, Expr, Number, Operator, Pattern, Singleton, UnaryOp};
use ruff_text_size::Ranged;

use super::expression::number;
use super::string::bytes;
use super::{Converted, Converter, error_at, many, node, non_empty, one, optional_text, text};

impl Converter<'_> {
    pub(super) fn pattern(&mut self, pattern: &Pattern) -> Converted<Ast> {
        self.node_at(pattern, |it| it.pattern_here(pattern))
    }

    fn pattern_here(&mut self, pattern: &Pattern) -> Converted<Ast> {
        match pattern {
            Pattern::MatchValue(it) => {
                let value = self.node_at(pattern, |below| below.pattern_value(&it.value))?;
                Ok(value_pattern(value))
            }
            Pattern::MatchSingleton(it) => {
                let constructor = match it.value {
                    Singleton::None => "NoneValue",
                    Singleton::True => "TrueValue",
                    Singleton::False => "FalseValue",
                };
                let value = node("pattern_value", constructor, Vec::new());
                Ok(value_pattern(value))
            }
            Pattern::MatchSequence(it) => self.pattern_sequence(&it.patterns),
            Pattern::MatchMapping(it) => self.mapping(it),
            Pattern::MatchClass(it) => self.class_pattern(it),
            Pattern::MatchStar(it) => Err(error_at(
                it.range,
                "expected a pattern, found a starred one outside a list",
            )),
            Pattern::MatchAs(it) => self.as_pattern(it),
            Pattern::MatchOr(it) => {
                let [first, rest @ ..] = &*it.patterns else {
                    return Err(error_at(it.range, "expected a pattern"));
                };
                let first = one("first", "pattern", self.pattern(first)?);
                let rest = non_empty("rest", "pattern", self.each(rest, Converter::pattern)?);
                Ok(node("pattern", "OneOf", vec![first, rest]))
            }
        }
    }

    fn as_pattern(&mut self, it: &ruff::PatternMatchAs) -> Converted<Ast> {
        let name = it
            .name
            .as_ref()
            .map(|name| text("name", "capture_name", name.as_str()));
        Ok(match (&it.pattern, name) {
            (Some(pattern), Some(name)) => {
                let pattern = one("pattern", "pattern", self.pattern(pattern)?);
                node("pattern", "As", vec![pattern, name])
            }
            (None, Some(name)) => node("pattern", "Capture", vec![name]),
            (_, None) => node("pattern", "Wildcard", Vec::new()),
        })
    }

    fn pattern_sequence(&mut self, patterns: &[Pattern]) -> Converted<Ast> {
        let mut stars = patterns
            .iter()
            .enumerate()
            .filter_map(|(at, pattern)| match pattern {
                Pattern::MatchStar(star) => Some((at, star)),
                _ => None,
            });
        let Some((at, star)) = stars.next() else {
            let patterns = many(
                "patterns",
                "pattern",
                self.each(patterns, Converter::pattern)?,
            );
            return Ok(node("pattern", "Sequence", vec![patterns]));
        };
        if let Some((_, second)) = stars.next() {
            let message = "expected one starred pattern, found a second one";
            return Err(error_at(second.range, message));
        }
        let name = star.name.as_ref().map(ruff::Identifier::as_str);
        let fields = vec![
            many(
                "patterns",
                "pattern",
                self.each(&patterns[..at], Converter::pattern)?,
            ),
            optional_text("unpacked", "capture_name", name),
            many(
                "more",
                "pattern",
                self.each(&patterns[at + 1..], Converter::pattern)?,
            ),
        ];
        Ok(node("pattern", "SequenceUnpack", fields))
    }

    fn mapping(&mut self, mapping: &ruff::PatternMatchMapping) -> Converted<Ast> {
        let mut items = Vec::with_capacity(mapping.keys.len());
        for (key, pattern) in mapping.keys.iter().zip(&mapping.patterns) {
            let fields = self.below(pattern, |it| {
                let key = it.node_at(key, |it| it.pattern_value(key))?;
                let key = one("key", "pattern_value", key);
                Ok(vec![key, one("pattern", "pattern", it.pattern(pattern)?)])
            })?;
            items.push(Child::Node(node("mapping_item", "MappingItem", fields)));
        }
        let rest = mapping.rest.as_ref().map(ruff::Identifier::as_str);
        let rest = optional_text("rest", "capture_name", rest);
        Ok(node(
            "pattern",
            "Mapping",
            vec![many("items", "mapping_item", items), rest],
        ))
    }

    fn class_pattern(&mut self, it: &ruff::PatternMatchClass) -> Converted<Ast> {
        let fields = vec![
            one("class", "class_path", self.class_path(&it.cls)?),
            many(
                "patterns",
                "pattern",
                self.each(&it.arguments.patterns, Converter::pattern)?,
            ),
            many(
                "keywords",
                "pattern_keyword",
                self.each(&it.arguments.keywords, Converter::pattern_keyword)?,
            ),
        ];
        Ok(node("pattern", "Class", fields))
    }

    fn pattern_keyword(&mut self, keyword: &ruff::PatternKeyword) -> Converted<Ast> {
        self.node_at(keyword, |it| {
            let name = text("name", "capture_name", keyword.attr.as_str());
            let pattern = one("pattern", "pattern", it.pattern(&keyword.pattern)?);
            Ok(node(
                "pattern_keyword",
                "PatternKeyword",
                vec![name, pattern],
            ))
        })
    }

    fn pattern_value(&mut self, value: &Expr) -> Converted<Ast> {
        let ty = "pattern_value";
        Ok(match value {
            Expr::NoneLiteral(_) => node(ty, "NoneValue", Vec::new()),
            Expr::BooleanLiteral(it) if it.value => node(ty, "TrueValue", Vec::new()),
            Expr::BooleanLiteral(_) => node(ty, "FalseValue", Vec::new()),
            Expr::StringLiteral(it) => self.string(ty, "StrValue", it),
            Expr::BytesLiteral(it) => bytes(ty, "BytesValue", it),
            Expr::NumberLiteral(it) => node(ty, "Number", vec![pattern_number(it)?]),
            Expr::UnaryOp(it) if it.op == UnaryOp::USub => match &*it.operand {
                Expr::NumberLiteral(it) => node(ty, "Negative", vec![pattern_number(it)?]),
                _ => return Err(not_a_value(value)),
            },
            Expr::BinOp(it) => complex(it)?,
            Expr::Attribute(it) => {
                let path = one("value", "name_path", self.name_path(&it.value)?);
                let name = text("name", "identifier", it.attr.as_str());
                node(ty, "AttributeValue", vec![path, name])
            }
            _ => return Err(not_a_value(value)),
        })
    }

    fn class_path(&mut self, path: &Expr) -> Converted<Ast> {
        self.node_at(path, |it| match path {
            Expr::Name(name) => {
                let name = text("name", "capture_name", name.id.as_str());
                Ok(node("class_path", "ClassName", vec![name]))
            }
            Expr::Attribute(attribute) => {
                let value = one("value", "name_path", it.name_path(&attribute.value)?);
                let name = text("name", "identifier", attribute.attr.as_str());
                Ok(node("class_path", "ClassAttribute", vec![value, name]))
            }
            _ => Err(not_a_path(path)),
        })
    }

    fn name_path(&mut self, path: &Expr) -> Converted<Ast> {
        self.node_at(path, |it| match path {
            Expr::Name(name) => Ok(node(
                "name_path",
                "PathName",
                vec![text("id", "identifier", name.id.as_str())],
            )),
            Expr::Attribute(attribute) => {
                let value = one("value", "name_path", it.name_path(&attribute.value)?);
                let name = text("name", "identifier", attribute.attr.as_str());
                Ok(node("name_path", "PathAttribute", vec![value, name]))
            }
            _ => Err(not_a_path(path)),
        })
    }
}
fn value_pattern(value: Ast) -> Ast {
    let value = one("value", "pattern_value", value);
    node("pattern", "Value", vec![value])
}

fn not_a_value(value: &Expr) -> ParseError {
    error_at(
        value.range(),
        "expected a literal or an attribute as the value of a pattern",
    )
}

fn not_a_path(path: &Expr) -> ParseError {
    error_at(path.range(), "expected a name or an attribute in a pattern")
}

fn pattern_number(it: &ruff::ExprNumberLiteral) -> Converted<Field> {
    let names = ["number", "IntNumber", "FloatNumber", "ImaginaryNumber"];
    Ok(one("value", "number", number(it, names)?))
}

/// `1 + 2j`, `-1.5 - 2j`.
fn complex(sum: &ruff::ExprBinOp) -> Converted<Ast> {
    let constructor = match sum.op {
        Operator::Add => "ComplexSum",
        Operator::Sub => "ComplexDifference",
        _ => {
            return Err(error_at(
                sum.range,
                "expected `+` or `-` in a complex number",
            ));
        }
    };
    let (real, names) = match &*sum.left {
        Expr::UnaryOp(it) if it.op == UnaryOp::USub => {
            (&*it.operand, ["real", "NegativeInt", "NegativeFloat", ""])
        }
        real => (real, ["real", "IntReal", "FloatReal", ""]),
    };
    let (Expr::NumberLiteral(real), Expr::NumberLiteral(imaginary)) = (real, &*sum.right) else {
        return Err(error_at(sum.range, "expected a complex number"));
    };
    if matches!(real.value, Number::Complex { .. }) {
        return Err(error_at(
            real.range,
            "expected a real number, found an imaginary one",
        ));
    }
    let Number::Complex { imag, .. } = imaginary.value else {
        return Err(error_at(imaginary.range, "expected an imaginary number"));
    };
    let real = one("real", "real", number(real, names)?);
    let imaginary = text(
        "imaginary",
        "imaginary",
        &crate::python::text::imaginary(imag),
    );
    Ok(node("pattern_value", constructor, vec![real, imaginary]))
}
