//! Source files cut into the units that mining counts in.
//!
//! A file is too coarse: an idiom that is in every function of one file would count once. So files
//! are cut into functions; what is left of a class without its methods is a unit, and so is what is
//! left of the file. Where something was cut out, the rest says so, by three dots: statements around a
//! function do not follow each other, and a class without its methods is not empty.

use std::ops::Range;

use patois_syntax::{Ast, ParseError};

/// The constructor of what stands where units were cut out, in languages without a schema; in Python it
/// is the statement that looks the same.
pub const ELSEWHERE: &str = "elsewhere ...";

/// What counts as a program of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitKind {
    /// The whole file.
    File,
    /// Every function and method; what is left of classes and of the file without them.
    #[default]
    Function,
}

/// A part of a source file that is a program of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where it stands, in bytes; of a class or a file with its functions still in it.
    pub range: Range<usize>,
    /// Its tree.
    pub ast: Ast,
}

/// The units of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The units in the order in which they begin.
    pub units: Vec<Unit>,
    /// Places that are no program of the language; what is around them is in the units.
    pub faults: Vec<ParseError>,
}
