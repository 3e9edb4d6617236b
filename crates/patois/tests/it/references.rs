//! What a query may point at next, asked of queries that people wrote.

use std::path::Path;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Programs};
use patois_languages::sql::Mode;
use patois_syntax::{
    Action, ExtendedGrammar, Grammar, IdiomLibrary, Label, Language, Next, PartialTree, Rule,
    Subtoken, Tree,
};

fn programs(corpus: &str, data: &DataDir) -> (Programs, Languages) {
    let corpus = Corpus::open(corpus, data, &CorpusOptions::default()).unwrap();
    let languages = Languages::of_corpus(&corpus, Mode::Full).unwrap();
    (corpus.parse(&languages).unwrap(), languages)
}

/// Builds a tree again, and counts its references, those that were possible, and the items among
/// which they were chosen.
fn rebuild(grammar: &Grammar, tree: &Tree, language: &dyn Language) -> (usize, usize, usize) {
    let library = IdiomLibrary::empty(grammar);
    let extended = ExtendedGrammar::new(grammar, &library).unwrap();
    let whole: fn(&str) -> Vec<&str> = |text| vec![text];
    let mut partial = PartialTree::new(extended, &whole, grammar.root());
    let mut counts = (0, 0, 0);
    loop {
        match partial.next() {
            Next::Done => return counts,
            Next::Forced(action) => partial.apply(&action).unwrap(),
            Next::Choose(_) => match tree.label(partial.node()) {
                Label::Production(id) => {
                    let rule = Rule::Production(id);
                    partial.apply(&Action::Apply(rule)).unwrap();
                }
                Label::Text(text) => {
                    partial.apply(&Action::Emit(Subtoken::Text(text))).unwrap();
                    partial.apply(&Action::Emit(Subtoken::End)).unwrap();
                }
                Label::Reference(index) => {
                    if let Some(possible) = language.possible_references(&partial) {
                        counts.0 += 1;
                        counts.1 += usize::from(possible.contains(&index));
                        counts.2 += possible.len();
                    }
                    partial.apply(&Action::Point(index)).unwrap();
                }
            },
        }
    }
}

/// Checks that at most `n_strange` references of a corpus are not thought possible.
fn check(corpus: &str, data: &DataDir, n_strange: usize) {
    let (programs, languages) = programs(corpus, data);
    let (mut n_asked, mut n_possible, mut n_items) = (0, 0, 0);
    for (example, tree) in programs.iter() {
        let language = languages.of(example).unwrap();
        let counts = rebuild(&programs.grammar, tree, language);
        n_asked += counts.0;
        n_possible += counts.1;
        n_items += counts.2;
        if corpus == "default" {
            assert_eq!(counts.0, counts.1, "{}", example.code);
        }
    }
    let n_missing = n_asked - n_possible;
    assert!(n_missing <= n_strange, "{corpus}: {n_missing} of {n_asked}");
    let mean = n_items as f64 / n_asked as f64;
    assert!(mean < 10.0, "{corpus}: chosen among {mean:.1} items");
}

#[test]
fn whatever_the_default_points_at_is_possible() {
    check("default", &DataDir::locate(None), 0);
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_nearly_whatever_spider_points_at_is_possible() {
    let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    check("spider", &DataDir::locate(Some(Path::new(&data))), 2);
}
