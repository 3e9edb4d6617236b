//! As much of YAML as rules need.

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    pub(super) fn text(text: impl Into<String>) -> Yaml {
        Yaml::Text(text.into())
    }

    pub(super) fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, Yaml)>) -> Yaml {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Yaml::Map(entries.collect())
    }

    /// How deep lists and maps nest in it.
    pub(super) fn depth(&self) -> usize {
        match self {
            Yaml::Text(_) => 0,
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
            Yaml::List(items) => {
                for item in items {
                    let _ = write!(text, "{:indent$}- ", "");
                    item.write_inline(text, indent + 2);
                }
            }
            Yaml::Map(entries) => {
                for (key, value) in entries {
                    let _ = write!(text, "{:indent$}{key}:", "");
                    match value {
                        Yaml::Text(it) => {
                            let _ = writeln!(text, " {}", scalar(it, indent + 2));
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

/// A text: in quotes, or line by line where it has several.
fn scalar(text: &str, indent: usize) -> String {
    let is_plain = |line: &str| {
        !line.ends_with(' ') && !line.chars().any(|it| it.is_control() || it == '\u{feff}')
    };
    let is_block = text.contains('\n') && !text.starts_with([' ', '\n']) && !text.ends_with('\n');
    if is_block && text.lines().all(is_plain) {
        let mut block = "|-".to_owned();
        for line in text.lines() {
            let line = format!("\n{:indent$}{line}", "");
            block += line.trim_end_matches(' ');
        }
        return block;
    }
    let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let is_word = text.starts_with(|it: char| it.is_ascii_lowercase())
        && text
            .chars()
            .all(|it| it.is_ascii_lowercase() || "_-0123456789".contains(it))
        && !matches!(
            text,
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if is_number || is_word {
        return text.to_owned();
    }
    // Strings of JSON are strings of YAML.
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_yaml() {
        let value = Yaml::map([
            ("id", Yaml::text("a-1")),
            ("n", Yaml::text("12")),
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
}
