//! From our tree to source text: which blanks and line ends stand between the tokens.
//!
//! The tokens themselves are in the constructors and in the texts. Between two parts of a node
//! stands what the kind of the node and the parts ask for; blanks are added where two tokens would
//! run together.

use std::borrow::Cow;

use patois_syntax::{Ast, Child, PrintError};

use super::TreeSitter;
use super::constructor::{self, Part};
use super::dialect;

/// What stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Blank,
    Line,
}

/// What is still to be written, next on top.
enum Work<'a> {
    Child(&'a Child),
    Node(&'a Ast),
    Token(Cow<'a, str>),
    Gap(Gap),
    Indent,
    Dedent,
}

/// Prints a tree; a text may stand in place of any node.
pub(super) fn print(language: &TreeSitter, ast: &Ast) -> Result<String, PrintError> {
    let mut writer = Writer::new(language);
    writer.run(vec![Work::Node(ast)])?;
    Ok(writer.end())
}

/// Prints items as they stand in the list that is field `field` of a constructor.
pub(super) fn print_items(
    language: &TreeSitter,
    constructor: &str,
    field: &str,
    items: &[Child],
) -> Result<String, PrintError> {
    let kind = constructor::kind(constructor);
    let separator = constructor::parts(constructor).find_map(|part| match part {
        Part::List(name, separator) if name == field => Some(separator),
        _ => None,
    });
    let separator = separator.unwrap_or_default();
    let mut work = Vec::new();
    let is_lined = is_lined(kind, &separator, constructor::parts(constructor));
    push_list(&mut work, items, &separator, is_lined);
    work.reverse();
    let mut writer = Writer::new(language);
    writer.run(work)?;
    Ok(writer.end())
}

/// The text so far.
struct Writer<'l> {
    language: &'l TreeSitter,
    out: String,
    /// Where the last token starts.
    last: usize,
    gap: Gap,
    indentation: usize,
}

impl<'l> Writer<'l> {
    fn new(language: &'l TreeSitter) -> Writer<'l> {
        Writer {
            language,
            out: String::new(),
            last: 0,
            gap: Gap::Nothing,
            indentation: 0,
        }
    }

    fn end(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    fn run(&mut self, mut stack: Vec<Work<'_>>) -> Result<(), PrintError> {
        while let Some(work) = stack.pop() {
            match work {
                Work::Gap(gap) => self.gap = self.gap.max(gap),
                Work::Indent => self.indentation += 1,
                Work::Dedent => self.indentation = self.indentation.saturating_sub(1),
                Work::Token(token) => self.token(&token),
                Work::Child(Child::Text(text)) => self.token(text.as_str()),
                Work::Child(Child::Node(ast)) => stack.push(Work::Node(ast)),
                Work::Child(Child::Reference(index)) => {
                    let message =
                        format!("expected a node or a text, found the reference @{index}");
                    return Err(PrintError::new(message));
                }
                Work::Node(ast) => {
                    let start = stack.len();
                    push_node(&mut stack, ast)?;
                    stack[start..].reverse();
                }
            }
        }
        Ok(())
    }

    fn token(&mut self, token: &str) {
        if token == "\n" {
            self.gap = Gap::Line;
            return;
        }
        if token.is_empty() {
            return;
        }
        if self.out.is_empty() {
            self.gap = Gap::Nothing;
        }
        if self.gap == Gap::Nothing && self.runs_into(token) {
            self.gap = Gap::Blank;
        }
        match self.gap {
            Gap::Nothing => {}
            Gap::Blank => self.out.push(' '),
            Gap::Line => {
                self.out.push('\n');
                self.out
                    .extend(std::iter::repeat_n("    ", self.indentation));
            }
        }
        self.gap = Gap::Nothing;
        self.last = self.out.len();
        self.out.push_str(token);
    }

    /// Whether the last token and `token` would be read as something else without a blank.
    fn runs_into(&self, token: &str) -> bool {
        let last = &self.out[self.last..];
        let (Some(left), Some(right)) = (last.chars().next_back(), token.chars().next()) else {
            return false;
        };
        let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
        let is_quote = |it: char| matches!(it, '"' | '\'' | '`');
        let is_number = |text: &str| text.starts_with(|it: char| it.is_ascii_digit());
        if is_word(left) && (is_word(right) || is_quote(right)) {
            return true;
        }
        if is_quote(left) && is_word(right) {
            return last.len() > 1;
        }
        if is_number(last) && right == '.' || left == '.' && is_number(token) {
            return self.language.dialect.name.ends_with("script");
        }
        let is_operator = |it: char| it.is_ascii_punctuation() && !"()[]{},;\"'`_$".contains(it);
        if last == ">" && token == ">" {
            return false;
        }
        let starts_comment = matches!((left, right), ('/', '/' | '*') | ('-', '-'));
        is_operator(left)
            && is_operator(right)
            && (starts_comment || self.language.types.run_together(last, token))
    }
}

/// Schedules the parts of a node, first one first.
fn push_node<'a>(stack: &mut Vec<Work<'a>>, ast: &'a Ast) -> Result<(), PrintError> {
    let name = ast.constructor;
    let kind = constructor::kind(name);
    if kind.len() == name.len() {
        // A leaf.
        let texts = ast.fields.iter().flat_map(|it| it.value.children());
        stack.extend(texts.map(Work::Child));
        return Ok(());
    }
    let parts: Vec<Part<'a>> = constructor::parts(name).collect();
    let mut fields = ast.fields.iter();
    let mut before: Option<Side<'a>> = None;
    for (index, part) in parts.iter().enumerate() {
        let side = match part {
            Part::Token(token) => Side::Token(token.clone()),
            Part::One(_) | Part::List(..) => {
                let Some(field) = fields.next() else {
                    let message = format!("expected as many fields as `{name}` says");
                    return Err(PrintError::new(message));
                };
                Side::Slot(field.name, field.value.children())
            }
        };
        if let Side::Slot(_, []) = side {
            continue;
        }
        let is_lined = match part {
            Part::List(_, separator) => is_lined(kind, separator, parts.iter().cloned()),
            _ => false,
        };
        let is_block = is_lined || matches!(side, Side::Slot(_, [Child::Node(it)]) if is_lines(it));
        if let Some(before) = &before {
            let gap = gap(kind, before, &side);
            stack.push(Work::Gap(if is_block { Gap::Line } else { gap }));
        }
        if is_block && index > 0 {
            stack.push(Work::Indent);
        }
        match (&side, part) {
            (Side::Token(token), _) => stack.push(Work::Token(token.clone())),
            (Side::Slot(_, items), Part::List(_, separator)) => {
                push_list(stack, items, separator, is_lined);
            }
            (Side::Slot(_, items), _) => stack.extend(items.iter().map(Work::Child)),
        }
        if is_block {
            if index > 0 {
                stack.push(Work::Dedent);
            }
            stack.push(Work::Gap(Gap::Line));
        }
        before = Some(side);
    }
    Ok(())
}

fn push_list<'a>(stack: &mut Vec<Work<'a>>, items: &'a [Child], separator: &str, is_lined: bool) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            if !separator.is_empty() {
                let is_mark = matches!(separator, "," | ";");
                stack.push(Work::Gap(if is_mark { Gap::Nothing } else { Gap::Blank }));
                stack.push(Work::Token(Cow::Owned(separator.to_owned())));
            }
            stack.push(Work::Gap(if is_lined { Gap::Line } else { Gap::Blank }));
        }
        stack.push(Work::Child(item));
    }
}

/// What stands on one side of a gap.
enum Side<'a> {
    Token(Cow<'a, str>),
    Slot(&'a str, &'a [Child]),
}

impl Side<'_> {
    /// The token that it begins with, as far as that is fixed.
    fn first_token(&self) -> Option<String> {
        match self {
            Side::Token(token) => Some(token.clone().into_owned()),
            Side::Slot(_, items) => match items.first() {
                Some(Child::Node(ast)) => match constructor::parts(ast.constructor).next() {
                    Some(Part::Token(token)) => Some(token.into_owned()),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    fn token(&self) -> &str {
        match self {
            Side::Token(token) => token,
            Side::Slot(..) => "",
        }
    }

    fn kind(&self) -> &str {
        match self {
            Side::Slot(_, [Child::Node(ast), ..]) => constructor::kind(ast.constructor),
            _ => "",
        }
    }
}

/// Whether the items of a list stand on lines of their own.
fn is_lined<'p>(kind: &str, separator: &str, parts: impl Iterator<Item = Part<'p>>) -> bool {
    if dialect::is_sequence(kind) || dialect::is_lines_in_parentheses(kind) {
        return separator.is_empty();
    }
    if dialect::is_token_soup(kind) {
        return false;
    }
    if separator == ";" {
        return matches!(kind, "interface_body");
    }
    if !separator.is_empty() {
        return false;
    }
    if dialect::is_block(kind) || kind.starts_with("preproc_") {
        return true;
    }
    if kind.contains("case") || kind.contains("switch") {
        return true;
    }
    let tokens: Vec<_> = parts
        .map(|part| match part {
            Part::Token(token) => Some(token),
            _ => None,
        })
        .collect();
    tokens
        .windows(3)
        .any(|it| it[0].as_deref() == Some("{") && it[1].is_none() && it[2].as_deref() == Some("}"))
}

/// Whether a node is a sequence of lines that has no brackets of its own.
fn is_lines(ast: &Ast) -> bool {
    let first = constructor::parts(ast.constructor).next();
    let has_brackets = matches!(first, Some(Part::Token(_)));
    dialect::is_sequence(constructor::kind(ast.constructor)) && !has_brackets
}

/// What stands between two parts of a node.
fn gap(kind: &str, left: &Side<'_>, right: &Side<'_>) -> Gap {
    if is_line_end(kind, left, right) {
        return Gap::Line;
    }
    let is_choice = kind.contains("ternary")
        || kind == "conditional"
        || kind.contains("conditional_expression");
    if is_choice || kind == "preproc_def" {
        return Gap::Blank;
    }
    let (before, after) = (left.token(), right.token());
    if is_arrow_of_type(kind, before, after) {
        return Gap::Blank;
    }
    if is_mark(before, after) {
        return Gap::Nothing;
    }
    match (before, after) {
        (_, "(" | "[") if before.is_empty() => Gap::Nothing,
        (_, "(" | "[") => Gap::Blank,
        ("{", "}") => Gap::Nothing,
        ("|", _) | (_, "|") if kind.contains("param") => Gap::Nothing,
        ("|", _) | (_, "|") => Gap::Blank,
        _ if is_tight(kind, before, after) || is_attached(kind, before, right) => Gap::Nothing,
        _ => Gap::Blank,
    }
}

/// Whether a line ends between two parts: where the end of a line means something.
fn is_line_end(kind: &str, left: &Side<'_>, right: &Side<'_>) -> bool {
    let is_directive = kind.starts_with("preproc") && right.token().starts_with('#');
    let begins_line = matches!(
        right.kind(),
        "when"
            | "else"
            | "elsif"
            | "rescue"
            | "ensure"
            | "in_clause"
            | "then"
            | "preproc_else"
            | "preproc_elif"
            | "preproc_elifdef"
    );
    let ends_line = matches!(left.kind(), "then" | "ensure") || left.token() == "begin";
    right.token() == "end" || is_directive || begins_line || ends_line
}

/// `-> T` of a function, as opposed to `pointer->field`.
fn is_arrow_of_type(kind: &str, before: &str, after: &str) -> bool {
    let is_arrow = before == "->" || after == "->";
    is_arrow && !dialect::is_tight(kind) && !kind.contains("field")
}

/// Whether one of two tokens is a mark that no blank stands before, or behind.
fn is_mark(before: &str, after: &str) -> bool {
    const NOTHING_BEFORE: &[&str] = &[
        ",", ";", ")", "]", ".", "::", "?.", "->", ":", "++", "--", "...", "..", "!", "?",
    ];
    const NOTHING_BEHIND: &[&str] = &[
        "(", "[", ".", "::", "?.", "->", "!", "~", "@", "#", "$", "..", "...",
    ];
    NOTHING_BEFORE.contains(&after) || NOTHING_BEHIND.contains(&before)
}

fn is_tight(kind: &str, before: &str, after: &str) -> bool {
    let is_angle = before == "<" || after == ">" || after == "<";
    dialect::is_tight(kind) || is_angle && is_generic(kind)
}

/// Whether what follows belongs to the name before it: arguments, parameters, the type of a variable.
fn is_attached(kind: &str, before: &str, right: &Side<'_>) -> bool {
    if !before.is_empty() {
        return false;
    }
    let takes_arguments = match right {
        Side::Slot(field, _) => ["parameters", "arguments", "argument_list"]
            .iter()
            .any(|it| field.contains(it)),
        Side::Token(_) => false,
    };
    let is_call = kind.contains("call") || kind.contains("invocation");
    match right.first_token().as_deref() {
        Some(":") => true,
        Some("(" | "[") => takes_arguments || is_call,
        Some("<") => takes_arguments,
        _ => false,
    }
}

fn is_generic(kind: &str) -> bool {
    [
        "type_arg",
        "type_param",
        "template",
        "generic",
        "type_list",
        "bracketed",
    ]
    .iter()
    .any(|it| kind.contains(it))
}
