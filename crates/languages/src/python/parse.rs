//! From source text to our tree, by way of the ruff parser.
//!
//! No other module names the parser's crates, save for `nesting`, which reads its tokens.

mod expression;
mod faults;
mod parameters;
mod pattern;
mod statement;
mod string;

use std::borrow::Cow;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use patois_syntax::{Ast, Child, Field, FieldValue, ParseError, Span, Text};
use ruff_python_ast::{Identifier, Mod, PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

use self::faults::Faults;
use super::nesting::{self, MAX_DEPTH, MAX_ESTIMATE};
use super::units;
use crate::units::{Unit, UnitKind, Units};

/// Parses a module.
pub(super) fn parse(source: &str) -> Result<Ast, ParseError> {
    let normalized = normalize_newlines(source)?;
    let parsed = parse_normalized(&normalized);
    if let Cow::Borrowed(_) = &normalized {
        return parsed;
    }
    let ends = line_ends(source);
    match parsed {
        Ok(mut ast) => {
            ends.restore_all(&mut ast);
            Ok(ast)
        }
        Err(mut error) => {
            error.offset = error.offset.map(|it| ends.restored(it));
            Err(error)
        }
    }
}

/// The identifier that `text` is to Python, if it is one: the same one in most cases, a normalised
/// one where it has compatibility characters.
pub(super) fn identifier(text: &str) -> Option<String> {
    let is_one_name = text
        .chars()
        .all(|it| it.is_alphanumeric() || it == '_' || !it.is_ascii());
    if !is_one_name {
        return None;
    }
    let parsed = ruff_python_parser::parse_expression(text).ok()?;
    let name = parsed.expr().as_name_expr()?;
    // White space beyond ASCII would have been dropped.
    (name.range().len() == parsed.syntax().range().len()).then(|| name.id.to_string())
}

/// Python reads every end of line as `\n`, in strings as well.
fn normalize_newlines(source: &str) -> Result<Cow<'_, str>, ParseError> {
    if u32::try_from(source.len()).is_err() {
        return Err(ParseError::whole("expected a source of less than 4 GiB"));
    }
    Ok(if source.as_bytes().contains(&b'\r') {
        Cow::Owned(source.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(source)
    })
}

fn line_ends(source: &str) -> LineEnds {
    let ends = source.match_indices("\r\n").enumerate();
    LineEnds(ends.map(|(before, (at, _))| at - before).collect())
}

/// Where `normalize_newlines` dropped a character, counted without those before it.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn restored(&self, offset: usize) -> usize {
        offset + self.0.partition_point(|&at| at < offset)
    }

    /// Restores the places of all nodes.
    fn restore_all(&self, ast: &mut Ast) {
        let mut open = vec![ast];
        while let Some(ast) = open.pop() {
            ast.span = ast.span.map(|it| {
                let Range { start, end } = it.range();
                Span::new(self.restored(start)..self.restored(end))
            });
            open.extend(ast.nodes_mut());
        }
    }
}

/// Parses a file and cuts it into units.
pub(super) fn units(source: &str, kind: UnitKind) -> Result<Units, ParseError> {
    let normalized = normalize_newlines(source)?;
    let mut units = run_parser(&normalized, || shallow_units(&normalized, kind))?;
    if let Cow::Owned(_) = &normalized {
        let ends = line_ends(source);
        for unit in &mut units.units {
            unit.range = ends.restored(unit.range.start)..ends.restored(unit.range.end);
            ends.restore_all(&mut unit.ast);
        }
        for fault in &mut units.faults {
            fault.offset = fault.offset.map(|it| ends.restored(it));
        }
    }
    Ok(units)
}

fn shallow_units(source: &str, kind: UnitKind) -> Result<Units, ParseError> {
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY314);
    let parsed = parse_unchecked(source, options);
    let faults = Faults::of(&parsed);
    let Mod::Module(module) = parsed.into_syntax() else {
        return Err(ParseError::whole("expected a module, found an expression"));
    };
    let mut units = Units::default();
    for piece in units::cut(module.range, module.body, kind) {
        let body = whole_statements(source, &piece.body, &faults, &mut units.faults);
        if !body.iter().all(units::is_nothing) {
            units.units.push(Unit {
                range: piece.range.start().to_usize()..piece.range.end().to_usize(),
                ast: Ast::new("mod", "Module", vec![many("body", "stmt", body)]),
            });
        }
    }
    units.faults.extend(faults.errors);
    Ok(units)
}

/// The statements that are Python; why the others are not is added to `found`, unless the parser
/// has said so.
fn whole_statements(
    source: &str,
    body: &[Stmt],
    faults: &Faults,
    found: &mut Vec<ParseError>,
) -> Vec<Child> {
    let mut whole = Vec::with_capacity(body.len());
    for statement in body.iter().filter(|it| !faults.touch(it.range())) {
        let mut converter = Converter { source, depth: 1 };
        let converted = converter.statement(statement);
        match converted.and_then(|ast| faults.check(statement, ast)) {
            Ok(ast) => whole.push(Child::Node(ast)),
            Err(error) => found.push(error),
        }
    }
    whole
}

fn parse_normalized(source: &str) -> Result<Ast, ParseError> {
    run_parser(source, || parse_shallow(source))
}

/// Runs the parser on a stack that is deep enough for `source`.
fn run_parser<T: Send>(
    source: &str,
    parse: impl Fn() -> Result<T, ParseError> + Sync,
) -> Result<T, ParseError> {
    let depth = nesting::estimate(source);
    if depth > MAX_ESTIMATE {
        return Err(too_deep(None));
    }
    // The parser is young: a panic in it is reported like any other refusal.
    let run = || catch_unwind(AssertUnwindSafe(&parse));
    match nesting::with_stack(depth, run) {
        Some(Ok(result)) => result,
        Some(Err(_)) => Err(ParseError::whole("the parser gave up on this source")),
        None => Err(ParseError::whole(
            "no thread could be started for this source",
        )),
    }
}

fn parse_shallow(source: &str) -> Result<Ast, ParseError> {
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY314);
    let parsed = parse_unchecked(source, options);
    if let Some(error) = parsed.errors().first() {
        return Err(error_at(
            error.location,
            &lower_first(&error.error.to_string()),
        ));
    }
    if let Some(error) = parsed.unsupported_syntax_errors().first() {
        return Err(error_at(error.range, &lower_first(&error.to_string())));
    }
    let Mod::Module(module) = parsed.syntax() else {
        return Err(ParseError::whole("expected a module, found an expression"));
    };
    let mut converter = Converter { source, depth: 1 };
    let body = converter.statements(&module.body)?;
    Ok(Ast::new("mod", "Module", vec![many("body", "stmt", body)]))
}

fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|it| it.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn span(range: TextRange) -> Span {
    Span {
        start: range.start().to_u32(),
        end: range.end().to_u32(),
    }
}

fn error_at(range: TextRange, message: &str) -> ParseError {
    ParseError::at(range.start().to_usize(), message)
}

fn too_deep(range: Option<TextRange>) -> ParseError {
    let message = format!("expected at most {MAX_DEPTH} nested nodes, found more");
    match range {
        Some(range) => error_at(range, &message),
        None => ParseError::whole(message),
    }
}

type Converted<T> = Result<T, ParseError>;

/// Builds our tree from the parser's.
struct Converter<'s> {
    source: &'s str,
    /// Nodes above the current one.
    depth: usize,
}

impl Converter<'_> {
    /// Builds what is one node further down.
    #[inline]
    fn below<T>(
        &mut self,
        place: &impl Ranged,
        build: impl FnOnce(&mut Self) -> Converted<T>,
    ) -> Converted<T> {
        if self.depth >= MAX_DEPTH {
            return Err(too_deep(Some(place.range())));
        }
        self.depth += 1;
        let built = build(self);
        self.depth -= 1;
        built
    }

    /// Builds a node that is one node further down, and stands at `place`.
    #[inline]
    fn node_at(
        &mut self,
        place: &impl Ranged,
        build: impl FnOnce(&mut Self) -> Converted<Ast>,
    ) -> Converted<Ast> {
        let ast = self.below(place, build)?;
        Ok(ast.at(span(place.range())))
    }

    fn each<T>(
        &mut self,
        items: &[T],
        mut convert: impl FnMut(&mut Self, &T) -> Converted<Ast>,
    ) -> Converted<Vec<Child>> {
        let mut children = Vec::with_capacity(items.len());
        for item in items {
            children.push(Child::Node(convert(self, item)?));
        }
        Ok(children)
    }

    fn maybe<T>(
        &mut self,
        item: Option<&T>,
        convert: impl FnOnce(&mut Self, &T) -> Converted<Ast>,
    ) -> Converted<Option<Ast>> {
        item.map(|item| convert(self, item)).transpose()
    }
}

fn node(ty: &'static str, constructor: &'static str, fields: Vec<Field>) -> Ast {
    Ast::new(ty, constructor, fields)
}

fn one(name: &'static str, ty: &'static str, child: Ast) -> Field {
    Field::one(name, ty, child)
}

fn text(name: &'static str, ty: &'static str, text: &str) -> Field {
    Field::one(name, ty, text)
}

fn optional(name: &'static str, ty: &'static str, child: Option<Ast>) -> Field {
    Field::optional(name, ty, child)
}

fn optional_text(name: &'static str, ty: &'static str, text: Option<&str>) -> Field {
    Field::optional(name, ty, text)
}

fn many(name: &'static str, ty: &'static str, children: Vec<Child>) -> Field {
    Field {
        name,
        ty,
        value: FieldValue::Many(children),
    }
}

fn non_empty(name: &'static str, ty: &'static str, children: Vec<Child>) -> Field {
    Field {
        name,
        ty,
        value: FieldValue::NonEmpty(children),
    }
}

fn identifiers(names: &[Identifier]) -> Vec<Child> {
    names
        .iter()
        .map(|it| Child::Text(Text::new(it.as_str())))
        .collect()
}
