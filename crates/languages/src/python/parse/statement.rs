//! Statements.

use patois_syntax::{Ast, Child, Field};
use ruff_python_ast::{self as ruff, Expr, Identifier, Stmt};
use ruff_text_size::Ranged;

use super::{
    Converted, Converter, error_at, identifiers, many, node, non_empty, one, optional, text,
};

impl Converter<'_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) -> Converted<Vec<Child>> {
        self.each(body, Converter::statement)
    }

    pub(super) fn statement(&mut self, statement: &Stmt) -> Converted<Ast> {
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
                stmt("Assign", vec![targets, self.one_expr("value", &it.value)?])
            }
            Stmt::AugAssign(it) => {
                let target = self.single_target("single_target", &it.target)?;
                let fields = vec![
                    one("target", "single_target", target),
                    one("op", "operator", operator(it.op)),
                    self.one_expr("value", &it.value)?,
                ];
                stmt("AugAssign", fields)
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
                stmt(constructor, fields)
            }
            Stmt::While(it) => {
                let fields = vec![
                    self.one_expr("test", &it.test)?,
                    self.block("body", &it.body)?,
                    many("orelse", "stmt", self.statements(&it.orelse)?),
                ];
                stmt("While", fields)
            }
            Stmt::If(it) => self.if_chain(&it.test, &it.body, &it.elif_else_clauses)?,
            Stmt::With(it) => {
                let constructor = if it.is_async { "AsyncWith" } else { "With" };
                let items = self.each(&it.items, Converter::with_item)?;
                let items = non_empty("items", "with_item", items);
                stmt(constructor, vec![items, self.block("body", &it.body)?])
            }
            Stmt::Match(it) => {
                let subject = self.one_expr("subject", &it.subject)?;
                let cases = self.each(&it.cases, Converter::match_case)?;
                stmt(
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
            Stmt::Return(it) => stmt(
                "Return",
                vec![self.maybe_expr("value", it.value.as_deref())?],
            ),
            Stmt::Delete(it) => {
                let targets = self.each(&it.targets, Converter::del_target)?;
                stmt("Delete", vec![non_empty("targets", "del_target", targets)])
            }
            Stmt::Raise(it) => match &it.exc {
                Some(exception) => {
                    let exception = self.one_expr("exception", exception)?;
                    let cause = self.maybe_expr("cause", it.cause.as_deref())?;
                    stmt("Raise", vec![exception, cause])
                }
                None => stmt("Reraise", Vec::new()),
            },
            Stmt::Assert(it) => {
                let test = self.one_expr("test", &it.test)?;
                stmt(
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
                stmt("Import", vec![non_empty("names", "dotted_alias", names)])
            }
            Stmt::ImportFrom(it) => import_from(it),
            Stmt::Global(it) => {
                let names = non_empty("names", "identifier", identifiers(&it.names));
                stmt("Global", vec![names])
            }
            Stmt::Nonlocal(it) => {
                let names = non_empty("names", "identifier", identifiers(&it.names));
                stmt("Nonlocal", vec![names])
            }
            Stmt::Expr(it) => stmt("Expr", vec![self.one_expr("value", &it.value)?]),
            Stmt::Pass(_) => stmt("Pass", Vec::new()),
            Stmt::Break(_) => stmt("Break", Vec::new()),
            Stmt::Continue(_) => stmt("Continue", Vec::new()),
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
        Ok(stmt(constructor, fields))
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
        Ok(stmt(constructor, fields))
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
        Ok(stmt("TypeAlias", fields))
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
        Ok(stmt("AnnAssign", fields))
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
        Ok(stmt("If", vec![test, body, many("orelse", "stmt", orelse)]))
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
            return Ok(stmt(
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
        Ok(stmt(constructor, fields))
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
}

fn stmt(constructor: &'static str, fields: Vec<Field>) -> Ast {
    node("stmt", constructor, fields)
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
        return stmt("ImportStar", vec![module]);
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
    stmt(
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
