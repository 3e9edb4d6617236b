//! Parse, print, parse again: does a program survive?

pub mod queries;

use std::fmt::Write as _;

use patois_syntax::{Ast, Child, Field, FieldValue, Language, ParseError, PrintError};
use serde::Serialize;

/// Parses `source`, prints its tree, parses that, and compares the two trees.
pub fn roundtrip(language: &dyn Language, source: &str) -> Roundtrip {
    let original = match language.parse(source) {
        Ok(ast) => ast,
        Err(error) => return Roundtrip::Unparsed(error),
    };
    let printed = match language.print(&original) {
        Ok(printed) => printed,
        Err(error) => return Roundtrip::Unprintable(error),
    };
    match language.parse(&printed) {
        Err(error) => Roundtrip::Unparsable { printed, error },
        Ok(again) => match first_difference(&original, &again) {
            Some(place) => Roundtrip::Different { printed, place },
            None => Roundtrip::Equal { printed },
        },
    }
}

/// How the round trip of one program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roundtrip {
    /// The program came back as the same tree.
    Equal {
        /// The program as printed.
        printed: String,
    },
    /// The program came back as another tree.
    Different {
        /// The program as printed.
        printed: String,
        /// The first place where the trees part.
        place: Place,
    },
    /// What was printed is no program.
    Unparsable {
        /// The program as printed.
        printed: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The tree cannot be printed.
    Unprintable(PrintError),
    /// The program is none of the language.
    Unparsed(ParseError),
}

/// A place where two trees part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The fields that lead there from the root, such as `Module.body[2].value`.
    pub path: String,
    /// What the first tree has there, shortened.
    pub before: String,
    /// What the second tree has there, shortened.
    pub after: String,
}

/// The first place, in preorder, where two trees part; none if they are equal.
fn first_difference(before: &Ast, after: &Ast) -> Option<Place> {
    let place = node_difference(before, after)?;
    Some(place.below(before.constructor))
}

impl Place {
    fn here(before: String, after: String) -> Place {
        Place {
            path: String::new(),
            before,
            after,
        }
    }

    /// The same place, seen from further up.
    fn below(mut self, step: &str) -> Place {
        self.path.insert_str(0, step);
        self
    }
}

fn node_difference(left: &Ast, right: &Ast) -> Option<Place> {
    let same_shape = left.ty == right.ty
        && left.constructor == right.constructor
        && left.fields.len() == right.fields.len();
    if !same_shape {
        return Some(Place::here(notation(left), notation(right)));
    }
    let mut fields = left.fields.iter().zip(&right.fields);
    fields.find_map(|(left, right)| field_difference(left, right))
}

fn field_difference(left: &Field, right: &Field) -> Option<Place> {
    if left.name != right.name || left.ty != right.ty {
        let field = |it: &Field| format!("field {}", it.name);
        return Some(Place::here(field(left), field(right)));
    }
    let (befores, afters) = (left.value.children(), right.value.children());
    let is_list = matches!(left.value, FieldValue::Many(_) | FieldValue::NonEmpty(_));
    (0..befores.len().max(afters.len())).find_map(|index| {
        let place = child_difference(befores.get(index), afters.get(index))?;
        let step = if is_list {
            format!(".{}[{index}]", left.name)
        } else {
            format!(".{}", left.name)
        };
        Some(place.below(&step))
    })
}

fn child_difference(left: Option<&Child>, right: Option<&Child>) -> Option<Place> {
    match (left, right) {
        (Some(Child::Node(left)), Some(Child::Node(right))) => node_difference(left, right),
        _ if left == right => None,
        _ => Some(Place::here(child_or_nothing(left), child_or_nothing(right))),
    }
}

fn notation(ast: &Ast) -> String {
    let mut text = String::new();
    write_node(&mut text, ast);
    shortened(text)
}

fn child_or_nothing(child: Option<&Child>) -> String {
    let mut text = String::new();
    match child {
        Some(child) => write_child(&mut text, child),
        None => text.push_str("nothing"),
    }
    shortened(text)
}

/// How many bytes of a tree a message shows.
const SHOWN: usize = 120;

fn shortened(mut text: String) -> String {
    if text.len() > SHOWN {
        text.truncate(text.floor_char_boundary(SHOWN));
        text.push('…');
    }
    text
}

/// Appends `(Constructor child child)`, stopping once nothing more would be shown.
fn write_node(text: &mut String, ast: &Ast) {
    text.push('(');
    text.push_str(ast.constructor);
    for child in ast.fields.iter().flat_map(|field| field.value.children()) {
        if text.len() > SHOWN {
            return;
        }
        text.push(' ');
        write_child(text, child);
    }
    text.push(')');
}

fn write_child(text: &mut String, child: &Child) {
    match child {
        Child::Node(node) => write_node(text, node),
        Child::Text(leaf) => {
            let leaf = leaf.as_str();
            let _ = write!(text, "{:?}", &leaf[..leaf.floor_char_boundary(SHOWN + 1)]);
        }
        Child::Reference(index) => {
            let _ = write!(text, "#{index}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words between spaces; a printer that can be told to go wrong.
    struct Words(fn(&str) -> String);

    impl Language for Words {
        fn name(&self) -> &'static str {
            "words"
        }

        fn parse(&self, source: &str) -> Result<Ast, ParseError> {
            if let Some(at) = source.find('!') {
                return Err(ParseError::at(at, "unexpected `!`"));
            }
            let words = source.split_whitespace();
            let nodes =
                words.map(|word| Ast::new("word", "Word", vec![Field::one("id", "id", word)]));
            Ok(Ast::new(
                "text",
                "Words",
                vec![Field::many("words", "word", nodes)],
            ))
        }

        fn print(&self, ast: &Ast) -> Result<String, PrintError> {
            let words = ast.get("words").map_or(&[][..], |it| it.children());
            let words = words.iter().filter_map(|child| match child {
                Child::Node(word) => match word.get("id")?.children() {
                    [Child::Text(text)] => Some(text.as_str().to_owned()),
                    _ => None,
                },
                _ => None,
            });
            Ok((self.0)(&words.collect::<Vec<_>>().join(" ")))
        }
    }

    fn check(printer: fn(&str) -> String, source: &str, expected: &str) {
        let found = match roundtrip(&Words(printer), source) {
            Roundtrip::Equal { printed } => format!("equal: {printed}"),
            Roundtrip::Different { place, .. } => {
                format!("at {}: {} became {}", place.path, place.before, place.after)
            }
            Roundtrip::Unparsable { error, .. } => format!("unparsable: {error}"),
            Roundtrip::Unprintable(error) => format!("unprintable: {error}"),
            Roundtrip::Unparsed(error) => format!("unparsed: {error}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn every_way_a_round_trip_ends() {
        check(str::to_owned, "a  b", "equal: a b");
        check(str::to_owned, "", "equal: ");
        check(str::to_owned, "a !", "unparsed: unexpected `!`");
        check(|text| format!("{text}!"), "a", "unparsable: unexpected `!`");
        check(
            |text| text.replace('b', "c"),
            "a b",
            "at Words.words[1].id: \"b\" became \"c\"",
        );
        check(
            |text| text.replace(" b", ""),
            "a b",
            "at Words.words[1]: (Word \"b\") became nothing",
        );
    }

    #[test]
    fn long_texts_are_shortened_at_a_character() {
        let long = "é".repeat(1000);
        let Roundtrip::Different { place, .. } = roundtrip(&Words(|_| "x".to_owned()), &long)
        else {
            panic!("expected another tree");
        };
        assert!(place.before.len() < 2 * SHOWN, "{}", place.before);
    }
}
