//! A grammar whose every sentence is a query over one database, for programs that constrain what a language model
//! writes.
//!
//! Columns are qualified, and each source of rows (a table, or two tables along a key) has rules of its own, so that
//! no sentence names a column that is not there. The notation is GBNF, that of llama.cpp.

use std::fmt::{self, Write as _};

use super::DatabaseSchema;
use super::identifier::quote;

/// Rules over the names of one database; the first one is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryGrammar {
    rules: Vec<(String, Vec<Vec<Symbol>>)>,
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// Text as it stands.
    Text(String),
    /// Another rule.
    Rule(String),
    /// One of some ranges of characters.
    OneOf(Vec<(char, char)>),
}

impl QueryGrammar {
    /// The queries over a database.
    pub fn new(schema: &DatabaseSchema) -> QueryGrammar {
        let mut grammar = QueryGrammar {
            rules: vec![("root".to_owned(), Vec::new())],
        };
        let sources = sources(schema);
        for (index, source) in sources.iter().enumerate() {
            grammar.add_source(&format!("q{index}"), source);
        }
        let any = |suffix: &'static str| {
            (0..sources.len()).map(move |it| vec![rule(&format!("q{it}{suffix}"))])
        };
        grammar.rules[0].1 = any("").chain([vec![rule("set")]]).collect();
        let column_queries: Vec<_> = any("-column-query").collect();
        grammar
            .rules
            .push(("column-query".to_owned(), column_queries));
        grammar.add(
            "set",
            &[
                "<column-query> UNION <column-query>",
                "<column-query> EXCEPT <column-query>",
                "<column-query> INTERSECT <column-query>",
            ],
        );
        grammar.add_values();
        grammar
    }

    /// The rules in order, each with its ways.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &[Vec<Symbol>])> {
        self.rules
            .iter()
            .map(|(name, ways)| (name.as_str(), ways.as_slice()))
    }

    /// The rules of one source of rows.
    fn add_source(&mut self, name: &str, source: &Source) {
        let columns = source.columns.iter();
        let columns = columns.map(|it| vec![Symbol::Text(it.clone())]);
        self.rules
            .push((format!("{name}-column"), columns.collect()));
        // Signs of the notation in names are to be taken literally.
        let from = source.from.replace('<', "<<");
        for (suffix, ways) in SOURCE_RULES {
            let named = |it: &&str| symbols(&it.replace('@', name).replace("%FROM%", &from));
            let ways = ways.iter().map(named).collect();
            self.rules.push((format!("{name}{suffix}"), ways));
        }
    }

    /// Numbers, texts and what they are compared by.
    fn add_values(&mut self) {
        self.add("comparison", &["=", "!=", "<<", "<<=", ">", ">="]);
        self.add("value", &["<number>", "<text>"]);
        self.add("number", &["<digits>", "-<digits>", "<digits>.<digits>"]);
        self.add("digits", &["<digit>", "<digit><digits>"]);
        self.add("limit", &["", " LIMIT <digit>", " LIMIT <digit><digit>"]);
        self.add("text", &["'<characters>'"]);
        self.add("characters", &["", "<character><characters>"]);
        self.rules.push((
            "digit".to_owned(),
            vec![vec![Symbol::OneOf(vec![('0', '9')])]],
        ));
        // All but the quote and control characters.
        let plain = Symbol::OneOf(vec![(' ', '&'), ('(', '~'), ('\u{a1}', '\u{d7ff}')]);
        let ways = vec![vec![plain], vec![Symbol::Text("''".to_owned())]];
        self.rules.push(("character".to_owned(), ways));
    }

    /// Adds a rule whose ways are written with `<names>` of rules; `<<` is the sign itself.
    fn add(&mut self, name: &str, ways: &[&str]) {
        let ways = ways.iter().map(|it| symbols(it)).collect();
        self.rules.push((name.to_owned(), ways));
    }
}

/// The rules of a source of rows: `@` is its name, `%FROM%` what stands behind FROM. Only groups can be ordered by what is
/// computed of them.
const SOURCE_RULES: [(&str, &[&str]); 12] = [
    (
        "",
        &[
            "SELECT <@-items> FROM %FROM%<@-where><@-rest><limit>",
            "SELECT DISTINCT <@-items> FROM %FROM%<@-where>",
        ],
    ),
    ("-column-query", &["SELECT <@-column> FROM %FROM%<@-where>"]),
    ("-items", &["<@-item>", "<@-item>, <@-items>"]),
    ("-item", &["<@-column>", "<@-aggregate>"]),
    (
        "-aggregate",
        &[
            "count(*)",
            "count(DISTINCT <@-column>)",
            "sum(<@-column>)",
            "avg(<@-column>)",
            "min(<@-column>)",
            "max(<@-column>)",
        ],
    ),
    ("-where", &["", " WHERE <@-conditions>"]),
    (
        "-conditions",
        &[
            "<@-condition>",
            "<@-condition> AND <@-conditions>",
            "<@-condition> OR <@-conditions>",
        ],
    ),
    (
        "-condition",
        &[
            "<@-column> <comparison> <value>",
            "<@-column> <comparison> <@-column>",
            "<@-column> IS NULL",
            "<@-column> IS NOT NULL",
            "<@-column> LIKE <text>",
            "<@-column> BETWEEN <value> AND <value>",
            "<@-column> IN (<column-query>)",
            "<@-column> NOT IN (<column-query>)",
        ],
    ),
    (
        "-rest",
        &["<@-order>", " GROUP BY <@-column><@-having><@-group-order>"],
    ),
    (
        "-having",
        &["", " HAVING <@-aggregate> <comparison> <number>"],
    ),
    (
        "-order",
        &["", " ORDER BY <@-column>", " ORDER BY <@-column> DESC"],
    ),
    (
        "-group-order",
        &[
            "<@-order>",
            " ORDER BY <@-aggregate>",
            " ORDER BY <@-aggregate> DESC",
        ],
    ),
];

/// Where rows come from.
struct Source {
    from: String,
    columns: Vec<String>,
}

/// Every table, and every two tables along a key.
fn sources(schema: &DatabaseSchema) -> Vec<Source> {
    let table = |index: usize| quote(&schema.tables[index].name).into_owned();
    let column = |index: usize| {
        let column = &schema.columns[index];
        Some((
            column.table?,
            format!("{}.{}", table(column.table?), quote(&column.name)),
        ))
    };
    let columns_of = |tables: &[usize]| -> Vec<String> {
        let all = (0..schema.columns.len()).filter_map(column);
        all.filter(|(own, _)| tables.contains(own))
            .map(|it| it.1)
            .collect()
    };
    let single = (0..schema.tables.len()).map(|index| Source {
        from: table(index),
        columns: columns_of(&[index]),
    });
    let joined = schema.keys().into_iter().filter_map(|key| {
        let pairs: Option<Vec<_>> = key
            .iter()
            .map(|&(from, to)| Some((column(from)?, column(to)?)))
            .collect();
        let pairs = pairs?;
        let &((child, _), (parent, _)) = pairs.first()?;
        let on: Vec<String> = pairs
            .iter()
            .map(|(from, to)| format!("{} = {}", to.1, from.1))
            .collect();
        (child != parent).then(|| Source {
            from: format!(
                "{} JOIN {} ON {}",
                table(parent),
                table(child),
                on.join(" AND ")
            ),
            columns: columns_of(&[parent, child]),
        })
    });
    single
        .chain(joined)
        .filter(|it| !it.columns.is_empty())
        .collect()
}

fn rule(name: &str) -> Symbol {
    Symbol::Rule(name.to_owned())
}

/// The symbols of a way: text with `<names>` of rules.
fn symbols(mut way: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut text = String::new();
    while let Some((before, after)) = way.split_once('<') {
        text += before;
        if let Some(rest) = after.strip_prefix('<') {
            text.push('<');
            way = rest;
            continue;
        }
        let (name, rest) = after.split_once('>').unwrap_or((after, ""));
        if !text.is_empty() {
            symbols.push(Symbol::Text(std::mem::take(&mut text)));
        }
        symbols.push(rule(name));
        way = rest;
    }
    text += way;
    if !text.is_empty() {
        symbols.push(Symbol::Text(text));
    }
    symbols
}

/// In GBNF.
impl fmt::Display for QueryGrammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, ways) in &self.rules {
            write!(f, "{name} ::= ")?;
            for (index, way) in ways.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { " | " })?;
                if way.is_empty() {
                    f.write_str("\"\"")?;
                }
                for (index, symbol) in way.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { " " })?;
                    symbol.fmt(f)?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Rule(name) => f.write_str(name),
            Symbol::Text(text) => {
                f.write_char('"')?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        c if c.is_control() => write!(f, "\\x{:02X}", c as u32)?,
                        c => f.write_char(c)?,
                    }
                }
                f.write_char('"')
            }
            Symbol::OneOf(ranges) => {
                f.write_char('[')?;
                for (first, last) in ranges {
                    write!(f, "{first}-{last}")?;
                }
                f.write_char(']')
            }
        }
    }
}
