//! The head for texts: log-probabilities of subtokens, generated or copied.

use std::ops::Range;
use std::sync::Arc;

use super::choice::{scale, scaled_dots, softmax};
use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};
use crate::training_example::EncodedSpec;

/// What subtokens of text are scored with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLogits {
    /// The logits of the vocabulary: [steps, vocabulary].
    pub(crate) vocabulary: Var,
    /// Queries for the first word of a copied run and for the last, the logits of forms, and the
    /// logit of generating rather than copying: [steps, 2 hidden + forms + 1].
    pub(crate) copying: Var,
    /// Where there is a database, queries for the column that a value is of, and the logits of how words are a value:
    /// [steps, hidden + ways].
    pub(crate) values: Option<Var>,
    /// The encoded columns, tables and words: [elements, hidden].
    pub(crate) elements: Var,
}

/// A text that can be copied, as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedCopy {
    /// The index of the first word.
    pub first: u32,
    /// The index of the last word.
    pub last: u32,
    /// How it comes from the words.
    pub origin: CopyOrigin,
}

/// How a text that can be copied comes from words, as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyOrigin {
    /// It is made of them in a form, by its index.
    Words(u32),
    /// It is a value of the database.
    Value {
        /// The index of the column.
        column: u32,
        /// How the words are the value, by its index.
        matching: u32,
    },
}

/// The rows of an example's elements: columns, tables, words.
#[derive(Clone, Debug)]
pub(crate) struct ElementRows {
    /// The first column.
    pub(crate) start: usize,
    /// The words.
    pub(crate) words: Range<usize>,
}

impl ElementRows {
    /// The rows of a specification whose first one is `start`.
    pub(crate) fn of(spec: &EncodedSpec, start: usize) -> ElementRows {
        ElementRows {
            start,
            words: start + spec.n_items()..start + spec.n_elements(),
        }
    }
}

/// A step at which a subtoken of text is emitted.
#[derive(Clone, Debug)]
pub(crate) struct TextChoice {
    /// Its row of the logits.
    pub(crate) row: usize,
    /// What can be copied from.
    pub(crate) elements: ElementRows,
    /// What can be copied.
    pub(crate) copies: Arc<Vec<EncodedCopy>>,
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
/// score(c) = (first · word(c.first) + last · word(c.last)) / √hidden + form(c.form)                        made of words
///          = (first · word(c.first) + last · word(c.last) + column · c.column) / √hidden + way(c.matching)  a value
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
        let scored = Scored::new(choice, logits, |var| tape.value(var));
        result.push(scored.ln_probability());
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let zeros = |var: Var| {
            let (n_rows, n_columns) = values[var].shape();
            Matrix::zeros(n_rows, n_columns)
        };
        let mut own = TextGradients {
            vocabulary: zeros(logits.vocabulary),
            copying: zeros(logits.copying),
            values: logits.values.map(zeros),
            elements: zeros(logits.elements),
        };
        for (choice, &gradient) in choices.iter().zip(gradient.values()) {
            Scored::new(choice, logits, |var| &values[var]).backward(gradient, &mut own);
        }
        gradients.add(logits.vocabulary, own.vocabulary);
        gradients.add(logits.copying, own.copying);
        gradients.add(logits.elements, own.elements);
        if let Some((var, gradient)) = logits.values.zip(own.values) {
            gradients.add(var, gradient);
        }
    })
}

/// The gradients of [`TextLogits`].
struct TextGradients {
    vocabulary: Matrix,
    copying: Matrix,
    values: Option<Matrix>,
    elements: Matrix,
}

/// The rows of [`TextLogits`] that copies are scored with.
#[derive(Clone, Copy)]
pub(crate) struct CopyRows<'a> {
    /// The row of `copying`.
    pub(crate) copying: &'a [f32],
    /// The row of `values`; without it, no copy is a value.
    pub(crate) values: Option<&'a [f32]>,
}

/// The probability of generating rather than copying, and those of the copies among each other.
pub(crate) fn generate_or_copy(
    rows: CopyRows<'_>,
    elements: &Matrix,
    places: &ElementRows,
    copies: &[EncodedCopy],
) -> (f32, Vec<f32>) {
    if copies.is_empty() {
        return (1.0, Vec::new());
    }
    let size = elements.n_columns();
    let (first, rest) = rows.copying.split_at(size);
    let (last, forms) = rest.split_at(size);
    let at_first = scaled_dots(first, elements, places.words.clone());
    let at_last = scaled_dots(last, elements, places.words.clone());
    let own = |copy: &EncodedCopy| match copy.origin {
        CopyOrigin::Words(form) => forms[form as usize],
        CopyOrigin::Value { column, matching } => {
            let (query, ways) = value_parts(rows.values, size);
            let row = places.start + column as usize;
            scaled_dots(query, elements, std::iter::once(row))[0] + ways[matching as usize]
        }
    };
    let score = |copy: &EncodedCopy| {
        at_first[copy.first as usize] + at_last[copy.last as usize] + own(copy)
    };
    let mut copied: Vec<f32> = copies.iter().map(score).collect();
    softmax(&mut copied);
    (simd::sigmoid(forms[forms.len() - 1]), copied)
}

/// The query for the column and the logits of ways in a row of [`TextLogits::values`].
fn value_parts(row: Option<&[f32]>, size: usize) -> (&[f32], &[f32]) {
    let row = row.expect("a model without a schema encoder has no values");
    row.split_at(size)
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
    rows: CopyRows<'a>,
    elements: &'a Matrix,
}

impl<'a> Scored<'a> {
    fn new(
        choice: &'a TextChoice,
        logits: TextLogits,
        value: impl Fn(Var) -> &'a Matrix,
    ) -> Scored<'a> {
        let rows = CopyRows {
            copying: value(logits.copying).row(choice.row),
            values: logits.values.map(|it| value(it).row(choice.row)),
        };
        let elements = value(logits.elements);
        let mut generated = value(logits.vocabulary).row(choice.row).to_vec();
        softmax(&mut generated);
        let (p_generate, copied) =
            generate_or_copy(rows, elements, &choice.elements, &choice.copies);
        Scored {
            choice,
            generated,
            copied,
            p_generate,
            rows,
            elements,
        }
    }

    /// The probability that the subtoken is generated, and that it is copied.
    fn probabilities(&self) -> (f32, f32) {
        let generated = self
            .choice
            .subtoken
            .map_or(0.0, |it| self.generated[it as usize]);
        (
            self.p_generate * generated,
            (1.0 - self.p_generate) * self.right_copies(),
        )
    }

    /// The probability that a copy is one of those that are the subtoken.
    fn right_copies(&self) -> f32 {
        let right = self.choice.copied.iter();
        right.map(|&it| self.copied[it as usize]).sum()
    }

    fn ln_probability(&self) -> f32 {
        let (generated, copied) = self.probabilities();
        // The smallest normal number: a logarithm that does not end training.
        (generated + copied).max(f32::MIN_POSITIVE).ln()
    }

    fn backward(&self, gradient: f32, own: &mut TextGradients) {
        let choice = self.choice;
        let (generated, copied) = self.probabilities();
        let total = (generated + copied).max(f32::MIN_POSITIVE);
        let (by_generating, by_copying) = (gradient * generated / total, gradient * copied / total);

        let result = own.vocabulary.row_mut(choice.row);
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

        let row = own.copying.row_mut(choice.row);
        let n_columns = row.len();
        row[n_columns - 1] +=
            by_generating * (1.0 - self.p_generate) - by_copying * self.p_generate;
        let right = self.right_copies().max(f32::MIN_POSITIVE);
        let mut scores: Vec<f32> = self.copied.iter().map(|it| -by_copying * it).collect();
        for &copy in &choice.copied {
            scores[copy as usize] += by_copying * self.copied[copy as usize] / right;
        }
        self.backward_to_words(&scores, own);
        self.backward_to_values(&scores, own);
    }

    /// The part of the gradients of scores that words and forms have.
    fn backward_to_words(&self, scores: &[f32], own: &mut TextGradients) {
        let choice = self.choice;
        let size = self.elements.n_columns();
        let row = own.copying.row_mut(choice.row);
        let words = choice.elements.words.clone();
        let mut at_first = vec![0.0; words.len()];
        let mut at_last = vec![0.0; words.len()];
        for (score, copy) in scores.iter().zip(choice.copies.iter()) {
            at_first[copy.first as usize] += score;
            at_last[copy.last as usize] += score;
            if let CopyOrigin::Words(form) = copy.origin {
                row[2 * size + form as usize] += score;
            }
        }
        let scale = scale(size);
        let (first_query, rest) = self.rows.copying.split_at(size);
        let last_query = &rest[..size];
        let elements = &mut own.elements;
        simd::vectorized(
            #[inline(always)]
            || {
                for (index, word) in words.enumerate() {
                    let (first, last) = (at_first[index] * scale, at_last[index] * scale);
                    simd::add_scaled(&mut row[..size], first, self.elements.row(word));
                    simd::add_scaled(&mut row[size..2 * size], last, self.elements.row(word));
                    simd::add_scaled(elements.row_mut(word), first, first_query);
                    simd::add_scaled(elements.row_mut(word), last, last_query);
                }
            },
        );
    }

    /// The part that columns and ways have.
    fn backward_to_values(&self, scores: &[f32], own: &mut TextGradients) {
        let Some(values) = &mut own.values else {
            return;
        };
        let size = self.elements.n_columns();
        let scale = scale(size);
        let query = value_parts(self.rows.values, size).0;
        let row = values.row_mut(self.choice.row);
        for (&score, copy) in scores.iter().zip(self.choice.copies.iter()) {
            let CopyOrigin::Value { column, matching } = copy.origin else {
                continue;
            };
            let element = self.choice.elements.start + column as usize;
            row[size + matching as usize] += score;
            simd::add_scaled(&mut row[..size], score * scale, self.elements.row(element));
            simd::add_scaled(own.elements.row_mut(element), score * scale, query);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};
    use crate::parameters::Parameters;
    use crate::tape::Recording;

    /// Three copies of words, and two values of the second of the two columns before them.
    fn copies() -> Arc<Vec<EncodedCopy>> {
        let copy = |first, last, origin| EncodedCopy {
            first,
            last,
            origin,
        };
        let value = |matching| CopyOrigin::Value {
            column: 1,
            matching,
        };
        Arc::new(vec![
            copy(0, 0, CopyOrigin::Words(0)),
            copy(0, 2, CopyOrigin::Words(1)),
            copy(2, 2, CopyOrigin::Words(0)),
            copy(1, 2, value(1)),
            copy(1, 1, value(0)),
        ])
    }

    fn elements() -> ElementRows {
        ElementRows {
            start: 1,
            words: 3..6,
        }
    }

    fn text_choices(copies: &Arc<Vec<EncodedCopy>>) -> Vec<TextChoice> {
        let choice = |row, subtoken, copied: &[u32]| TextChoice {
            row,
            elements: elements(),
            copies: Arc::clone(copies),
            subtoken,
            copied: copied.to_vec(),
        };
        vec![
            choice(0, Some(3), &[]),
            choice(1, None, &[1]),
            choice(2, Some(0), &[0, 2, 3]),
            choice(4, None, &[4]),
            TextChoice {
                copies: Arc::default(),
                ..choice(3, Some(1), &[])
            },
        ]
    }

    #[test]
    fn gradients_of_texts() {
        let choices = Arc::new(text_choices(&copies()));
        check(
            &[
                values(5, 5),
                values(5, 2 * 3 + 2 + 1),
                values(5, 3 + 2),
                values(6, 3),
            ],
            |tape, [vocabulary, copying, values, elements]| {
                let logits = TextLogits {
                    vocabulary,
                    copying,
                    values: Some(values),
                    elements,
                };
                choose_texts(tape, logits, Arc::clone(&choices))
            },
        );
    }

    /// The probabilities of all different texts add up to one.
    #[test]
    fn texts_are_a_distribution() {
        let copies = copies();
        // The vocabulary has five subtokens; the first is also what the copies 0, 2 and 4 are.
        let mut choices = Vec::new();
        for subtoken in 0..5 {
            choices.push(TextChoice {
                row: 0,
                elements: elements(),
                copies: Arc::clone(&copies),
                subtoken: Some(subtoken),
                copied: if subtoken == 0 {
                    vec![0, 2, 4]
                } else {
                    Vec::new()
                },
            });
        }
        for copied in [vec![1], vec![3]] {
            choices.push(TextChoice {
                subtoken: None,
                copied,
                ..choices[0].clone()
            });
        }
        let parameters = Parameters::default();
        let mut tape = Tape::new(&parameters, Recording::ValuesOnly);
        let logits = TextLogits {
            vocabulary: tape.constant(values(1, 5)),
            copying: tape.constant(values(1, 9)),
            values: Some(tape.constant(values(1, 5))),
            elements: tape.constant(values(6, 3)),
        };
        let result = choose_texts(&mut tape, logits, Arc::new(choices));
        let total: f32 = tape.value(result).values().iter().map(|it| it.exp()).sum();
        assert!((total - 1.0).abs() < 1e-6, "{total}");
    }
}
