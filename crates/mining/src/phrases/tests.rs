//! Planted corpora: what words foretell comes first, and chance gains nothing.

use patois_syntax::{Fragment, Schema};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::candidates::locate;

const SCHEMA: &str = "module M { card = (stmt* body)
                                 stmt = Call(name function, name* arguments) | Set(name to, name from)
                                 name = text }";

fn grammar() -> Grammar {
    Grammar::from_schema(&Schema::parse(SCHEMA).unwrap())
}

/// Programs of statements, and their texts.
struct Planted {
    grammar: Grammar,
    trees: Vec<Tree>,
    texts: Texts,
}

impl Planted {
    /// Of so many programs, each made by `write` from random numbers: statements and a text.
    fn new(
        n: usize,
        seed: u64,
        write: impl Fn(usize, &mut ChaCha8Rng) -> (Vec<String>, String),
    ) -> Planted {
        let grammar = grammar();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let written: Vec<(Vec<String>, String)> = (0..n).map(|it| write(it, &mut rng)).collect();
        let tree = |stmts: &[String]| {
            Tree::parse(&grammar, &format!("(card [{}])", stmts.join(" "))).unwrap()
        };
        Planted {
            trees: written.iter().map(|it| tree(&it.0)).collect(),
            texts: Texts::new(written.iter().map(|it| it.1.split(' '))),
            grammar,
        }
    }

    fn pool(&self, fragments: &[String]) -> Pool {
        let parse = |it: &String| Fragment::parse(&self.grammar, it).unwrap();
        locate(&self.trees, fragments.iter().map(parse))
    }

    fn ranked(&self, pool: &Pool, n_idioms: usize) -> Vec<(usize, f64)> {
        let ranked = by_phrases(&self.grammar, pool, &self.trees, &self.texts, n_idioms);
        ranked
            .into_iter()
            .map(|(id, gain)| (id.index(), gain))
            .collect()
    }
}

/// A word or a name that says nothing.
fn any(kind: &str, n: u32, rng: &mut ChaCha8Rng) -> String {
    format!("{kind}{}", rng.random_range(0..n))
}

/// Statements of names that are drawn one by one.
fn noise(rng: &mut ChaCha8Rng) -> Vec<String> {
    (0..4)
        .map(|_| match rng.random_range(0..2) {
            0 => format!(r#"(Set "{}" "{}")"#, any("x", 8, rng), any("x", 8, rng)),
            _ => format!(r#"(Call "{}" ["{}"])"#, any("x", 8, rng), any("x", 8, rng)),
        })
        .collect()
}

/// Two idioms of the same size in as many programs: of one the text has a word, of the other it says nothing.
fn foretold_and_not() -> Planted {
    Planted::new(300, 1, |number, rng| {
        let mut stmts = noise(rng);
        let mut text: Vec<String> = (0..6).map(|_| any("word", 30, rng)).collect();
        if number % 10 == 3 {
            stmts.push(format!(
                r#"(Call "restore" ["hero" "{}"])"#,
                any("x", 8, rng)
            ));
            text.insert(2, "Heal".to_owned());
            text.insert(3, "your".to_owned());
        }
        if number % 10 == 6 {
            stmts.push(format!(
                r#"(Call "destroy" ["minion" "{}"])"#,
                any("x", 8, rng)
            ));
        }
        if number % 10 == 8 {
            text.insert(0, "your".to_owned());
        }
        (stmts, text.join(" "))
    })
}

#[test]
fn what_a_word_foretells_comes_before_what_nothing_does() {
    let planted = foretold_and_not();
    let pool = planted.pool(&[
        r#"(Call "destroy" ["minion" ?0])"#.to_owned(),
        r#"(Call "restore" ["hero" ?0])"#.to_owned(),
    ]);
    assert!(pool.iter().all(|it| it.coverage == 30));
    let ranked = planted.ranked(&pool, 2);
    assert_eq!(ranked.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 0]);
    // Both are more than their parts, of which the word foretells some as well.
    assert!(
        ranked[1].1 > 200.0 && ranked[0].1 > ranked[1].1 + 20.0,
        "{ranked:?}"
    );

    let phrases = |it: usize| {
        let candidate = &pool[CandidateId::new(it)];
        phrases_of(candidate, &planted.trees, &planted.texts)
    };
    let heal = Phrase {
        phrase: "heal".to_owned(),
        programs: 30,
        of: 30,
    };
    assert_eq!(phrases(1)[0], heal);
    assert_eq!(phrases(0), []);
}

#[test]
fn of_two_that_say_the_same_one_is_taken() {
    let planted = foretold_and_not();
    let pool = planted.pool(&[
        r#"(Call "restore" ["hero" ?0])"#.to_owned(),
        r#"(Call "restore" [?0 ?1])"#.to_owned(),
        r#"(Call "restore" ["hero" | ?0])"#.to_owned(),
        r#"(Call "destroy" [?0 ?1])"#.to_owned(),
    ]);
    let order: Vec<usize> = planted.ranked(&pool, 4).iter().map(|it| it.0).collect();
    assert_eq!(order, [0, 3]);
}

/// Every statement is there some times, as chance has it; with every word that chance put beside it.
#[test]
fn what_chance_puts_together_gains_nothing() {
    for seed in 0..3 {
        let planted = Planted::new(300, seed, |_, rng| {
            let text: Vec<String> = (0..8).map(|_| any("word", 40, rng)).collect();
            (noise(rng), text.join(" "))
        });
        let names = || (0..8).map(|it| format!("x{it}"));
        let pairs: Vec<(String, String)> = names()
            .flat_map(|a| names().map(move |b| (a.clone(), b)))
            .collect();
        let mut fragments: Vec<String> = pairs
            .iter()
            .map(|(a, b)| format!(r#"(Call "{a}" ["{b}" | ?0])"#))
            .collect();
        fragments.extend(pairs.iter().map(|(a, b)| format!(r#"(Set "{a}" "{b}")"#)));
        let pool = planted.pool(&fragments);
        assert!(pool.iter().all(|it| it.coverage > 0));
        let ranked = planted.ranked(&pool, 128);
        let gain: f64 = ranked.iter().map(|it| it.1).sum();
        assert!(ranked.len() < 3 && gain < 5.0, "{} {gain}", ranked.len());
    }
}

/// A statement that is there twice is worth nothing, however long; one that is there often, something.
#[test]
fn rare_ones_gain_nothing() {
    let planted = Planted::new(200, 5, |number, rng| {
        let mut stmts = noise(rng);
        let mut text: Vec<String> = (0..6).map(|_| any("word", 30, rng)).collect();
        if number % 100 == 7 {
            stmts.push(r#"(Set "x1" "x2")"#.to_owned());
            text.push("seldom".to_owned());
        }
        (stmts, text.join(" "))
    });
    let pool = planted.pool(&[r#"(Set "x1" "x2")"#.to_owned()]);
    let ranked = planted.ranked(&pool, 1);
    assert!(ranked.iter().all(|it| it.1 < 3.0), "{ranked:?}");
}

/// The same whatever the number of threads.
#[test]
fn threads_do_not_matter() {
    let planted = foretold_and_not();
    let names: Vec<String> = (0..8).map(|it| format!(r#"(Call "x{it}" [?0])"#)).collect();
    let pool = planted.pool(&names);
    let with = |n_threads| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        threads
            .build()
            .unwrap()
            .install(|| planted.ranked(&pool, 8))
    };
    assert_eq!(with(1), with(3));
}
