//! Patterns of `match`.

use patois_syntax::Ast;

use super::{Printer, list, maybe_text, one, text};

impl Printer {
    pub(super) fn pattern(&mut self, ast: &Ast) {
        match ast.constructor {
            "Wildcard" => self.put("_"),
            "Capture" => self.put(text(ast, 0)),
            "As" => {
                self.closed_pattern(one(ast, 0), &["As"]);
                self.put(" as ");
                self.put(text(ast, 1));
            }
            "OneOf" => {
                self.closed_pattern(one(ast, 0), &["As", "OneOf"]);
                for pattern in list(ast, 1) {
                    self.put(" | ");
                    self.closed_pattern(pattern, &["As", "OneOf"]);
                }
            }
            "Value" => self.pattern_value(one(ast, 0)),
            "Sequence" => {
                self.put("[");
                self.separated(", ", list(ast, 0), Printer::pattern);
                self.put("]");
            }
            "SequenceUnpack" => self.sequence_unpack(ast),
            "Mapping" => self.mapping(ast),
            _ => self.class_pattern(ast),
        }
    }

    /// Prints a pattern, in parentheses if it is one of `open`.
    fn closed_pattern(&mut self, ast: &Ast, open: &[&str]) {
        if open.contains(&ast.constructor) {
            self.put("(");
            self.pattern(ast);
            self.put(")");
        } else {
            self.pattern(ast);
        }
    }

    fn sequence_unpack(&mut self, ast: &Ast) {
        self.put("[");
        for pattern in list(ast, 0) {
            self.pattern(pattern);
            self.put(", ");
        }
        self.put("*");
        self.put(maybe_text(ast, 1).unwrap_or("_"));
        for pattern in list(ast, 2) {
            self.put(", ");
            self.pattern(pattern);
        }
        self.put("]");
    }

    fn mapping(&mut self, ast: &Ast) {
        self.put("{");
        self.separated(", ", list(ast, 0), |it, item| {
            it.pattern_value(one(item, 0));
            it.put(": ");
            it.pattern(one(item, 1));
        });
        if let Some(rest) = maybe_text(ast, 1) {
            self.put(if list(ast, 0).len() > 0 { ", **" } else { "**" });
            self.put(rest);
        }
        self.put("}");
    }

    fn class_pattern(&mut self, ast: &Ast) {
        self.name_path(one(ast, 0));
        self.put("(");
        self.separated(", ", list(ast, 1), Printer::pattern);
        if list(ast, 1).len() > 0 && list(ast, 2).len() > 0 {
            self.put(", ");
        }
        self.separated(", ", list(ast, 2), |it, keyword| {
            it.put(text(keyword, 0));
            it.put("=");
            it.pattern(one(keyword, 1));
        });
        self.put(")");
    }

    /// A dotted name, of a class or of a value.
    fn name_path(&mut self, ast: &Ast) {
        if ast.fields.len() == 1 {
            return self.put(text(ast, 0));
        }
        self.name_path(one(ast, 0));
        self.put(".");
        self.put(text(ast, 1));
    }

    fn pattern_value(&mut self, ast: &Ast) {
        match ast.constructor {
            "NoneValue" => self.put("None"),
            "TrueValue" => self.put("True"),
            "FalseValue" => self.put("False"),
            "StrValue" => self.string(text(ast, 0)),
            "BytesValue" => self.bytes(text(ast, 0)),
            "Number" => self.put(text(one(ast, 0), 0)),
            "Negative" => {
                self.put("-");
                self.put(text(one(ast, 0), 0));
            }
            "ComplexSum" => self.complex(ast, " + "),
            "ComplexDifference" => self.complex(ast, " - "),
            _ => self.name_path(ast),
        }
    }

    fn complex(&mut self, ast: &Ast, sign: &str) {
        let real = one(ast, 0);
        if matches!(real.constructor, "NegativeInt" | "NegativeFloat") {
            self.put("-");
        }
        self.put(text(real, 0));
        self.put(sign);
        self.put(text(ast, 1));
    }
}
