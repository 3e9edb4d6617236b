//! Statements, parameters and type parameters.

use patois_syntax::{Ast, Child, Field, Text};
use ruff_python_ast::{
    self as ruff, Expr, Identifier, Parameter, ParameterWithDefault, Parameters, Stmt,
};
use ruff_text_size::Ranged;

use super::{
    Converted, Converter, error_at, identifiers, many, node, non_empty, one, optional,
    optional_text, text,
};

impl Converter<'_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) -> Converted<Vec<Child>> {
        self.each(body, Converter::statement)
    }

    fn statement(&mut self, statement: &Stmt) -> Converted<Ast> {
        self.node_at(statement, |it| it.statement_here(statement))
    }

    fn statement_here(&mut self, statement: &Stmt) -> Converted<Ast> {
        Ok(match statement {
            Stmt::FunctionDef(it) => self.function(it)?,
            Stmt::ClassDef(it) => self.class(it)?,
            Stmt::TypeAlias(it) => self.type_alias(it)?,
            Stmt::Assign(it) => {
                let targets = self.each(&it.targets, Converter::target)?;
                let targets = non_empty("targets", "target", targets);
                node(
                    "stmt",
                    "Assign",
                    vec![targets, self.one_expr("value", &it.value)?],
                )
            }
            Stmt::AugAssign(it) => {
                let target = self.single_target("single_target", &it.target)?;
                let fields = vec![
                    one("target", "single_target", target),
                    one("op", "operator", operator(it.op)),
                    self.one_expr("value", &it.value)?,
                ];
                node("stmt", "AugAssign", fields)
            }
            Stmt::AnnAssign(it) => self.annotated_assignment(it)?,
            Stmt::For(it) => {
                let constructor = if it.is_async { "AsyncFor" } else { "For" };
                let fields = vec![
                    one("target", "target", self.target(&it.target)?),
                    self.one_expr("iter", &it.iter)?,
                    self.block("body", &it.body)?,
                    many("orelse", "stmt", self.statements(&it.orelse)?),
                ];
                node("stmt", constructor, fields)
            }
            Stmt::While(it) => {
                let fields = vec![
                    self.one_expr("test", &it.test)?,
                    self.block("body", &it.body)?,
                    many("orelse", "stmt", self.statements(&it.orelse)?),
                ];
                node("stmt", "While", fields)
            }
            Stmt::If(it) => self.if_chain(&it.test, &it.body, &it.elif_else_clauses)?,
            Stmt::With(it) => {
                let constructor = if it.is_async { "AsyncWith" } else { "With" };
                let items = self.each(&it.items, Converter::with_item)?;
                let items = non_empty("items", "with_item", items);
                node(
                    "stmt",
                    constructor,
                    vec![items, self.block("body", &it.body)?],
                )
            }
            Stmt::Match(it) => {
                let subject = self.one_expr("subject", &it.subject)?;
                let cases = self.each(&it.cases, Converter::match_case)?;
                node(
                    "stmt",
                    "Match",
                    vec![subject, non_empty("cases", "match_case", cases)],
                )
            }
            Stmt::Try(it) => self.try_statement(it)?,
            simple => self.simple_statement(simple)?,
        })
    }

    /// Statements that hold no others, save for assignments.
    fn simple_statement(&mut self, statement: &Stmt) -> Converted<Ast> {
        Ok(match statement {
            Stmt::Return(it) => node(
                "stmt",
                "Return",
                vec![self.maybe_expr("value", it.value.as_deref())?],
            ),
            Stmt::Delete(it) => {
                let targets = self.each(&it.targets, Converter::del_target)?;
                node(
                    "stmt",
                    "Delete",
                    vec![non_empty("targets", "del_target", targets)],
                )
            }
            Stmt::Raise(it) => match &it.exc {
                Some(exception) => {
                    let exception = self.one_expr("exception", exception)?;
                    let cause = self.maybe_expr("cause", it.cause.as_deref())?;
                    node("stmt", "Raise", vec![exception, cause])
                }
                None => node("stmt", "Reraise", Vec::new()),
            },
            Stmt::Assert(it) => {
                let test = self.one_expr("test", &it.test)?;
                node(
                    "stmt",
                    "Assert",
                    vec![test, self.maybe_expr("message", it.msg.as_deref())?],
                )
            }
            Stmt::Import(it) => {
                let names = it
                    .names
                    .iter()
                    .map(|it| Child::Node(dotted_alias(it)))
                    .collect();
                node(
                    "stmt",
                    "Import",
                    vec![non_empty("names", "dotted_alias", names)],
                )
            }
            Stmt::ImportFrom(it) => import_from(it),
            Stmt::Global(it) => {
                let names = non_empty("names", "identifier", identifiers(&it.names));
                node("stmt", "Global", vec![names])
            }
            Stmt::Nonlocal(it) => {
                let names = non_empty("names", "identifier", identifiers(&it.names));
                node("stmt", "Nonlocal", vec![names])
            }
            Stmt::Expr(it) => node("stmt", "Expr", vec![self.one_expr("value", &it.value)?]),
            Stmt::Pass(_) => node("stmt", "Pass", Vec::new()),
            Stmt::Break(_) => node("stmt", "Break", Vec::new()),
            Stmt::Continue(_) => node("stmt", "Continue", Vec::new()),
            Stmt::IpyEscapeCommand(_) => {
                return Err(error_at(
                    statement.range(),
                    "expected Python, found an IPython command",
                ));
            }
            compound => unreachable!("{compound:?} is no simple statement"),
        })
    }

    fn block(&mut self, name: &'static str, body: &[Stmt]) -> Converted<Field> {
        Ok(non_empty(name, "stmt", self.statements(body)?))
    }

    fn function(&mut self, it: &ruff::StmtFunctionDef) -> Converted<Ast> {
        let constructor = if it.is_async {
            "AsyncFunctionDef"
        } else {
            "FunctionDef"
        };
        let fields = vec![
            self.decorators(&it.decorator_list)?,
            text("name", "identifier", it.name.as_str()),
            self.type_params(it.type_params.as_deref())?,
            one("parameters", "parameters", self.parameters(&it.parameters)?),
            self.maybe_expr("returns", it.returns.as_deref())?,
            self.block("body", &it.body)?,
        ];
        Ok(node("stmt", constructor, fields))
    }

    fn class(&mut self, it: &ruff::StmtClassDef) -> Converted<Ast> {
        let mut fields = Vec::with_capacity(8);
        fields.push(self.decorators(&it.decorator_list)?);
        fields.push(text("name", "identifier", it.name.as_str()));
        fields.push(self.type_params(it.type_params.as_deref())?);
        let (bases, keywords) = match &it.arguments {
            Some(arguments) => (&*arguments.args, &*arguments.keywords),
            None => (Default::default(), Default::default()),
        };
        let is_unpacked = self.elements(&mut fields, "bases", bases)?;
        fields.push(many(
            "keywords",
            "keyword",
            self.each(keywords, Converter::keyword)?,
        ));
        fields.push(self.block("body", &it.body)?);
        let constructor = if is_unpacked {
            "ClassDefUnpack"
        } else {
            "ClassDef"
        };
        Ok(node("stmt", constructor, fields))
    }

    fn decorators(&mut self, decorators: &[ruff::Decorator]) -> Converted<Field> {
        let decorators = self.each(decorators, |it, decorator| it.expr(&decorator.expression))?;
        Ok(many("decorators", "expr", decorators))
    }

    fn type_alias(&mut self, it: &ruff::StmtTypeAlias) -> Converted<Ast> {
        let Expr::Name(name) = &*it.name else {
            return Err(error_at(
                it.name.range(),
                "expected the name of a type alias",
            ));
        };
        let fields = vec![
            text("name", "identifier", name.id.as_str()),
            self.type_params(it.type_params.as_deref())?,
            self.one_expr("value", &it.value)?,
        ];
        Ok(node("stmt", "TypeAlias", fields))
    }

    fn annotated_assignment(&mut self, it: &ruff::StmtAnnAssign) -> Converted<Ast> {
        let target = match &*it.target {
            Expr::Name(name) if !it.simple => {
                let id = text("id", "identifier", name.id.as_str());
                node("annotated_target", "ParenthesizedName", vec![id])
            }
            target => self.single_target("annotated_target", target)?,
        };
        let fields = vec![
            one("target", "annotated_target", target),
            self.one_expr("annotation", &it.annotation)?,
            self.maybe_expr("value", it.value.as_deref())?,
        ];
        Ok(node("stmt", "AnnAssign", fields))
    }

    /// `elif` is an `if` alone in the `else` of the one before, built from the last to the first.
    fn if_chain(
        &mut self,
        test: &Expr,
        body: &[Stmt],
        clauses: &[ruff::ElifElseClause],
    ) -> Converted<Ast> {
        let outer_depth = self.depth;
        let mut orelse = Vec::new();
        for (index, clause) in clauses.iter().enumerate().rev() {
            self.depth = outer_depth + index + 1;
            orelse = match &clause.test {
                Some(test) => {
                    let chain =
                        self.node_at(clause, |it| it.if_link(test, &clause.body, orelse))?;
                    vec![Child::Node(chain)]
                }
                None => self.statements(&clause.body)?,
            };
        }
        self.depth = outer_depth;
        self.if_link(test, body, orelse)
    }

    fn if_link(&mut self, test: &Expr, body: &[Stmt], orelse: Vec<Child>) -> Converted<Ast> {
        let test = self.one_expr("test", test)?;
        let body = self.block("body", body)?;
        Ok(node(
            "stmt",
            "If",
            vec![test, body, many("orelse", "stmt", orelse)],
        ))
    }

    fn with_item(&mut self, item: &ruff::WithItem) -> Converted<Ast> {
        self.node_at(item, |it| {
            let context = it.one_expr("context", &item.context_expr)?;
            let target = it.maybe(item.optional_vars.as_deref(), Converter::target)?;
            Ok(node(
                "with_item",
                "WithItem",
                vec![context, optional("target", "target", target)],
            ))
        })
    }

    fn try_statement(&mut self, it: &ruff::StmtTry) -> Converted<Ast> {
        let body = self.block("body", &it.body)?;
        if it.handlers.is_empty() {
            return Ok(node(
                "stmt",
                "TryFinally",
                vec![body, self.block("finalbody", &it.finalbody)?],
            ));
        }
        let handlers: Vec<_> = it
            .handlers
            .iter()
            .map(|ruff::ExceptHandler::ExceptHandler(handler)| handler)
            .collect();
        let bare = handlers.iter().position(|handler| handler.type_.is_none());
        let mut fields = Vec::with_capacity(5);
        fields.push(body);
        let constructor = match bare {
            None => {
                let handlers = self.each(&handlers, |it, handler| it.handler(handler))?;
                fields.push(non_empty("handlers", "handler", handlers));
                if it.is_star { "TryStar" } else { "Try" }
            }
            Some(at) if at + 1 < handlers.len() => {
                let message = "expected the bare `except:` to be the last, found another after it";
                return Err(error_at(handlers[at].range, message));
            }
            Some(at) => {
                let typed = self.each(&handlers[..at], |it, handler| it.handler(handler))?;
                fields.push(many("handlers", "handler", typed));
                fields.push(self.block("bare", &handlers[at].body)?);
                "TryBare"
            }
        };
        fields.push(many("orelse", "stmt", self.statements(&it.orelse)?));
        fields.push(many("finalbody", "stmt", self.statements(&it.finalbody)?));
        Ok(node("stmt", constructor, fields))
    }

    fn handler(&mut self, handler: &ruff::ExceptHandlerExceptHandler) -> Converted<Ast> {
        let Some(ty) = &handler.type_ else {
            return Err(error_at(
                handler.range,
                "expected the type of the exception",
            ));
        };
        self.node_at(handler, |it| {
            let ty = it.one_expr("type", ty)?;
            let body = it.block("body", &handler.body)?;
            Ok(match &handler.name {
                Some(name) => {
                    let name = text("name", "identifier", name.as_str());
                    node("handler", "ExceptAs", vec![ty, name, body])
                }
                None => node("handler", "Except", vec![ty, body]),
            })
        })
    }

    fn match_case(&mut self, case: &ruff::MatchCase) -> Converted<Ast> {
        self.node_at(case, |it| {
            let fields = vec![
                one("pattern", "pattern", it.pattern(&case.pattern)?),
                it.maybe_expr("guard", case.guard.as_deref())?,
                it.block("body", &case.body)?,
            ];
            Ok(node("match_case", "Case", fields))
        })
    }

    fn type_params(&mut self, params: Option<&ruff::TypeParams>) -> Converted<Field> {
        let params = params
            .map(|it| it.type_params.as_slice())
            .unwrap_or_default();
        Ok(many(
            "type_params",
            "type_param",
            self.each(params, Converter::type_param)?,
        ))
    }

    fn type_param(&mut self, param: &ruff::TypeParam) -> Converted<Ast> {
        self.node_at(param, |it| {
            let name = text("name", "identifier", param.name().as_str());
            Ok(match param {
                ruff::TypeParam::TypeVar(var) => {
                    let bound = it.maybe_expr("bound", var.bound.as_deref())?;
                    let default = it.maybe_expr("default", var.default.as_deref())?;
                    node("type_param", "TypeVar", vec![name, bound, default])
                }
                ruff::TypeParam::ParamSpec(spec) => {
                    let default = it.maybe_expr("default", spec.default.as_deref())?;
                    node("type_param", "ParamSpec", vec![name, default])
                }
                ruff::TypeParam::TypeVarTuple(tuple) => match tuple.default.as_deref() {
                    Some(Expr::Starred(default)) => {
                        let default = it.one_expr("default", &default.value)?;
                        node("type_param", "TypeVarTupleUnpack", vec![name, default])
                    }
                    default => {
                        let default = it.maybe_expr("default", default)?;
                        node("type_param", "TypeVarTuple", vec![name, default])
                    }
                },
            })
        })
    }

    fn parameters(&mut self, parameters: &Parameters) -> Converted<Ast> {
        self.node_at(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let before_slash = split_defaulted(&parameters.posonlyargs);
            let after_slash = split_defaulted(&parameters.args);
            let constructor = match before_slash {
                ([], []) => "Parameters",
                (plain, []) => {
                    let plain = it.each(plain, Converter::parameter_of)?;
                    fields.push(non_empty("positional_only", "parameter", plain));
                    "SlashAfterPlain"
                }
                (plain, defaulted) => {
                    let plain = it.each(plain, Converter::parameter_of)?;
                    fields.push(many("positional_only", "parameter", plain));
                    let defaulted = it.each(defaulted, Converter::default_parameter)?;
                    let name = "positional_only_defaulted";
                    fields.push(non_empty(name, "default_parameter", defaulted));
                    "SlashAfterDefault"
                }
            };
            let (plain, defaulted) = after_slash;
            if constructor != "SlashAfterDefault" {
                let plain = it.each(plain, Converter::parameter_of)?;
                fields.push(many("plain", "parameter", plain));
            }
            let defaulted = it.each(defaulted, Converter::default_parameter)?;
            fields.push(many("defaulted", "default_parameter", defaulted));
            let variadic = it.variadic(parameters)?;
            fields.push(optional("variadic", "variadic", variadic));
            Ok(node("parameters", constructor, fields))
        })
    }

    fn parameter_of(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.parameter(&parameter.parameter)
    }

    fn parameter(&mut self, parameter: &Parameter) -> Converted<Ast> {
        let name = text("name", "identifier", parameter.name.as_str());
        let Some(annotation) = &parameter.annotation else {
            return Ok(node("parameter", "Parameter", vec![name]));
        };
        self.node_at(parameter, |it| {
            let annotation = it.one_expr("annotation", annotation)?;
            Ok(node(
                "parameter",
                "AnnotatedParameter",
                vec![name, annotation],
            ))
        })
    }

    fn default_parameter(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let default = it.default_of(parameter)?;
            let parameter = one(
                "parameter",
                "parameter",
                it.parameter(&parameter.parameter)?,
            );
            Ok(node(
                "default_parameter",
                "DefaultParameter",
                vec![parameter, default],
            ))
        })
    }

    fn default_of(&mut self, parameter: &ParameterWithDefault) -> Converted<Field> {
        let message = "expected a default, as the parameters before have one";
        let default = parameter.default.as_deref();
        self.one_expr(
            "value",
            default.ok_or_else(|| error_at(parameter.range, message))?,
        )
    }

    fn keyword_parameter(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let name = one(
                "parameter",
                "parameter",
                it.parameter(&parameter.parameter)?,
            );
            if parameter.default.is_none() {
                return Ok(node("keyword_parameter", "Required", vec![name]));
            }
            let default = it.default_of(parameter)?;
            Ok(node("keyword_parameter", "Defaulted", vec![name, default]))
        })
    }

    fn variadic(&mut self, parameters: &Parameters) -> Converted<Option<Ast>> {
        let Parameters {
            vararg,
            kwonlyargs,
            kwarg,
            ..
        } = parameters;
        if vararg.is_none() && kwonlyargs.is_empty() {
            let Some(kwarg) = kwarg else {
                return Ok(None);
            };
            let parameter = self.node_at(parameters, |it| it.parameter(kwarg))?;
            let parameter = one("parameter", "parameter", parameter);
            return Ok(Some(node("variadic", "KwArgs", vec![parameter])));
        }
        self.below(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let constructor = match vararg {
                Some(vararg) => it.var_args(vararg, &mut fields)?,
                None => "KeywordOnly",
            };
            let keyword_only = it.each(kwonlyargs, Converter::keyword_parameter)?;
            fields.push(match vararg {
                Some(_) => many("keyword_only", "keyword_parameter", keyword_only),
                None => non_empty("keyword_only", "keyword_parameter", keyword_only),
            });
            let kwargs = it.maybe(kwarg.as_deref(), Converter::parameter)?;
            fields.push(optional("kwargs", "parameter", kwargs));
            Ok(Some(node("variadic", constructor, fields)))
        })
    }

    fn var_args(
        &mut self,
        parameter: &Parameter,
        fields: &mut Vec<Field>,
    ) -> Converted<&'static str> {
        if let Some(Expr::Starred(annotation)) = parameter.annotation.as_deref() {
            fields.push(text("name", "identifier", parameter.name.as_str()));
            fields.push(self.one_expr("annotation", &annotation.value)?);
            return Ok("VarArgsUnpack");
        }
        fields.push(one("parameter", "parameter", self.parameter(parameter)?));
        Ok("VarArgs")
    }

    pub(super) fn lambda_parameters(&mut self, parameters: Option<&Parameters>) -> Converted<Ast> {
        let Some(parameters) = parameters else {
            let fields = vec![
                many("plain", "identifier", Vec::new()),
                many("defaulted", "lambda_default", Vec::new()),
                optional("variadic", "lambda_variadic", None),
            ];
            return Ok(node("lambda_parameters", "LambdaParameters", fields));
        };
        self.node_at(parameters, |it| {
            let mut fields = Vec::with_capacity(4);
            let constructor = match split_defaulted(&parameters.posonlyargs) {
                ([], []) => "LambdaParameters",
                (plain, []) => {
                    fields.push(non_empty("positional_only", "identifier", names(plain)));
                    "LambdaSlashAfterPlain"
                }
                (plain, defaulted) => {
                    fields.push(many("positional_only", "identifier", names(plain)));
                    let defaulted = it.each(defaulted, Converter::lambda_default)?;
                    let name = "positional_only_defaulted";
                    fields.push(non_empty(name, "lambda_default", defaulted));
                    "LambdaSlashAfterDefault"
                }
            };
            let (plain, defaulted) = split_defaulted(&parameters.args);
            if constructor != "LambdaSlashAfterDefault" {
                fields.push(many("plain", "identifier", names(plain)));
            }
            let defaulted = it.each(defaulted, Converter::lambda_default)?;
            fields.push(many("defaulted", "lambda_default", defaulted));
            let variadic = it.lambda_variadic(parameters)?;
            fields.push(optional("variadic", "lambda_variadic", variadic));
            Ok(node("lambda_parameters", constructor, fields))
        })
    }

    fn lambda_default(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        self.node_at(parameter, |it| {
            let name = text("name", "identifier", parameter.name().as_str());
            let default = it.default_of(parameter)?;
            Ok(node("lambda_default", "LambdaDefault", vec![name, default]))
        })
    }

    fn lambda_keyword(&mut self, parameter: &ParameterWithDefault) -> Converted<Ast> {
        let name = text("name", "identifier", parameter.name().as_str());
        if parameter.default.is_none() {
            return Ok(node("lambda_keyword", "LambdaRequired", vec![name]));
        }
        self.node_at(parameter, |it| {
            let default = it.default_of(parameter)?;
            Ok(node(
                "lambda_keyword",
                "LambdaDefaulted",
                vec![name, default],
            ))
        })
    }

    fn lambda_variadic(&mut self, parameters: &Parameters) -> Converted<Option<Ast>> {
        let Parameters {
            vararg,
            kwonlyargs,
            kwarg,
            ..
        } = parameters;
        let kwargs = kwarg.as_ref().map(|it| it.name.as_str());
        if vararg.is_none() && kwonlyargs.is_empty() {
            return Ok(kwargs.map(|name| {
                let name = text("name", "identifier", name);
                node("lambda_variadic", "LambdaKwArgs", vec![name])
            }));
        }
        self.below(parameters, |it| {
            let keyword_only = it.each(kwonlyargs, Converter::lambda_keyword)?;
            let kwargs = optional_text("kwargs", "identifier", kwargs);
            let Some(vararg) = vararg else {
                let keyword_only = non_empty("keyword_only", "lambda_keyword", keyword_only);
                let fields = vec![keyword_only, kwargs];
                return Ok(Some(node("lambda_variadic", "LambdaKeywordOnly", fields)));
            };
            let fields = vec![
                text("name", "identifier", vararg.name.as_str()),
                many("keyword_only", "lambda_keyword", keyword_only),
                kwargs,
            ];
            Ok(Some(node("lambda_variadic", "LambdaVarArgs", fields)))
        })
    }
}

/// Parameters without a default, then those with one: the parser has seen to the order.
fn split_defaulted(
    parameters: &[ParameterWithDefault],
) -> (&[ParameterWithDefault], &[ParameterWithDefault]) {
    let plain = parameters
        .iter()
        .take_while(|it| it.default.is_none())
        .count();
    parameters.split_at(plain)
}

fn names(parameters: &[ParameterWithDefault]) -> Vec<Child> {
    parameters
        .iter()
        .map(|it| Child::Text(Text::new(it.name().as_str())))
        .collect()
}

fn dotted_alias(alias: &ruff::Alias) -> Ast {
    let name = text("name", "dotted_name", alias.name.as_str());
    match &alias.asname {
        Some(asname) => {
            let asname = text("alias", "identifier", asname.as_str());
            node("dotted_alias", "DottedAliasAs", vec![name, asname])
        }
        None => node("dotted_alias", "DottedAlias", vec![name]),
    }
}

fn import_from(it: &ruff::StmtImportFrom) -> Ast {
    let name = it.module.as_ref().map_or("", Identifier::as_str);
    let module = match it.level {
        0 => text("module", "module_name", name),
        level => text(
            "module",
            "module_name",
            &(".".repeat(level as usize) + name),
        ),
    };
    if let [alias] = it.names.as_slice()
        && &alias.name == "*"
    {
        return node("stmt", "ImportStar", vec![module]);
    }
    let names = it.names.iter().map(|alias| {
        let name = text("name", "identifier", alias.name.as_str());
        Child::Node(match &alias.asname {
            Some(asname) => {
                let asname = text("alias", "identifier", asname.as_str());
                node("alias", "AliasAs", vec![name, asname])
            }
            None => node("alias", "Alias", vec![name]),
        })
    });
    node(
        "stmt",
        "ImportFrom",
        vec![module, non_empty("names", "alias", names.collect())],
    )
}

pub(super) fn operator(op: ruff::Operator) -> Ast {
    let constructor = match op {
        ruff::Operator::Add => "Add",
        ruff::Operator::Sub => "Sub",
        ruff::Operator::Mult => "Mult",
        ruff::Operator::MatMult => "MatMult",
        ruff::Operator::Div => "Div",
        ruff::Operator::Mod => "Mod",
        ruff::Operator::Pow => "Pow",
        ruff::Operator::LShift => "LShift",
        ruff::Operator::RShift => "RShift",
        ruff::Operator::BitOr => "BitOr",
        ruff::Operator::BitXor => "BitXor",
        ruff::Operator::BitAnd => "BitAnd",
        ruff::Operator::FloorDiv => "FloorDiv",
    };
    node("operator", constructor, Vec::new())
}
