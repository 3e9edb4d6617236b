//! Rules for ast-grep.
//!
//! Its patterns are code that its own parser reads, so what is no statement or expression stands in
//! code around it, and a selector says which kind of node is meant. Statements that follow each other
//! are rules that precede each other, with comments between them. Strings and numbers, which are
//! written in many ways, are metavariables with constraints.

use patois_languages::SourceLanguage;

use super::lowering::{Code, Item, Literal, Lowered, Place, lower};
use super::yaml::Yaml;
use super::{Reason, Subject, Tool};
use crate::find::Pattern;

const NO_NODE: Reason = "it is no node of its own to the tool";

/// The tool reads rules that nest as deep as 64, counted from the rule's own entries on.
const MAX_YAML_DEPTH: usize = 60;

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
    if rule.depth() > MAX_YAML_DEPTH {
        return Err("it is longer than the tool can read");
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

/// Whatever is no comment or separator, nor the end of a block, nor a definition, which may be a unit
/// of its own to us.
fn something(language: &SourceLanguage) -> Yaml {
    let kinds: &[&str] = match language.name() {
        "python" => &[
            "function_definition",
            "class_definition",
            "decorated_definition",
        ],
        "javascript" | "typescript" | "tsx" => &[
            "function_declaration",
            "generator_function_declaration",
            "class_declaration",
        ],
        _ => return anything(language),
    };
    let mut between = vec![between(language), of_kinds(kinds)];
    if language.name() != "python" {
        between.push(named_function());
    }
    Yaml::map([("not", any(between))])
}

/// A statement that gives a name to a function.
fn named_function() -> Yaml {
    let functions = [
        "function_expression",
        "arrow_function",
        "generator_function",
        "class",
    ];
    let named = of_kinds(&["assignment_expression", "variable_declarator"]);
    let statements = [
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
    ];
    let named = with(named, [("has", of_kinds(&functions))]);
    with(of_kinds(&statements), [("has", named)])
}

fn of_kinds(kinds: &[&str]) -> Yaml {
    let kinds = kinds.iter();
    any(kinds
        .map(|it| Yaml::map([("kind", Yaml::text(*it))]))
        .collect())
}

/// Whatever is no comment or separator, nor the end of a block.
fn anything(language: &SourceLanguage) -> Yaml {
    Yaml::map([("not", between(language))])
}

fn between(language: &SourceLanguage) -> Yaml {
    let regex = match language.name() {
        "python" | "ruby" => r"^(#|[,;]$)",
        _ => r"^(//|/\*|[,;}]$)",
    };
    Yaml::map([("regex", Yaml::text(regex))])
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
        Item::Anything => Ok(anything(language)),
        Item::Literal(literal) => Ok(literal_rule(literal)),
        Item::Code(code) => {
            let mut ways = Vec::new();
            for text in &code.texts {
                match language {
                    SourceLanguage::Python => python(language, code, text, &mut ways)?,
                    SourceLanguage::TreeSitter(_) => tree_sitter(language, code, text, &mut ways)?,
                }
            }
            let mut bracketed = Vec::new();
            for text in &code.bracketed {
                bracketed.push(checked(code, text, true)?);
            }
            if !bracketed.is_empty() {
                let all = vec![any(bracketed), Yaml::map([("has", brackets())])];
                ways.push(Yaml::map([("all", Yaml::List(all))]));
            }
            Ok(any(ways))
        }
    }
}

/// A way to write some code with what its literals must be. The tool looks at constraints when all
/// else is found; this way, it goes on to look where they do not hold.
fn checked(code: &Code, text: &str, is_outermost: bool) -> Result<Yaml, Reason> {
    let mut ways = Vec::new();
    python(&SourceLanguage::Python, code, text, &mut ways)?;
    let mut all = vec![any(ways)];
    for (name, literal) in code.literals.iter().filter(|it| is_used(&it.0, text)) {
        // Brackets in brackets in brackets may hold anything, or rules would be long.
        if !is_outermost && matches!(literal, Literal::Bracketed(_)) {
            continue;
        }
        let both = vec![pattern(&format!("${name}")), literal_rule(literal)];
        let has = [("all", Yaml::List(both)), ("stopBy", Yaml::text("end"))];
        all.push(Yaml::map([("has", Yaml::map(has))]));
    }
    if all.len() == 1 {
        return Ok(all.remove(0));
    }
    Ok(Yaml::map([("all", Yaml::List(all))]))
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
    let kind = ("kind", Yaml::text("parenthesized_expression"));
    any(vec![rule.clone(), Yaml::map([kind, ("has", rule)])])
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
        let statements = first_of_block(language, &block.items, &statements);
        let has = match block.place {
            Place::Itself => statements,
            Place::Within if only_body => continue,
            Place::Body | Place::Within => {
                let kind = ("kind", Yaml::text(block.kind));
                let stop = ("stopBy", Yaml::map([kind.clone()]));
                let mut body = Yaml::map([("has", statements)]);
                if is_pass(&block.items) {
                    // Where all are definitions, nothing is left of it.
                    let more = Yaml::map([("has", something(language))]);
                    body = any(vec![body, Yaml::map([("not", more)])]);
                }
                with(with(body, [kind]), [stop])
            }
        };
        rules.push(Yaml::map([("has", has)]));
    }
    if rules.len() == 1 {
        return Ok(rules.remove(0));
    }
    Ok(Yaml::map([("all", Yaml::List(rules))]))
}

/// A rule for the statements from the first of a block on.
fn first_of_block(language: &SourceLanguage, items: &[Item], rule: &Yaml) -> Yaml {
    let at_first = |of: Yaml| {
        let place = [("position", Yaml::text("1")), ("ofRule", of)];
        with(rule.clone(), [("nthChild", Yaml::map(place))])
    };
    let is_other = |code: &Code| code.ty == "stmt" && !code.constructor.contains("Def");
    match items.first() {
        Some(Item::Code(code)) if is_other(code) => at_first(something(language)),
        Some(Item::Literal(_)) => at_first(something(language)),
        // It may be a definition itself.
        _ => any(vec![
            at_first(something(language)),
            at_first(anything(language)),
        ]),
    }
}

fn is_pass(items: &[Item]) -> bool {
    matches!(items, [Item::Code(code)] if code.constructor == "Pass")
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
        // A metavariable alone would be the expression to the tool.
        ("stmt", "Expr") if is_metavariable(text) => {
            let kind = ("kind", Yaml::text("expression_statement"));
            ways.push(Yaml::map([kind, ("has", pattern(text))]));
        }
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
            if constructor == "Tuple" {
                tuple(code.ty, text, ways);
                return Ok(());
            }
            ways.push(pattern(text));
            if let Some(functions) = &code.generated {
                ways.push(generated(functions));
            }
            // Annotations are types, and written alike.
            if matches!(constructor, "Subscript" | "BinOp" | "Attribute" | "Name") {
                ways.push(selected(&format!("x: {text}"), "type"));
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

/// A tuple, which may do without its brackets.
fn tuple(ty: &str, text: &str, ways: &mut Vec<Yaml>) {
    let bare = without_brackets(text);
    let is_target = ty != "expr";
    let written = format!("({bare})");
    if is_target {
        let context = format!("for {written} in x: pass");
        ways.push(selected(&context, "tuple_pattern"));
    }
    ways.push(pattern(&written));
    // One item has a comma behind it, which may be more items to the tool.
    if !bare.contains(',') {
        return;
    }
    ways.push(selected(&format!("return {bare}"), "expression_list"));
    if is_target {
        let context = format!("for {bare} in x: pass");
        ways.push(selected(&context, "pattern_list"));
    }
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

fn is_metavariable(text: &str) -> bool {
    let name = text.strip_prefix('$');
    name.is_some_and(|it| {
        it.bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
    })
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
    // A metavariable alone would be what is in the statement to the tool.
    if kind == "expression_statement" && is_metavariable(&text) {
        let kind = ("kind", Yaml::text(kind));
        ways.push(Yaml::map([kind, ("has", pattern(&text))]));
        return Ok(());
    }
    // Holes as we write them, to see whether this is code.
    let ours = text.replace("$$$", "$...");
    let parsed = Pattern::parse(&ours).map_err(|_| NO_NODE)?;
    let (before, after) = parsed.context(language, kind).ok_or(NO_NODE)?;
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
        Literal::Bracketed(code) => {
            // Expressions have ways to be written in all cases.
            let ways = |texts: &[String]| -> Vec<Yaml> {
                let ways = texts.iter().map(|it| checked(code, it, false));
                ways.filter_map(Result::ok).collect()
            };
            let (mut ways, bracketed) = (ways(&code.texts), ways(&code.bracketed));
            if !bracketed.is_empty() {
                let all = vec![any(bracketed), Yaml::map([("has", brackets())])];
                ways.push(Yaml::map([("all", Yaml::List(all))]));
            }
            maybe_in_brackets(any(ways))
        }
        Literal::Kinds(kinds) => maybe_in_brackets(any(kinds.iter().map(|it| kind(it)).collect())),
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
            maybe_in_brackets(any(vec![string, kind("concatenated_string")]))
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
