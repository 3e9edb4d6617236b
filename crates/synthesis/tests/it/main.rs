//! The network as a whole, on a toy language: one binary, so that it is linked once.

mod hostile_files;
mod marginal;
mod overfit;
mod pretrained;
mod search;
mod toy;
