//! How a name or literal is put together from what can be generated or copied.

use indexmap::IndexSet;
use patois_syntax::{Label, Language, Subtokens, Text, Tree};
use patois_synthesis::{Spec, Vocabulary};

/// Cuts texts into the fewest subtokens that the vocabulary or the example's description holds.
///
/// Cuts are made only where the language would cut and around white space, so that a name is never
/// spelt out letter by letter. Among cuts with equally many subtokens the one whose first subtoken is longest wins, and so
/// on. Training and search must cut alike: whoever asks for the steps of a program hands over the
/// subtokenizer of its example.
#[derive(Clone)]
pub struct Subtokenizer<'a> {
    language: &'a dyn Language,
    vocabulary: &'a Vocabulary,
    copies: IndexSet<&'a str>,
    longest: usize,
}

impl<'a> Subtokenizer<'a> {
    /// A subtokenizer for the program of one example.
    pub fn new(
        language: &'a dyn Language,
        vocabulary: &'a Vocabulary,
        spec: &'a Spec,
    ) -> Subtokenizer<'a> {
        let copies: IndexSet<&str> = spec.copies.iter().map(|it| it.text.as_str()).collect();
        let longest = copies.iter().map(|it| it.len()).max().unwrap_or(0);
        Subtokenizer {
            language,
            vocabulary,
            longest: vocabulary.longest().max(longest),
            copies,
        }
    }

    /// How many different texts can be copied.
    pub(crate) fn n_copies(&self) -> usize {
        self.copies.len()
    }

    /// Whether `subtoken` can be generated or copied.
    pub(crate) fn reaches(&self, subtoken: &str) -> bool {
        subtoken.len() <= self.longest
            && (self.vocabulary.contains(subtoken) || self.copies.contains(subtoken))
    }

    /// The subtokens of `text` that can be neither generated nor copied.
    pub(crate) fn missing<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut subtokens = self.split(text);
        subtokens.retain(|subtoken| !self.reaches(subtoken));
        subtokens
    }
}

impl Subtokens for Subtokenizer<'_> {
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        if text.is_empty() {
            return Vec::new();
        }
        if self.reaches(text) {
            return vec![text];
        }
        let cuts = cuts(&finest(self.language, text));
        let ends = self.best_ends(text, &cuts);
        let mut subtokens = Vec::new();
        let mut start = 0;
        while start + 1 < cuts.len() {
            subtokens.push(&text[cuts[start]..cuts[ends[start]]]);
            start = ends[start];
        }
        subtokens
    }
}

impl Subtokenizer<'_> {
    /// For each cut, the cut at which the best subtoken from there on ends.
    ///
    /// `cost[i] = min over j > i of cost of text[cuts[i]..cuts[j]] + cost[j]`, where a subtoken costs
    /// (0, 1) if it is reached and (1, 1) if it is not; costs compare as pairs.
    fn best_ends(&self, text: &str, cuts: &[usize]) -> Vec<usize> {
        let n_subtokens = cuts.len() - 1;
        let mut costs = vec![(0_usize, 0_usize); cuts.len()];
        let mut ends = vec![0; n_subtokens];
        for start in (0..n_subtokens).rev() {
            let mut best = (costs[start + 1].0 + 1, costs[start + 1].1 + 1);
            ends[start] = start + 1;
            for end in start + 1..=n_subtokens {
                if cuts[end] - cuts[start] > self.longest {
                    break;
                }
                let cost = (costs[end].0, costs[end].1 + 1);
                if cost <= best && self.reaches(&text[cuts[start]..cuts[end]]) {
                    best = cost;
                    ends[start] = end;
                }
            }
            costs[start] = best;
        }
        ends
    }
}

/// The smallest subtokens that a text may be cut into: the language's, without the white space that
/// it leaves at their ends, since what is copied has none.
fn finest<'t>(language: &dyn Language, text: &'t str) -> Vec<&'t str> {
    let mut finest = Vec::new();
    for subtoken in language.split_text(text) {
        let (start, end) = match subtoken.trim() {
            "" => (0, subtoken.len()),
            inner => {
                let start = subtoken.len() - subtoken.trim_start().len();
                (start, start + inner.len())
            }
        };
        let parts = [&subtoken[..start], &subtoken[start..end], &subtoken[end..]];
        finest.extend(parts.into_iter().filter(|part| !part.is_empty()));
    }
    finest
}

/// Byte offsets before, between and after subtokens that follow each other.
fn cuts(subtokens: &[&str]) -> Vec<usize> {
    let ends = subtokens.iter().scan(0, |end, subtoken| {
        *end += subtoken.len();
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// The identifiers and literals of a program, in order.
pub(crate) fn texts(tree: &Tree) -> impl Iterator<Item = Text> + '_ {
    tree.labels().iter().filter_map(|label| match label {
        Label::Text(text) => Some(*text),
        Label::Production(_) | Label::Reference(_) => None,
    })
}

/// The longest text, in bytes, that is learnt as a unit.
///
/// Files of one project share whole paragraphs of prose; those are no names to be generated, and
/// looking for them in every other paragraph would take time that grows with their square.
pub(crate) const LONGEST_UNIT: usize = 80;

/// Whatever a program's texts can teach a vocabulary: each as a whole, and its subtokens, large and
/// small.
pub(crate) fn units(language: &dyn Language, tree: &Tree) -> Vec<&'static str> {
    let mut units = Vec::new();
    for text in texts(tree).map(Text::as_str) {
        units.push(text);
        units.extend(language.split_text(text));
        units.extend(finest(language, text));
    }
    units.retain(|unit| unit.len() <= LONGEST_UNIT);
    units
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Ast, Field, Grammar, ParseError, PrintError};
    use proptest::prelude::*;

    use super::*;
    use crate::spec::Topic;

    fn tree(source: &str) -> Tree {
        let ast = Camel.parse(source).expect("everything parses");
        let grammar = Grammar::induce("camel", [&ast]).expect("one tree is a grammar");
        grammar.tree(&ast).expect("it was induced from this tree")
    }

    /// Cuts before capital letters and around spaces and underscores.
    struct Camel;

    impl Language for Camel {
        fn name(&self) -> &'static str {
            "camel"
        }

        fn parse(&self, source: &str) -> Result<Ast, ParseError> {
            Ok(Ast::new(
                "program",
                "Names",
                vec![Field::many("names", "name", source.split(';'))],
            ))
        }

        fn print(&self, _: &Ast) -> Result<String, PrintError> {
            Err(PrintError::new("cannot print"))
        }

        fn split_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
            let mut subtokens = Vec::new();
            let mut start = 0;
            for (offset, character) in text.char_indices().skip(1) {
                let before = text[..offset].chars().next_back();
                if character.is_uppercase() || is_gap(character) || before.is_some_and(is_gap) {
                    subtokens.push(&text[start..offset]);
                    start = offset;
                }
            }
            subtokens.push(&text[start..]);
            subtokens
        }
    }

    fn is_gap(character: char) -> bool {
        matches!(character, ' ' | '_')
    }

    fn check(vocabulary: &[&str], description: &str, text: &str, expected: &[&str]) {
        let vocabulary = Vocabulary::learn([vocabulary.to_vec()], 1);
        let spec = Topic::default().spec(description);
        let subtokenizer = Subtokenizer::new(&Camel, &vocabulary, &spec);
        assert_eq!(subtokenizer.split(text), expected);
    }

    #[test]
    fn the_fewest_reachable_subtokens_win() {
        check(&["Fire"], "Fire Ball NAME_END", "FireBall", &["FireBall"]);
        check(&["Fire", "Ball"], "", "FireBall", &["Fire", "Ball"]);
        check(&["A", "B", "C", "AB", "BC"], "", "ABC", &["AB", "C"]);
        check(
            &["create", "_"],
            "a Minion",
            "create_minion",
            &["create", "_", "minion"],
        );
    }

    #[test]
    fn unreachable_subtokens_are_as_few_as_can_be() {
        check(&["AB"], "", "ABCD", &["AB", "C", "D"]);
        check(&["BC"], "", "ABCD", &["A", "BC", "D"]);
        check(&[], "", "", &[]);
        check(&[], "", "Unknown", &["Unknown"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let vocabulary = Vocabulary::learn([["Fire"]], 1);
        let spec = Topic::default().spec("a Ball");
        let subtokenizer = Subtokenizer::new(&Camel, &vocabulary, &spec);
        assert_eq!(subtokenizer.missing("FireIceBall"), ["Ice"]);
        assert!(subtokenizer.missing("FireBall").is_empty());
    }

    #[test]
    fn names_are_never_spelt_out() {
        check(&["c", "a", "t"], "", "cat", &["cat"]);
    }

    #[test]
    fn white_space_does_not_keep_a_word_from_being_copied() {
        struct Spaced;
        impl Language for Spaced {
            fn name(&self) -> &'static str {
                "spaced"
            }
            fn parse(&self, _: &str) -> Result<Ast, ParseError> {
                Err(ParseError::whole("cannot parse"))
            }
            fn print(&self, _: &Ast) -> Result<String, PrintError> {
                Err(PrintError::new("cannot print"))
            }
            fn split_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
                text.split_inclusive(' ').collect()
            }
        }
        assert_eq!(finest(&Spaced, "a  b "), ["a", " ", " ", "b", " "]);
        let vocabulary = Vocabulary::learn([["of ", " "]], 1);
        let spec = Topic::default().spec("Wild Mark");
        let subtokenizer = Subtokenizer::new(&Spaced, &vocabulary, &spec);
        assert_eq!(
            subtokenizer.split("Mark of Wild"),
            ["Mark", " ", "of ", "Wild"]
        );
    }

    #[test]
    fn programs_teach_whole_texts_and_subtokens() {
        assert_eq!(
            units(&Camel, &tree("FireBall;x")),
            ["FireBall", "Fire", "Ball", "Fire", "Ball", "x", "x", "x"]
        );
    }

    #[test]
    fn paragraphs_are_no_units() {
        let paragraph = "prose".repeat(LONGEST_UNIT);
        assert!(units(&Camel, &tree(&paragraph)).is_empty());
    }

    proptest! {
        #[test]
        fn subtokens_put_together_are_the_text(
            text in "[ABab_ é]{0,12}",
            known in prop::collection::vec("[ABab_ é]{1,3}", 0..8),
        ) {
            let known = known.iter().map(String::as_str);
            let vocabulary = Vocabulary::learn([known.collect::<Vec<_>>()], 1);
            let spec = Topic::default().spec("Ab aB");
            let subtokens = Subtokenizer::new(&Camel, &vocabulary, &spec).split(&text);
            prop_assert_eq!(subtokens.concat(), text.as_str());
            prop_assert!(subtokens.iter().all(|subtoken| !subtoken.is_empty()));
        }
    }
}
