//! Reverse-mode differentiation: what was computed, and how to go back.

use crate::config::Precision;
use crate::gradient::Gradient;
use crate::matrix::{Matrix, View};
use crate::parameters::{Compact, Learning, ParameterId, Parameters};

/// A value on a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Var(usize);

/// Values in the order in which they were computed. The first ones are the parameters.
///
/// A [layer](crate::layers) computes a value and records how its gradient is handed on to what it
/// was computed from.
pub(crate) struct Tape<'p> {
    values: Values<'p>,
    records: Vec<Record>,
    recording: Recording,
    precision: Precision,
}

/// Whether a tape can be run backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recording {
    /// It keeps what that takes.
    Gradients,
    /// It keeps values only.
    ValuesOnly,
}

/// The values of a tape.
pub(crate) struct Values<'p> {
    parameters: &'p Parameters,
    computed: Vec<Matrix>,
}

struct Record {
    result: Var,
    backward: Box<Backward>,
}

/// Given all values and the gradient of the result, adds to the gradients of what it came from.
type Backward = dyn Fn(&Values<'_>, Matrix, &mut Gradients);

/// The gradients of a tape's values, as far as they are known.
pub(crate) struct Gradients {
    of_values: Vec<Option<Matrix>>,
    /// Those of parameters that are learnt row by row.
    of_rows: Vec<(Var, Gradient)>,
    /// Values that nothing depends on which is learnt.
    is_constant: Vec<bool>,
    precision: Precision,
}

impl From<ParameterId> for Var {
    fn from(id: ParameterId) -> Var {
        Var(id.index())
    }
}

impl std::ops::Index<Var> for Values<'_> {
    type Output = Matrix;

    fn index(&self, var: Var) -> &Matrix {
        match var.0.checked_sub(self.parameters.len()) {
            Some(index) => &self.computed[index],
            None => self.parameters.get(ParameterId::new(var.0)),
        }
    }
}

impl<'p> Tape<'p> {
    /// A tape on which nothing was computed yet.
    pub(crate) fn new(parameters: &'p Parameters, recording: Recording) -> Tape<'p> {
        Tape {
            values: Values {
                parameters,
                computed: Vec::new(),
            },
            records: Vec::new(),
            recording,
            precision: Precision::Single,
        }
    }

    /// The same, but products with weights and their gradients are computed in another precision.
    #[must_use]
    pub(crate) fn in_precision(self, precision: Precision) -> Tape<'p> {
        Tape { precision, ..self }
    }

    /// How exactly products with weights are computed.
    pub(crate) fn precision(&self) -> Precision {
        self.precision
    }

    /// A value that was computed.
    pub(crate) fn value(&self, var: Var) -> &Matrix {
        &self.values[var]
    }

    /// The product of a value with a parameter: `x · weight`.
    pub(crate) fn product(&self, x: Var, weight: Var) -> Matrix {
        let (x, right) = (self.value(x), self.value(weight));
        let Some(compact) = self.compact(weight) else {
            return self.precision.product(x.view(), right.view());
        };
        let width = compact.shape().1;
        let mut result = Matrix::unset(x.n_rows(), width);
        compact.fill_product(result.values_mut(), width, 0..width, x);
        result
    }

    /// Fills some columns of rows with the product of a value with a parameter.
    pub(crate) fn fill_product(
        &self,
        result: &mut Matrix,
        columns: std::ops::Range<usize>,
        x: Var,
        weight: Var,
    ) {
        let n_columns = result.n_columns();
        let (x, right, result) = (self.value(x), self.value(weight), result.values_mut());
        if let Some(compact) = self.compact(weight) {
            compact.fill_product(result, n_columns, columns, x);
        } else {
            let (x, right) = (x.view(), right.view());
            self.precision
                .fill_product(result, n_columns, columns, x, right);
        }
    }

    /// A parameter in few bytes, where it is kept so.
    pub(crate) fn compact(&self, var: Var) -> Option<&'p Compact> {
        self.values.parameters.compact(ParameterId::new(var.0))
    }

    /// The value that was computed last; what it was computed from is forgotten.
    ///
    /// # Panics
    ///
    /// When nothing was computed.
    pub(crate) fn into_last(mut self) -> Matrix {
        let last = self.values.computed.pop();
        last.expect("something was computed")
    }

    /// What is learnt.
    pub(crate) fn parameters(&self) -> &'p Parameters {
        self.values.parameters
    }

    /// Whether gradients are wanted: what only they need must not be kept otherwise.
    pub(crate) fn is_recording(&self) -> bool {
        self.recording == Recording::Gradients
    }

    /// The value that will be computed next.
    pub(crate) fn next(&self) -> Var {
        Var(self.values.parameters.len() + self.values.computed.len())
    }

    /// A value that does not depend on anything that is learnt.
    pub(crate) fn constant(&mut self, value: Matrix) -> Var {
        let result = self.next();
        self.values.computed.push(value);
        result
    }

    /// A value, and how its gradient is handed on.
    pub(crate) fn push(
        &mut self,
        value: Matrix,
        backward: impl Fn(&Values<'_>, Matrix, &mut Gradients) + 'static,
    ) -> Var {
        let result = self.constant(value);
        if self.is_recording() {
            self.records.push(Record {
                result,
                backward: Box::new(backward),
            });
        }
        result
    }

    /// The gradients of `loss`, a single number, with respect to the parameters it depends on.
    ///
    /// # Panics
    ///
    /// When `loss` is not a single number, or the tape was not recording.
    pub(crate) fn backward(self, loss: Var) -> Vec<Option<Gradient>> {
        assert_eq!(self.values[loss].shape(), (1, 1), "the loss is a number");
        assert!(self.is_recording(), "the tape kept what this takes");
        let n_parameters = self.values.parameters.len();
        let n_values = n_parameters + self.values.computed.len();
        let mut is_constant = vec![true; n_values];
        let learnt = self.values.parameters.learnt();
        for (is_constant, (_, learning)) in is_constant.iter_mut().zip(learnt) {
            *is_constant = learning == Learning::Frozen;
        }
        for record in &self.records {
            is_constant[record.result.0] = false;
        }
        let mut gradients = Gradients {
            of_values: vec![None; n_values],
            of_rows: Vec::new(),
            is_constant,
            precision: self.precision,
        };
        gradients.add(loss, Matrix::new(1, 1, vec![1.0]));
        for record in self.records.into_iter().rev() {
            if let Some(gradient) = gradients.of_values[record.result.0].take() {
                (record.backward)(&self.values, gradient, &mut gradients);
            }
        }
        gradients.of_parameters(n_parameters)
    }
}

impl Gradients {
    /// Whether anybody asks for the gradient of a value.
    pub(crate) fn wants(&self, var: Var) -> bool {
        !self.is_constant[var.0]
    }

    /// Adds to the gradient of a value.
    pub(crate) fn add(&mut self, var: Var, gradient: Matrix) {
        if !self.wants(var) {
            return;
        }
        match &mut self.of_values[var.0] {
            Some(sum) => sum.add(&gradient),
            none => *none = Some(gradient),
        }
    }

    /// Adds a product to the gradient of a value.
    pub(crate) fn add_product(&mut self, var: Var, left: View<'_>, right: View<'_>) {
        if !self.wants(var) {
            return;
        }
        match &mut self.of_values[var.0] {
            Some(sum) => self.precision.add_product(sum, left, right),
            none => *none = Some(self.precision.product(left, right)),
        }
    }

    /// Adds to some rows of the gradient of a parameter that is learnt row by row.
    pub(crate) fn add_rows(&mut self, var: Var, rows: &[u32], gradient: &Matrix) {
        if !self.wants(var) {
            return;
        }
        let own = Gradient::of_rows(rows, gradient);
        match self.of_rows.iter_mut().find(|it| it.0 == var) {
            Some((_, sum)) => sum.add(&own),
            None => self.of_rows.push((var, own)),
        }
    }

    fn of_parameters(mut self, n_parameters: usize) -> Vec<Option<Gradient>> {
        self.of_values.truncate(n_parameters);
        let whole = self.of_values.into_iter();
        let mut all: Vec<Option<Gradient>> = whole.map(|it| it.map(Gradient::of_all)).collect();
        for (var, gradient) in self.of_rows {
            all[var.0] = Some(gradient);
        }
        all
    }

    /// The gradient of a value of the given shape, to add to.
    pub(crate) fn of(&mut self, var: Var, (n_rows, n_columns): (usize, usize)) -> &mut Matrix {
        self.of_values[var.0].get_or_insert_with(|| Matrix::zeros(n_rows, n_columns))
    }
}
