//! Expressions and targets.

use patois_syntax::{Ast, Child, Field, Text};
use ruff_python_ast::{self as ruff, CmpOp, Expr, Number, UnaryOp};
use ruff_text_size::Ranged;

use super::statement::operator;
use super::string::bytes;
use super::{Converted, Converter, error_at, many, node, non_empty, one, optional, text};
use crate::python::text as texts;

impl Converter<'_> {
    pub(super) fn one_expr(&mut self, name: &'static str, value: &Expr) -> Converted<Field> {
        Ok(one(name, "expr", self.expr(value)?))
    }

    pub(super) fn maybe_expr(
        &mut self,
        name: &'static str,
        value: Option<&Expr>,
    ) -> Converted<Field> {
        Ok(optional(name, "expr", self.maybe(value, Converter::expr)?))
    }

    fn exprs(&mut self, values: &[Expr]) -> Converted<Vec<Child>> {
        self.each(values, Converter::expr)
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Converted<Ast> {
        self.node_at(expr, |it| it.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &Expr) -> Converted<Ast> {
        match expr {
            Expr::Name(it) => expression("Name", vec![name(it)]),
            Expr::Attribute(it) => self.attribute("expr", it),
            Expr::Call(it) => self.call(it),
            Expr::BoolOp(it) => self.bool_op(it),
            Expr::BinOp(it) => self.bin_op(it),
            Expr::UnaryOp(it) => self.unary_op(it),
            Expr::Compare(it) => self.compare(it),
            Expr::Subscript(it) => self.subscript("expr", it),
            Expr::List(it) => self.display(["List", "ListUnpack"], &it.elts),
            Expr::Tuple(it) => self.display(["Tuple", "TupleUnpack"], &it.elts),
            Expr::Set(it) => self.set(it),
            Expr::Dict(it) => self.dict(it),
            Expr::Named(it) => self.named(it),
            Expr::Lambda(it) => self.lambda(it),
            Expr::If(it) => self.if_expression(it),
            Expr::ListComp(it) => self.comprehension_of("ListComp", &it.elt, &it.generators),
            Expr::SetComp(it) => self.comprehension_of("SetComp", &it.elt, &it.generators),
            Expr::Generator(it) => self.comprehension_of("GeneratorExp", &it.elt, &it.generators),
            Expr::DictComp(it) => self.dict_comprehension(it),
            Expr::Await(it) => expression("Await", vec![self.one_expr("value", &it.value)?]),
            Expr::Yield(it) => {
                let value = self.maybe_expr("value", it.value.as_deref())?;
                expression("Yield", vec![value])
            }
            Expr::YieldFrom(it) => {
                expression("YieldFrom", vec![self.one_expr("value", &it.value)?])
            }
            Expr::StringLiteral(it) => Ok(self.string("expr", "Str", it)),
            Expr::BytesLiteral(it) => Ok(bytes("expr", "Bytes", it)),
            Expr::NumberLiteral(it) => number(it, ["expr", "Int", "Float", "Imaginary"]),
            Expr::NoneLiteral(_) => expression("None", Vec::new()),
            Expr::BooleanLiteral(it) if it.value => expression("True", Vec::new()),
            Expr::BooleanLiteral(_) => expression("False", Vec::new()),
            Expr::EllipsisLiteral(_) => expression("Ellipsis", Vec::new()),
            Expr::FString(it) => self.f_string(it),
            Expr::TString(it) => self.t_string(it),
            Expr::Starred(it) => refused(it, "an expression", "a starred one"),
            Expr::Slice(it) => refused(it, "an expression", "a slice"),
            Expr::IpyEscapeCommand(it) => refused(it, "Python", "an IPython command"),
        }
    }

    fn bin_op(&mut self, it: &ruff::ExprBinOp) -> Converted<Ast> {
        let left = self.one_expr("left", &it.left)?;
        let right = self.one_expr("right", &it.right)?;
        let op = one("op", "operator", operator(it.op));
        expression("BinOp", vec![left, op, right])
    }

    fn unary_op(&mut self, it: &ruff::ExprUnaryOp) -> Converted<Ast> {
        let op = one("op", "unary_operator", unary_operator(it.op));
        expression("UnaryOp", vec![op, self.one_expr("operand", &it.operand)?])
    }

    fn dict(&mut self, it: &ruff::ExprDict) -> Converted<Ast> {
        let items = self.each(&it.items, Converter::dict_item)?;
        expression("Dict", vec![many("items", "dict_item", items)])
    }

    fn lambda(&mut self, it: &ruff::ExprLambda) -> Converted<Ast> {
        let parameters = self.lambda_parameters(it.parameters.as_deref())?;
        let parameters = one("parameters", "lambda_parameters", parameters);
        expression("Lambda", vec![parameters, self.one_expr("body", &it.body)?])
    }

    fn if_expression(&mut self, it: &ruff::ExprIf) -> Converted<Ast> {
        let test = self.one_expr("test", &it.test)?;
        let body = self.one_expr("body", &it.body)?;
        let orelse = self.one_expr("orelse", &it.orelse)?;
        expression("IfExp", vec![test, body, orelse])
    }

    fn attribute(&mut self, ty: &'static str, it: &ruff::ExprAttribute) -> Converted<Ast> {
        let value = self.one_expr("value", &it.value)?;
        Ok(node(
            ty,
            "Attribute",
            vec![value, text("name", "identifier", it.attr.as_str())],
        ))
    }

    fn call(&mut self, it: &ruff::ExprCall) -> Converted<Ast> {
        let mut fields = Vec::with_capacity(3);
        fields.push(self.one_expr("function", &it.func)?);
        let is_unpacked = self.elements(&mut fields, "arguments", &it.arguments.args)?;
        let keywords = self.each(&it.arguments.keywords, Converter::keyword)?;
        fields.push(many("keywords", "keyword", keywords));
        expression(if is_unpacked { "CallUnpack" } else { "Call" }, fields)
    }

    pub(super) fn keyword(&mut self, keyword: &ruff::Keyword) -> Converted<Ast> {
        self.node_at(keyword, |it| {
            let value = it.one_expr("value", &keyword.value)?;
            Ok(match &keyword.arg {
                Some(name) => {
                    let name = text("name", "identifier", name.as_str());
                    node("keyword", "Keyword", vec![name, value])
                }
                None => node("keyword", "DoubleStarred", vec![value]),
            })
        })
    }

    fn display(&mut self, constructors: [&'static str; 2], values: &[Expr]) -> Converted<Ast> {
        let mut fields = Vec::with_capacity(1);
        let is_unpacked = self.elements(&mut fields, "elements", values)?;
        expression(constructors[usize::from(is_unpacked)], fields)
    }

    fn set(&mut self, it: &ruff::ExprSet) -> Converted<Ast> {
        if it.elts.iter().any(Expr::is_starred_expr) {
            return self.display(["Set", "SetUnpack"], &it.elts);
        }
        let elements = non_empty("elements", "expr", self.exprs(&it.elts)?);
        expression("Set", vec![elements])
    }

    /// Adds the field `name`; where an element is starred, also `unpacked` and `more`, and says so.
    pub(super) fn elements(
        &mut self,
        fields: &mut Vec<Field>,
        name: &'static str,
        values: &[Expr],
    ) -> Converted<bool> {
        let Some((at, starred)) = starred(values).next() else {
            fields.push(many(name, "expr", self.exprs(values)?));
            return Ok(false);
        };
        fields.push(many(name, "expr", self.exprs(&values[..at])?));
        fields.push(self.one_expr("unpacked", &starred.value)?);
        fields.push(many(
            "more",
            "element",
            self.each(&values[at + 1..], Converter::element)?,
        ));
        Ok(true)
    }

    fn element(&mut self, value: &Expr) -> Converted<Ast> {
        self.node_at(value, |it| {
            Ok(match value {
                Expr::Starred(starred) => node(
                    "element",
                    "Starred",
                    vec![it.one_expr("value", &starred.value)?],
                ),
                value => node("element", "Element", vec![it.one_expr("value", value)?]),
            })
        })
    }

    fn bool_op(&mut self, it: &ruff::ExprBoolOp) -> Converted<Ast> {
        let constructor = match it.op {
            ruff::BoolOp::And => "And",
            ruff::BoolOp::Or => "Or",
        };
        let [first, rest @ ..] = &*it.values else {
            return Err(error_at(it.range, "expected an operand"));
        };
        let first = self.one_expr("first", first)?;
        expression(
            constructor,
            vec![first, non_empty("rest", "expr", self.exprs(rest)?)],
        )
    }

    fn compare(&mut self, compare: &ruff::ExprCompare) -> Converted<Ast> {
        let left = self.one_expr("left", &compare.left)?;
        let mut comparisons = Vec::with_capacity(compare.ops.len());
        for (&op, right) in compare.ops.iter().zip(&compare.comparators) {
            let right = self.below(right, |it| it.one_expr("right", right))?;
            comparisons.push(Child::Node(node("comparison", comparison(op), vec![right])));
        }
        let comparisons = non_empty("comparisons", "comparison", comparisons);
        expression("Compare", vec![left, comparisons])
    }

    fn named(&mut self, it: &ruff::ExprNamed) -> Converted<Ast> {
        let Expr::Name(name) = &*it.target else {
            return Err(error_at(it.target.range(), "expected a name before `:=`"));
        };
        let name = text("name", "identifier", name.id.as_str());
        expression("NamedExpr", vec![name, self.one_expr("value", &it.value)?])
    }

    fn dict_item(&mut self, item: &ruff::DictItem) -> Converted<Ast> {
        self.node_at(item, |it| {
            Ok(match &item.key {
                Some(key) => {
                    let key = it.one_expr("key", key)?;
                    node(
                        "dict_item",
                        "KeyValue",
                        vec![key, it.one_expr("value", &item.value)?],
                    )
                }
                None => node(
                    "dict_item",
                    "Unpack",
                    vec![it.one_expr("value", &item.value)?],
                ),
            })
        })
    }

    fn comprehension_of(
        &mut self,
        constructor: &'static str,
        element: &Expr,
        generators: &[ruff::Comprehension],
    ) -> Converted<Ast> {
        let element = self.one_expr("element", element)?;
        expression(constructor, vec![element, self.generators(generators)?])
    }

    fn dict_comprehension(&mut self, it: &ruff::ExprDictComp) -> Converted<Ast> {
        let Some(key) = &it.key else {
            return Err(error_at(
                it.range,
                "expected a key, found an unpacked dictionary",
            ));
        };
        let key = self.one_expr("key", key)?;
        let value = self.one_expr("value", &it.value)?;
        expression(
            "DictComp",
            vec![key, value, self.generators(&it.generators)?],
        )
    }

    fn generators(&mut self, generators: &[ruff::Comprehension]) -> Converted<Field> {
        let generators = self.each(generators, Converter::comprehension)?;
        Ok(non_empty("generators", "comprehension", generators))
    }

    fn comprehension(&mut self, comprehension: &ruff::Comprehension) -> Converted<Ast> {
        let constructor = if comprehension.is_async {
            "AsyncGenerator"
        } else {
            "Generator"
        };
        self.node_at(comprehension, |it| {
            let fields = vec![
                one("target", "target", it.target(&comprehension.target)?),
                it.one_expr("iter", &comprehension.iter)?,
                many("conditions", "expr", it.exprs(&comprehension.ifs)?),
            ];
            Ok(node("comprehension", constructor, fields))
        })
    }

    fn subscript(&mut self, ty: &'static str, it: &ruff::ExprSubscript) -> Converted<Ast> {
        let value = self.one_expr("value", &it.value)?;
        match &*it.slice {
            Expr::Slice(slice) => {
                let slice = one("slice", "slice", self.slice(slice)?);
                Ok(node(ty, "SubscriptSlice", vec![value, slice]))
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_slice_expr) => {
                self.subscript_slices(ty, value, &tuple.elts)
            }
            index => Ok(node(
                ty,
                "Subscript",
                vec![value, self.one_expr("index", index)?],
            )),
        }
    }

    fn subscript_slices(
        &mut self,
        ty: &'static str,
        value: Field,
        elements: &[Expr],
    ) -> Converted<Ast> {
        let mut fields = vec![value];
        let mut rest = elements.iter();
        let mut before = Vec::new();
        for element in rest.by_ref() {
            let Expr::Slice(slice) = element else {
                before.push(Child::Node(self.element(element)?));
                continue;
            };
            fields.push(many("elements", "element", std::mem::take(&mut before)));
            fields.push(one("first", "slice", self.slice(slice)?));
            break;
        }
        fields.push(many(
            "more",
            "index",
            self.each(rest.as_slice(), Converter::index)?,
        ));
        Ok(node(ty, "SubscriptSlices", fields))
    }

    fn slice(&mut self, slice: &ruff::ExprSlice) -> Converted<Ast> {
        self.node_at(slice, |it| Ok(node("slice", "Slice", it.bounds(slice)?)))
    }

    fn index(&mut self, index: &Expr) -> Converted<Ast> {
        self.node_at(index, |it| {
            Ok(match index {
                Expr::Slice(slice) => node("index", "SliceIndex", it.bounds(slice)?),
                Expr::Starred(starred) => node(
                    "index",
                    "StarredIndex",
                    vec![it.one_expr("value", &starred.value)?],
                ),
                value => node("index", "Index", vec![it.one_expr("value", value)?]),
            })
        })
    }

    fn bounds(&mut self, slice: &ruff::ExprSlice) -> Converted<Vec<Field>> {
        Ok(vec![
            self.maybe_expr("lower", slice.lower.as_deref())?,
            self.maybe_expr("upper", slice.upper.as_deref())?,
            self.maybe_expr("step", slice.step.as_deref())?,
        ])
    }

    pub(super) fn target(&mut self, target: &Expr) -> Converted<Ast> {
        match target {
            Expr::List(it) => self.target_sequence(target, ["List", "ListUnpack"], &it.elts),
            Expr::Tuple(it) => self.target_sequence(target, ["Tuple", "TupleUnpack"], &it.elts),
            single => self.single_target("target", single),
        }
    }

    fn target_sequence(
        &mut self,
        place: &Expr,
        constructors: [&'static str; 2],
        elements: &[Expr],
    ) -> Converted<Ast> {
        self.node_at(place, |it| {
            let mut stars = starred(elements);
            let Some((at, starred)) = stars.next() else {
                let elements = it.each(elements, Converter::target)?;
                return Ok(node(
                    "target",
                    constructors[0],
                    vec![many("elements", "target", elements)],
                ));
            };
            if let Some((_, second)) = stars.next() {
                let message = "expected one starred target, found a second one";
                return Err(error_at(second.range, message));
            }
            let fields = vec![
                many(
                    "elements",
                    "target",
                    it.each(&elements[..at], Converter::target)?,
                ),
                one("unpacked", "target", it.target(&starred.value)?),
                many(
                    "more",
                    "target",
                    it.each(&elements[at + 1..], Converter::target)?,
                ),
            ];
            Ok(node("target", constructors[1], fields))
        })
    }

    pub(super) fn single_target(&mut self, ty: &'static str, target: &Expr) -> Converted<Ast> {
        self.node_at(target, |it| match target {
            Expr::Name(it) => Ok(node(ty, "Name", vec![name(it)])),
            Expr::Attribute(attribute) => it.attribute(ty, attribute),
            Expr::Subscript(subscript) => it.subscript(ty, subscript),
            _ => Err(error_at(
                target.range(),
                "expected a target: a name, attribute or subscript",
            )),
        })
    }

    pub(super) fn del_target(&mut self, target: &Expr) -> Converted<Ast> {
        let (constructor, elements) = match target {
            Expr::List(it) => ("List", &it.elts),
            Expr::Tuple(it) => ("Tuple", &it.elts),
            single => return self.single_target("del_target", single),
        };
        self.node_at(target, |it| {
            let elements = it.each(elements, Converter::del_target)?;
            Ok(node(
                "del_target",
                constructor,
                vec![many("elements", "del_target", elements)],
            ))
        })
    }
}

/// The values that are starred, and at which places.
fn starred(values: &[Expr]) -> impl Iterator<Item = (usize, &ruff::ExprStarred)> {
    let values = values.iter().enumerate();
    values.filter_map(|(at, value)| Some((at, value.as_starred_expr()?)))
}

#[inline]
#[expect(clippy::unnecessary_wraps, reason = "all who call it return a result")]
fn expression(constructor: &'static str, fields: Vec<Field>) -> Converted<Ast> {
    Ok(node("expr", constructor, fields))
}

fn name(it: &ruff::ExprName) -> Field {
    text("id", "identifier", it.id.as_str())
}

/// What the parser takes for an expression, and Python does not.
fn refused(it: &impl Ranged, expected: &str, found: &str) -> Converted<Ast> {
    let message = format!("expected {expected}, found {found}");
    Err(error_at(it.range(), &message))
}

/// A literal number, with the names of the type and of the constructors for its three kinds.
pub(super) fn number(
    it: &ruff::ExprNumberLiteral,
    [ty, int, float, imaginary]: [&'static str; 4],
) -> Converted<Ast> {
    let (constructor, text_ty, value) = match &it.value {
        Number::Int(value) => (int, "integer", integer_text(value, it)?),
        Number::Float(value) => (float, "float", Text::new(&texts::float(*value))),
        Number::Complex { imag, .. } => {
            (imaginary, "imaginary", Text::new(&texts::imaginary(*imag)))
        }
    };
    Ok(node(
        ty,
        constructor,
        vec![Field::one("value", text_ty, value)],
    ))
}

fn integer_text(value: &ruff::Int, place: &ruff::ExprNumberLiteral) -> Converted<Text> {
    if let Some(small) = value.as_u64() {
        return Ok(Text::new(&small.to_string()));
    }
    match texts::integer(&value.to_string()) {
        Some(text) => Ok(Text::new(&text)),
        None => Err(error_at(
            place.range,
            "expected at most 4300 decimal digits, found more",
        )),
    }
}

fn unary_operator(op: UnaryOp) -> Ast {
    let constructor = match op {
        UnaryOp::Invert => "Invert",
        UnaryOp::Not => "Not",
        UnaryOp::UAdd => "UAdd",
        UnaryOp::USub => "USub",
    };
    node("unary_operator", constructor, Vec::new())
}

fn comparison(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "Eq",
        CmpOp::NotEq => "NotEq",
        CmpOp::Lt => "Lt",
        CmpOp::LtE => "LtE",
        CmpOp::Gt => "Gt",
        CmpOp::GtE => "GtE",
        CmpOp::Is => "Is",
        CmpOp::IsNot => "IsNot",
        CmpOp::In => "In",
        CmpOp::NotIn => "NotIn",
    }
}
