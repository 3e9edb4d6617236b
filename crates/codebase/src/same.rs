//! Idioms that say the same to a reader, of which one is enough.
//!
//! A statement and the expression in it; the same code where the grammar knows two symbols for it, as for what
//! may be a type or an argument in Go; and idioms that look alike because their holes are nearly always the
//! same code.

use patois_syntax::{Fragment, FragmentNode, Grammar, Label, Text};

/// Idioms with the same names say the same where one has this share of the other's places and size.
const SHARE: f64 = 0.75;

/// What an idiom says: taken from the fragment as it is shown, with the code that its holes nearly always are.
pub(crate) struct Said {
    /// Names and literals, in order.
    texts: Vec<Text>,
    /// The same with constructors, whatever symbol they are of, and holes.
    parts: Vec<Part>,
    n_fixed: usize,
    n_places: usize,
}

#[derive(PartialEq, Eq)]
enum Part {
    Constructor(&'static str),
    /// Lists, options and references are told apart by their number alone.
    Other(Label),
    Hole(usize),
}

impl Said {
    /// What a fragment says that occurs at so many places.
    pub(crate) fn of(grammar: &Grammar, shown: &Fragment, n_places: usize) -> Said {
        let nodes = shown.nodes().iter();
        let texts = nodes.clone().filter_map(|it| match it {
            FragmentNode::Fixed(Label::Text(text)) => Some(*text),
            _ => None,
        });
        let parts = nodes.map(|it| match *it {
            FragmentNode::Hole(hole) => Part::Hole(hole.index()),
            FragmentNode::Fixed(Label::Production(id)) => grammar
                .constructor(id)
                .map_or(Part::Other(Label::Production(id)), |it| {
                    Part::Constructor(it.name)
                }),
            FragmentNode::Fixed(label) => Part::Other(label),
        });
        Said {
            texts: texts.collect(),
            parts: parts.collect(),
            n_fixed: shown.n_fixed(),
            n_places,
        }
    }

    /// Whether two idioms say the same.
    pub(crate) fn is_same(&self, other: &Said) -> bool {
        let is_close = |a: usize, b: usize| a.min(b) as f64 >= SHARE * a.max(b) as f64;
        let says_nearly = is_close(self.n_places, other.n_places)
            && is_close(self.n_fixed, other.n_fixed)
            && self.texts == other.texts;
        says_nearly || self.parts == other.parts
    }
}

#[cfg(test)]
mod tests {
    use patois_languages::python::Python;
    use patois_syntax::Language as _;

    use super::*;

    #[test]
    fn what_says_the_same_is_told() {
        let grammar = Grammar::from_schema(Python.schema().unwrap());
        let said = |notation: &str, n_places| {
            let fragment = Fragment::parse(&grammar, notation).unwrap();
            Said::of(&grammar, &fragment, n_places)
        };
        let check = |one: (&str, usize), other: (&str, usize), expected: bool| {
            let is_same = said(one.0, one.1).is_same(&said(other.0, other.1));
            assert_eq!(is_same, expected, "{one:?} {other:?}");
        };
        let call = r#"(Call (Attribute (Name "log") "warn") [(Name "x")] [])"#;
        let statement = format!("(Expr {call})");
        check((call, 100), (&statement, 90), true);
        check((call, 100), (&statement, 40), false);
        check((call, 100), (call, 7), true);
        check((call, 100), (&call.replace("warn", "info"), 100), false);
        let (value, target) = (
            r#"expr: (Attribute (Name "self") ?0)"#,
            r#"target: (Attribute (Name "self") ?0)"#,
        );
        check((value, 100), (target, 10), true);
    }
}
