//! Some places of an idiom, spread over the repository.

use std::ops::Range;

use patois_syntax::{FragmentNode, Label, NodeId, Span};

use super::excerpt::{Excerpt, Marks};
use super::survey::{Occurrence, Survey};

/// The code at some occurrences of an idiom; the files of the report begin at `first_file`.
pub(super) fn places(
    survey: &Survey<'_>,
    idiom: usize,
    n_places: usize,
    first_file: usize,
) -> Vec<Excerpt> {
    let chosen = spread(survey, survey.occurrences(idiom), n_places);
    let excerpts = chosen
        .into_iter()
        .filter_map(|it| excerpt(survey, idiom, it, first_file));
    excerpts.collect()
}

/// Occurrences in as many files as possible, these at equal distances, in their order.
fn spread(survey: &Survey<'_>, occurrences: &[Occurrence], n_places: usize) -> Vec<Occurrence> {
    let mut by_file =
        occurrences.chunk_by(|one, other| survey.file_of(one.unit) == survey.file_of(other.unit));
    let files: Vec<&[Occurrence]> = by_file.by_ref().collect();
    if files.len() >= n_places {
        let chosen = (0..n_places).map(|it| files[it * files.len() / n_places][0]);
        return chosen.collect();
    }
    // As many of each file as there is room for, from the first on.
    let mut taken = vec![0; files.len()];
    let mut left = n_places.min(occurrences.len());
    while left > 0 {
        for (file, taken) in files.iter().zip(&mut taken) {
            if left > 0 && *taken < file.len() {
                *taken += 1;
                left -= 1;
            }
        }
    }
    let chosen = files
        .iter()
        .zip(taken)
        .flat_map(|(file, taken)| &file[..taken]);
    chosen.copied().collect()
}

fn excerpt(
    survey: &Survey<'_>,
    idiom: usize,
    occurrence: Occurrence,
    first_file: usize,
) -> Option<Excerpt> {
    let Occurrence { unit, root } = occurrence;
    let fragment = survey.fragment(idiom);
    let tree = &survey.trees()[unit];
    let spans = survey.spans_of(unit);
    let whole = spans.of_occurrence(survey.grammar(), fragment, tree, root)?;
    let mut fills = Vec::new();
    for (part, node) in fragment.positions(tree, root) {
        if let FragmentNode::Hole(hole) = part
            && let Some(range) = place_of(survey, unit, node)
            && whole.start as usize <= range.start
            && range.end <= whole.end as usize
        {
            fills.push((hole.index(), range));
        }
    }
    let marks = Marks {
        whole: whole.range(),
        fills,
    };
    let file = first_file + survey.file_of(unit);
    Excerpt::new(file, survey.source_of(unit), &marks)
}

/// Where a node stands in its file.
///
/// The place of a text, such as `x` in `self.x`, is not known: it is the only one in its parent where
/// it stands as a word and none of the parent's other children does.
fn place_of(survey: &Survey<'_>, unit: usize, node: NodeId) -> Option<Range<usize>> {
    let spans = survey.spans_of(unit);
    if let Some(span) = spans.get(node) {
        return Some(span.range());
    }
    let tree = &survey.trees()[unit];
    let Label::Text(text) = tree.label(node) else {
        return None;
    };
    let parent = (0..node.index())
        .rev()
        .map(NodeId::new)
        .find(|&it| tree.end(it) > node)?;
    let within = spans.get(parent)?.range();
    let others = tree.children(parent).filter_map(|it| spans.get(it));
    let others: Vec<Range<usize>> = others.map(Span::range).collect();
    let is_free = |found: &Range<usize>| {
        let is_apart = |other: &Range<usize>| found.end <= other.start || other.end <= found.start;
        others.iter().all(is_apart)
    };
    let source = &survey.source_of(unit).text;
    let mut found = words(source.get(within.clone())?, text.as_str())
        .map(|at| within.start + at..within.start + at + text.as_str().len())
        .filter(is_free);
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

/// Where `word` is in a text with no letter or digit beside it.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let found = text.match_indices(word).map(|it| it.0);
    found.filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_alone() {
        let check = |text, word, expected: &[usize]| {
            assert_eq!(words(text, word).collect::<Vec<_>>(), expected);
        };
        check("x.xy.x", "x", &[0, 5]);
        check("éx x_ (x)", "x", &[8]);
        check("abc", "", &[]);
    }
}
