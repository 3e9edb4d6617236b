//! Source code with holes: `for $i in range(len($x)): $...body`.
//!
//! | written | stands for |
//! | --- | --- |
//! | `$name` | anything that may stand there; equal names stand for equal code |
//! | `$_` | anything, each time something else |
//! | `$name...` | the rest of a list |
//! | `$...name` | the rest of a list, and of what may follow it in the same brackets |
//! | `$name?` | something or nothing (Python) |
//! | `"$name"` | any string |
//!
//! Languages parse whole programs. So each hole becomes a placeholder, a name that nobody writes;
//! code around the pattern is tried until there is a program; and what stands at the place of the
//! pattern in its tree is the pattern.

use patois_languages::SourceLanguage;
use patois_syntax::{Ast, Child, Grammar, Span};

use super::holes::{self, HoleError, NamedFragment};
use super::learn;

/// Source code with holes, of whatever language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As the user wrote it.
    text: String,
    pieces: Vec<Piece>,
    /// The names of the holes; those of `$_` are empty.
    pub(super) holes: Vec<PatternHole>,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Code(String),
    /// The number of a hole.
    Hole(usize),
}

/// A hole as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatternHole {
    /// Without the dollar sign.
    pub(super) name: String,
    pub(super) extent: Extent,
    /// How it was written.
    pub(super) written: String,
}

/// How much a hole stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    One,
    /// The rest of a list.
    Rest,
    /// The rest of a list, and of what may follow in the same brackets.
    AllRest,
    /// Something or nothing.
    Optional,
}

/// Why a text is no pattern of a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("the pattern is empty")]
    Empty,
    /// No code around the pattern makes it a program.
    #[error("`{pattern}` is no {language} code: {message}")]
    Parse {
        /// The pattern.
        pattern: String,
        /// The language.
        language: String,
        /// What the parser said.
        message: String,
    },
    /// The holes do not fit.
    #[error("`{pattern}`: {source}")]
    Holes {
        /// The pattern.
        pattern: String,
        /// What is wrong with them.
        source: HoleError,
    },
}

/// How a placeholder is spelt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Name,
    /// The second list in the same brackets is that of named arguments.
    SecondListIsNamed,
    /// What is alone on its line, or the last of a block, is a statement and ends in a semicolon.
    StatementsEnd,
    /// Items of lists have a type in front of their name.
    TypedLists,
}

const FORMS: [Form; 4] = [
    Form::Name,
    Form::SecondListIsNamed,
    Form::StatementsEnd,
    Form::TypedLists,
];

/// The names of the holes in code that is written as a pattern is, each once, without the dollar sign.
pub fn holes_of(code: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some((_, end, name, _)) = next_hole(code, at) {
        if name != "_" && names.iter().all(|it| it != name) {
            names.push(name.to_owned());
        }
        at = end;
    }
    names
}

impl Pattern {
    /// Reads a pattern; whether it is code shows when the language is known.
    ///
    /// # Errors
    ///
    /// When there is nothing in it.
    pub(crate) fn parse(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        let mut pattern = Pattern {
            text: text.to_owned(),
            pieces: Vec::new(),
            holes: Vec::new(),
        };
        let mut at = 0;
        while let Some((start, end, name, extent)) = next_hole(text, at) {
            pattern.pieces.push(Piece::Code(text[at..start].to_owned()));
            pattern.pieces.push(Piece::Hole(pattern.holes.len()));
            pattern.holes.push(PatternHole {
                name: if name == "_" { "" } else { name }.to_owned(),
                extent,
                written: text[start..end].to_owned(),
            });
            at = end;
        }
        pattern.pieces.push(Piece::Code(text[at..].to_owned()));
        Ok(pattern)
    }

    /// Names and literals that a source must hold where the pattern occurs in it.
    pub(super) fn words(&self, language: &SourceLanguage) -> Result<Vec<String>, PatternError> {
        let (program, span) = self.program(language)?;
        let is_declared = language.language().schema().is_some();
        let mut words = Vec::new();
        let mut open = vec![&program];
        while let Some(ast) = open.pop() {
            // The code around the pattern is none of it.
            let is_within = ast.span.is_none_or(|it| span.contains(it));
            for field in &ast.fields {
                for child in field.value.children() {
                    match child {
                        Child::Node(ast) => open.push(ast),
                        Child::Text(text)
                            if is_within
                                && !text.as_str().contains(holes::PREFIX)
                                && (!is_declared || field.ty == super::IDENTIFIER) =>
                        {
                            words.push(text.to_string());
                        }
                        Child::Text(_) | Child::Reference(_) => {}
                    }
                }
            }
        }
        Ok(words)
    }

    /// The fragments of a grammar that the pattern stands for.
    pub(super) fn fragments(
        &self,
        language: &SourceLanguage,
        grammar: &mut Grammar,
    ) -> Result<Vec<NamedFragment>, PatternError> {
        let mut first_error = None;
        for form in FORMS {
            let made = self
                .program_in(language, form)
                .and_then(|(program, span)| self.cut_out(language, grammar, &program, span));
            match made {
                Ok(fragments) => return Ok(fragments),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.expect("there is a form"))
    }

    fn cut_out(
        &self,
        language: &SourceLanguage,
        grammar: &mut Grammar,
        program: &Ast,
        span: Span,
    ) -> Result<Vec<NamedFragment>, PatternError> {
        let nowhere = || self.no_code(language, "it is no whole part of a program");
        learn(language, grammar, program).ok_or_else(nowhere)?;
        let items = items_at(program, span).ok_or_else(nowhere)?;
        holes::fragments(grammar, &items, &self.holes).map_err(|source| PatternError::Holes {
            pattern: self.text.clone(),
            source,
        })
    }

    /// A program that the pattern is part of, and where.
    fn program(&self, language: &SourceLanguage) -> Result<(Ast, Span), PatternError> {
        let mut programs = FORMS
            .map(|form| self.program_in(language, form))
            .into_iter();
        let first = programs.next().expect("there is a form");
        first.or_else(|error| programs.find_map(Result::ok).ok_or(error))
    }

    fn program_in(
        &self,
        language: &SourceLanguage,
        form: Form,
    ) -> Result<(Ast, Span), PatternError> {
        let code = self.code(language, form);
        let mut first_error = None;
        for (before, after) in contexts(language.name()) {
            let program = format!("{before}{code}{after}");
            let span = Span::new(before.len()..before.len() + code.len());
            match language.language().parse(&program) {
                Ok(ast) if items_at(&ast, span).is_some() => return Ok((ast, span)),
                Ok(_) => {}
                Err(error) => first_error = first_error.or(Some(error.message)),
            }
        }
        let message = first_error.unwrap_or_else(|| "it is no whole part of a program".to_owned());
        Err(self.no_code(language, &message))
    }

    /// The code around the pattern that makes it a node of the given kind, before it and after it.
    pub(crate) fn context(
        &self,
        language: &SourceLanguage,
        kind: &str,
    ) -> Option<(&'static str, &'static str)> {
        let code = self.code(language, Form::Name);
        let contexts = contexts(language.name()).iter().copied();
        contexts.into_iter().find(|(before, after)| {
            let program = format!("{before}{code}{after}");
            let span = Span::new(before.len()..before.len() + code.len());
            let Ok(ast) = language.language().parse(&program) else {
                return false;
            };
            // A tool that is asked for the kind takes the first.
            let is_first = first_of_kind(&ast, kind).is_some_and(|it| it.start == span.start);
            is_first && kinds_at(&ast, span).any(|it| it == kind)
        })
    }

    fn no_code(&self, language: &SourceLanguage, message: &str) -> PatternError {
        PatternError::Parse {
            pattern: self.text.clone(),
            language: language.name().to_owned(),
            message: message.to_owned(),
        }
    }

    /// Whether nothing but the end of a line or block follows a piece.
    fn ends_block(&self, piece: usize) -> bool {
        match self.pieces.get(piece + 1) {
            Some(Piece::Code(text)) => {
                let rest = text.trim_start_matches([' ', '\t']);
                rest.starts_with(['}', '\n', '\r'])
            }
            _ => false,
        }
    }

    /// The pattern with placeholders in its holes.
    fn code(&self, language: &SourceLanguage, form: Form) -> String {
        let mut code = String::new();
        // Whether a list has been left open since the last bracket.
        let mut is_after_list = false;
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Code(text) => {
                    is_after_list &= text.trim() == ",";
                    code += text;
                }
                Piece::Hole(hole) => {
                    let extent = self.holes[*hole].extent;
                    let is_list = matches!(extent, Extent::Rest | Extent::AllRest);
                    let named = holes::named_placeholder(*hole);
                    let spelt = match form {
                        Form::SecondListIsNamed if is_list && is_after_list => {
                            format!("{named}={named}")
                        }
                        Form::TypedLists if is_list && !self.ends_block(index) => {
                            format!("{named} {named}")
                        }
                        _ => holes::placeholder(*hole),
                    };
                    code.push_str(&spelt);
                    is_after_list = is_list;
                    // Only Python leaves parts of a node out; elsewhere `?` means something.
                    if extent == Extent::Optional && !matches!(language, SourceLanguage::Python) {
                        code.push('?');
                    }
                    let is_statement = matches!(form, Form::StatementsEnd | Form::TypedLists);
                    if is_statement && self.ends_block(index) {
                        code.push(';');
                    }
                }
            }
        }
        code
    }
}

/// Whether a text has a hole in it.
pub(super) fn has_hole(text: &str) -> bool {
    next_hole(text, 0).is_some()
}

/// The next hole from `at` on: where it begins and ends, its name, and how much it stands for.
fn next_hole(text: &str, at: usize) -> Option<(usize, usize, &str, Extent)> {
    let mut from = at;
    loop {
        let start = from + text[from..].find('$')?;
        from = start + 1;
        let is_inside = text[..start].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let (dots, rest) = match text[from..].strip_prefix("...") {
            Some(rest) => (3, rest),
            None => (0, &text[from..]),
        };
        let length = rest
            .find(|it: char| !(it.is_ascii_alphanumeric() || it == '_'))
            .unwrap_or(rest.len());
        if is_inside || length == 0 {
            continue;
        }
        let name = &rest[..length];
        let end = from + dots + length;
        let after = &text[end..];
        if dots > 0 {
            return Some((start, end, name, Extent::AllRest));
        }
        if after.starts_with("...") {
            return Some((start, end + 3, name, Extent::Rest));
        }
        let is_operator = |it: &str| it.starts_with("?.") || it.starts_with("??");
        if after.starts_with('?') && !is_operator(after) {
            return Some((start, end + 1, name, Extent::Optional));
        }
        return Some((start, end, name, Extent::One));
    }
}

/// What may stand around a pattern to make it a program, from little to much.
fn contexts(language: &str) -> &'static [(&'static str, &'static str)] {
    match language {
        "python" => &[("", ""), ("f(", ")"), ("{", "}"), ("if x: pass\n", "")],
        "rust" => &[
            ("", ""),
            ("fn f() { ", " }"),
            ("fn f() { ", "; }"),
            ("impl T { ", " }"),
            ("fn f() { match x { ", " } }"),
            ("fn f() ", ""),
            ("#[", "] fn f() {}"),
            ("type T = ", ";"),
            ("fn f(", ") {}"),
            ("fn f", " {}"),
        ],
        "java" | "csharp" => &[
            ("", ""),
            ("class C { ", " }"),
            ("class C { void f() { ", " } }"),
            ("class C { void f() { ", "; } }"),
            ("class C { Object o = ", "; }"),
        ],
        "c" | "cpp" => &[
            ("void f() { ", " }"),
            ("void f() { ", "; }"),
            ("", ""),
            ("class C { ", " };"),
        ],
        "go" => &[
            ("package p\nfunc f() { ", " }\n"),
            ("package p\n", "\n"),
            ("package p\nvar x = ", "\n"),
            ("package p\nfunc f() ", "\n"),
            ("package p\nfunc f(", ") {}\n"),
            ("package p\ntype T struct { ", " }\n"),
            ("package p\nvar ", "\n"),
        ],
        "sql" => &[
            ("", ""),
            ("", ";"),
            ("SELECT ", ""),
            ("SELECT * FROM t WHERE ", ""),
        ],
        "typescript" | "tsx" => &[
            ("", ""),
            ("class C { ", " }"),
            ("({ ", " })"),
            ("x = ", ""),
            ("let x: ", ";"),
            ("function f(", ") {}"),
            ("interface I { ", " }"),
        ],
        _ => &[("", ""), ("class C { ", " }"), ("({ ", " })"), ("x = ", "")],
    }
}

/// The nodes of a program that together stand at `span`: one, or several that follow each other in a
/// list.
fn items_at(program: &Ast, span: Span) -> Option<Vec<&Ast>> {
    let mut open = vec![program];
    while let Some(ast) = open.pop() {
        if ast.span == Some(span) && !std::ptr::eq(ast, program) {
            return Some(vec![innermost(ast)]);
        }
        for field in &ast.fields {
            let nodes: Vec<&Ast> = field.value.children().iter().filter_map(node).collect();
            if let Some(items) = run_at(&nodes, span) {
                return Some(match items[..] {
                    [only] => vec![innermost(only)],
                    _ => items,
                });
            }
            open.extend(nodes);
        }
    }
    None
}

/// The kinds of the nodes that begin where `span` does and end there, or at what ends a statement.
fn kinds_at(program: &Ast, span: Span) -> impl Iterator<Item = &'static str> {
    let mut kinds = Vec::new();
    let mut open = vec![program];
    while let Some(ast) = open.pop() {
        let fits = |it: Span| it.start == span.start && (span.end..=span.end + 1).contains(&it.end);
        if ast.span.is_some_and(fits) {
            kinds.push(ast.constructor.split(' ').next().unwrap_or_default());
        }
        let children = ast.fields.iter().flat_map(|it| it.value.children());
        open.extend(children.filter_map(node));
    }
    kinds.into_iter()
}

/// Where the first node of a kind is, those above before those below.
fn first_of_kind(program: &Ast, kind: &str) -> Option<Span> {
    if program.constructor.split(' ').next() == Some(kind) {
        return program.span;
    }
    let children = program.fields.iter().flat_map(|it| it.value.children());
    children
        .filter_map(node)
        .find_map(|it| first_of_kind(it, kind))
}

/// The items that begin and end where `span` does.
fn run_at<'a>(items: &[&'a Ast], span: Span) -> Option<Vec<&'a Ast>> {
    let first = items
        .iter()
        .position(|it| it.span.is_some_and(|it| it.start == span.start))?;
    let last = items
        .iter()
        .rposition(|it| it.span.is_some_and(|it| it.end == span.end))?;
    (first <= last).then(|| items[first..=last].to_vec())
}

/// What is left of a node when all that only stands around one other is taken away: the expression
/// of a statement that is nothing else.
fn innermost(mut ast: &Ast) -> &Ast {
    loop {
        let mut children = ast.fields.iter().flat_map(|it| it.value.children());
        let (Some(Child::Node(only)), None) = (children.next(), children.next()) else {
            return ast;
        };
        let is_wrapper = only.span == ast.span || (ast.ty, ast.constructor) == ("stmt", "Expr");
        if !is_wrapper {
            return ast;
        }
        ast = only;
    }
}

fn node(child: &Child) -> Option<&Ast> {
    match child {
        Child::Node(ast) => Some(ast),
        Child::Text(_) | Child::Reference(_) => None,
    }
}
