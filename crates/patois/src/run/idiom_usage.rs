//! Which idioms a model uses: in all programs, and in those that are exact matches.

use std::collections::BTreeMap;

use serde::Serialize;

use super::synthesize::Prediction;

/// Which idioms of a library are used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IdiomUsage {
    /// How many idioms the library has.
    pub library: usize,
    /// In all programs.
    pub all: Uses,
    /// In exact matches.
    pub exact: Uses,
    /// The idioms that are used, the most used first.
    pub idioms: Vec<UsedIdiom>,
}

/// How often idioms are used in some programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Uses {
    /// How many programs there are.
    pub programs: usize,
    /// How many of them use an idiom.
    pub with_idioms: usize,
    /// How many uses there are.
    pub uses: usize,
    /// How many different idioms are used.
    pub different: usize,
}

/// How often one idiom is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsedIdiom {
    /// Its index in the library.
    pub idiom: usize,
    /// In all programs.
    pub all: usize,
    /// In exact matches.
    pub exact: usize,
}

impl IdiomUsage {
    /// The usage of a library of `n_idioms` in predictions.
    pub fn of(predictions: &[Prediction], n_idioms: usize) -> IdiomUsage {
        let mut idioms: BTreeMap<usize, UsedIdiom> = BTreeMap::new();
        for prediction in predictions {
            for &idiom in &prediction.idioms {
                let used = idioms.entry(idiom).or_insert(UsedIdiom {
                    idiom,
                    ..UsedIdiom::default()
                });
                used.all += 1;
                used.exact += usize::from(prediction.is_exact());
            }
        }
        let mut idioms: Vec<UsedIdiom> = idioms.into_values().collect();
        idioms.sort_by_key(|it| (std::cmp::Reverse(it.all), it.idiom));
        let exact = predictions.iter().filter(|it| it.is_exact());
        IdiomUsage {
            library: n_idioms,
            all: uses(predictions.iter(), idioms.len()),
            exact: uses(exact, idioms.iter().filter(|it| it.exact > 0).count()),
            idioms,
        }
    }
}

fn uses<'a>(predictions: impl Iterator<Item = &'a Prediction>, different: usize) -> Uses {
    let mut uses = Uses {
        different,
        ..Uses::default()
    };
    for prediction in predictions {
        uses.programs += 1;
        uses.with_idioms += usize::from(!prediction.idioms.is_empty());
        uses.uses += prediction.idioms.len();
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Split;
    use crate::run::synthesize::Score;
    use patois_metrics::ProgramScore;

    fn prediction(idioms: &[usize], exact_match: bool) -> Prediction {
        Prediction {
            run: None,
            id: String::new(),
            split: Split::Dev,
            database: None,
            text: String::new(),
            gold: String::new(),
            predicted: String::new(),
            ln_p: None,
            idioms: idioms.to_vec(),
            trace: Vec::new(),
            score: Score::Program(ProgramScore {
                exact_match,
                ..ProgramScore::default()
            }),
            failure: None,
        }
    }

    #[test]
    fn uses_are_counted_in_all_programs_and_in_exact_matches() {
        let predictions = [
            prediction(&[3, 1, 3], false),
            prediction(&[1], true),
            prediction(&[], true),
        ];
        let usage = IdiomUsage::of(&predictions, 8);
        let counts: Vec<_> = usage
            .idioms
            .iter()
            .map(|it| (it.idiom, it.all, it.exact))
            .collect();
        assert_eq!(counts, [(1, 2, 1), (3, 2, 0)]);
        let numbers = |it: Uses| (it.programs, it.with_idioms, it.uses, it.different);
        assert_eq!(numbers(usage.all), (3, 2, 4, 2));
        assert_eq!(numbers(usage.exact), (2, 1, 1, 1));
    }
}
