//! Databases asked in plain English.
//!
//! An [`Asker`] has a model, a [`Source`] (a database file, or several files that became one) and a [`Memory`] of what
//! it was told about it. It answers a question with an [`Answer`]: programs that differ in their rows, best first, each
//! with what it computes in words and how sure the model is of it, or a refusal with its reason. Nothing is ever written
//! to the database.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod answer;
mod asker;
mod bundled;
mod calibration;
mod choice;
mod confidence;
mod evidence;
mod exam;
mod memory;
mod narrowing;
mod paper;
mod question_words;
mod refusal;
mod sample;
mod source;
mod teaching;

pub use answer::{Answer, Choice, Program};
pub use asker::{AskError, Asker, Checked, Request};
pub use bundled::{BundledError, bundled};
pub use calibration::{CalibrationFigures, area_under_curve, calibrate, calibration_error};
pub use confidence::Confidence;
pub use evidence::Evidence;
pub use exam::{Exam, ExamError, Graded};
pub use memory::{Lesson, Memory, MemoryError, Note};
pub use paper::{Pair, Paper, PaperError};
pub use question_words::QuestionWords;
pub use sample::sample;
pub use source::{Keys, Source, SourceError};
pub use teaching::teach_database;
