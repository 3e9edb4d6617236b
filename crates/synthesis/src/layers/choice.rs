//! Heads: log-probabilities of actions, each normalised over what is possible at its step.

use std::ops::Range;
use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// A step at which a rule is applied.
#[derive(Clone, Debug)]
pub(crate) struct RuleChoice {
    /// Its row of the logits.
    pub(crate) row: usize,
    /// The rules that may expand the symbol, as columns of the logits.
    pub(crate) possible: Arc<[u32]>,
    /// The rules whose probability is asked for, as indices of `possible`.
    pub(crate) asked: Vec<u32>,
}

/// ln p of all rules that are asked for, one after the other: [asked, 1].
///
/// `logits` is [steps, rules].
pub(crate) fn choose_rules(tape: &mut Tape<'_>, logits: Var, choices: Arc<Vec<RuleChoice>>) -> Var {
    let mut result = Vec::new();
    let mut scores = Vec::new();
    for choice in choices.iter() {
        let ln_sum = possible_scores(tape.value(logits), choice, &mut scores);
        let logits = tape.value(logits).row(choice.row);
        let logit = |it: &u32| logits[choice.possible[*it as usize] as usize];
        result.extend(choice.asked.iter().map(|it| logit(it) - ln_sum));
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let mut start = 0;
        let mut scores = Vec::new();
        let mut logit_gradients =
            Matrix::zeros(values[logits].n_rows(), values[logits].n_columns());
        for choice in choices.iter() {
            let own = &gradient.values()[start..start + choice.asked.len()];
            start += choice.asked.len();
            possible_scores(&values[logits], choice, &mut scores);
            let total: f32 = own.iter().sum();
            let result = logit_gradients.row_mut(choice.row);
            for (&rule, probability) in choice.possible.iter().zip(&scores) {
                result[rule as usize] -= total * probability;
            }
            for (&asked, gradient) in choice.asked.iter().zip(own) {
                result[choice.possible[asked as usize] as usize] += gradient;
            }
        }
        gradients.add(logits, logit_gradients);
    })
}

/// Fills in the probabilities of the possible rules; ln of the sum of exponentials.
fn possible_scores(logits: &Matrix, choice: &RuleChoice, scores: &mut Vec<f32>) -> f32 {
    let logits = logits.row(choice.row);
    scores.clear();
    scores.extend(choice.possible.iter().map(|&rule| logits[rule as usize]));
    softmax(scores)
}

/// Replaces scores by probabilities; ln of the sum of exponentials.
pub(crate) fn softmax(scores: &mut [f32]) -> f32 {
    simd::vectorized(
        #[inline(always)]
        || simd::softmax(scores),
    )
}

/// A step at which an item is pointed at.
#[derive(Clone, Debug)]
pub(crate) struct PointerChoice {
    /// Its row of the queries.
    pub(crate) row: usize,
    /// The row of the first element of its example.
    pub(crate) start: usize,
    /// The elements that may be pointed at, counted from there.
    pub(crate) items: Arc<[u32]>,
    /// The index of the right one among them.
    pub(crate) target: usize,
}

impl PointerChoice {
    /// The rows of the items.
    fn rows(&self) -> impl ExactSizeIterator<Item = usize> {
        self.items.iter().map(|&it| self.start + it as usize)
    }
}

/// ln p of the right item of each step, [steps, 1]: scaled dot products of `queries` [steps, hidden]
/// and `items` [items, hidden].
pub(crate) fn choose_items(
    tape: &mut Tape<'_>,
    queries: Var,
    items: Var,
    choices: Arc<Vec<PointerChoice>>,
) -> Var {
    let mut result = Vec::with_capacity(choices.len());
    for choice in choices.iter() {
        let query = tape.value(queries).row(choice.row);
        let mut scores = scaled_dots(query, tape.value(items), choice.rows());
        let right = scores[choice.target];
        result.push(right - softmax(&mut scores));
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let scale = scale(values[queries].n_columns());
        let shape = values[queries].shape();
        let mut query_gradients = Matrix::zeros(shape.0, shape.1);
        let shape = values[items].shape();
        let mut item_gradients = Matrix::zeros(shape.0, shape.1);
        for (choice, &gradient) in choices.iter().zip(gradient.values()) {
            let query = values[queries].row(choice.row);
            let mut scores = scaled_dots(query, &values[items], choice.rows());
            softmax(&mut scores);
            simd::vectorized(
                #[inline(always)]
                || {
                    for (index, item) in choice.rows().enumerate() {
                        let is_right = f32::from(u8::from(index == choice.target));
                        let factor = gradient * (is_right - scores[index]) * scale;
                        let row = query_gradients.row_mut(choice.row);
                        simd::add_scaled(row, factor, values[items].row(item));
                        simd::add_scaled(item_gradients.row_mut(item), factor, query);
                    }
                },
            );
        }
        gradients.add(queries, query_gradients);
        gradients.add(items, item_gradients);
    })
}

pub(super) fn scale(width: usize) -> f32 {
    1.0 / (width as f32).sqrt()
}

/// Dot products of a query with some rows, over the root of their width.
pub(crate) fn scaled_dots(
    query: &[f32],
    rows: &Matrix,
    which: impl ExactSizeIterator<Item = usize>,
) -> Vec<f32> {
    let scale = scale(query.len());
    let mut dots = vec![0.0; which.len()];
    simd::vectorized(
        #[inline(always)]
        || {
            for (dot, row) in dots.iter_mut().zip(which) {
                *dot = simd::dot(query, rows.row(row)) * scale;
            }
        },
    );
    dots
}

/// What subtokens of text are scored with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLogits {
    /// The logits of the vocabulary: [steps, vocabulary].
    pub(crate) vocabulary: Var,
    /// Queries for the first word of a copied run and for the last, the logits of forms, and the
    /// logit of generating rather than copying: [steps, 2 hidden + forms + 1].
    pub(crate) copying: Var,
    /// The encoded words: [words, hidden].
    pub(crate) words: Var,
}

/// A step at which a subtoken of text is emitted.
#[derive(Clone, Debug)]
pub(crate) struct TextChoice {
    /// Its row of the logits.
    pub(crate) row: usize,
    /// The rows of the words that can be copied.
    pub(crate) words: Range<usize>,
    /// What can be copied: the first and the last word, counted from the first of `words`, and the form.
    pub(crate) copies: Arc<Vec<[u32; 3]>>,
    /// The subtoken in the vocabulary.
    pub(crate) subtoken: Option<u32>,
    /// The indices of the copies that are the subtoken.
    pub(crate) copied: Vec<u32>,
}

/// ln p of the subtoken of each step, [steps, 1]: that it is generated (the paper's `p_gen`), or copied from
/// any place (`p_copy`, added up over the entries that are the same subtoken).
///
/// ```text
/// p(subtoken) = σ(g) softmax(vocabulary)(subtoken) + (1 - σ(g)) Σ softmax(copies)(c)  over the copies c of the subtoken
/// score(c) = (first · word(c.first) + last · word(c.last)) / √hidden + form(c.form)
/// ```
///
/// Where nothing can be copied, everything is generated.
pub(crate) fn choose_texts(
    tape: &mut Tape<'_>,
    logits: TextLogits,
    choices: Arc<Vec<TextChoice>>,
) -> Var {
    let mut result = Vec::with_capacity(choices.len());
    for choice in choices.iter() {
        let scored = Scored::new(
            choice,
            tape.value(logits.vocabulary),
            tape.value(logits.copying),
            tape.value(logits.words),
        );
        result.push(scored.ln_probability());
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let zeros = |var: Var| {
            let (n_rows, n_columns) = values[var].shape();
            Matrix::zeros(n_rows, n_columns)
        };
        let mut vocabulary = zeros(logits.vocabulary);
        let mut copying = zeros(logits.copying);
        let mut words = zeros(logits.words);
        for (choice, &gradient) in choices.iter().zip(gradient.values()) {
            let scored = Scored::new(
                choice,
                &values[logits.vocabulary],
                &values[logits.copying],
                &values[logits.words],
            );
            scored.backward(gradient, &mut vocabulary, &mut copying, &mut words);
        }
        gradients.add(logits.vocabulary, vocabulary);
        gradients.add(logits.copying, copying);
        gradients.add(logits.words, words);
    })
}

/// The probability of generating rather than copying, and those of the copies among each other, from a
/// row of [`TextLogits::copying`].
pub(crate) fn generate_or_copy(
    row: &[f32],
    words: &Matrix,
    which: Range<usize>,
    copies: &[[u32; 3]],
) -> (f32, Vec<f32>) {
    if copies.is_empty() {
        return (1.0, Vec::new());
    }
    let size = words.n_columns();
    let (first, last, forms) = (&row[..size], &row[size..2 * size], &row[2 * size..]);
    let at_first = scaled_dots(first, words, which.clone());
    let at_last = scaled_dots(last, words, which);
    let score = |copy: &[u32; 3]| {
        let [first, last, form] = copy.map(|it| it as usize);
        at_first[first] + at_last[last] + forms[form]
    };
    let mut copied: Vec<f32> = copies.iter().map(score).collect();
    softmax(&mut copied);
    (simd::sigmoid(forms[forms.len() - 1]), copied)
}

/// The scores of one step.
struct Scored<'a> {
    choice: &'a TextChoice,
    /// The probabilities of the vocabulary.
    generated: Vec<f32>,
    /// Those of the copies.
    copied: Vec<f32>,
    /// σ(g).
    p_generate: f32,
    first: &'a [f32],
    last: &'a [f32],
    words: &'a Matrix,
}

impl<'a> Scored<'a> {
    fn new(
        choice: &'a TextChoice,
        vocabulary: &Matrix,
        copying: &'a Matrix,
        words: &'a Matrix,
    ) -> Scored<'a> {
        let size = words.n_columns();
        let row = copying.row(choice.row);
        let mut generated = vocabulary.row(choice.row).to_vec();
        softmax(&mut generated);
        let (p_generate, copied) =
            generate_or_copy(row, words, choice.words.clone(), &choice.copies);
        Scored {
            choice,
            generated,
            copied,
            p_generate,
            first: &row[..size],
            last: &row[size..2 * size],
            words,
        }
    }

    /// The probability that the subtoken is generated, and that it is copied.
    fn probabilities(&self) -> (f32, f32) {
        let generated = self
            .choice
            .subtoken
            .map_or(0.0, |it| self.generated[it as usize]);
        let copied: f32 = self
            .choice
            .copied
            .iter()
            .map(|&it| self.copied[it as usize])
            .sum();
        (
            self.p_generate * generated,
            (1.0 - self.p_generate) * copied,
        )
    }

    fn ln_probability(&self) -> f32 {
        let (generated, copied) = self.probabilities();
        // The smallest normal number: a logarithm that does not end training.
        (generated + copied).max(f32::MIN_POSITIVE).ln()
    }

    fn backward(
        &self,
        gradient: f32,
        vocabulary: &mut Matrix,
        copying: &mut Matrix,
        words: &mut Matrix,
    ) {
        let choice = self.choice;
        let (generated, copied) = self.probabilities();
        let total = (generated + copied).max(f32::MIN_POSITIVE);
        let (by_generating, by_copying) = (gradient * generated / total, gradient * copied / total);

        let result = vocabulary.row_mut(choice.row);
        simd::vectorized(
            #[inline(always)]
            || simd::add_scaled(result, -by_generating, &self.generated),
        );
        if let Some(subtoken) = choice.subtoken {
            result[subtoken as usize] += by_generating;
        }
        if self.copied.is_empty() {
            return;
        }

        let size = self.words.n_columns();
        let row = copying.row_mut(choice.row);
        let n_columns = row.len();
        row[n_columns - 1] +=
            by_generating * (1.0 - self.p_generate) - by_copying * self.p_generate;
        let copied: f32 = choice
            .copied
            .iter()
            .map(|&it| self.copied[it as usize])
            .sum();
        let mut scores: Vec<f32> = self.copied.iter().map(|it| -by_copying * it).collect();
        for &copy in &choice.copied {
            let share = self.copied[copy as usize] / copied.max(f32::MIN_POSITIVE);
            scores[copy as usize] += by_copying * share;
        }
        let mut at_first = vec![0.0; choice.words.len()];
        let mut at_last = vec![0.0; choice.words.len()];
        for (score, copy) in scores.iter().zip(choice.copies.iter()) {
            let [first, last, form] = copy.map(|it| it as usize);
            at_first[first] += score;
            at_last[last] += score;
            row[2 * size + form] += score;
        }
        let scale = scale(size);
        simd::vectorized(
            #[inline(always)]
            || {
                for (index, word) in choice.words.clone().enumerate() {
                    let (first, last) = (at_first[index] * scale, at_last[index] * scale);
                    simd::add_scaled(&mut row[..size], first, self.words.row(word));
                    simd::add_scaled(&mut row[size..2 * size], last, self.words.row(word));
                    simd::add_scaled(words.row_mut(word), first, self.first);
                    simd::add_scaled(words.row_mut(word), last, self.last);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};
    use crate::parameters::Parameters;
    use crate::tape::Recording;

    #[test]
    fn gradients_of_rules() {
        let choices = Arc::new(vec![
            RuleChoice {
                row: 0,
                possible: [0, 2, 3].into(),
                asked: vec![1],
            },
            RuleChoice {
                row: 2,
                possible: [1, 4].into(),
                asked: vec![0, 1],
            },
        ]);
        check(&[values(3, 5)], |tape, [logits]| {
            choose_rules(tape, logits, Arc::clone(&choices))
        });
    }

    #[test]
    fn gradients_of_items() {
        let choices = Arc::new(vec![
            PointerChoice {
                row: 1,
                start: 0,
                items: [0, 2, 3].into(),
                target: 2,
            },
            PointerChoice {
                row: 0,
                start: 1,
                items: [0, 1, 3].into(),
                target: 0,
            },
        ]);
        check(&[values(2, 4), values(5, 4)], |tape, [queries, items]| {
            choose_items(tape, queries, items, Arc::clone(&choices))
        });
    }

    fn text_choices(copies: &Arc<Vec<[u32; 3]>>) -> Vec<TextChoice> {
        let choice = |row, subtoken, copied: &[u32]| TextChoice {
            row,
            words: 1..4,
            copies: Arc::clone(copies),
            subtoken,
            copied: copied.to_vec(),
        };
        vec![
            choice(0, Some(3), &[]),
            choice(1, None, &[1]),
            choice(2, Some(0), &[0, 2]),
            TextChoice {
                copies: Arc::default(),
                ..choice(3, Some(1), &[])
            },
        ]
    }

    #[test]
    fn gradients_of_texts() {
        let copies = Arc::new(vec![[0, 0, 0], [0, 2, 1], [2, 2, 0]]);
        let choices = Arc::new(text_choices(&copies));
        check(
            &[values(4, 5), values(4, 2 * 3 + 2 + 1), values(4, 3)],
            |tape, [vocabulary, copying, words]| {
                let logits = TextLogits {
                    vocabulary,
                    copying,
                    words,
                };
                choose_texts(tape, logits, Arc::clone(&choices))
            },
        );
    }

    /// The probabilities of all different texts add up to one.
    #[test]
    fn texts_are_a_distribution() {
        let copies = Arc::new(vec![[0, 0, 0], [0, 2, 1], [2, 2, 0]]);
        // The vocabulary has five subtokens; the first is also what the copies 0 and 2 are.
        let mut choices = Vec::new();
        for subtoken in 0..5 {
            choices.push(TextChoice {
                row: 0,
                words: 1..4,
                copies: Arc::clone(&copies),
                subtoken: Some(subtoken),
                copied: if subtoken == 0 {
                    vec![0, 2]
                } else {
                    Vec::new()
                },
            });
        }
        choices.push(TextChoice {
            subtoken: None,
            copied: vec![1],
            ..choices[0].clone()
        });
        let parameters = Parameters::default();
        let mut tape = Tape::new(&parameters, Recording::ValuesOnly);
        let logits = TextLogits {
            vocabulary: tape.constant(values(1, 5)),
            copying: tape.constant(values(1, 9)),
            words: tape.constant(values(4, 3)),
        };
        let result = choose_texts(&mut tape, logits, Arc::new(choices));
        let total: f32 = tape.value(result).values().iter().map(|it| it.exp()).sum();
        assert!((total - 1.0).abs() < 1e-6, "{total}");
    }
}
