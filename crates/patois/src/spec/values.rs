//! Values of a database among what can be copied.

use indexmap::IndexSet;
use patois_syntax::Text;
use patois_synthesis::{Copied, Matching, Origin};

use super::linking::FoundValue;
use super::words::Word;

/// Offers the values that a question names, as the database spells them, and takes back what the same words would be
/// in another spelling: where there is `Germany`, nobody means `germany`.
pub(super) fn offer(
    copies: &mut Vec<Copied>,
    text: &str,
    words: &[Word<'_>],
    values: &[FoundValue<'_>],
) {
    let found: IndexSet<(u32, u32, String)> = values
        .iter()
        .filter_map(|it| {
            let (first, last) = ends(it);
            Some((first, last, it.text?.to_lowercase()))
        })
        .collect();
    let is_value = |copy: &Copied| {
        let same = |it: &&FoundValue<'_>| ends(it) == (copy.first, copy.last);
        let spellings = values.iter().filter(same).filter_map(|it| it.text);
        spellings.into_iter().any(|it| it == copy.text.as_str())
    };
    copies.retain(|copy| {
        let lower = copy.text.as_str().to_lowercase();
        !found.contains(&(copy.first, copy.last, lower)) || is_value(copy)
    });
    copies.extend(values.iter().filter_map(|it| copied(it, text, words)));
}

/// The first and the last word of a value.
fn ends(value: &FoundValue<'_>) -> (u32, u32) {
    (value.words.start as u32, value.words.end as u32 - 1)
}

fn copied(value: &FoundValue<'_>, text: &str, words: &[Word<'_>]) -> Option<Copied> {
    let spelling = value.text?;
    let run = words.get(value.words.clone())?;
    let said = &text[run.first()?.start..run.last()?.span().end];
    let matching = if value.is_misspelt {
        Matching::Misspelt
    } else if said == spelling {
        Matching::Same
    } else if said.to_lowercase() == spelling.to_lowercase() {
        Matching::Case
    } else {
        Matching::Stems
    };
    let (first, last) = ends(value);
    Some(Copied {
        text: Text::new(spelling),
        first,
        last,
        origin: Origin::Value {
            column: value.column as u32,
            matching,
        },
    })
}
