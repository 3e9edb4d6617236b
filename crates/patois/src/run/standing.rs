//! A second opinion about a model's queries: which of them stand up to their question and their database.
//!
//! A model that is not sure says a thing twice (`SELECT share, share`) or leaves out what was asked for, and so do the
//! first of its hypotheses; a better one is often among the next. What a query does, says and leaves out is cheap to see.

use std::collections::BTreeSet;
use std::time::Duration;

use indexmap::IndexMap;
use patois_database::{Database, QueryLimits, Rows, SqlValue};
use patois_languages::sql::{Holds, Sql};
use patois_syntax::{Ast, Child, Grammar, Label, Tree};
use patois_synthesis::{Column, Context, Item, LinkKind, Matching, Origin, Spec};

use super::synthesizer::{Answers, Written};

/// What queries are judged by.
#[derive(Clone, Copy)]
pub(crate) struct SecondOpinion<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) spec: &'a Spec,
    pub(crate) database: &'a Database,
}

/// How far a query can be trusted, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trust {
    /// There is nothing wrong with it.
    Sound,
    /// It says something twice.
    Redundant,
    /// It cannot be run.
    Failing,
}

/// What a query selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Something,
    /// No row, or nothing but NULL.
    Nothing,
    Failure,
}

/// What is taken off the logarithm of the probability of a query that selects nothing, for each column, table and value
/// that stands in the question and that the query does without, and for each part that makes no sense. Chosen on Spider's dev with a model of 2,000 steps,
/// where each is near the best of a few values.
const NOTHING: f64 = 0.4;
const UNSAID_COLUMN: f64 = 1.5;
const UNSAID_TABLE: f64 = 1.0;
const UNSAID_VALUE: f64 = 1.0;
const SENSELESS: f64 = 2.0;

/// A look at a query's first row. What takes longer is given the benefit of the doubt.
const LOOK: QueryLimits = QueryLimits {
    time: Duration::from_millis(200),
    n_rows: 1,
    n_bytes: 1 << 20,
};

impl Answers {
    /// Puts queries that cannot be run last and queries that say something twice before them; the others are in the
    /// order of their probability, less what is held against them. Probabilities are what they were.
    pub(crate) fn put_to_the_test(&mut self, opinion: &SecondOpinion<'_>) {
        if self.programs.len() < 2 {
            return;
        }
        let programs = std::mem::take(&mut self.programs).into_iter();
        let mut judged: Vec<_> = programs.map(|it| (opinion.judge(&it), it)).collect();
        judged.sort_by(|((trust, score), _), ((other_trust, other_score), _)| {
            trust.cmp(other_trust).then(other_score.total_cmp(score))
        });
        self.programs = judged.into_iter().map(|it| it.1).collect();
    }
}

impl SecondOpinion<'_> {
    fn judge(&self, written: &Written) -> (Trust, f64) {
        let tree = &written.found.tree;
        let outcome = outcome(self.database, &written.code);
        let ast = self.grammar.ast(tree);
        let trust = match outcome {
            Outcome::Failure => Trust::Failing,
            _ if Sql::repeats_itself(&ast) => Trust::Redundant,
            Outcome::Something | Outcome::Nothing => Trust::Sound,
        };
        let mut score = written.found.ln_p;
        if outcome == Outcome::Nothing {
            score -= NOTHING;
            // A NULL among what is left out.
            if Sql::leaves_out(&ast) {
                score -= SENSELESS;
            }
        }
        if let Some(context) = &self.spec.context {
            let left_out = LeftOut::by(self.grammar, self.spec, tree);
            score -= left_out.columns as f64 * UNSAID_COLUMN
                + left_out.tables as f64 * UNSAID_TABLE
                + left_out.values as f64 * UNSAID_VALUE;
            let holds = |column: u32| {
                let column = context.columns.get(column as usize);
                column.map_or(Holds::Anything, held)
            };
            score -= Sql::n_senseless(&ast, &holds) as f64 * SENSELESS;
        }
        (trust, score)
    }
}

/// What a column holds, by its kind and its name.
fn held(column: &Column) -> Holds {
    let is_money = |it: &String| MONEY.contains(&it.as_str());
    match column.kind.as_str() {
        "text" | "time" => Holds::Words,
        "number" if column.words.last().is_some_and(is_money) => Holds::Money,
        "number" => Holds::Numbers,
        _ => Holds::Anything,
    }
}

/// What names of columns end in that hold amounts of money.
const MONEY: [&str; 10] = [
    "price", "cost", "fee", "fare", "amount", "salary", "wage", "revenue", "budget", "total",
];

/// What stands in a question and not in its query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many columns are named there and not used.
    pub columns: usize,
    /// How many tables.
    pub tables: usize,
    /// How many numbers and values of the database.
    pub values: usize,
}

impl LeftOut {
    /// What a query leaves out of its question.
    pub fn by(grammar: &Grammar, spec: &Spec, tree: &Tree) -> LeftOut {
        let Some(context) = &spec.context else {
            return LeftOut::default();
        };
        let (columns, tables) = unsaid(spec, context, &used(grammar, context, tree));
        LeftOut {
            columns,
            tables,
            values: n_unsaid_values(spec, &literals(&grammar.ast(tree))),
        }
    }
}

/// The columns and tables that a query names, and the tables of those columns.
fn used(grammar: &Grammar, context: &Context, tree: &Tree) -> BTreeSet<Item> {
    let mut used = BTreeSet::new();
    for node in tree.nodes() {
        let Label::Reference(item) = tree.label(node) else {
            continue;
        };
        let item = item as usize;
        if grammar.symbol_type(tree.symbol(node)) == "table" {
            used.insert(Item::Table(item));
        } else {
            used.insert(Item::Column(item));
            let column = context.columns.get(item);
            used.extend(column.and_then(|it| it.table).map(Item::Table));
        }
    }
    used
}

/// Where a name stands in a question, and whether something of that name is used.
#[derive(Default)]
struct Mention {
    words: BTreeSet<usize>,
    is_used: bool,
}

/// How many columns and tables are named in the question and not used, each name counted once; `name` inside of a
/// `song name` that is used is no other name.
fn unsaid(spec: &Spec, context: &Context, used: &BTreeSet<Item>) -> (usize, usize) {
    let mut mentions: IndexMap<(bool, &[String]), Mention> = IndexMap::new();
    for link in spec.links.iter().filter(|it| it.kind == LinkKind::Name) {
        let name = match link.item {
            Item::Column(column) => (false, context.columns[column].words.as_slice()),
            Item::Table(table) => (true, context.tables[table].as_slice()),
        };
        let mention = mentions.entry(name).or_default();
        mention.words.insert(link.word);
        mention.is_used |= used.contains(&link.item);
    }
    let is_inside = |own: &Mention, other: &Mention| {
        other.is_used && own.words.len() < other.words.len() && own.words.is_subset(&other.words)
    };
    let is_unsaid = |own: &Mention| !own.is_used && !mentions.values().any(|it| is_inside(own, it));
    let of_kind = |is_table: bool| {
        let own = mentions.iter().filter(|it| it.0.0 == is_table);
        own.filter(|it| is_unsaid(it.1)).count()
    };
    (of_kind(false), of_kind(true))
}

/// The literals of a query.
fn literals(ast: &Ast) -> Vec<&str> {
    let mut found = Vec::new();
    let mut below = vec![ast];
    while let Some(node) = below.pop() {
        for child in node.fields.iter().flat_map(|it| it.value.children()) {
            match child {
                Child::Node(node) => below.push(node),
                Child::Text(text) => found.push(text.as_str()),
                Child::Reference(_) => {}
            }
        }
    }
    found
}

/// How many numbers and values of the database are said in the question, and nothing that their words can be is in the
/// query. Words that name a table or a column may mean no more than that.
fn n_unsaid_values(spec: &Spec, literals: &[&str]) -> usize {
    let is_name = |word: u32| {
        let mut links = spec.links.iter().filter(|it| it.word == word as usize);
        links.any(|it| it.kind == LinkKind::Name)
    };
    let is_number = |word: &String| word.parse::<f64>().is_ok();
    let numbers = (0..).zip(&spec.words).filter(|it| is_number(it.1));
    let numbers = numbers.map(|(word, _): (u32, _)| (word, word));
    let values = spec.copies.iter().filter(|it| {
        let is_clear = |matching| matches!(matching, Matching::Same | Matching::Case);
        let is_value = matches!(it.origin, Origin::Value { matching, .. } if is_clear(matching));
        let is_long = it.text.as_str().len() >= SHORTEST_VALUE;
        is_value && is_long && !(it.first..=it.last).any(is_name)
    });
    let mut said: Vec<(u32, u32)> = numbers
        .chain(values.map(|it| (it.first, it.last)))
        .collect();
    // Of what lies inside of each other, the longest is meant.
    said.sort_by_key(|(first, last)| (std::cmp::Reverse(last - first), *first));
    let mut meant: Vec<(u32, u32)> = Vec::new();
    for run in said {
        if !meant.iter().any(|it| overlap(*it, run)) {
            meant.push(run);
        }
    }
    let is_in_query = |run: (u32, u32)| {
        let own = spec.copies.iter();
        let own = own.filter(|it| overlap((it.first, it.last), run));
        let is_said = |text: &str| literals.iter().any(|it| it.contains(text));
        own.map(|it| it.text).any(|it| is_said(it.as_str()))
    };
    meant.into_iter().filter(|run| !is_in_query(*run)).count()
}

/// How many bytes a value has, at least, that no question has by chance.
const SHORTEST_VALUE: usize = 3;

fn overlap(run: (u32, u32), other: (u32, u32)) -> bool {
    run.0 <= other.1 && other.0 <= run.1
}

fn outcome(database: &Database, code: &str) -> Outcome {
    use patois_database::QueryError::{Rows as Many, Size, Time};
    match database.first_rows(code, &LOOK) {
        Ok((rows, _)) if is_nothing(&rows) => Outcome::Nothing,
        Ok(_) | Err(Many(_) | Size(_) | Time(_)) => Outcome::Something,
        Err(_) => Outcome::Failure,
    }
}

fn is_nothing(rows: &Rows) -> bool {
    let mut values = rows.rows.iter().flatten();
    values.all(|it| *it == SqlValue::Null)
}

#[cfg(test)]
mod tests {
    use patois_syntax::Text;
    use patois_synthesis::{Copied, Form, Link};

    use super::*;

    #[test]
    fn queries_are_put_to_the_test() {
        let script =
            "CREATE TABLE pet(name, age); INSERT INTO pet VALUES ('Rex', 3), ('Tom', NULL)";
        let pets = Database::from_script("pets", script).unwrap();
        let check = |code: &str, expected| assert_eq!(outcome(&pets, code), expected, "{code}");
        check("SELECT name FROM pet", Outcome::Something);
        check("SELECT count(*) FROM pet WHERE age > 5", Outcome::Something);
        check("SELECT name FROM pet WHERE name = 'rex'", Outcome::Nothing);
        check("SELECT max(age) FROM pet WHERE age > 5", Outcome::Nothing);
        check("SELECT nickname FROM pet", Outcome::Failure);
        check("DROP TABLE pet", Outcome::Failure);
        // Far too many rows to wait for: that there are some is enough.
        let many =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
        check(many, Outcome::Something);
    }

    /// Songs with a name and a year, by singers with a name, of which a question is linked to the names at given words.
    fn spec(links: &[(usize, Item)]) -> Spec {
        let column = |name: &str, table| Column {
            kind: "text".to_owned(),
            words: name.split(' ').map(str::to_owned).collect(),
            table: Some(table),
            is_primary_key: false,
        };
        let context = Context {
            columns: vec![column("song name", 0), column("year", 0), column("name", 1)],
            tables: vec![vec!["song".to_owned()], vec!["singer".to_owned()]],
            foreign_keys: vec![],
        };
        let kind = LinkKind::Name;
        let links = links.iter().map(|&(word, item)| Link { word, item, kind });
        Spec {
            context: Some(std::sync::Arc::new(context)),
            links: links.collect(),
            ..Spec::default()
        }
    }

    #[test]
    fn values_and_numbers_that_are_said_are_missed() {
        let copy = |text: &str, word: u32, matching: Option<Matching>| Copied {
            text: Text::new(text),
            first: word,
            last: word,
            origin: match matching {
                Some(matching) => Origin::Value {
                    column: 1,
                    matching,
                },
                None => Origin::Words(Form::Same),
            },
        };
        let words = "singers from france over 30 since 2020";
        let spec = Spec {
            words: words.split(' ').map(str::to_owned).collect(),
            copies: vec![
                copy("France", 2, Some(Matching::Case)),
                copy("over", 3, Some(Matching::Misspelt)),
                copy("30", 4, None),
                copy("2020", 6, None),
                copy("2020-01-01", 6, None),
            ],
            ..spec(&[])
        };
        assert_eq!(n_unsaid_values(&spec, &["France", "30", "2020-01-01"]), 0);
        assert_eq!(n_unsaid_values(&spec, &["%France%", "2020"]), 1);
        assert_eq!(n_unsaid_values(&spec, &[]), 3);
    }

    #[test]
    fn what_is_named_and_not_used_is_counted_once() {
        let [song, year, name] = [0, 1, 2].map(Item::Column);
        let singer = Item::Table(1);
        // "song names and years of singers"
        let links = [(0, song), (1, song), (1, name), (3, year), (5, singer)];
        let spec = spec(&links);
        let context = spec.context.as_deref().unwrap();
        let check = |used: &[Item], expected| {
            let used = used.iter().copied().collect();
            assert_eq!(unsaid(&spec, context, &used), expected, "{used:?}");
        };
        check(&[song, year, singer], (0, 0));
        check(&[song, singer], (1, 0));
        check(&[name, year], (1, 1));
        check(&[], (3, 1));
    }
}
