//! Rules for what is written in many ways.

use patois_languages::SourceLanguage;

use super::super::lowering::{Code, Literal};
use super::terms::{all, any, has, kind, of_kinds, pattern, selected, with};
use super::{Reason, Used, Yaml, code_rule, python};

const PYTHON: &SourceLanguage = &SourceLanguage::Python;

pub(super) fn literal_rule(language: &SourceLanguage, literal: &Literal) -> Result<Yaml, Reason> {
    Ok(match literal {
        Literal::Code(code) => code_rule(language, code)?,
        Literal::Alone => {
            let string = literal_rule(language, &Literal::String(None))?;
            let statement = with(kind("expression_statement"), [("has", string)]);
            // What is alone in a block is the block to the tool.
            let block = with(kind("block"), [("has", statement.clone())]);
            any(vec![statement, block])
        }
        Literal::Generated(functions) => generated(functions),
        Literal::Bracketed(code) => {
            // Brackets in brackets in brackets may hold anything, or rules would be long.
            let is_checked = |it: &Literal| !matches!(it, Literal::Bracketed(_));
            let ways = code.texts.iter();
            let ways = ways.filter_map(|it| checked(code, it, is_checked).ok());
            // Expressions have ways to be written in all cases.
            let bracketed = in_brackets(code, is_checked).unwrap_or_default();
            maybe_in_brackets(any(ways.chain(bracketed).collect()))
        }
        Literal::Kinds(kinds) => maybe_in_brackets(of_kinds(kinds)),
        Literal::String(text) => {
            let string = match text.as_ref().filter(|it| is_plain(it)) {
                Some(text) => {
                    let quote = "(\"\"\"|'''|\"|')";
                    // Escapes say the same in another way.
                    let regex = format!("^[a-zA-Z]*{quote}({}|.*\\\\.*){quote}$", escaped(text));
                    with(kind("string"), [("regex", Yaml::text(regex))])
                }
                None => kind("string"),
            };
            let string = any(vec![string, kind("concatenated_string")]);
            // What stands in the brackets of a type is one to the tool.
            let as_type = with(kind("type"), [("has", string.clone())]);
            any(vec![maybe_in_brackets(string), as_type])
        }
        Literal::Integer(Some(text)) => {
            let regex = format!("^({text}|.*[_xXoObB].*|0+)$");
            with(kind("integer"), [("regex", Yaml::text(regex))])
        }
        Literal::Integer(None) => kind("integer"),
    })
}

/// The rule for code with brackets that it could do without, where there are ways to write it so.
pub(super) fn in_brackets(
    code: &Code,
    is_checked: impl Fn(&Literal) -> bool,
) -> Result<Option<Yaml>, Reason> {
    let ways = code.bracketed.iter();
    let ways: Vec<Yaml> = ways
        .map(|it| checked(code, it, &is_checked))
        .collect::<Result<_, _>>()?;
    let has_some = |ways: Vec<Yaml>| all(vec![any(ways), has(brackets())]);
    Ok((!ways.is_empty()).then(|| has_some(ways)))
}

/// A way to write some code with what its literals must be. The tool looks at constraints when all
/// else is found; this way, it goes on to look where they do not hold.
fn checked(code: &Code, text: &str, is_checked: impl Fn(&Literal) -> bool) -> Result<Yaml, Reason> {
    let mut parts = vec![any(python::ways(code, text)?)];
    let used = Used::of(text);
    let literals = code.literals.iter();
    for (name, literal) in literals.filter(|it| used.has(&it.0) && is_checked(&it.1)) {
        let both = Yaml::List(vec![
            pattern(&format!("${name}")),
            literal_rule(PYTHON, literal)?,
        ]);
        parts.push(has(Yaml::map([
            ("all", both),
            ("stopBy", Yaml::text("end")),
        ])));
    }
    Ok(all(parts))
}

/// Something in brackets, or that may have some.
fn brackets() -> Yaml {
    let kinds = [
        "parenthesized_expression",
        "tuple",
        "expression_list",
        "tuple_pattern",
        "pattern_list",
    ];
    with(of_kinds(&kinds), [("stopBy", Yaml::text("end"))])
}

/// Something, in brackets or not.
fn maybe_in_brackets(rule: Yaml) -> Yaml {
    let bracketed = with(kind("parenthesized_expression"), [("has", rule.clone())]);
    any(vec![rule, bracketed])
}

/// A call with a generator that does without its parentheses: it takes the place of the arguments.
pub(super) fn generated(functions: &[String]) -> Yaml {
    let function = any(functions.iter().map(|it| pattern(it)).collect());
    let function = with(function, [("field", Yaml::text("function"))]);
    let arguments = with(
        kind("generator_expression"),
        [("field", Yaml::text("arguments"))],
    );
    let both = Yaml::List(vec![has(function), has(arguments)]);
    with(kind("call"), [("all", both)])
}

/// A union in an annotation that begins with what has brackets. What it begins with is left open: the
/// tool puts all that follows into a union of its own.
pub(super) fn union(known: &[Vec<String>]) -> Yaml {
    let holds = |texts: &Vec<String>| {
        let as_type = |it: &String| selected(&format!("x: {it}"), "type");
        let ways = texts.iter().flat_map(|it| [pattern(it), as_type(it)]);
        has(with(any(ways.collect()), [("stopBy", Yaml::text("end"))]))
    };
    let is_union = kind("union_type");
    let parts = std::iter::once(is_union).chain(known.iter().map(holds));
    let union = all(parts.collect());
    let annotation = with(kind("type"), [("has", union.clone())]);
    any(vec![annotation, union])
}

fn is_plain(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_graphic() && !"\"'\\".contains(it) || it == ' ';
    text.chars().all(is_plain)
}

/// A text in a regular expression.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for it in text.chars() {
        // With a backslash, these two are the start and the end of a word.
        let is_itself = it.is_alphanumeric() || matches!(it, '_' | ' ' | '<' | '>');
        if !is_itself {
            escaped.push('\\');
        }
        escaped.push(it);
    }
    escaped
}
