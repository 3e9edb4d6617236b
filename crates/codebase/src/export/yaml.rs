//! As much of YAML as rules need, for readers of YAML 1.1 and 1.2 alike.
//!
//! Texts come from other people's code. What one reader or another takes for the end of a line, or for
//! nothing that a document may hold, is written as an escape: a text stays a text.

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    Text(String),
    Number(usize),
    /// So many hundredths.
    Share(usize),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    pub(super) fn text(text: impl Into<String>) -> Yaml {
        Yaml::Text(text.into())
    }

    pub(super) fn number(number: usize) -> Yaml {
        Yaml::Number(number)
    }

    /// A share, cut to two digits: all of it is 1.00, and nothing else.
    pub(super) fn share(part: usize, whole: usize) -> Yaml {
        Yaml::Share(100 * part / whole.max(1))
    }

    pub(super) fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, Yaml)>) -> Yaml {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Yaml::Map(entries.collect())
    }

    /// How deep lists and maps nest in it.
    pub(super) fn depth(&self) -> usize {
        match self {
            Yaml::Text(_) | Yaml::Number(_) | Yaml::Share(_) => 0,
            Yaml::List(items) => 1 + items.iter().map(Yaml::depth).max().unwrap_or(0),
            Yaml::Map(entries) => {
                let depths = entries.iter().map(|(_, it)| it.depth());
                1 + depths.max().unwrap_or(0)
            }
        }
    }

    /// The value as a document; entries of lists and maps are on lines of their own.
    pub(super) fn document(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    /// Writes the value from the start of a line on. Rules nest as deep as we make them.
    fn write(&self, text: &mut String, indent: usize) {
        match self {
            Yaml::Text(it) => {
                *text += &scalar(it, indent);
                text.push('\n');
            }
            Yaml::Number(number) => {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{number}");
            }
            Yaml::Share(it) => {
                let _ = writeln!(text, "{}.{:02}", it / 100, it % 100);
            }
            Yaml::List(items) => {
                for item in items {
                    let _ = write!(text, "{:indent$}- ", "");
                    item.write_inline(text, indent + 2);
                }
            }
            Yaml::Map(entries) => {
                for (key, value) in entries {
                    let _ = write!(text, "{:indent$}{}:", "", name(key));
                    match value {
                        Yaml::Text(it) => {
                            let _ = writeln!(text, " {}", scalar(it, indent + 2));
                        }
                        Yaml::Number(_) | Yaml::Share(_) => {
                            text.push(' ');
                            value.write(text, 0);
                        }
                        nested => {
                            text.push('\n');
                            nested.write(text, indent + 2);
                        }
                    }
                }
            }
        }
    }

    /// Writes the value behind something on the same line.
    fn write_inline(&self, text: &mut String, indent: usize) {
        let mut nested = String::new();
        self.write(&mut nested, indent);
        *text += nested.trim_start_matches(' ');
    }
}

/// A key.
fn name(key: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-".contains(it);
    if key.starts_with(|it: char| it.is_ascii_alphabetic()) && key.chars().all(is_plain) {
        return key.to_owned();
    }
    quoted(key)
}

/// A text: as it is where it is a word, line by line where it has several, or in quotes.
fn scalar(text: &str, indent: usize) -> String {
    if is_block(text) {
        let mut block = "|-".to_owned();
        for line in text.split('\n') {
            let line = format!("\n{:indent$}{line}", "");
            block += line.trim_end_matches(' ');
        }
        return block;
    }
    if is_word(text) {
        return text.to_owned();
    }
    quoted(text)
}

/// Whether a text can stand line by line, with nothing in it that a reader would see otherwise.
fn is_block(text: &str) -> bool {
    let is_line = |line: &str| !line.ends_with(' ') && line.chars().all(is_itself);
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with('\n')
        && text.split('\n').all(is_line)
}

/// Whether a text is a word, and no value of another kind.
fn is_word(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_lowercase() || "_-0123456789".contains(it);
    let others = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|it: char| it.is_ascii_lowercase())
        && text.chars().all(is_plain)
        && !others.contains(&text)
}

/// A text in quotes. Strings of JSON are strings of YAML, where more has to be escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for char in serde_json::Value::from(text).to_string().chars() {
        let _ = match u32::from(char) {
            _ if is_itself(char) => write!(quoted, "{char}"),
            code @ 0..=0xffff => write!(quoted, "\\u{code:04x}"),
            code => write!(quoted, "\\U{code:08x}"),
        };
    }
    quoted
}

/// Whether a character stands for itself, to every reader and to whoever looks at the file: it is no
/// control character, ends no line, is allowed, and can be seen.
fn is_itself(char: char) -> bool {
    !matches!(
        char,
        // U+0085 ends a line in YAML 1.1, and the others are not allowed.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // U+2028 and U+2029 end a line in YAML 1.1; what is around them changes the direction or
        // cannot be seen.
        | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        // The byte order mark, what joins texts, and what is no character.
        | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}'
        // Tags that cannot be seen.
        | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn values_are_written_as_yaml() {
        let value = Yaml::map([
            ("id", Yaml::text("a-1")),
            ("n", Yaml::number(12)),
            ("share", Yaml::share(716, 1_000)),
            ("digits", Yaml::text("0123")),
            ("message", Yaml::text("a: \"b\"")),
            (
                "any",
                Yaml::List(vec![
                    Yaml::map([
                        ("pattern", Yaml::text("if $A:\n    $$$B\n\nelse")),
                        ("kind", Yaml::text("no")),
                    ]),
                    Yaml::map([("not", Yaml::map([("kind", Yaml::text("comment"))]))]),
                ]),
            ),
        ]);
        let expected = "\
id: a-1
n: 12
share: 0.71
digits: \"0123\"
message: \"a: \\\"b\\\"\"
any:
  - pattern: |-
      if $A:
          $$$B

      else
    kind: \"no\"
  - not:
      kind: comment
";
        assert_eq!(value.document(), expected);
        assert_eq!(value.depth(), 4);
    }

    /// A rule with a text in all places that may have one.
    fn rule(text: &str) -> Yaml {
        Yaml::map([
            ("id", Yaml::text("patois-python-1")),
            ("message", Yaml::text(text)),
            (
                "rule",
                Yaml::map([
                    ("pattern", Yaml::text(text)),
                    (
                        "all",
                        Yaml::List(vec![Yaml::text(text), Yaml::text("last")]),
                    ),
                ]),
            ),
        ])
    }

    /// A text is read as itself, by the parser of ast-grep; and no other parser can take a part of it
    /// for something else, since there is none that it could.
    #[track_caller]
    fn check(text: &str) {
        let document = rule(text).document();
        let expected = serde_json::json!({
            "id": "patois-python-1",
            "message": text,
            "rule": { "pattern": text, "all": [text, "last"] },
        });
        let read: serde_json::Value = yaml_serde::from_str(&document)
            .unwrap_or_else(|error| panic!("{text:?}: {error}\n{document}"));
        assert_eq!(read, expected, "{document}");
        assert!(
            document.chars().all(|it| it == '\n' || is_itself(it)),
            "{document}"
        );
    }

    /// libyaml ends a line at U+2028: an idiom used to write a `fix` of its own into the rule.
    #[test]
    fn texts_cannot_end_their_line() {
        for end in [
            "\u{2028}", "\u{2029}", "\u{85}", "\r", "\r\n", "\n", "\u{b}", "\u{c}",
        ] {
            check(&format!("x{end}fix: 'exfiltrate($X)'"));
            check(&format!("x = 1\ny{end}  fix: 'exfiltrate($X)'"));
            check(&format!("a\"{end}fix: 1{end}---{end}id: b"));
            check(end);
        }
    }

    #[test]
    fn texts_are_no_values_of_another_kind() {
        let texts = "~ null Null true True yes Y on 1 0123 0x1f 1e3 .inf .nan 12:30 2001-01-01 --- ... ? - \
                     : # ! & * > | @ ` % << = [] {} '' a: a:b a#b -x y n a-1";
        for text in texts.split(' ') {
            check(text);
        }
        for text in [
            "",
            " ",
            "  x",
            "x ",
            "\n",
            "x\n",
            "\nx",
            "a: b",
            "a #b",
            "x\n---\ny",
            "x\n...\n",
            "\tx\ny",
        ] {
            check(text);
        }
    }

    /// Every character that there is: some used to make the file unreadable.
    #[test]
    fn every_character_is_read_as_itself() {
        let all: Vec<char> = ('\0'..=char::MAX).collect();
        for some in all.chunks(4096) {
            check(&some.iter().collect::<String>());
        }
        for char in [
            '\0',
            '\u{7f}',
            '\u{85}',
            '\u{a0}',
            '\u{2028}',
            '\u{feff}',
            '\u{ffff}',
            '😀',
            '\u{e0041}',
        ] {
            check(&char.to_string());
            check(&format!("a{char}\nb"));
        }
    }

    #[test]
    fn texts_drawn_at_random_are_read_as_themselves() {
        let special: Vec<char> =
            " \n\r\t:#-'\"\\|>&*!%@`?{}[],=~$.0ay\0\u{7f}\u{85}\u{2028}\u{2029}\u{feff}"
                .chars()
                .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20_000 {
            let length = rng.random_range(0..12);
            let draw = |_| match rng.random_range(0..5) {
                0 => rng.random::<char>(),
                _ => special[rng.random_range(0..special.len())],
            };
            check(&(0..length).map(draw).collect::<String>());
        }
    }
}
