//! How much work the parser may make of a source.
//!
//! tree-sitter recovers from anything, but now and then very slowly: a kilobyte of `)&` takes its grammar
//! of Rust four seconds, twenty of `with (=` fourteen, and more takes hours. A deadline would read a file on
//! one machine and not on another, so steps are counted: the memory that the parser asks for, whether it
//! keeps it or not, and the parts of the source that it reads, some of them again and again. Of nine
//! thousand files, headers of C++ that were read as C took up to 12 steps a byte, and no other file more
//! than 3.3.

#![expect(
    unsafe_code,
    reason = "what tree-sitter does can only be counted, and stopped, in C"
)]

use std::ffi::c_char;
use std::sync::Once;

use ::tree_sitter::{Language, Tree, ffi};

/// Steps that each byte of a source is good for.
pub(super) const STEPS_PER_BYTE: u64 = 16;

/// Steps that a source is good for whatever its length.
const FREE_STEPS: u64 = 20_000;

unsafe extern "C" {
    fn patois_limit_tree_sitter();
    fn patois_parse(
        language: *const ffi::TSLanguage,
        text: *const c_char,
        length: u32,
        n_steps: u64,
    ) -> *mut ffi::TSTree;
}

/// Makes tree-sitter's work count. Nothing else of it may be called before.
pub(super) fn count_work() {
    static ONCE: Once = Once::new();
    // SAFETY: memory still comes from C's own functions, so what was there before can be given back.
    ONCE.call_once(|| unsafe { patois_limit_tree_sitter() });
}

/// Parses a source of less than 4 GiB; none where that is too much work.
pub(super) fn parse(language: &Language, source: &str) -> Option<Tree> {
    let length = u32::try_from(source.len()).ok()?;
    let n_steps = FREE_STEPS + STEPS_PER_BYTE * u64::from(length);
    let language = language.clone().into_raw();
    let text = source.as_ptr().cast();
    // SAFETY: the language and the text outlive the call, and the tree that it returns is ours.
    unsafe {
        let tree = patois_parse(language, text, length, n_steps);
        drop(Language::from_raw(language));
        (!tree.is_null()).then(|| Tree::from_raw(tree))
    }
}
