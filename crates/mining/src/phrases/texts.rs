//! What the specifications of programs say: words, and pairs of words that follow each other.

use indexmap::{IndexMap, IndexSet};
use patois_syntax::index;
use rustc_hash::FxBuildHasher;

index! {
    /// A word or a pair of words.
    pub(super) PhraseId
}

/// The specifications of programs, one each, as the words and pairs of words that they have.
///
/// ```
/// use patois_mining::Texts;
///
/// let texts = ["Draw a card", "draw two cards", "Draw a card .", "a minion"];
/// let texts = Texts::new(texts.map(|it| it.split(' ')));
/// assert_eq!(texts.len(), 4);
/// // What fewer than three programs have says nothing; `draw` is a phrase whatever its case.
/// assert_eq!(texts.phrases().collect::<Vec<_>>(), ["draw", "a"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// What each phrase looks like.
    names: Vec<String>,
    /// For each phrase, the programs that have it, in order.
    programs: Vec<Vec<u32>>,
    /// For each program its phrases, in order.
    phrases: Vec<Vec<PhraseId>>,
}

/// In how many programs a phrase is, at least.
const MIN_PROGRAMS: usize = 3;

impl Texts {
    /// Of the words of each program, in order.
    pub fn new<W: AsRef<str>>(
        texts: impl IntoIterator<Item = impl IntoIterator<Item = W>>,
    ) -> Texts {
        let texts: Vec<Vec<String>> = texts
            .into_iter()
            .map(|words| {
                words
                    .into_iter()
                    .map(|it| it.as_ref().to_lowercase())
                    .collect()
            })
            .collect();
        // Words first: of phrases that the same programs have, the shortest is kept.
        let mut programs: IndexMap<String, IndexSet<u32>> = IndexMap::new();
        for length in [1, 2] {
            for (program, words) in (0..).zip(&texts) {
                for phrase in words.windows(length) {
                    programs
                        .entry(phrase.join(" "))
                        .or_default()
                        .insert(program);
                }
            }
        }
        let mut kept: IndexMap<Vec<u32>, String, FxBuildHasher> = IndexMap::default();
        for (name, programs) in programs {
            // What all have but one or two says as little as what one or two have.
            let is_telling =
                (MIN_PROGRAMS..=texts.len().saturating_sub(1)).contains(&programs.len());
            if is_telling {
                kept.entry(programs.into_iter().collect()).or_insert(name);
            }
        }
        let (programs, names): (Vec<Vec<u32>>, Vec<String>) = kept.into_iter().unzip();
        let mut phrases = vec![Vec::new(); texts.len()];
        for (phrase, programs) in programs.iter().enumerate() {
            for &program in programs {
                phrases[program as usize].push(PhraseId::new(phrase));
            }
        }
        Texts {
            names,
            programs,
            phrases,
        }
    }

    /// How many programs there are.
    pub fn len(&self) -> usize {
        self.phrases.len()
    }

    /// Whether there is no program.
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// The phrases that may predict something.
    pub fn phrases(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub(super) fn n_phrases(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, phrase: PhraseId) -> &str {
        &self.names[phrase.index()]
    }

    /// The programs that have a phrase, in order.
    pub(super) fn programs(&self, phrase: PhraseId) -> &[u32] {
        &self.programs[phrase.index()]
    }

    /// The phrases of a program, in order.
    pub(super) fn of(&self, program: u32) -> &[PhraseId] {
        &self.phrases[program as usize]
    }
}
