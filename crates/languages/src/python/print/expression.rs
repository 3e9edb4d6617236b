//! Expressions and targets, with no more parentheses than they need.

use patois_syntax::Ast;

use super::{Printer, list, maybe, one, text};

/// How tightly an expression binds; the table of the Python reference, section 6.17.
type Precedence = u8;

/// A tuple without parentheses, or `yield`.
const TOP: Precedence = 0;
pub(super) const NAMED: Precedence = 1;
/// `lambda` and `if`-`else`: what most places take.
pub(super) const TEST: Precedence = 2;
const OR: Precedence = 3;
const AND: Precedence = 4;
const NOT: Precedence = 5;
const COMPARISON: Precedence = 6;
pub(super) const BIT_OR: Precedence = 7;
const BIT_XOR: Precedence = 8;
const BIT_AND: Precedence = 9;
const SHIFT: Precedence = 10;
const SUM: Precedence = 11;
const PRODUCT: Precedence = 12;
const UNARY: Precedence = 13;
const POWER: Precedence = 14;
const AWAIT: Precedence = 15;
const PRIMARY: Precedence = 16;

impl Printer {
    /// Prints an expression where the grammar takes anything: a tuple needs no parentheses, nor
    /// does `yield`.
    pub(super) fn top(&mut self, ast: &Ast) {
        match ast.constructor {
            "Yield" | "YieldFrom" => self.bare_expr(ast),
            _ => self.bare_tuple(ast),
        }
    }

    /// Prints an expression where a tuple needs no parentheses.
    pub(super) fn bare_tuple(&mut self, ast: &Ast) {
        match ast.constructor {
            "Tuple" if list(ast, 0).len() > 0 => self.tuple_elements(ast),
            "TupleUnpack" => self.tuple_elements(ast),
            _ => self.expr(ast, TEST),
        }
    }

    /// Prints an expression, in parentheses if it binds less tightly than `least`.
    pub(super) fn expr(&mut self, ast: &Ast, least: Precedence) {
        if precedence(ast) < least {
            self.put("(");
            self.bare_expr(ast);
            self.put(")");
        } else {
            self.bare_expr(ast);
        }
    }

    fn bare_expr(&mut self, ast: &Ast) {
        match ast.constructor {
            "Attribute" => self.attribute(ast),
            "Call" | "CallUnpack" => self.call(ast),
            "Str" => self.string(text(ast, 0)),
            "Bytes" => self.bytes(text(ast, 0)),
            "Name" | "Int" | "Float" | "Imaginary" => self.put(text(ast, 0)),
            "None" => self.put("None"),
            "True" => self.put("True"),
            "False" => self.put("False"),
            "Ellipsis" => self.put("..."),
            "FString" => self.formatted("f", ast),
            "TString" => self.formatted("t", ast),
            "And" => self.bool_op(" and ", ast, NOT),
            "Or" => self.bool_op(" or ", ast, AND),
            "BinOp" => self.bin_op(ast),
            "UnaryOp" => self.unary_op(ast),
            "Compare" => self.compare(ast),
            "Subscript" | "SubscriptSlice" | "SubscriptSlices" => self.subscript(ast),
            "List" | "ListUnpack" => self.enclosed("[", ast, "]"),
            "Tuple" if list(ast, 0).len() == 0 => self.put("()"),
            "Tuple" | "TupleUnpack" => self.tuple_elements(ast),
            "Set" | "SetUnpack" => self.enclosed("{", ast, "}"),
            "Dict" => self.dict(ast),
            "NamedExpr" => {
                self.put(text(ast, 0));
                self.put(" := ");
                self.expr(one(ast, 1), TEST);
            }
            "Lambda" => {
                self.put("lambda");
                self.parameters(" ", one(ast, 0));
                self.put(": ");
                self.expr(one(ast, 1), TEST);
            }
            "IfExp" => {
                self.expr(one(ast, 1), OR);
                self.put(" if ");
                self.expr(one(ast, 0), OR);
                self.put(" else ");
                self.expr(one(ast, 2), TEST);
            }
            "ListComp" => self.comprehension("[", ast, "]"),
            "SetComp" | "DictComp" => self.comprehension("{", ast, "}"),
            "GeneratorExp" => self.comprehension("(", ast, ")"),
            "Await" => {
                self.put("await ");
                self.expr(one(ast, 0), PRIMARY);
            }
            "Yield" => {
                self.put("yield");
                if let Some(value) = maybe(ast, 0) {
                    self.put(" ");
                    self.bare_tuple(value);
                }
            }
            "YieldFrom" => {
                self.put("yield from ");
                self.expr(one(ast, 0), TEST);
            }
            _ => unreachable!("the tree was checked: an expression"),
        }
    }

    fn attribute(&mut self, ast: &Ast) {
        let value = one(ast, 0);
        if value.constructor == "Int" {
            // `1.real` would be read as a number.
            self.put("(");
            self.put(text(value, 0));
            self.put(")");
        } else {
            self.expr(value, PRIMARY);
        }
        self.put(".");
        self.put(text(ast, 1));
    }

    fn call(&mut self, ast: &Ast) {
        self.expr(one(ast, 0), PRIMARY);
        let keywords = ast.fields.len() - 1;
        let mut arguments = list(ast, 1);
        match (arguments.len(), arguments.next()) {
            (1, Some(only))
                if only.constructor == "GeneratorExp"
                    && ast.constructor == "Call"
                    && list(ast, keywords).len() == 0 =>
            {
                self.bare_expr(only);
            }
            _ => {
                self.put("(");
                self.arguments(ast, 1, keywords);
                self.put(")");
            }
        }
    }

    /// The arguments from field `first` on, and the keywords in field `keywords`.
    pub(super) fn arguments(&mut self, ast: &Ast, first: usize, keywords: usize) {
        let is_unpacked = keywords > first + 1;
        let n_arguments = self.elements(ast, first, is_unpacked);
        if n_arguments > 0 && list(ast, keywords).len() > 0 {
            self.put(", ");
        }
        self.separated(", ", list(ast, keywords), |it, keyword| {
            if keyword.constructor == "DoubleStarred" {
                it.put("**");
                it.expr(one(keyword, 0), BIT_OR);
            } else {
                it.put(text(keyword, 0));
                it.put("=");
                it.expr(one(keyword, 1), TEST);
            }
        });
    }

    /// Prints elements of which the first starred one may be in a field of its own.
    fn elements(&mut self, ast: &Ast, first: usize, is_unpacked: bool) -> usize {
        self.separated(", ", list(ast, first), |it, element| it.expr(element, TEST));
        let n_plain = list(ast, first).len();
        if !is_unpacked {
            return n_plain;
        }
        self.put(if n_plain > 0 { ", *" } else { "*" });
        self.expr(one(ast, first + 1), BIT_OR);
        for element in list(ast, first + 2) {
            self.put(", ");
            self.element(element);
        }
        n_plain + 1 + list(ast, first + 2).len()
    }

    fn element(&mut self, ast: &Ast) {
        match ast.constructor {
            "Starred" | "StarredIndex" => {
                self.put("*");
                self.expr(one(ast, 0), BIT_OR);
            }
            "SliceIndex" => self.slice(ast),
            _ => self.expr(one(ast, 0), TEST),
        }
    }

    fn enclosed(&mut self, open: &str, ast: &Ast, close: &str) {
        self.put(open);
        self.elements(ast, 0, ast.fields.len() > 1);
        self.put(close);
    }

    fn tuple_elements(&mut self, ast: &Ast) {
        if self.elements(ast, 0, ast.fields.len() > 1) == 1 {
            self.put(",");
        }
    }

    fn bool_op(&mut self, word: &str, ast: &Ast, least: Precedence) {
        self.expr(one(ast, 0), least);
        for operand in list(ast, 1) {
            self.put(word);
            self.expr(operand, least);
        }
    }

    fn bin_op(&mut self, ast: &Ast) {
        let (left, right) = match precedence(ast) {
            POWER => (AWAIT, UNARY),
            precedence => (precedence, precedence + 1),
        };
        self.expr(one(ast, 0), left);
        self.put(" ");
        self.operator(one(ast, 1));
        self.put(" ");
        self.expr(one(ast, 2), right);
    }

    pub(super) fn operator(&mut self, ast: &Ast) {
        self.put(match ast.constructor {
            "Add" => "+",
            "Sub" => "-",
            "Mult" => "*",
            "MatMult" => "@",
            "Div" => "/",
            "Mod" => "%",
            "Pow" => "**",
            "LShift" => "<<",
            "RShift" => ">>",
            "BitOr" => "|",
            "BitXor" => "^",
            "BitAnd" => "&",
            _ => "//",
        });
    }

    fn unary_op(&mut self, ast: &Ast) {
        let (op, least) = match one(ast, 0).constructor {
            "Invert" => ("~", UNARY),
            "UAdd" => ("+", UNARY),
            "USub" => ("-", UNARY),
            _ => ("not ", NOT),
        };
        self.put(op);
        self.expr(one(ast, 1), least);
    }

    fn compare(&mut self, ast: &Ast) {
        self.expr(one(ast, 0), BIT_OR);
        for comparison in list(ast, 1) {
            self.put(match comparison.constructor {
                "Eq" => " == ",
                "NotEq" => " != ",
                "Lt" => " < ",
                "LtE" => " <= ",
                "Gt" => " > ",
                "GtE" => " >= ",
                "Is" => " is ",
                "IsNot" => " is not ",
                "In" => " in ",
                _ => " not in ",
            });
            self.expr(one(comparison, 0), BIT_OR);
        }
    }

    fn subscript(&mut self, ast: &Ast) {
        self.expr(one(ast, 0), PRIMARY);
        self.put("[");
        match ast.constructor {
            "Subscript" => self.bare_tuple(one(ast, 1)),
            "SubscriptSlice" => self.slice(one(ast, 1)),
            _ => {
                for element in list(ast, 1) {
                    self.element(element);
                    self.put(", ");
                }
                self.slice(one(ast, 2));
                for element in list(ast, 3) {
                    self.put(", ");
                    self.element(element);
                }
                if list(ast, 1).len() + list(ast, 3).len() == 0 {
                    self.put(",");
                }
            }
        }
        self.put("]");
    }

    fn slice(&mut self, ast: &Ast) {
        if let Some(lower) = maybe(ast, 0) {
            self.expr(lower, TEST);
        }
        self.put(":");
        if let Some(upper) = maybe(ast, 1) {
            self.expr(upper, TEST);
        }
        if let Some(step) = maybe(ast, 2) {
            self.put(":");
            self.expr(step, TEST);
        }
    }

    fn dict(&mut self, ast: &Ast) {
        self.put("{");
        self.separated(", ", list(ast, 0), |it, item| {
            if item.constructor == "Unpack" {
                it.put("**");
                it.expr(one(item, 0), BIT_OR);
            } else {
                it.expr(one(item, 0), TEST);
                it.put(": ");
                it.expr(one(item, 1), TEST);
            }
        });
        self.put("}");
    }

    fn comprehension(&mut self, open: &str, ast: &Ast, close: &str) {
        self.put(open);
        self.expr(one(ast, 0), TEST);
        if ast.constructor == "DictComp" {
            self.put(": ");
            self.expr(one(ast, 1), TEST);
        }
        for generator in list(ast, ast.fields.len() - 1) {
            let is_async = generator.constructor == "AsyncGenerator";
            self.put(if is_async { " async for " } else { " for " });
            self.bare_target(one(generator, 0));
            self.put(" in ");
            self.expr(one(generator, 1), OR);
            for condition in list(generator, 2) {
                self.put(" if ");
                self.expr(condition, OR);
            }
        }
        self.put(close);
    }

    /// Prints a target; a tuple in parentheses.
    pub(super) fn target(&mut self, ast: &Ast) {
        match ast.constructor {
            "Tuple" | "TupleUnpack" => {
                self.put("(");
                self.target_elements(ast);
                self.put(")");
            }
            "List" | "ListUnpack" => {
                self.put("[");
                self.target_elements(ast);
                self.put("]");
            }
            "ParenthesizedName" => {
                self.put("(");
                self.put(text(ast, 0));
                self.put(")");
            }
            _ => self.bare_expr(ast),
        }
    }

    /// Prints a target where a tuple needs no parentheses.
    pub(super) fn bare_target(&mut self, ast: &Ast) {
        match ast.constructor {
            "Tuple" if list(ast, 0).len() > 0 => self.target_elements(ast),
            "TupleUnpack" => self.target_elements(ast),
            _ => self.target(ast),
        }
    }

    fn target_elements(&mut self, ast: &Ast) {
        self.separated(", ", list(ast, 0), Printer::target);
        let mut n_elements = list(ast, 0).len();
        if ast.fields.len() > 1 {
            self.put(if n_elements > 0 { ", *" } else { "*" });
            self.target(one(ast, 1));
            for element in list(ast, 2) {
                self.put(", ");
                self.target(element);
            }
            n_elements += 1 + list(ast, 2).len();
        }
        if n_elements == 1 && ast.constructor.starts_with("Tuple") {
            self.put(",");
        }
    }
}

fn precedence(ast: &Ast) -> Precedence {
    match ast.constructor {
        "Yield" | "YieldFrom" | "TupleUnpack" => TOP,
        "Tuple" if list(ast, 0).len() > 0 => TOP,
        "NamedExpr" => NAMED,
        "Lambda" | "IfExp" => TEST,
        "Or" => OR,
        "And" => AND,
        "Compare" => COMPARISON,
        "UnaryOp" if one(ast, 0).constructor == "Not" => NOT,
        "UnaryOp" => UNARY,
        "BinOp" => match one(ast, 1).constructor {
            "BitOr" => BIT_OR,
            "BitXor" => BIT_XOR,
            "BitAnd" => BIT_AND,
            "LShift" | "RShift" => SHIFT,
            "Add" | "Sub" => SUM,
            "Pow" => POWER,
            _ => PRODUCT,
        },
        "Await" => AWAIT,
        _ => PRIMARY,
    }
}
