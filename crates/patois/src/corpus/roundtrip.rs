//! Parse, print, parse again: does a program survive?

pub mod queries;

use std::fmt::Write as _;

use patois_syntax::{Ast, Child, Field, Language, ParseError, PrintError};

/// Parses `source`, prints its tree, parses that, and compares the two trees.
pub fn roundtrip(language: &dyn Language, source: &str) -> Roundtrip {
    let original = match language.parse(source) {
        Ok(ast) => ast,
        Err(error) => return Roundtrip::Unparsed(error),
    };
    match reparse(language, &original) {
        Ok(printed) => Roundtrip::Equal { printed },
        Err(difference) => Roundtrip::Different(difference),
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
    /// The program came back as something else, or not at all.
    Different(Difference),
    /// The program is none of the language.
    Unparsed(ParseError),
}

/// Why a program that parses does not come back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// Its tree cannot be printed.
    #[error("cannot be printed: {0}")]
    Unprintable(PrintError),
    /// The printed text is no program.
    #[error("does not parse once printed: {error}")]
    Unparsable {
        /// The program as printed.
        printed: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The printed text is another program.
    #[error("comes back as another tree: {place}")]
    Tree {
        /// The program as printed.
        printed: String,
        /// The first place where the trees part.
        place: Place,
    },
}

impl Difference {
    /// The program as printed, where printing succeeded.
    pub fn printed(&self) -> Option<&str> {
        match self {
            Difference::Unprintable(_) => None,
            Difference::Unparsable { printed, .. } | Difference::Tree { printed, .. } => {
                Some(printed)
            }
        }
    }
}

/// A place where two trees part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {path}: {before} became {after}")]
pub struct Place {
    /// The fields that lead there from the root, such as `Module.body[2].value`.
    pub path: String,
    /// What the first tree has there, shortened.
    pub before: String,
    /// What the second tree has there, shortened.
    pub after: String,
}

/// The first place, in preorder, where two trees part; none if they are equal.
pub fn first_difference(before: &Ast, after: &Ast) -> Option<Place> {
    let mut trail = Trail::default();
    node_difference(before, after, &mut trail).map(|(left, right)| Place {
        path: trail.path(before),
        before: left,
        after: right,
    })
}

fn reparse(language: &dyn Language, original: &Ast) -> Result<String, Difference> {
    let printed = language.print(original).map_err(Difference::Unprintable)?;
    match language.parse(&printed) {
        Err(error) => Err(Difference::Unparsable { printed, error }),
        Ok(again) => match first_difference(original, &again) {
            Some(place) => Err(Difference::Tree { printed, place }),
            None => Ok(printed),
        },
    }
}

/// The fields, and positions in them, between the root and the place under comparison.
#[derive(Default)]
struct Trail(Vec<(&'static str, Option<usize>)>);

impl Trail {
    fn path(&self, root: &Ast) -> String {
        let mut path = root.constructor.to_owned();
        for (field, index) in &self.0 {
            path.push('.');
            path.push_str(field);
            if let Some(index) = index {
                let _ = write!(path, "[{index}]");
            }
        }
        path
    }
}

/// Both sides of the first difference below two nodes; `trail` then leads to it.
fn node_difference(left: &Ast, right: &Ast, trail: &mut Trail) -> Option<(String, String)> {
    let same_shape = left.ty == right.ty
        && left.constructor == right.constructor
        && left.fields.len() == right.fields.len();
    if !same_shape {
        return Some((notation(left), notation(right)));
    }
    left.fields
        .iter()
        .zip(&right.fields)
        .find_map(|(left, right)| field_difference(left, right, trail))
}

fn field_difference(left: &Field, right: &Field, trail: &mut Trail) -> Option<(String, String)> {
    if left.name != right.name || left.ty != right.ty {
        return Some((
            format!("field {}", left.name),
            format!("field {}", right.name),
        ));
    }
    let (befores, afters) = (left.value.children(), right.value.children());
    let is_list = matches!(
        left.value,
        patois_syntax::FieldValue::Many(_) | patois_syntax::FieldValue::NonEmpty(_)
    );
    for index in 0..befores.len().max(afters.len()) {
        trail.0.push((left.name, is_list.then_some(index)));
        let difference = match (befores.get(index), afters.get(index)) {
            (Some(before), Some(after)) => child_difference(before, after, trail),
            (before, after) => Some((child_or_nothing(before), child_or_nothing(after))),
        };
        if difference.is_some() {
            return difference;
        }
        trail.0.pop();
    }
    None
}

fn child_difference(left: &Child, right: &Child, trail: &mut Trail) -> Option<(String, String)> {
    match (left, right) {
        (Child::Node(left), Child::Node(right)) => node_difference(left, right, trail),
        _ if left == right => None,
        _ => Some((child_or_nothing(Some(left)), child_or_nothing(Some(right)))),
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
            Roundtrip::Different(difference) => difference.to_string(),
            Roundtrip::Unparsed(error) => format!("unparsed: {error}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn every_way_a_round_trip_ends() {
        check(str::to_owned, "a  b", "equal: a b");
        check(str::to_owned, "", "equal: ");
        check(str::to_owned, "a !", "unparsed: unexpected `!`");
        check(
            |text| format!("{text}!"),
            "a",
            "does not parse once printed: unexpected `!`",
        );
        check(
            |text| text.replace('b', "c"),
            "a b",
            "comes back as another tree: at Words.words[1].id: \"b\" became \"c\"",
        );
        check(
            |text| text.replace(" b", ""),
            "a b",
            "comes back as another tree: at Words.words[1]: (Word \"b\") became nothing",
        );
    }

    #[test]
    fn long_texts_are_shortened_at_a_character() {
        let long = "é".repeat(1000);
        let Roundtrip::Different(Difference::Tree { place, .. }) =
            roundtrip(&Words(|_| "x".to_owned()), &long)
        else {
            panic!("expected another tree");
        };
        assert!(place.before.len() < 2 * SHOWN, "{}", place.before);
    }
}
