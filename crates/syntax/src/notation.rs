//! How trees and fragments are written: `(Assign ?x (Add ?x (Num "1")))`.
//!
//! | written | stands for |
//! | --- | --- |
//! | `(Add a b)`, `Pass` | a constructor with its fields in order; without parentheses if it has none |
//! | ``(`binary $left + $right` a b)`` | the same, for a constructor whose name is no plain word |
//! | `[a b c]` | a list |
//! | `[a b \| ?rest]` | a list that starts like this and goes on with a hole |
//! | `_`, `+a` | an optional field that is absent, or present |
//! | `"x"` | a text, with the escapes `\\`, `\"`, `\n`, `\r`, `\t` and `\u{7f}` |
//! | `@3` | a reference |
//! | `?x` | a hole; equal names stand for equal subtrees |
//! | `stmt*: [a]` | what follows stands for the symbol `stmt*`: needed where the constructor alone does not tell |
//!
//! Reading and writing use a stack of their own: depth is bounded by memory, not by the thread.

mod read;
mod write;

use crate::{Grammar, SymbolId};

pub(crate) use read::{parse, parse_text};
pub(crate) use write::{write, write_text};

/// What is still to be read or written, next on top.
enum Pending {
    Symbol(SymbolId),
    /// The rest of a list, without its opening bracket.
    ListRest(SymbolId),
    Close,
}

/// The only symbol that has a constructor of that name, or all that have one.
fn only_symbol_with(grammar: &Grammar, constructor: &str) -> Result<SymbolId, Vec<SymbolId>> {
    let found: Vec<SymbolId> = (0..grammar.n_symbols())
        .map(SymbolId::new)
        .filter(|&symbol| grammar.construct(symbol, constructor).is_some())
        .collect();
    match found[..] {
        [only] => Ok(only),
        _ => Err(found),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fragment, toy};

    fn check(text: &str) {
        let grammar = toy::grammar();
        let fragment = Fragment::parse(&grammar, text).unwrap();
        assert_eq!(fragment.display(&grammar).to_string(), text);
    }

    fn check_reads_as(text: &str, expected: &str) {
        let grammar = toy::grammar();
        let fragment = Fragment::parse(&grammar, text).unwrap();
        assert_eq!(fragment.display(&grammar).to_string(), expected);
    }

    fn check_error(text: &str, expected: &str) {
        let error = Fragment::parse(&toy::grammar(), text).unwrap_err();
        assert_eq!(format!("{}: {error}", error.offset.unwrap_or(0)), expected);
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        check("Pass");
        check("(Return _)");
        check("(Return ?0)");
        check("(Return +?0)");
        check("(Return +(Add ?0 ?0))");
        check("(Call ?0 [])");
        check("(Call \"f\" [?0 (Num \"1\") | ?1])");
        check("(Call \"f\" ?0)");
        check("(While ?0 [Pass])");
        check("(While ?0 [Pass | ?1])");
        check("(While ?0 [(While ?1 [Pass]) Pass])");
        check("stmt*: []");
        check("stmt*: [?0 | ?1]");
        check("stmt+: [Pass]");
        check("expr?: +(Name \"x\")");
        check("(Name \"a \\\"b\\\" \\\\ \\n\\u{0}\")");
    }

    #[test]
    fn names_of_holes_and_white_space_are_free() {
        check_reads_as(
            "( Assign ?x\n( Add ?y ( Num \"1\" ) ) )",
            "(Assign ?0 (Add ?1 (Num \"1\")))",
        );
        check_reads_as("(Add ?b ?b)", "(Add ?0 ?0)");
        check_reads_as("stmt: (Pass)", "Pass");
        check_reads_as("(Call ?f [?a|?rest])", "(Call ?0 [?1 | ?2])");
    }

    #[test]
    fn errors_say_where_and_what() {
        check_error(
            "",
            "0: expected a constructor, or a symbol and a colon such as `stmt*:`, found the end",
        );
        check_error("(Nope)", "0: the grammar has no constructor `Nope`");
        check_error("nope: ?x", "0: the grammar has no symbol `nope`");
        check_error("(Num)", "4: expected `\"`, found `)`");
        check_error("(Num \"1\" \"2\")", "9: expected `)`, found `\"`");
        check_error("(Num \"1", "5: expected a closing `\"`");
        check_error("(Num \"\\q\")", "6: unknown escape `\\q`");
        check_error("Pass Pass", "5: expected nothing more, found `P`");
        check_error(
            "(Return (Num \"1\"))",
            "8: expected `_`, `+` or a hole, found `(`",
        );
        check_error(
            "(Call \"f\" [| ?x])",
            "11: expected an item or `]`, found `|`",
        );
        check_error(
            "(While ?c [])",
            "11: expected a constructor of `stmt`, found `]`",
        );
        check_error("Return", "0: `Return` has fields: expected `(Return ...)`");
    }

    #[test]
    fn depth_is_no_matter() {
        let depth = 100_000;
        let text = format!("{}?x{}", "(Not ".repeat(depth), ")".repeat(depth));
        let grammar = toy::grammar();
        let fragment = Fragment::parse(&grammar, &text).unwrap();
        assert_eq!(fragment.n_nodes(), depth + 1);
        assert_eq!(
            fragment.display(&grammar).to_string(),
            text.replace("?x", "?0")
        );
        assert!(Fragment::parse(&grammar, &text[..text.len() - 1]).is_err());
    }
}
