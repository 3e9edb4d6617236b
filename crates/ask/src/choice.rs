//! What to ask back where two answers differ in one thing.

use crate::answer::{Choice, Program};

/// How many words two answers may differ in for a question about them to be short.
const MOST_WORDS: usize = 7;

/// How much less sure of the second answer one may be than of the first.
const LEAST_SHARE: f64 = 0.5;

/// What to ask back where the first two answers are about equally likely and say the same but for one thing.
pub(crate) fn choice(programs: &[Program]) -> Option<Choice> {
    let [first, second, ..] = programs else {
        return None;
    };
    if first.is_remembered || second.confidence < LEAST_SHARE * first.confidence {
        return None;
    }
    let options = difference(&first.words, &second.words)?;
    Some(Choice {
        question: format!("{}, or {}?", options[0], options[1]),
        options: options.into(),
        programs: vec![0, 1],
    })
}

/// The words that differ, where all before and after them are the same; with the word before, where otherwise one of
/// them would be nothing.
fn difference(first: &str, second: &str) -> Option<[String; 2]> {
    let first: Vec<&str> = first.split(' ').collect();
    let second: Vec<&str> = second.split(' ').collect();
    let shorter = first.len().min(second.len());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let mut before = first.iter().zip(&second).take_while(same).count();
    let behind = first.iter().rev().zip(second.iter().rev());
    let behind = behind.take(shorter - before).take_while(same).count();
    if before + behind == shorter {
        before = before.checked_sub(1)?;
    }
    let parts = [&first, &second].map(|words| &words[before..words.len() - behind]);
    let is_short = |it: &&[&str]| (1..=MOST_WORDS).contains(&it.len());
    let is_about_one = before + behind > 0 && parts.iter().all(is_short) && parts[0] != parts[1];
    is_about_one.then(|| parts.map(|it| it.join(" ").trim_matches(',').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_that_differs_is_asked_for() {
        let check = |first: &str, second: &str, expected: Option<&str>| {
            let program = |words: &str| Program {
                words: words.to_owned(),
                confidence: 0.4,
                ..Program::default()
            };
            let found = choice(&[program(first), program(second)]);
            let found = found.map(|it| it.question);
            assert_eq!(found.as_deref(), expected, "{first} / {second}");
        };
        check(
            "number of invoices where the city of the customer is Berlin",
            "number of invoices where the city of the invoice is Berlin",
            Some("customer, or invoice?"),
        );
        check(
            "average price of products",
            "greatest price of products",
            Some("average, or greatest?"),
        );
        check(
            "name of artists",
            "name and age of artists",
            Some("name, or name and age?"),
        );
        check(
            "name of artists",
            "number of albums for each label, largest first",
            None,
        );
        check("name of artists", "name of artists", None);
    }
}
