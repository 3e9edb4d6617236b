//! Rules for ast-grep.
//!
//! Its patterns are code that its own parser reads, so what is no statement or expression stands in
//! code around it, and a selector says which kind of node is meant. Statements that follow each other
//! are rules that precede each other, with comments between them. Strings and numbers, which are
//! written in many ways, are metavariables with constraints.

use super::lowering::{Code, Item, Literal, Lowered, Place, lower};
use super::yaml::Yaml;
use super::{Reason, Subject, Tool};
use crate::find::Pattern;
use crate::source_language::SourceLanguage;

const NO_NODE: Reason = "it is no node of its own to the tool";

pub(super) fn rule(subject: &Subject<'_>) -> Result<Yaml, Reason> {
    let language = subject.language.name();
    if language == "sql" {
        return Err("the tool does not know the language");
    }
    let Lowered {
        items,
        is_list,
        constraints,
    } = lower(subject, Tool::AstGrep)?;
    let mut rule = chain(subject.language, &items, false)?.ok_or(NO_NODE)?;
    let is_expression = |it: &Item| matches!(it, Item::Code(code) if code.ty == "expr");
    if language == "python" && is_list && items.iter().any(is_expression) {
        // A list of expressions to us, as arguments are.
        let decorators = decorator_chain(subject.language, &items)?;
        rule = any(std::iter::once(rule).chain(decorators).collect());
    }
    let written = rule.document();
    let mut entries = vec![
        ("id", Yaml::text(subject.id())),
        ("language", Yaml::text(language)),
        ("severity", Yaml::text("hint")),
        ("message", Yaml::text(subject.message())),
        ("metadata", subject.metadata()),
        ("rule", rule),
    ];
    let constraints: Vec<(String, Yaml)> = constraints
        .iter()
        .filter(|(name, _)| is_used(name, &written))
        .map(|(name, literal)| (name.clone(), literal_rule(literal)))
        .collect();
    if !constraints.is_empty() {
        entries.push(("constraints", Yaml::map(constraints)));
    }
    Ok(Yaml::map(entries))
}

/// Whether a metavariable is in a rule: the tool does not take constraints of others.
fn is_used(name: &str, rule: &str) -> bool {
    let is_end = |rest: &str| !rest.starts_with(|it: char| it.is_ascii_digit());
    rule.split(&format!("${name}")).skip(1).any(is_end)
}

/// Items that follow each other; nothing follows the last one where they are closed.
fn chain(
    language: &SourceLanguage,
    items: &[Item],
    is_closed: bool,
) -> Result<Option<Yaml>, Reason> {
    let mut rule: Option<Yaml> = None;
    for item in items.iter().rev() {
        let this = item_rule(language, item)?;
        rule = Some(match rule {
            Some(next) => {
                let next = with(next, [("stopBy", something(language))]);
                with(this, [("precedes", next)])
            }
            None if is_closed => {
                let more = with(something(language), [("stopBy", Yaml::text("end"))]);
                let end = Yaml::map([("not", Yaml::map([("precedes", more)]))]);
                Yaml::map([("all", Yaml::List(vec![this, end]))])
            }
            None => this,
        });
    }
    Ok(rule)
}

/// Whatever is no comment or separator, nor the end of a block.
fn something(language: &SourceLanguage) -> Yaml {
    let regex = match language.name() {
        "python" | "ruby" => r"^(#|[,;]$)",
        _ => r"^(//|/\*|[,;}]$)",
    };
    let between = Yaml::map([("regex", Yaml::text(regex))]);
    Yaml::map([("not", between)])
}

/// The rules, one document each.
pub(super) fn file(rules: &[Yaml]) -> String {
    let documents: Vec<String> = rules.iter().map(Yaml::document).collect();
    documents.join("---\n")
}

fn with<'k>(rule: Yaml, more: impl IntoIterator<Item = (&'k str, Yaml)>) -> Yaml {
    let Yaml::Map(mut entries) = rule else {
        return rule;
    };
    entries.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    Yaml::Map(entries)
}

fn item_rule(language: &SourceLanguage, item: &Item) -> Result<Yaml, Reason> {
    match item {
        Item::Anything => Ok(something(language)),
        Item::Literal(literal) => Ok(literal_rule(literal)),
        Item::Code(code) => {
            let mut ways = Vec::new();
            for text in &code.texts {
                match language {
                    SourceLanguage::Python => python(language, code, text, &mut ways)?,
                    SourceLanguage::TreeSitter(_) => tree_sitter(language, code, text, &mut ways)?,
                }
            }
            Ok(any(ways))
        }
    }
}

/// A rule for some code and its blocks, or only the block that is its body.
fn with_blocks(
    language: &SourceLanguage,
    code: &Code,
    way: Yaml,
    only_body: bool,
) -> Result<Yaml, Reason> {
    let mut rules = vec![way];
    for block in &code.blocks {
        let Some(statements) = chain(language, &block.items, block.is_closed)? else {
            continue;
        };
        let first = [
            ("position", Yaml::text("1")),
            ("ofRule", something(language)),
        ];
        let statements = with(statements, [("nthChild", Yaml::map(first))]);
        let has = match block.place {
            Place::Itself => statements,
            Place::Within if only_body => continue,
            Place::Body | Place::Within => {
                let kind = ("kind", Yaml::text(block.kind));
                let stop = ("stopBy", Yaml::map([kind.clone()]));
                Yaml::map([kind, ("has", statements), stop])
            }
        };
        rules.push(Yaml::map([("has", has)]));
    }
    if rules.len() == 1 {
        return Ok(rules.remove(0));
    }
    Ok(Yaml::map([("all", Yaml::List(rules))]))
}

fn any(mut ways: Vec<Yaml>) -> Yaml {
    if ways.len() == 1 {
        return ways.remove(0);
    }
    Yaml::map([("any", Yaml::List(ways))])
}

fn pattern(text: &str) -> Yaml {
    Yaml::map([("pattern", Yaml::text(text))])
}

fn selected(context: &str, selector: &str) -> Yaml {
    let pattern = [
        ("context", Yaml::text(context)),
        ("selector", Yaml::text(selector)),
    ];
    Yaml::map([("pattern", Yaml::map(pattern))])
}

/// A pattern between whose parts there may be comments and brackets.
fn relaxed(context: &str, selector: Option<&str>) -> Yaml {
    let selector = selector.map(|it| ("selector", Yaml::text(it)));
    let pattern = std::iter::once(("context", Yaml::text(context)))
        .chain(selector)
        .chain([("strictness", Yaml::text("relaxed"))]);
    Yaml::map([("pattern", Yaml::map(pattern))])
}

/// Decorators that follow each other.
fn decorator_chain(language: &SourceLanguage, items: &[Item]) -> Result<Option<Yaml>, Reason> {
    let mut first: Option<Yaml> = None;
    for item in items.iter().rev() {
        let next = first.map(|it| ("precedes", with(it, [("stopBy", something(language))])));
        let kind = Yaml::map([("kind", Yaml::text("decorator"))]);
        let this = with(kind, [("has", item_rule(language, item)?)]);
        first = Some(with(this, next));
    }
    Ok(first)
}

/// A definition below decorators.
fn decorated(
    language: &SourceLanguage,
    decorators: &[Item],
    definition: Yaml,
) -> Result<Yaml, Reason> {
    let kind = ("kind", Yaml::text("decorated_definition"));
    let first = decorator_chain(language, decorators)?;
    let Some(first) = first else {
        return Ok(Yaml::map([kind, ("has", definition)]));
    };
    let place = [
        ("position", Yaml::text("1")),
        ("ofRule", something(language)),
    ];
    let first = with(first, [("nthChild", Yaml::map(place))]);
    let all = vec![
        Yaml::map([("has", first)]),
        Yaml::map([("has", definition)]),
    ];
    Ok(Yaml::map([kind, ("all", Yaml::List(all))]))
}

/// Python's trees are not those of the tool, so kinds are given names here.
fn python(
    language: &SourceLanguage,
    code: &Code,
    text: &str,
    ways: &mut Vec<Yaml>,
) -> Result<(), Reason> {
    let with_blocks = |way, only_body| with_blocks(language, code, way, only_body);
    match (code.ty, code.constructor) {
        ("stmt", "Expr" | "Assign" | "AugAssign" | "AnnAssign") => {
            ways.push(selected(text, "expression_statement"));
        }
        ("stmt", "If") => {
            ways.push(with_blocks(relaxed(text, None), false)?);
            // An `elif` is an `if` to us; what follows it is not in it to the tool.
            let other = format!("if x:\n    pass\nel{text}");
            ways.push(with_blocks(relaxed(&other, Some("elif_clause")), true)?);
        }
        // A word alone would be the word to the tool, not the statement.
        ("stmt", _) if matches!(text, "return" | "raise" | "break" | "continue" | "pass") => {
            ways.push(Yaml::map([
                ("kind", Yaml::text(format!("{text}_statement"))),
                ("regex", Yaml::text(format!("^{text}$"))),
            ]));
        }
        ("stmt", "ImportFrom") => {
            ways.push(relaxed(text, None));
            // The names may be in parentheses.
            if let Some((from, names)) = text.split_once(" import ") {
                ways.push(relaxed(&format!("{from} import ({names})"), None));
            }
        }
        ("stmt", _) => {
            let definition = with_blocks(relaxed(text, None), false)?;
            if code.decorators.is_empty() {
                ways.push(definition.clone());
            }
            if code.may_be_decorated || !code.decorators.is_empty() {
                ways.push(decorated(language, &code.decorators, definition)?);
            }
        }
        ("expr" | "target" | "single_target" | "annotated_target" | "del_target", constructor) => {
            ways.push(pattern(text));
            if let Some(functions) = &code.generated {
                ways.push(generated(functions));
            }
            // Annotations are types, and written alike.
            if matches!(constructor, "Subscript" | "BinOp" | "Attribute" | "Name") {
                ways.push(selected(&format!("x: {text}"), "type"));
            }
            // A tuple may do without its parentheses.
            let bare = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            if constructor == "Tuple"
                && let Some(bare) = bare.filter(|it| it.contains(", "))
            {
                ways.push(selected(&format!("return {bare}"), "expression_list"));
            }
        }
        ("keyword", "Keyword") => ways.push(selected(&format!("f({text})"), "keyword_argument")),
        ("dict_item", "KeyValue") => ways.push(selected(&format!("{{{text}}}"), "pair")),
        ("parameter", "AnnotatedParameter") => {
            let context = |text: &str| format!("def f({text}): pass");
            ways.push(selected(&context(text), "typed_parameter"));
            let defaulted = format!("{text} = $DEFAULT_VALUE");
            ways.push(selected(&context(&defaulted), "typed_default_parameter"));
        }
        ("default_parameter", _) => {
            let selector = match code.child {
                Some("Parameter") => "default_parameter",
                Some("AnnotatedParameter") => "typed_default_parameter",
                _ => return Err(NO_NODE),
            };
            ways.push(selected(&format!("def f({text}): pass"), selector));
        }
        ("parameters", _) => ways.push(selected(&format!("def f({text}): pass"), "parameters")),
        ("comprehension", "Generator") if !text.contains(" if ") => {
            ways.push(selected(&format!("[x {text}]"), "for_in_clause"));
        }
        ("handler", _) => {
            let context = format!("try:\n    pass\n{text}");
            ways.push(with_blocks(
                relaxed(&context, Some("except_clause")),
                false,
            )?);
        }
        ("with_item", _) => ways.push(selected(&format!("with {text}: pass"), "with_item")),
        _ => return Err(NO_NODE),
    }
    Ok(())
}

/// The other languages have the trees of the tool; the code around is what made the pattern a program.
fn tree_sitter(
    language: &SourceLanguage,
    code: &Code,
    text: &str,
    ways: &mut Vec<Yaml>,
) -> Result<(), Reason> {
    let kind = code.constructor.split(' ').next().unwrap_or_default();
    if matches!(kind, "ended" | "token" | "unit" | "") {
        return Err(NO_NODE);
    }
    let text = match language.name() {
        "javascript" | "typescript" | "tsx" => without_semicolons(text),
        _ => text.to_owned(),
    };
    // Holes as we write them, to see whether this is code.
    let ours = text.replace("$$$", "$...");
    let pattern = Pattern::parse(&ours).map_err(|_| NO_NODE)?;
    let (before, after) = pattern.context(language, kind).ok_or(NO_NODE)?;
    let way = selected(&format!("{before}{text}{after}"), kind);
    ways.push(with_blocks(language, code, way, false)?);
    Ok(())
}

/// A semicolon of the pattern would have to be there; it may be left out.
fn without_semicolons(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let next = lines.get(index + 1).map_or("", |it| it.trim_start());
        // Lines like these would go on with the one before.
        let goes_on = next.starts_with(['(', '[', '`', '+', '-', '*', '/', ',', '.']);
        kept.push(if goes_on {
            line
        } else {
            line.trim_end_matches(';')
        });
    }
    kept.join("\n")
}

/// A call with a generator that does without its parentheses: it takes the place of the arguments.
fn generated(functions: &[String]) -> Yaml {
    let function = any(functions.iter().map(|it| pattern(it)).collect());
    let function = with(function, [("field", Yaml::text("function"))]);
    let arguments = [
        ("kind", Yaml::text("generator_expression")),
        ("field", Yaml::text("arguments")),
    ];
    let both = vec![
        Yaml::map([("has", function)]),
        Yaml::map([("has", Yaml::map(arguments))]),
    ];
    Yaml::map([("kind", Yaml::text("call")), ("all", Yaml::List(both))])
}

fn literal_rule(literal: &Literal) -> Yaml {
    let kind = |kind: &str| Yaml::map([("kind", Yaml::text(kind))]);
    match literal {
        Literal::Alone => {
            let string = ("has", literal_rule(&Literal::String(None)));
            let statement = with(kind("expression_statement"), [string]);
            // What is alone in a block is the block to the tool.
            let block = with(kind("block"), [("has", statement.clone())]);
            any(vec![statement, block])
        }
        Literal::Generated(functions) => generated(functions),
        Literal::Kinds(kinds) => any(kinds.iter().map(|it| kind(it)).collect()),
        Literal::String(text) => {
            let is_plain = |text: &&String| {
                text.chars()
                    .all(|it| it.is_ascii_graphic() && !"\"'\\".contains(it) || it == ' ')
            };
            let string = match text.as_ref().filter(is_plain) {
                Some(text) => {
                    let quote = "(\"\"\"|'''|\"|')";
                    // Escapes say the same in another way.
                    let regex = format!("^[a-zA-Z]*{quote}({}|.*\\\\.*){quote}$", escaped(text));
                    with(kind("string"), [("regex", Yaml::text(regex))])
                }
                None => kind("string"),
            };
            any(vec![string, kind("concatenated_string")])
        }
        Literal::Integer(text) => match text {
            Some(text) => {
                let regex = format!("^({text}|.*[_xXoObB].*|0+)$");
                with(kind("integer"), [("regex", Yaml::text(regex))])
            }
            None => kind("integer"),
        },
    }
}

/// A text in a regular expression.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for it in text.chars() {
        if !it.is_alphanumeric() && it != '_' && it != ' ' {
            escaped.push('\\');
        }
        escaped.push(it);
    }
    escaped
}
