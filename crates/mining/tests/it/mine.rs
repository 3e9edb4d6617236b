//! The stage as a whole, on generated corpora and at its edges.

use std::ops::ControlFlow;

use patois_mining::candidates::n_choices;
use patois_mining::miner::{Chain, Corpus};
use patois_mining::{
    Annealing, ChainConfig, CorpusArena, Filter, Mined, Miner, MinerKind, MiningConfig,
    MiningError, PitmanYor, Ranking, Stop, TypeBased, mine,
};
use patois_syntax::{Fragment, Grammar, Marker, Schema, Tree};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn grammar() -> Grammar {
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

fn run(trees: &[Tree], config: &MiningConfig) -> Result<Mined, MiningError> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    mine(&grammar(), trees, config, &mut rng, &mut |_| {
        ControlFlow::Continue(())
    })
}

fn parse(texts: &[&str]) -> Vec<Tree> {
    let grammar = grammar();
    let tree = |it: &&str| Tree::parse(&grammar, it).expect("a toy tree");
    texts.iter().map(tree).collect()
}

fn notations(mined: &Mined) -> Vec<String> {
    let grammar = grammar();
    let idioms = mined.library.iter();
    idioms
        .map(|(_, it)| it.fragment.display(&grammar).to_string())
        .collect()
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

fn planted_corpus(n_trees: usize, seed: u64) -> Vec<Tree> {
    let grammar = grammar();
    let mut planter = Planter {
        grammar: &grammar,
        rng: ChaCha8Rng::seed_from_u64(seed),
    };
    (0..n_trees).map(|_| planter.tree()).collect()
}

/// The chain finds what was planted, in three corpora: of the fragments that it uses a hundred times
/// or more and that make four choices or more, nearly all were planted, and nearly all that were
/// planted are there, to the last node. (Without annealing, all 42 are found and 3 others: planted
/// fragments joined with the end of the list that they end in.)
#[test]
fn planted_fragments_are_found() {
    let grammar = grammar();
    let planted = PLANTED.map(|it| Fragment::parse(&grammar, it.0).expect("a planted fragment"));
    let (mut n_found, mut n_right) = (0, 0_usize);
    for seed in 21..=23 {
        let found = frequent_fragments(&grammar, &planted_corpus(2_000, seed), seed);
        n_found += found.len();
        for fragment in &found {
            if planted.contains(fragment) {
                n_right += 1;
            } else {
                println!("not planted: {}", fragment.display(&grammar));
            }
        }
        for fragment in planted.iter().filter(|it| !found.contains(it)) {
            println!("not found: {}", fragment.display(&grammar));
        }
    }
    let n_planted = 3 * planted.len();
    println!("{n_right} of {n_found} found were planted, {n_right} of {n_planted} planted found");
    assert!(n_right as f64 / n_found as f64 > 0.9);
    assert!(n_right as f64 / n_planted as f64 > 0.9);
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
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let proposal = chain.propose(corpus, &mut rng, &mut |_| ControlFlow::Continue(()));
    let segmentation = &proposal.segmentation;
    segmentation
        .fragments()
        .into_iter()
        .filter(|&id| segmentation.occurrences(id).len() >= 100)
        .filter_map(|id| segmentation.table().fragment(grammar, &arena, id))
        .filter(|fragment| n_choices(grammar, fragment) >= 4)
        .collect()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let trees = planted_corpus(300, 1);
    for ranking in RANKINGS {
        let config = MiningConfig {
            ranking,
            n_idioms: 20,
            ..MiningConfig::default()
        };
        let with_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
            let mined = pool
                .expect("a thread pool")
                .install(|| run(&trees, &config).expect("a corpus that can be mined"));
            (notations(&mined), mined.idioms, mined.sweeps, mined.figures)
        };
        assert_eq!(with_threads(1), with_threads(2));
    }
}

const RANKINGS: [Ranking; 4] = [
    Ranking::Coverage,
    Ranking::CrossEntropy,
    Ranking::Residual,
    Ranking::Compression,
];

#[test]
fn no_idiom_is_dead_and_all_are_within_bounds() {
    let grammar = grammar();
    let trees = planted_corpus(200, 1);
    for miner in [
        MinerKind::TypeBased,
        MinerKind::SingleSite,
        MinerKind::BytePairs,
    ] {
        for ranking in RANKINGS {
            let config = MiningConfig {
                miner,
                ranking,
                n_idioms: 25,
                ..MiningConfig::default()
            };
            let mined = run(&trees, &config).expect("a corpus that can be mined");
            let marker = Marker::new(&grammar, &mined.library).expect("the same grammar");
            let mut found = vec![0; mined.library.len()];
            for tree in &trees {
                for occurrence in marker.mark(tree).occurrences() {
                    found[occurrence.idiom.index()] += 1;
                }
            }
            let counted: Vec<usize> = mined.idioms.iter().map(|it| it.n_occurrences).collect();
            assert_eq!(found, counted, "{miner:?} {ranking:?}");
            assert!(found.iter().all(|&n| n > 0) && !found.is_empty());
            assert!(
                mined
                    .idioms
                    .windows(2)
                    .all(|it| it[0].score >= it[1].score || ranking == Ranking::Compression)
            );
            let figures = mined.figures;
            assert!(figures.applications.with < figures.applications.without);
            assert!((0.0..1.0).contains(&figures.discarded));
            for (idiom, (_, it)) in mined.idioms.iter().zip(mined.library.iter()) {
                assert!(it.fragment.n_holes() > 0 && idiom.coverage >= 2);
                assert!(!idiom.examples.is_empty() && idiom.examples.len() <= 3);
            }
        }
    }
}

#[test]
fn named_arguments_are_found() {
    let texts: Vec<String> = (0..40)
        .map(|n| {
            format!(
                "(block [(Assign \"v{n}\" (Add (Name \"v{n}\") (Num \"{}\")))])",
                n % 7
            )
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mined = run(&parse(&texts), &MiningConfig::default()).expect("a corpus");
    assert_eq!(
        notations(&mined)[0],
        "(block [(Assign ?0 (Add (Name ?0) (Num ?1)))])"
    );
}

#[test]
fn small_and_odd_corpora_make_small_libraries() {
    let check = |texts: &[&str], copies: usize, n_idioms: usize| {
        let trees: Vec<Tree> = parse(texts)
            .iter()
            .flat_map(|it| std::iter::repeat_n(it.clone(), copies))
            .collect();
        for miner in [
            MinerKind::TypeBased,
            MinerKind::SingleSite,
            MinerKind::BytePairs,
        ] {
            let config = MiningConfig {
                miner,
                n_idioms,
                filter: Filter {
                    keep_closed: true,
                    ..Filter::default()
                },
                ..MiningConfig::default()
            };
            let mined = run(&trees, &config).expect("a corpus that can be mined");
            assert!(mined.library.len() <= n_idioms);
            assert!(mined.idioms.iter().all(|it| it.n_occurrences > 0));
            assert_eq!(mined.idioms.len(), mined.library.len());
        }
    };
    let one = "(block [(Assign \"x\" (Num \"1\")) (Return _)])";
    check(&["(block [])"], 1, 10);
    check(&[one], 1, 10);
    check(&[one, "(block [(Do (Not (Name \"z\")))])"], 1, 10);
    check(&[one], 20_000, 10);
    check(&[one, one, "(block [Pass])"], 3, usize::MAX);
    check(&[one, one], 3, 0);
}

#[test]
fn what_cannot_be_mined_is_refused() {
    let trees = parse(&["(block [Pass])"]);
    let check = |trees: &[Tree], change: fn(&mut MiningConfig), expected: &str| {
        let mut config = MiningConfig::default();
        change(&mut config);
        assert_eq!(
            run(trees, &config).expect_err(expected).to_string(),
            expected
        );
    };
    check(
        &[],
        |_| {},
        "expected at least one tree to mine, found none",
    );
    check(
        &trees,
        |it| it.chain.prior.discount = 1.5,
        "expected a discount of at least 0 and below 1, found 1.5",
    );
    check(
        &trees,
        |it| {
            it.chain.prior = PitmanYor {
                concentration: -0.7,
                discount: 0.5,
            };
        },
        "expected a concentration above -0.5, found -0.7",
    );
    check(
        &trees,
        |it| it.chain.stop = Stop::Fixed(1.0),
        "expected a probability of stopping above 0 and below 1, found 1",
    );
    check(
        &trees,
        |it| it.chain.visits = 0.0,
        "expected a positive number of visits to a block, found 0",
    );
    check(
        &trees,
        |it| it.chain.n_sweeps = 0,
        "expected at least one sweep, found none",
    );
}

#[test]
fn a_search_can_be_ended_early() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut watch = |sweep: &patois_mining::Sweep| match sweep.number {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let trees = planted_corpus(50, 1);
    let mined = mine(
        &grammar(),
        &trees,
        &MiningConfig::default(),
        &mut rng,
        &mut watch,
    );
    let mined = mined.expect("a corpus that can be mined");
    assert_eq!(mined.sweeps.len(), 3);
    assert!(!mined.library.is_empty());
}
