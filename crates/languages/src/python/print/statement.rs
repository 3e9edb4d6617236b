//! Statements, their layout, and parameters.

use patois_syntax::{Ast, Child};

use super::expression::{BIT_OR, NAMED, TEST};
use super::{Printer, list, maybe, one, text, texts};

impl Printer {
    pub(super) fn module(&mut self, module: &Ast) {
        self.statements(list(module, 0), "\n\n");
    }

    /// Definitions are set off by blank lines; a string that opens a block is its documentation.
    fn statements<'a>(&mut self, body: impl Iterator<Item = &'a Ast>, blank: &str) {
        let mut previous: Option<&Ast> = None;
        for statement in body {
            match previous {
                None if self.indentation > 0 && is_string(statement) => {
                    self.start_line("");
                    self.doc_string(text(one(statement, 0), 0));
                    self.put("\n");
                }
                Some(previous) if is_definition(previous) || is_definition(statement) => {
                    self.put(blank);
                    self.statement(statement);
                }
                _ => self.statement(statement),
            }
            previous = Some(statement);
        }
    }

    fn block<'a>(&mut self, body: impl Iterator<Item = &'a Ast>) {
        self.put(":\n");
        self.indentation += 1;
        self.statements(body, "\n");
        self.indentation -= 1;
    }

    fn start_line(&mut self, text: &str) {
        for _ in 0..self.indentation {
            self.put("    ");
        }
        self.put(text);
    }

    fn statement(&mut self, ast: &Ast) {
        match ast.constructor {
            "FunctionDef" | "AsyncFunctionDef" => self.function(ast),
            "ClassDef" | "ClassDefUnpack" => self.class(ast),
            "For" | "AsyncFor" => self.for_loop(ast),
            "While" => {
                self.start_line("while ");
                self.expr(one(ast, 0), NAMED);
                self.block(list(ast, 1));
                self.else_block(ast, 2);
            }
            "If" => self.if_chain(ast),
            "With" | "AsyncWith" => self.with(ast),
            "Match" => self.match_statement(ast),
            "Try" | "TryStar" | "TryBare" | "TryFinally" => self.try_statement(ast),
            _ => {
                self.start_line("");
                self.simple_statement(ast);
                self.put("\n");
            }
        }
    }

    fn simple_statement(&mut self, ast: &Ast) {
        match ast.constructor {
            "Return" => {
                self.put("return");
                if let Some(value) = maybe(ast, 0) {
                    self.put(" ");
                    self.bare_tuple(value);
                }
            }
            "Delete" => {
                self.put("del ");
                self.separated(", ", list(ast, 0), Printer::target);
            }
            "Assign" | "AugAssign" | "AnnAssign" => self.assignment(ast),
            "TypeAlias" => {
                self.put("type ");
                self.put(text(ast, 0));
                self.type_params(ast, 1);
                self.put(" = ");
                self.expr(one(ast, 2), TEST);
            }
            "Raise" => {
                self.put("raise ");
                self.expr(one(ast, 0), TEST);
                self.clause(" from ", maybe(ast, 1));
            }
            "Reraise" => self.put("raise"),
            "Assert" => {
                self.put("assert ");
                self.expr(one(ast, 0), TEST);
                self.clause(", ", maybe(ast, 1));
            }
            "Import" | "ImportFrom" | "ImportStar" => self.import(ast),
            "Global" => self.names("global ", ast),
            "Nonlocal" => self.names("nonlocal ", ast),
            "Expr" if is_string(ast) && text(one(ast, 0), 0).contains('\n') => {
                self.doc_string(text(one(ast, 0), 0));
            }
            "Expr" => self.top(one(ast, 0)),
            "Pass" => self.put("pass"),
            "Break" => self.put("break"),
            "Continue" => self.put("continue"),
            _ => unreachable!("the tree was checked: a statement"),
        }
    }

    fn assignment(&mut self, ast: &Ast) {
        match ast.constructor {
            "Assign" => {
                for target in list(ast, 0) {
                    self.bare_target(target);
                    self.put(" = ");
                }
                self.top(one(ast, 1));
            }
            "AugAssign" => {
                self.target(one(ast, 0));
                self.put(" ");
                self.operator(one(ast, 1));
                self.put("= ");
                self.top(one(ast, 2));
            }
            _ => {
                self.target(one(ast, 0));
                self.put(": ");
                self.expr(one(ast, 1), TEST);
                if let Some(value) = maybe(ast, 2) {
                    self.put(" = ");
                    self.top(value);
                }
            }
        }
    }

    fn import(&mut self, ast: &Ast) {
        match ast.constructor {
            "Import" => {
                self.put("import ");
                self.separated(", ", list(ast, 0), Printer::alias);
            }
            "ImportFrom" => {
                self.import_from(ast);
                self.separated(", ", list(ast, 1), Printer::alias);
            }
            _ => {
                self.import_from(ast);
                self.put("*");
            }
        }
    }

    /// A word and an expression, if there is one.
    fn clause(&mut self, word: &str, value: Option<&Ast>) {
        if let Some(value) = value {
            self.put(word);
            self.expr(value, TEST);
        }
    }

    fn names(&mut self, word: &str, ast: &Ast) {
        self.put(word);
        self.separated(", ", texts(&ast.fields[0].value), Printer::put);
    }

    fn alias(&mut self, ast: &Ast) {
        self.put(text(ast, 0));
        if ast.fields.len() > 1 {
            self.put(" as ");
            self.put(text(ast, 1));
        }
    }

    fn import_from(&mut self, ast: &Ast) {
        self.put("from ");
        self.put(text(ast, 0));
        self.put(" import ");
    }

    fn function(&mut self, ast: &Ast) {
        self.decorators(ast);
        let is_async = ast.constructor == "AsyncFunctionDef";
        self.start_line(if is_async { "async def " } else { "def " });
        self.put(text(ast, 1));
        self.type_params(ast, 2);
        self.put("(");
        self.parameters("", one(ast, 3));
        self.put(")");
        self.clause(" -> ", maybe(ast, 4));
        self.block(list(ast, 5));
    }

    fn class(&mut self, ast: &Ast) {
        self.decorators(ast);
        self.start_line("class ");
        self.put(text(ast, 1));
        self.type_params(ast, 2);
        let is_unpacked = ast.constructor == "ClassDefUnpack";
        let keywords = if is_unpacked { 6 } else { 4 };
        if is_unpacked || list(ast, 3).len() + list(ast, 4).len() > 0 {
            self.put("(");
            self.arguments(ast, 3, keywords);
            self.put(")");
        }
        self.block(list(ast, keywords + 1));
    }

    fn decorators(&mut self, ast: &Ast) {
        for decorator in list(ast, 0) {
            self.start_line("@");
            self.expr(decorator, TEST);
            self.put("\n");
        }
    }

    fn for_loop(&mut self, ast: &Ast) {
        let is_async = ast.constructor == "AsyncFor";
        self.start_line(if is_async { "async for " } else { "for " });
        self.bare_target(one(ast, 0));
        self.put(" in ");
        self.bare_tuple(one(ast, 1));
        self.block(list(ast, 2));
        self.else_block(ast, 3);
    }

    fn else_block(&mut self, ast: &Ast, field: usize) {
        if list(ast, field).len() > 0 {
            self.start_line("else");
            self.block(list(ast, field));
        }
    }

    /// An `if` that is alone in an `else` is an `elif`.
    fn if_chain(&mut self, ast: &Ast) {
        let mut link = ast;
        let mut word = "if ";
        loop {
            self.start_line(word);
            self.expr(one(link, 0), NAMED);
            self.block(list(link, 1));
            match link.fields[2].value.children() {
                [Child::Node(next)] if next.constructor == "If" => link = next,
                _ => break,
            }
            word = "elif ";
        }
        self.else_block(link, 2);
    }

    fn with(&mut self, ast: &Ast) {
        let is_async = ast.constructor == "AsyncWith";
        self.start_line(if is_async { "async with " } else { "with " });
        let is_alone = list(ast, 0).len() == 1;
        self.separated(", ", list(ast, 0), |it, item| {
            let context = one(item, 0);
            let target = maybe(item, 1);
            // `with (a, b):` has two items, and not one that is a tuple.
            let is_ambiguous = is_alone
                && target.is_none()
                && matches!(context.constructor, "Tuple" | "TupleUnpack");
            if is_ambiguous {
                it.put("(");
            }
            it.expr(context, TEST);
            if is_ambiguous {
                it.put(")");
            }
            if let Some(target) = target {
                it.put(" as ");
                it.target(target);
            }
        });
        self.block(list(ast, 1));
    }

    fn match_statement(&mut self, ast: &Ast) {
        self.start_line("match ");
        self.expr(one(ast, 0), TEST);
        self.put(":\n");
        self.indentation += 1;
        for case in list(ast, 1) {
            self.start_line("case ");
            self.pattern(one(case, 0));
            self.clause(" if ", maybe(case, 1));
            self.block(list(case, 2));
        }
        self.indentation -= 1;
    }

    fn try_statement(&mut self, ast: &Ast) {
        self.start_line("try");
        self.block(list(ast, 0));
        let last = ast.fields.len() - 1;
        if ast.constructor != "TryFinally" {
            let word = if ast.constructor == "TryStar" {
                "except* "
            } else {
                "except "
            };
            for handler in list(ast, 1) {
                self.handler(word, handler);
            }
            if ast.constructor == "TryBare" {
                self.start_line("except");
                self.block(list(ast, 2));
            }
            self.else_block(ast, last - 1);
        }
        if list(ast, last).len() > 0 {
            self.start_line("finally");
            self.block(list(ast, last));
        }
    }

    fn handler(&mut self, word: &str, handler: &Ast) {
        self.start_line(word);
        self.expr(one(handler, 0), TEST);
        if handler.constructor == "ExceptAs" {
            self.put(" as ");
            self.put(text(handler, 1));
        }
        self.block(list(handler, handler.fields.len() - 1));
    }

    fn type_params(&mut self, ast: &Ast, field: usize) {
        if list(ast, field).len() == 0 {
            return;
        }
        self.put("[");
        self.separated(", ", list(ast, field), Printer::type_param);
        self.put("]");
    }

    fn type_param(&mut self, ast: &Ast) {
        match ast.constructor {
            "ParamSpec" => self.put("**"),
            "TypeVarTuple" | "TypeVarTupleUnpack" => self.put("*"),
            _ => {}
        }
        self.put(text(ast, 0));
        match ast.constructor {
            "TypeVar" => {
                self.clause(": ", maybe(ast, 1));
                self.clause(" = ", maybe(ast, 2));
            }
            "TypeVarTupleUnpack" => {
                self.put(" = *");
                self.expr(one(ast, 1), BIT_OR);
            }
            _ => self.clause(" = ", maybe(ast, 1)),
        }
    }

    /// The parameters of a function, or those of a lambda; `opening` stands before the first.
    pub(super) fn parameters(&mut self, opening: &str, ast: &Ast) {
        let n_before_slash = match ast.constructor {
            "SlashAfterPlain" | "LambdaSlashAfterPlain" => 1,
            "SlashAfterDefault" | "LambdaSlashAfterDefault" => 2,
            _ => 0,
        };
        let mut comma = opening;
        let variadic = ast.fields.len() - 1;
        for field in 0..variadic {
            if field == n_before_slash && field > 0 {
                self.put(", /");
            }
            for parameter in ast.fields[field].value.children() {
                self.put(comma);
                comma = ", ";
                self.parameter(parameter);
            }
        }
        if let Some(variadic) = maybe(ast, variadic) {
            self.put(comma);
            self.variadic(variadic);
        }
    }

    /// A parameter with all that belongs to it.
    fn parameter(&mut self, parameter: &Child) {
        let ast = match parameter {
            Child::Node(ast) => ast,
            Child::Text(name) => return self.put(name.as_str()),
            Child::Reference(_) => unreachable!("the tree was checked: a parameter"),
        };
        self.parameter(&ast.fields[0].value.children()[0]);
        if ast.fields.len() > 1 {
            let is_annotated = maybe(ast, 0).is_some_and(|it| it.constructor == ANNOTATED);
            self.put(match ast.constructor {
                ANNOTATED => ": ",
                _ if is_annotated => " = ",
                _ => "=",
            });
            self.expr(one(ast, 1), TEST);
        }
    }

    fn variadic(&mut self, ast: &Ast) {
        let children = |field: usize| ast.fields[field].value.children();
        let keyword_only = match ast.constructor {
            "KwArgs" | "LambdaKwArgs" => {
                self.put("**");
                return self.parameter(&children(0)[0]);
            }
            "VarArgs" | "LambdaVarArgs" => {
                self.put("*");
                self.parameter(&children(0)[0]);
                1
            }
            "VarArgsUnpack" => {
                self.put("*");
                self.put(text(ast, 0));
                self.put(": *");
                self.expr(one(ast, 1), BIT_OR);
                2
            }
            _ => {
                self.put("*");
                0
            }
        };
        for parameter in children(keyword_only) {
            self.put(", ");
            self.parameter(parameter);
        }
        for kwargs in children(keyword_only + 1) {
            self.put(", **");
            self.parameter(kwargs);
        }
    }
}

const ANNOTATED: &str = "AnnotatedParameter";

fn is_string(statement: &Ast) -> bool {
    statement.constructor == "Expr" && one(statement, 0).constructor == "Str"
}

fn is_definition(statement: &Ast) -> bool {
    matches!(
        statement.constructor,
        "FunctionDef" | "AsyncFunctionDef" | "ClassDef" | "ClassDefUnpack"
    )
}
