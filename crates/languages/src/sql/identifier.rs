//! Names in SQL: quoting where it is needed, and taking the quotes off.

use std::borrow::Cow;

/// `name` as it is written where a table stands in FROM.
pub(super) fn quote_in_from(name: &str) -> Cow<'_, str> {
    quote_unless(name, is_plain(name) && !is_reserved(name))
}

/// `name` as it is written in an expression.
pub(super) fn quote(name: &str) -> Cow<'_, str> {
    quote_unless(name, is_bare_in_expression(name))
}

/// Whether `name` needs no quotes in an expression.
pub(super) fn is_bare_in_expression(name: &str) -> bool {
    is_plain(name) && !is_reserved(name) && !contains(READ_AS_KEYWORDS, name)
}

/// The name without its quotes, and whether they were double quotes.
///
/// SQLite knows four kinds: `"a"`, `` `a` ``, `[a]` and, where only a name may stand, `'a'`.
pub(super) fn unquote(raw: &str) -> (Cow<'_, str>, bool) {
    let Some(open) = raw.chars().next() else {
        return (raw.into(), false);
    };
    let close = match open {
        '"' | '`' | '\'' => open,
        '[' => ']',
        _ => return (raw.into(), false),
    };
    let Some(inner) = raw[1..].strip_suffix(close) else {
        return (raw.into(), false);
    };
    if open == '[' {
        return (inner.into(), false);
    }
    let doubled: String = [close, close].iter().collect();
    let name = if inner.contains(&doubled) {
        inner
            .replace(&doubled, close.encode_utf8(&mut [0; 4]))
            .into()
    } else {
        inner.into()
    };
    (name, open == '"')
}

fn quote_unless(name: &str, is_bare: bool) -> Cow<'_, str> {
    if is_bare {
        name.into()
    } else {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    }
}

fn is_plain(name: &str) -> bool {
    let is_start = |it: char| it.is_ascii_alphabetic() || it == '_' || !it.is_ascii();
    name.starts_with(is_start) && name.chars().all(|it| is_start(it) || it.is_ascii_digit())
}

fn is_reserved(name: &str) -> bool {
    contains(RESERVED, name)
}

fn contains(words: &[&str], name: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// Keywords that SQLite never reads as names (those without `%fallback ID` in its grammar), and
/// the words that join tables.
const RESERVED: &[&str] = &[
    "add",
    "all",
    "alter",
    "and",
    "as",
    "autoincrement",
    "between",
    "case",
    "check",
    "collate",
    "commit",
    "constraint",
    "create",
    "cross",
    "default",
    "deferrable",
    "delete",
    "distinct",
    "drop",
    "else",
    "escape",
    "except",
    "exists",
    "filter",
    "foreign",
    "from",
    "full",
    "group",
    "having",
    "in",
    "index",
    "indexed",
    "inner",
    "insert",
    "intersect",
    "into",
    "is",
    "isnull",
    "join",
    "left",
    "limit",
    "natural",
    "not",
    "nothing",
    "notnull",
    "null",
    "on",
    "or",
    "order",
    "outer",
    "over",
    "primary",
    "references",
    "returning",
    "right",
    "select",
    "set",
    "table",
    "then",
    "to",
    "transaction",
    "union",
    "unique",
    "update",
    "using",
    "values",
    "when",
    "where",
    "window",
    "within",
];

/// Keywords that SQLite reads as names only where they mean nothing else, and constants.
const READ_AS_KEYWORDS: &[&str] = &[
    "asc",
    "by",
    "cast",
    "current_date",
    "current_time",
    "current_timestamp",
    "desc",
    "end",
    "false",
    "glob",
    "like",
    "match",
    "nulls",
    "offset",
    "raise",
    "recursive",
    "regexp",
    "rowid",
    "true",
    "with",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_come_off_and_are_undoubled() {
        let check = |raw: &str, name: &str, double: bool| {
            assert_eq!(unquote(raw), (name.into(), double), "{raw}");
        };
        check("name", "name", false);
        check("\"a \"\"b\"\"\"", "a \"b\"", true);
        check("`a``b`", "a`b", false);
        check("[a]", "a", false);
        check("'it''s'", "it's", false);
        check("\"\"", "", true);
        check("\"", "\"", false);
        check("", "", false);
    }

    #[test]
    fn only_names_that_need_quotes_get_them() {
        for bare in ["name", "T1", "_x", "Key", "année"] {
            assert_eq!(quote(bare), bare);
        }
        for (name, quoted) in [
            ("order", "\"order\""),
            ("18_49", "\"18_49\""),
            ("a b", "\"a b\""),
            ("a\"b", "\"a\"\"b\""),
            ("cast", "\"cast\""),
            ("", "\"\""),
        ] {
            assert_eq!(quote(name), quoted);
        }
        assert_eq!(quote_in_from("cast"), "cast");
        assert_eq!(quote_in_from("order"), "\"order\"");
    }
}
