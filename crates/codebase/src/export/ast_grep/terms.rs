//! The terms that rules are made of.

use patois_languages::SourceLanguage;

use super::Yaml;

/// One of several rules.
pub(super) fn any(ways: Vec<Yaml>) -> Yaml {
    joined("any", ways)
}

/// All of several rules.
pub(super) fn all(rules: Vec<Yaml>) -> Yaml {
    joined("all", rules)
}

fn joined(how: &str, mut rules: Vec<Yaml>) -> Yaml {
    if rules.len() == 1 {
        return rules.remove(0);
    }
    Yaml::map([(how, Yaml::List(rules))])
}

/// A rule with more entries.
pub(super) fn with<'k>(rule: Yaml, more: impl IntoIterator<Item = (&'k str, Yaml)>) -> Yaml {
    let Yaml::Map(mut entries) = rule else {
        return rule;
    };
    entries.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    Yaml::Map(entries)
}

pub(super) fn kind(kind: &str) -> Yaml {
    Yaml::map([("kind", Yaml::text(kind))])
}

pub(super) fn of_kinds(kinds: &[&str]) -> Yaml {
    any(kinds.iter().map(|it| kind(it)).collect())
}

/// A node with a part like this.
pub(super) fn has(part: Yaml) -> Yaml {
    Yaml::map([("has", part)])
}

/// The first among its siblings that are like `of`.
pub(super) fn first(rule: Yaml, of: Yaml) -> Yaml {
    let place = [("position", Yaml::number(1)), ("ofRule", of)];
    with(rule, [("nthChild", Yaml::map(place))])
}

pub(super) fn pattern(text: &str) -> Yaml {
    Yaml::map([("pattern", Yaml::text(text))])
}

/// A pattern that is part of a larger code.
pub(super) fn selected(context: &str, selector: &str) -> Yaml {
    let pattern = [
        ("context", Yaml::text(context)),
        ("selector", Yaml::text(selector)),
    ];
    Yaml::map([("pattern", Yaml::map(pattern))])
}

/// A pattern between whose parts there may be comments and brackets.
pub(super) fn relaxed(context: &str, selector: Option<&str>) -> Yaml {
    let selector = selector.map(|it| ("selector", Yaml::text(it)));
    let pattern = std::iter::once(("context", Yaml::text(context)))
        .chain(selector)
        .chain([("strictness", Yaml::text("relaxed"))]);
    Yaml::map([("pattern", Yaml::map(pattern))])
}

/// Whether a text is nothing but a metavariable.
pub(super) fn is_metavariable(text: &str) -> bool {
    let name = text.strip_prefix('$');
    name.is_some_and(|it| {
        it.bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
    })
}

/// Whatever is no comment or separator, nor the end of a block, nor a definition, which may be a unit
/// of its own to us.
pub(super) fn something(language: &SourceLanguage) -> Yaml {
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

/// Whatever is no comment or separator, nor the end of a block.
pub(super) fn anything(language: &SourceLanguage) -> Yaml {
    Yaml::map([("not", between(language))])
}

fn between(language: &SourceLanguage) -> Yaml {
    let regex = match language.name() {
        "python" | "ruby" => r"^(#|[,;]$)",
        _ => r"^(//|/\*|[,;}]$)",
    };
    Yaml::map([("regex", Yaml::text(regex))])
}
