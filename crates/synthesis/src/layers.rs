//! Layers: functions that put a value on a [tape](crate::tape) and know its derivative.
//!
//! Rows are words, items or steps, of all examples of a batch one after the other; nothing is padded.

mod additive_attention;
mod choice;
mod composition;
mod decoder;
mod dot_attention;
mod heads;
mod inside;
mod linear;
mod lstm;
mod norm;
mod pointwise;
mod relation_attention;
mod rows;
mod self_attention;
mod shared;
mod text_choice;

pub(crate) use additive_attention::{add_weighted_rows, additive_attention};
pub(crate) use choice::{PointerChoice, RuleChoice, choose_items, choose_rules};
pub(crate) use choice::{scaled_dots, softmax};
pub(crate) use composition::{Composition, compose_columns, compose_rows};
pub(crate) use decoder::{DecoderInputs, DecoderPlan, decode};
pub(crate) use dot_attention::dot_attention;
pub(crate) use dot_attention::dot_attention_row;
pub use inside::{Alternative, Derivations};
pub(crate) use inside::{inside, weighted_sum};
pub(crate) use linear::{gelu, linear, linear_side_by_side, relu};
pub(crate) use lstm::lstm;
pub(crate) use lstm::step as lstm_step;
pub(crate) use norm::{Norm, add_and_norm};
pub(crate) use pointwise::{add, mask, tanh};
pub(crate) use relation_attention::{Group, attend};
pub(crate) use rows::{
    concat_columns, concat_rows, gather_learnt_rows, gather_rows, look_up, mean_rows,
};
pub(crate) use self_attention::self_attend;
pub(crate) use shared::{SharedRows, linear_of_shared};
pub use text_choice::{CopyOrigin, EncodedCopy};
pub(crate) use text_choice::{
    CopyRows, ElementRows, TextChoice, TextLogits, choose_texts, generate_or_copy,
};

#[cfg(test)]
mod gradient_check;
#[cfg(test)]
pub(crate) use gradient_check::whole;
