//! The network as a whole, on a toy language: one binary, so that it is linked once.

mod gradients;
mod marginal;
mod overfit;
mod reference_values;
mod search;
mod toy;
