//! Rules for ast-grep.
//!
//! Its patterns are code that its own parser reads, so what is no statement or expression stands in
//! code around it, and a selector says which kind of node is meant. Statements that follow each other
//! are rules that precede each other, with comments between them. Strings and numbers, which are
//! written in many ways, are metavariables with constraints.

use super::lowering::{Code, Item, Literal, Lowered, lower};
use super::yaml::Yaml;
use super::{Reason, Subject, Tool};
use crate::find::Pattern;
use crate::source_language::SourceLanguage;

const NO_NODE: Reason = "it is no node of its own to the tool";

/// What may stand between items that follow each other: comments and separators.
const BETWEEN: &str = r"^(#|//|/\*|[,;]$)";

pub(super) fn rule(subject: &Subject<'_>) -> Result<Yaml, Reason> {
    let language = subject.language.name();
    if language == "sql" {
        return Err("the tool does not know the language");
    }
    let Lowered { items, constraints } = lower(subject, Tool::AstGrep)?;
    let mut rule: Option<Yaml> = None;
    for item in items.iter().rev() {
        let next = rule.take().map(|next| {
            let stop = Yaml::map([("regex", Yaml::text(BETWEEN))]);
            let stop = Yaml::map([("not", stop)]);
            ("precedes", with(next, [("stopBy", stop)]))
        });
        rule = Some(with(item_rule(subject.language, item)?, next));
    }
    let mut entries = vec![
        ("id", Yaml::text(subject.id())),
        ("language", Yaml::text(language)),
        ("severity", Yaml::text("hint")),
        ("message", Yaml::text(subject.message())),
        ("metadata", subject.metadata()),
        ("rule", rule.ok_or(NO_NODE)?),
    ];
    if !constraints.is_empty() {
        let constraints = constraints.iter();
        let all = constraints.map(|(name, literal)| (name.clone(), literal_rule(literal)));
        entries.push(("constraints", Yaml::map(all)));
    }
    Ok(Yaml::map(entries))
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
        Item::Anything => Ok(Yaml::map([("regex", Yaml::text("."))])),
        Item::Literal(literal) => Ok(literal_rule(literal)),
        Item::Code(code) => {
            let mut ways = Vec::new();
            for text in &code.texts {
                match language {
                    SourceLanguage::Python => python(code, text, &mut ways)?,
                    SourceLanguage::TreeSitter(_) => tree_sitter(language, code, text, &mut ways)?,
                }
            }
            Ok(any(ways))
        }
    }
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

/// Python's trees are not those of the tool, so kinds are given names here.
fn python(code: &Code, text: &str, ways: &mut Vec<Yaml>) -> Result<(), Reason> {
    match (code.ty, code.constructor) {
        ("stmt", "Expr" | "Assign" | "AugAssign" | "AnnAssign") => {
            ways.push(selected(text, "expression_statement"));
        }
        ("stmt", "If") => {
            ways.push(relaxed(text, None));
            // An `elif` is an `if` to us.
            let other = format!("if x:\n    pass\nel{text}");
            ways.push(relaxed(&other, Some("elif_clause")));
        }
        ("stmt", _) => {
            ways.push(relaxed(text, None));
            if code.may_be_decorated {
                ways.push(Yaml::map([
                    ("kind", Yaml::text("decorated_definition")),
                    ("has", relaxed(text, None)),
                ]));
            }
        }
        ("expr" | "target" | "single_target" | "annotated_target" | "del_target", constructor) => {
            ways.push(pattern(text));
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
            ways.push(selected(
                &format!("try:\n    pass\n{text}"),
                "except_clause",
            ));
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
    ways.push(selected(&format!("{before}{text}{after}"), kind));
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
