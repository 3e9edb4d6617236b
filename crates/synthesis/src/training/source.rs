//! Where the examples of a step come from.

use std::borrow::Cow;

use crate::training_example::TrainingExample;

/// Examples to learn from, which may be other ones in every pass.
///
/// What it hands out depends on the pass and the index alone, so that a trainer that goes on from a checkpoint sees
/// what the one that wrote it would have seen.
pub trait ExampleSource: Send + Sync {
    /// The examples that a pass looks at; as many in every pass.
    fn drawn(&self, pass: usize) -> Vec<usize>;

    /// About how many steps an example has; those of a batch are about equally long.
    fn length(&self, index: usize) -> usize;

    /// An example as it is in a pass.
    fn example(&self, pass: usize, index: usize) -> Cow<'_, TrainingExample>;
}

/// Each of them once in every pass, and always the same.
impl ExampleSource for Vec<TrainingExample> {
    fn drawn(&self, _: usize) -> Vec<usize> {
        (0..self.len()).collect()
    }

    fn length(&self, index: usize) -> usize {
        self[index].steps.len()
    }

    fn example(&self, _: usize, index: usize) -> Cow<'_, TrainingExample> {
        Cow::Borrowed(&self[index])
    }
}

impl<S: ExampleSource + ?Sized> ExampleSource for Box<S> {
    fn drawn(&self, pass: usize) -> Vec<usize> {
        self.as_ref().drawn(pass)
    }

    fn length(&self, index: usize) -> usize {
        self.as_ref().length(index)
    }

    fn example(&self, pass: usize, index: usize) -> Cow<'_, TrainingExample> {
        self.as_ref().example(pass, index)
    }
}
