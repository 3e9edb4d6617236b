//! Planted idioms: a corpus that is drawn from a known tree substitution grammar, and found again.

use std::ops::{ControlFlow, RangeInclusive};

use patois_mining::{
    Annealing, Chain, ChainConfig, Corpus, CorpusArena, Filter, Miner as _, TypeBased,
};
use patois_syntax::{Fragment, Grammar, Schema, Tree};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) fn grammar() -> Grammar {
    let schema = Schema::parse(
        "module Toy {
             block = (stmt* body)
             stmt = Assign(name target, expr value) | Return(expr? value) | Pass
                  | If(expr test, stmt then, stmt otherwise) | While(expr test, stmt body)
                  | For(name target, expr over, stmt* body) | Do(expr it)
             expr = Name(name id) | Num(number value) | Add(expr left, expr right) | Not(expr it)
                  | Less(expr left, expr right) | Call(name function, expr* arguments)
             name = text
             number = text
         }",
    );
    Grammar::from_schema(&schema.expect("the schema is well-formed"))
}

/// The fragments that a corpus is generated from, besides single productions, each with what its
/// holes stand for: a name, an expression, a statement, a list of expressions, a list of statements.
///
/// No two of them, joined, are more frequent than chance. Statements stand in lists and elsewhere, so
/// that the fragment `X` can be told from the list cell `[X | ?rest]`; some fragments end inside a
/// list, and the last two are rooted in one.
const PLANTED: [(&str, &str); 14] = [
    ("(For ?0 (Call \"range\" [(Num \"0\") ?1]) ?2)", "neS"),
    ("(If (Less (Num \"0\") ?0) (Return +(Not ?1)) ?2)", "ees"),
    ("(Assign \"total\" (Add (Name \"total\") ?0))", "e"),
    (
        "(Do (Call \"print\" [(Add (Name \"prefix\") ?0) | ?1]))",
        "eE",
    ),
    ("(Return +(Call \"open\" [(Name ?0) (Name \"mode\")]))", "n"),
    ("(While (Not ?0) (Do (Call \"fail\" [?1])))", "ee"),
    ("(Assign ?0 (Call \"copy\" [(Name ?1)]))", "nn"),
    ("(Call \"max\" [(Call \"len\" [?0]) (Num \"1\")])", "e"),
    ("(Add (Call \"offset\" [?0 (Num \"8\")]) (Name ?1))", "en"),
    ("(Not (Less (Call \"size\" []) ?0))", "e"),
    ("(Less (Call \"abs\" [?0]) (Name \"eps\"))", "e"),
    ("(Call \"get\" [?0 (Name \"key\") | ?1])", "eE"),
    (
        "stmt*: [(Assign ?0 (Call \"lock\" [])) (Do (Call \"release\" [(Name ?1)])) | ?2]",
        "nnS",
    ),
    ("expr*: [(Name \"self\") (Num \"7\") | ?0]", "E"),
];
const PLANTED_STMTS: usize = 12;
const PLANTED_EXPRS: usize = 13;

/// Draws trees from a tree substitution grammar: what a symbol becomes depends on nothing else.
struct Planter<'g> {
    grammar: &'g Grammar,
    rng: ChaCha8Rng,
}

impl Planter<'_> {
    fn below(&mut self, n: u64) -> usize {
        (self.rng.next_u64() % n) as usize
    }

    fn tree(&mut self) -> Tree {
        let text = format!("(block [{}])", self.stmts());
        Tree::parse(self.grammar, &text).expect("a generated tree")
    }

    /// Statements are as many wherever they stand: a grammar knows no context.
    fn stmts(&mut self) -> String {
        self.list(50, Planter::stmt, PLANTED_STMTS)
    }

    fn exprs(&mut self) -> String {
        self.list(35, Planter::expr, PLANTED_EXPRS)
    }

    /// The items of a list that goes on with the given probability, in percent, after each of them,
    /// and with another ten becomes a planted fragment.
    fn list(&mut self, go_on: usize, item: fn(&mut Self) -> String, planted: usize) -> String {
        let mut items = Vec::new();
        loop {
            match self.below(100) {
                drawn if drawn < go_on => items.push(item(self)),
                drawn if drawn < go_on + 10 => {
                    let list = self.planted(planted);
                    let (_, rest) = list.split_once(": [").expect("the notation of a list");
                    items.push(rest[..rest.len() - 1].to_owned());
                    break;
                }
                _ => break,
            }
        }
        items.join(" ")
    }

    /// A planted fragment, its holes filled in.
    fn planted(&mut self, which: usize) -> String {
        let (text, holes) = PLANTED[which];
        let mut text = text.to_owned();
        for (hole, kind) in holes.chars().enumerate() {
            let filling = match kind {
                'n' => self.name(),
                'e' => self.expr(),
                's' => self.stmt(),
                'E' => self.exprs(),
                _ => self.stmts(),
            };
            let rest = format!("| ?{hole}");
            let whole = format!("?{hole}");
            text = match kind {
                'E' | 'S' if text.contains(&rest) => text.replacen(&rest, &filling, 1),
                'E' | 'S' => text.replacen(&whole, &format!("[{filling}]"), 1),
                _ => text.replacen(&whole, &filling, 1),
            };
        }
        text
    }

    fn stmt(&mut self) -> String {
        match self.below(100) {
            drawn @ 0..49 => self.planted(drawn / 7),
            49..59 => "Pass".into(),
            59..69 => format!("(Assign {} {})", self.name(), self.expr()),
            69..74 => "(Return _)".into(),
            74..79 => format!("(Return +{})", self.expr()),
            79..85 => {
                let (test, then) = (self.expr(), self.stmt());
                format!("(If {test} {then} {})", self.stmt())
            }
            85..90 => format!("(While {} {})", self.expr(), self.stmt()),
            90..95 => {
                let (name, over) = (self.name(), self.expr());
                format!("(For {name} {over} [{}])", self.stmts())
            }
            _ => format!("(Do {})", self.expr()),
        }
    }

    fn expr(&mut self) -> String {
        match self.below(100) {
            drawn @ 0..25 => self.planted(7 + drawn / 5),
            25..50 => format!("(Name {})", self.name()),
            50..75 => format!("(Num \"{}\")", self.below(40)),
            75..80 => format!("(Add {} {})", self.expr(), self.expr()),
            80..85 => format!("(Not {})", self.expr()),
            85..90 => format!("(Less {} {})", self.expr(), self.expr()),
            _ => format!("(Call {} [{}])", self.name(), self.exprs()),
        }
    }

    fn name(&mut self) -> String {
        format!("\"v{}\"", self.below(60))
    }
}

pub(crate) fn planted_corpus(n_trees: usize, seed: u64) -> Vec<Tree> {
    let grammar = grammar();
    let mut planter = Planter {
        grammar: &grammar,
        rng: ChaCha8Rng::seed_from_u64(seed),
    };
    (0..n_trees).map(|_| planter.tree()).collect()
}

/// The chain finds what was planted: of the fragments that it uses a hundred times or more and that
/// make four choices or more, nearly all were planted, and nearly all that were planted are there, to
/// the last node. (Without annealing, in three corpora all 42 are found and 3 others: planted
/// fragments joined with the end of the list that they end in.)
fn check(seeds: RangeInclusive<u64>) {
    let grammar = grammar();
    let planted = PLANTED.map(|it| Fragment::parse(&grammar, it.0).expect("a planted fragment"));
    let (mut n_found, mut n_planted) = (0, 0);
    let (mut too_much, mut missing) = (Vec::new(), Vec::new());
    for seed in seeds {
        let found = frequent_fragments(&grammar, &planted_corpus(2_000, seed), seed);
        n_found += found.len();
        n_planted += planted.len();
        let notation = |it: &Fragment| it.display(&grammar).to_string();
        too_much.extend(
            found
                .iter()
                .filter(|it| !planted.contains(it))
                .map(notation),
        );
        missing.extend(
            planted
                .iter()
                .filter(|it| !found.contains(it))
                .map(notation),
        );
    }
    let share = |n_wrong: usize, n: usize| 1.0 - n_wrong as f64 / n as f64;
    assert!(
        share(too_much.len(), n_found) > 0.9,
        "not planted: {too_much:#?}"
    );
    assert!(
        share(missing.len(), n_planted) > 0.9,
        "not found: {missing:#?}"
    );
}

fn frequent_fragments(grammar: &Grammar, trees: &[Tree], seed: u64) -> Vec<Fragment> {
    let arena = CorpusArena::new(grammar, trees);
    let mut chain = Chain {
        sampler: TypeBased::new(10.0),
        config: ChainConfig {
            n_sweeps: 20,
            annealing: Annealing::Rising,
            ..ChainConfig::default()
        },
    };
    let corpus = Corpus {
        grammar,
        arena: &arena,
    };
    let large = Filter {
        keep_closed: true,
        min_size: 4,
        ..Filter::default()
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let proposal = chain.propose(corpus, &mut rng, &mut |_| ControlFlow::Continue(()));
    let segmentation = &proposal.segmentation;
    segmentation
        .fragments()
        .into_iter()
        .filter(|&it| segmentation.occurrences(it).len() >= 100)
        .filter_map(|it| segmentation.fragment(grammar, it))
        .filter(|fragment| large.accepts(grammar, fragment))
        .collect()
}

#[test]
fn planted_fragments_are_found() {
    check(21..=21);
}

#[test]
#[ignore = "the long form: three corpora instead of one"]
fn planted_fragments_are_found_in_three_corpora() {
    check(21..=23);
}
