//! What makes an idiom worth reading, beyond how often it is there.
//!
//! A call says how something is done here; the head of a function hardly anything. What cleans up or
//! deals with errors is what people get wrong, and a name that is bound and used again shows how parts
//! belong together.

use patois_syntax::{Fragment, FragmentNode, Grammar, Label, ProductionId};

/// What a name that stands at several places is worth.
const SHARED: f64 = 1.25;
/// What errors and resources are worth.
const CAREFUL: f64 = 1.25;
/// What is left of something that calls nothing.
const NO_CALL: f64 = 0.4;
/// What is left of tokens of a macro without the macro.
const TOKENS: f64 = 0.1;
/// What is left of a definition of which nothing but the head is said.
const HEAD: f64 = 0.3;

/// Calls, in any language.
const CALLS: &[&str] = &[
    "Call",
    "CallUnpack",
    "call",
    "call_expression",
    "invocation_expression",
    "macro_invocation",
    "method_call",
    "method_invocation",
    "new_expression",
    "object_creation_expression",
];

/// Errors and resources, in any language.
const CAREFULS: &[&str] = &[
    "AsyncWith",
    "Except",
    "Raise",
    "Try",
    "With",
    "catch_clause",
    "defer_statement",
    "ensure",
    "finally_clause",
    "lock_statement",
    "rescue",
    "synchronized_statement",
    "throw_statement",
    "try_expression",
    "try_statement",
    "try_with_resources_statement",
    "using_statement",
];

/// Definitions, in any language.
const DEFINITIONS: &[&str] = &[
    "AsyncFunctionDef",
    "ClassDef",
    "FunctionDef",
    "class_declaration",
    "constructor_declaration",
    "function_declaration",
    "function_definition",
    "function_item",
    "impl_item",
    "method",
    "method_declaration",
    "method_definition",
];

/// Whether a constructor of that name calls something.
pub(crate) fn is_call(constructor: &str) -> bool {
    let kind = constructor.split(' ').next().unwrap_or_default();
    CALLS.contains(&kind)
}

/// Whether a constructor of that name defines something.
pub(crate) fn is_definition(constructor: &str) -> bool {
    let kind = constructor.split(' ').next().unwrap_or_default();
    DEFINITIONS.contains(&kind)
}

/// What the productions of a grammar are to a reader.
pub(crate) struct Taste(Vec<Kind>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Call,
    Careful,
    Definition,
    Token,
    Other,
}

impl Taste {
    pub(crate) fn of(grammar: &Grammar) -> Taste {
        let productions = (0..grammar.n_productions()).map(ProductionId::new);
        let kinds = productions.map(|id| {
            let name = grammar.constructor(id).map_or("", |it| it.name);
            let kind = name.split(' ').next().unwrap_or_default();
            match kind {
                _ if is_call(kind) => Kind::Call,
                _ if CAREFULS.contains(&kind) => Kind::Careful,
                "token" | "token_tree" => Kind::Token,
                _ if is_definition(kind) => Kind::Definition,
                _ => Kind::Other,
            }
        });
        Taste(kinds.collect())
    }

    /// How much more a fragment is worth than one that does not stand out, as a factor.
    pub(crate) fn weigh(&self, fragment: &Fragment) -> f64 {
        let is_any = |wanted: Kind| {
            fragment.nodes().iter().any(|it| match it {
                FragmentNode::Fixed(Label::Production(id)) => self.0[id.index()] == wanted,
                _ => false,
            })
        };
        let is_shared = fragment.n_nodes() - fragment.n_fixed() > fragment.n_holes();
        let mut weight = 1.0;
        if is_shared {
            weight *= SHARED;
        }
        if is_any(Kind::Careful) {
            weight *= CAREFUL;
        } else if is_any(Kind::Token) && !is_any(Kind::Call) {
            weight *= TOKENS;
        } else if !is_any(Kind::Call) {
            weight *= if is_any(Kind::Definition) {
                HEAD
            } else {
                NO_CALL
            };
        }
        weight
    }
}

#[cfg(test)]
mod tests {
    use patois_languages::python::Python;
    use patois_syntax::Language as _;

    use super::*;

    #[test]
    fn what_is_called_and_cared_for_is_worth_more() {
        let grammar = Grammar::from_schema(Python.schema().unwrap());
        let taste = Taste::of(&grammar);
        let check = |notation: &str, expected: f64| {
            let fragment = Fragment::parse(&grammar, notation).unwrap();
            assert!(
                (taste.weigh(&fragment) - expected).abs() < 1e-9,
                "{notation}"
            );
        };
        check(r#"(Call (Name "open") ?0 ?1)"#, 1.0);
        check(r#"expr: (Attribute (Name "self") ?0)"#, NO_CALL);
        check(
            r#"(Assign [(Name ?x)] (Call (Name "next") [(Name ?x)] []))"#,
            SHARED,
        );
        check(r#"(Raise (Name "KeyError") ?0)"#, CAREFUL);
        check(r#"(FunctionDef ?0 "stop" ?1 ?2 ?3 ?4)"#, HEAD);
    }
}
