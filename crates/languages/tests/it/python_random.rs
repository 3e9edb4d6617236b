//! Every tree of the grammar is a program: random trees print, and parse back to themselves.

use patois_languages::python::Python;
use patois_syntax::laws::{Choices, check_tree, grow};
use patois_syntax::{Grammar, Language, Text};

/// Enough for the rarest pair of constructors to meet now and then.
#[test]
fn random_trees_are_programs() {
    check(2000);
}

#[test]
#[ignore = "for changes of the grammar: takes half a minute"]
fn many_random_trees_are_programs() {
    check(100_000);
}

fn check(n_trees: u64) {
    let grammar = Grammar::from_schema(Python.schema().unwrap());
    for seed in 0..n_trees {
        let mut random = Random(seed);
        let n_nodes = 1 + random.choose(120);
        let tree = grow(&grammar, grammar.root(), n_nodes, &mut random);
        check_tree(&Python, &grammar, &tree);
    }
}

/// Steele et al. 2014, `SplitMix64`: short, and good enough to choose productions.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn character(&mut self) -> char {
        const NOTABLE: &[char] = &[
            'a',
            'Z',
            '0',
            ' ',
            '_',
            '.',
            '"',
            '\'',
            '\\',
            '{',
            '}',
            ':',
            '!',
            '=',
            '#',
            '\n',
            '\r',
            '\t',
            '\0',
            '\u{7f}',
            'é',
            'ÿ',
            'ﬁ',
            '\u{2028}',
            '\u{FEFF}',
            '\u{FFFD}',
            '\u{10FFFF}',
            '\u{F0000}',
            '\u{F07FF}',
            '日',
            '🦀',
            'N',
            'u',
            'x',
            'r',
            'f',
            'b',
            '(',
            '%',
        ];
        NOTABLE[self.choose(NOTABLE.len())]
    }
}

impl Choices for Random {
    fn choose(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    fn text(&mut self, ty: &str) -> Text {
        const NOTABLE: &[&str] = &[
            "a",
            "b",
            "x1",
            "_",
            "__",
            "match",
            "case",
            "type",
            "print",
            "lazy",
            "soft",
            "é",
            "日本",
            "a.b",
            "a.b.c",
            "match.case",
            ".",
            "..",
            "...",
            "..a.b",
            "0",
            "1",
            "10",
            "18446744073709551616",
            "0.0",
            "1.5",
            "1e309",
            "1e-05",
            "1e+16",
            "0j",
            "1j",
            "2.5j",
            "",
            "text",
            "two words",
            "\"\"\"",
            "'''",
            "'\"",
            "\\",
            "{",
            "}",
            "{}",
            "{{x}}",
            "\n",
            "line\nline",
            "end\\",
            "\u{10FFFF}\u{F0000}",
            "\u{10FFFF}\u{F0000}\u{10FFFF}\u{F0400}",
            "\\N{DASH}",
            "async",
            "None",
        ];
        loop {
            let text: String = if self.choose(3) == 0 {
                let n_chars = self.choose(5);
                (0..n_chars).map(|_| self.character()).collect()
            } else {
                NOTABLE[self.choose(NOTABLE.len())].to_owned()
            };
            if Python.accepts_text(ty, &text) {
                return Text::new(&text);
            }
        }
    }

    fn reference(&mut self, ty: &str) -> u32 {
        unreachable!("Python has no references, and {ty} is none")
    }
}
