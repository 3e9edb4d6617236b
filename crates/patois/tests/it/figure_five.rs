//! The five idioms of the paper's figure 5, or larger ones that contain them, on the real data.

#![expect(
    clippy::print_stdout,
    reason = "a test says what it skips, and which idiom holds which"
)]

use std::ops::ControlFlow;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Programs, Split};
use patois_languages::sql::Mode;
use patois_mining::{MiningConfig, Ranking, mine};
use patois_syntax::{Fragment, FragmentNode, IdiomLibrary, NodeId, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Whether all that `part` fixes is fixed in `whole`, somewhere.
fn contains(whole: &Fragment, part: &Fragment) -> bool {
    (0..whole.n_nodes())
        .map(NodeId::new)
        .any(|root| is_at(whole, root, part))
}

fn is_at(whole: &Fragment, root: NodeId, part: &Fragment) -> bool {
    if whole.symbol(root) != part.root_symbol() {
        return false;
    }
    let mut at = root;
    part.nodes().iter().all(|node| {
        if let FragmentNode::Hole(_) = node {
            at = whole.end(at);
            return true;
        }
        let is_same = whole.node(at) == *node;
        at = NodeId::new(at.index() + 1);
        is_same
    })
}

fn programs(name: &str, mode: Mode) -> Programs {
    assert!(
        std::env::var_os("PATOIS_DATA").is_some(),
        "PATOIS_DATA names the datasets"
    );
    let corpus = Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default());
    let corpus = corpus.expect("the dataset is there");
    let languages = Languages::of_corpus(&corpus, mode).expect("a known language");
    corpus
        .parse(&languages)
        .expect("the language declares its grammar")
}

/// The libraries of 200 idioms that the rankings choose: the copy is not among the first 80.
fn libraries(programs: &Programs) -> Vec<(Ranking, IdiomLibrary)> {
    let trees: Vec<Tree> = programs.of(Split::Train).cloned().collect();
    let mine = |ranking| {
        let config = MiningConfig {
            ranking,
            n_idioms: 200,
            ..MiningConfig::default()
        };
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut watch = |_: &_| ControlFlow::Continue(());
        let mined = mine(&programs.grammar, &trees, &config, &mut rng, &mut watch);
        (
            ranking,
            mined
                .expect("a corpus and a configuration that can be mined")
                .library,
        )
    };
    [
        Ranking::Compression,
        Ranking::Residual,
        Ranking::Coverage,
        Ranking::CrossEntropy,
    ]
    .map(mine)
    .into()
}

fn check(programs: &Programs, expected: &[(&str, &str)]) {
    let libraries = libraries(programs);
    let grammar = &programs.grammar;
    for (name, notation) in expected {
        let part = Fragment::parse(grammar, notation).expect("a fragment of the grammar");
        let holders: Vec<String> = libraries
            .iter()
            .flat_map(|(ranking, library)| library.iter().map(move |it| (ranking, it)))
            .filter(|(_, (_, idiom))| contains(&idiom.fragment, &part))
            .map(|(ranking, (id, idiom))| {
                let (number, fragment) = (id.index() + 1, idiom.fragment.display(grammar));
                format!(
                    "{ranking:?} {number}, {} programs: {fragment}",
                    idiom.coverage
                )
            })
            .collect();
        println!(
            "{name}: {} idioms, the first is {:?}",
            holders.len(),
            holders.first()
        );
        assert!(!holders.is_empty(), "no idiom holds {name}: {notation}");
    }
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_the_paper_s_idioms_of_hearthstone_are_found() {
    let programs = programs("hearthstone", Mode::Full);
    check(
        &programs,
        &[
            (
                "the constructor of a card",
                r#"expr: (Call (Attribute (Call (Name "super") [] []) "__init__")
                     [(Str ?name) (Int ?cost) (Attribute (Name "CHARACTER_CLASS") ?class)
                      (Attribute (Name "CARD_RARITY") ?rarity) | ?more] ?keywords)"#,
            ),
            (
                "a copy",
                r#"stmt: (Assign [?target] (Call (Attribute (Name "copy") "copy") [?value] []))"#,
            ),
            (
                "a class with a constructor",
                r#"stmt: (ClassDef [] ?name [] [(Name ?base)] []
                     [(FunctionDef [] "__init__" [] (Parameters [(Parameter "self")] [] _) _ ?body)
                      | ?more])"#,
            ),
        ],
    );
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_the_paper_s_idioms_of_spider_are_found() {
    let programs = programs("spider", Mode::Paper);
    check(
        &programs,
        &[
            ("SELECT with a single COUNT", "value+: [(Count ?column)]"),
            (
                "WHERE with one equality",
                "condition?: +(Equal (Column ?column) Literal)",
            ),
        ],
    );
}
