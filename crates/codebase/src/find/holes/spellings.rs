//! Other ways to write what a hole stands for, where Python's grammar tells them apart.
//!
//! A call with a starred argument and a subscript with a slice are nodes of their own kind. But
//! `$...args` are all arguments, `*rest` among them, and the `$i` of `$x[$i]` is whatever stands
//! between the brackets.

use patois_syntax::{HoleId, Label, NodeId, ProductionId};

use super::{Filling, Fillings, MAX_FRAGMENTS, Punctured};

/// Nodes with a list of expressions, and what they are where something in it is starred: the list up to
/// there, what is starred, and the rest.
const STARRED: &[(&str, &str)] = &[
    ("Call", "CallUnpack"),
    ("List", "ListUnpack"),
    ("Tuple", "TupleUnpack"),
];

/// Subscripts with a slice between the brackets, and among others, with the number of parts that an index
/// becomes.
const SLICED: &[(&str, usize)] = &[("SubscriptSlice", 1), ("SubscriptSlices", 3)];

/// The given fillings, and for each the other ways to write the same.
pub(super) fn all(
    punctured: &Punctured<'_>,
    mut all: Vec<Fillings>,
    fresh: &mut impl FnMut() -> HoleId,
) -> Vec<Fillings> {
    for &cell in &punctured.all_rest {
        add(&mut all, |fillings| {
            starred(punctured, fillings, cell, fresh)
                .into_iter()
                .collect()
        });
    }
    // Every way to write equal names has holes of its own, but the places of names are the same.
    for group in &punctured.groups {
        let tops: Vec<NodeId> = group
            .levels
            .iter()
            .filter_map(|it| it.last().copied())
            .collect();
        add(&mut all, |fillings| {
            sliced(punctured, fillings, &tops, fresh)
        });
    }
    all
}

fn add(all: &mut Vec<Fillings>, mut others: impl FnMut(&Fillings) -> Vec<Fillings>) {
    let more: Vec<Fillings> = all.iter().flat_map(&mut others).collect();
    if all.len() + more.len() <= MAX_FRAGMENTS {
        all.extend(more);
    }
}

/// The same with a star in the list whose rest is at `cell`.
fn starred(
    punctured: &Punctured<'_>,
    fillings: &Fillings,
    cell: NodeId,
    fresh: &mut impl FnMut() -> HoleId,
) -> Option<Fillings> {
    let (_, owner) = punctured.list_of(cell)?;
    let name = constructor(punctured, owner)?;
    let (_, other) = STARRED.iter().find(|it| it.0 == name)?;
    let Some(Filling::Hole(rest)) = fillings.get(&cell) else {
        return None;
    };
    let mut fillings = fillings.clone();
    fillings.insert(cell, Filling::Holes(vec![*rest, fresh(), fresh()]));
    fillings.insert(
        owner,
        Filling::Respelt(production(punctured, owner, other)?),
    );
    Some(fillings)
}

/// The same with slices at all places of a name, where all of them are indices.
fn sliced(
    punctured: &Punctured<'_>,
    fillings: &Fillings,
    places: &[NodeId],
    fresh: &mut impl FnMut() -> HoleId,
) -> Vec<Fillings> {
    let subscripts: Option<Vec<NodeId>> =
        places.iter().map(|&it| subscript(punctured, it)).collect();
    let Some(subscripts) = subscripts else {
        return Vec::new();
    };
    let spelt = SLICED.iter().filter_map(|&(other, n_parts)| {
        let parts: Vec<HoleId> = (0..n_parts).map(|_| fresh()).collect();
        let mut fillings = fillings.clone();
        for (&place, &subscript) in places.iter().zip(&subscripts) {
            matches!(fillings.get(&place), Some(Filling::Hole(_))).then_some(())?;
            fillings.insert(place, Filling::Holes(parts.clone()));
            let id = production(punctured, subscript, other)?;
            fillings.insert(subscript, Filling::Respelt(id));
        }
        Some(fillings)
    });
    spelt.collect()
}

/// The subscript that a node is the index of.
fn subscript(punctured: &Punctured<'_>, node: NodeId) -> Option<NodeId> {
    let parent = punctured.parents[node.index()]?;
    let is_index = punctured.tree.children(parent).nth(1) == Some(node);
    (is_index && constructor(punctured, parent)? == "Subscript").then_some(parent)
}

fn constructor(punctured: &Punctured<'_>, node: NodeId) -> Option<&'static str> {
    let Label::Production(id) = punctured.tree.label(node) else {
        return None;
    };
    punctured.grammar.constructor(id).map(|it| it.name)
}

fn production(punctured: &Punctured<'_>, node: NodeId, name: &str) -> Option<ProductionId> {
    punctured
        .grammar
        .construct(punctured.tree.symbol(node), name)
}

#[cfg(test)]
mod tests {
    use patois_languages::SourceLanguage;

    use crate::find::{Sought, find};
    use crate::repository::{RepositoryPrograms, UnitConfig};

    /// Looks for a pattern in lines, each of which is a statement; the lines it was found on.
    fn check(pattern: &str, lines: &[&str], expected: &[usize]) {
        let source = lines.join("\n") + "\n";
        let sources = [("a.py".to_owned(), source)];
        let python = SourceLanguage::Python;
        let read = RepositoryPrograms::of_sources(python, sources, &UnitConfig::default());
        let places = find(&read, &Sought::typed(pattern).unwrap()).unwrap();
        let mut found: Vec<usize> = places.iter().map(|it| it.line).collect();
        found.dedup();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn all_arguments_may_be_starred() {
        let calls = &[
            "f()",
            "f(a)",
            "f(*i)",
            "f(a, *i)",
            "f(b, *i, c, k=1)",
            "f(**k)",
            "g(*i)",
        ];
        check("f($...args)", calls, &[1, 2, 3, 4, 5, 6]);
        check("f(a, $...args)", calls, &[2, 4]);
        check("f($args...)", calls, &[1, 2]);
        check(
            "\"$s\".format($...args)",
            &["'{}'.format(*x)", "'{} {}'.format(a, *x)", "x.format(*x)"],
            &[1, 2],
        );
        check(
            "f([$...items])",
            &["f([a, *b])", "f([])", "f((a, *b))"],
            &[1, 2],
        );
    }

    #[test]
    fn an_index_may_be_a_slice() {
        let lines = &["x[1]", "x[a:b]", "x[:, 0]", "y[0], x[::2]", "x.a"];
        check("x[$i]", lines, &[1, 2, 3, 4]);
        check(
            "$x[$i] = $y[$i]",
            &["a[1:] = b[1:]", "a[1:] = b[2:]", "a[k] = b[k]"],
            &[1, 3],
        );
        check("f($i, x[$i])", &["f(1, x[1])", "f(1, x[1:])"], &[1]);
    }
}
