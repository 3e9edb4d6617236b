//! Rules for Python, whose trees are not those of the tool: kinds are given names here.

use patois_languages::SourceLanguage;

use super::super::lowering::{Code, Item, Place};
use super::literals::{generated, union};
use super::terms::{
    first, has, is_metavariable, kind, pattern, relaxed, selected, something, with,
};
use super::{NO_NODE, Reason, Yaml, chain, rules, with_blocks};

const PYTHON: &SourceLanguage = &SourceLanguage::Python;

/// The rules for one way to write some code.
pub(super) fn ways(code: &Code, text: &str) -> Result<Vec<Yaml>, Reason> {
    match code.ty {
        "stmt" => statement(code, text),
        "expr" | "target" | "single_target" | "annotated_target" | "del_target" => {
            Ok(expression(code, text))
        }
        _ => part(code, text),
    }
}

fn statement(code: &Code, text: &str) -> Result<Vec<Yaml>, Reason> {
    Ok(match code.constructor {
        // A metavariable alone would be the expression to the tool.
        "Expr" if is_metavariable(text) => {
            vec![with(kind("expression_statement"), [("has", pattern(text))])]
        }
        "Expr" | "Assign" | "AugAssign" | "AnnAssign" => {
            vec![selected(text, "expression_statement")]
        }
        "If" => {
            // An `elif` is an `if` to us; what follows it is not in it to the tool.
            let other = relaxed(&format!("if x:\n    pass\nel{text}"), Some("elif_clause"));
            let body = code.blocks.iter().filter(|it| it.place != Place::Within);
            vec![
                with_blocks(PYTHON, &code.blocks, relaxed(text, None))?,
                with_blocks(PYTHON, body, other)?,
            ]
        }
        // A word alone would be the word to the tool, not the statement.
        _ if matches!(text, "return" | "raise" | "break" | "continue" | "pass") => {
            let regex = ("regex", Yaml::text(format!("^{text}$")));
            vec![with(kind(&format!("{text}_statement")), [regex])]
        }
        "ImportFrom" => {
            // The names may be in parentheses.
            let bracketed = text
                .split_once(" import ")
                .map(|(from, names)| relaxed(&format!("{from} import ({names})"), None));
            std::iter::once(relaxed(text, None))
                .chain(bracketed)
                .collect()
        }
        _ => {
            let definition = with_blocks(PYTHON, &code.blocks, relaxed(text, None))?;
            let mut ways = Vec::new();
            if code.decorators.is_empty() {
                ways.push(definition.clone());
            }
            if code.may_be_decorated || !code.decorators.is_empty() {
                ways.push(decorated(&code.decorators, definition)?);
            }
            ways
        }
    })
}

fn expression(code: &Code, text: &str) -> Vec<Yaml> {
    if code.constructor == "Tuple" {
        return tuple(code.ty, text);
    }
    let mut ways = vec![pattern(text)];
    ways.extend(code.generated.as_deref().map(generated));
    ways.extend(code.union.as_deref().map(union));
    // Annotations are types, and written alike.
    if matches!(
        code.constructor,
        "Subscript" | "BinOp" | "Attribute" | "Name"
    ) {
        ways.push(selected(&format!("x: {text}"), "type"));
    }
    ways
}

/// What is no statement or expression stands in code around it.
fn part(code: &Code, text: &str) -> Result<Vec<Yaml>, Reason> {
    let parameter = |text: &str, kind: &str| selected(&format!("def f({text}): pass"), kind);
    let way = match (code.ty, code.constructor) {
        ("keyword", "Keyword") => selected(&format!("f({text})"), "keyword_argument"),
        ("dict_item", "KeyValue") => selected(&format!("{{{text}}}"), "pair"),
        ("parameter", "AnnotatedParameter") => {
            let defaulted = format!("{text} = $DEFAULT_VALUE");
            return Ok(vec![
                parameter(text, "typed_parameter"),
                parameter(&defaulted, "typed_default_parameter"),
            ]);
        }
        ("default_parameter", _) => match code.child {
            Some("Parameter") => parameter(text, "default_parameter"),
            Some("AnnotatedParameter") => parameter(text, "typed_default_parameter"),
            _ => return Err(NO_NODE),
        },
        ("parameters", _) => parameter(text, "parameters"),
        ("comprehension", "Generator") if !text.contains(" if ") => {
            selected(&format!("[x {text}]"), "for_in_clause")
        }
        ("handler", _) => {
            let context = format!("try:\n    pass\n{text}");
            let clause = relaxed(&context, Some("except_clause"));
            with_blocks(PYTHON, &code.blocks, clause)?
        }
        ("with_item", _) => selected(&format!("with {text}: pass"), "with_item"),
        _ => return Err(NO_NODE),
    };
    Ok(vec![way])
}

/// Decorators that follow each other.
pub(super) fn decorators(items: &[Item]) -> Result<Option<Yaml>, Reason> {
    let rules = rules(PYTHON, items)?.into_iter();
    let rules = rules.map(|it| with(kind("decorator"), [("has", it)]));
    Ok(chain(PYTHON, rules.collect()))
}

/// A definition below decorators.
fn decorated(items: &[Item], definition: Yaml) -> Result<Yaml, Reason> {
    let below = kind("decorated_definition");
    let Some(decorators) = decorators(items)? else {
        return Ok(with(below, [("has", definition)]));
    };
    let both = vec![has(first(decorators, something(PYTHON))), has(definition)];
    Ok(with(below, [("all", Yaml::List(both))]))
}

/// A tuple, which may do without its brackets.
fn tuple(ty: &str, text: &str) -> Vec<Yaml> {
    let bare = without_brackets(text);
    let is_target = ty != "expr";
    let target = |text: &str, kind: &str| {
        let target = selected(&format!("for {text} in x: pass"), kind);
        is_target.then_some(target)
    };
    let written = format!("({bare})");
    let mut ways: Vec<Yaml> = target(&written, "tuple_pattern").into_iter().collect();
    ways.push(pattern(&written));
    // One item has a comma behind it, which may be more items to the tool.
    if bare.contains(',') {
        ways.push(selected(&format!("return {bare}"), "expression_list"));
        ways.extend(target(bare, "pattern_list"));
    }
    ways
}

/// A text without the brackets around all of it.
fn without_brackets(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let is_closed_before = |inner: &str| {
        let mut depth = 0_i32;
        inner.chars().any(|it| {
            depth += i32::from(it == '(') - i32::from(it == ')');
            depth < 0
        })
    };
    inner.filter(|it| !is_closed_before(it)).unwrap_or(text)
}
