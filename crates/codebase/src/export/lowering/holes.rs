//! What becomes of the holes of an idiom.

use patois_syntax::{HoleId, NodeId, ProductionId, SymbolKind};

use super::draft::{Choice, Draft, Ways};
use super::nodes::Owner;
use super::{Lowering, Reason, Tool};

const NO_NAME: Reason = "the tool has no metavariable for one of its holes";
const NO_LIST: Reason = "the tool cannot leave open one of its lists";

/// What a hole for a list is to a tool.
enum ListHole {
    /// Left out: the tool does not mind.
    Dropped,
    /// One thing.
    One,
    /// Things one after the other, none too.
    Block,
    /// Nothing, or a clause with something in it.
    Clause,
    /// Things with separators, which must not be there where nothing is.
    Separated,
}

impl Lowering<'_> {
    /// What the hole at hand becomes.
    pub(super) fn ways(&self, draft: &mut Draft, hole: HoleId) -> Result<Ways, Reason> {
        let node = draft.at;
        let name = &self.names[hole.index()];
        let owner = self.nodes.owner(node).ok_or(NO_NAME)?;
        // A token may be one that has no name.
        let is_token = self.tool == Tool::AstGrep && owner.constructor.starts_with("token_tree");
        let one = format!("{}{name}", if is_token { "$$" } else { "$" });
        let many = self.metavariable_for_list(name);
        let ty = self.nodes.ty(node);
        Ok(match self.nodes.kind(node) {
            SymbolKind::Reference => return Err(NO_NAME),
            SymbolKind::Node if self.is_python && is_list_like(ty) => Ways::metavariable(many),
            SymbolKind::Node if !self.is_python && brackets(ty).is_some() => {
                let (before, after) = brackets(ty).unwrap_or_default();
                Ways::metavariable(format!("{before}{many}{after}"))
            }
            SymbolKind::Node if has_no_name(ty) => return Err(NO_NAME),
            // A metavariable alone would take the place of what an open list before it stands for.
            SymbolKind::Node if self.tool == Tool::AstGrep && is_named(ty) => {
                Ways::of(named(ty, &one))
            }
            SymbolKind::Text | SymbolKind::Node => Ways::metavariable(one),
            SymbolKind::Optional(_) => {
                let empty = self.nodes.empty(node).ok_or(NO_LIST)?;
                let present = self.nodes.present(node);
                if ty == "variadic" || owner.field == "kwargs" {
                    let open = match present {
                        Some(present) => Choice::Present(present, many),
                        None => Choice::Metavariable(many),
                    };
                    self.open_list(open, empty).opening(owner.node, Some(empty))
                } else {
                    let present = Choice::Present(present.ok_or(NO_LIST)?, one);
                    Ways::of([Choice::Empty(empty), present])
                }
            }
            SymbolKind::Many(_) | SymbolKind::NonEmpty(..) => {
                draft.may_be_decorated |= self.is_python && owner.field == "decorators";
                self.ways_of_list(node, &owner, one, many)?
            }
        })
    }

    fn ways_of_list(
        &self,
        node: NodeId,
        owner: &Owner,
        one: String,
        many: String,
    ) -> Result<Ways, Reason> {
        let empty = self.nodes.empty(node);
        let is_rest = self.nodes.is_rest(node);
        let tool = self.tool;
        Ok(match self.list_hole(owner, self.nodes.ty(node))? {
            ListHole::Dropped => Ways::of([Choice::Empty(empty.ok_or(NO_LIST)?)]),
            ListHole::One if tool == Tool::AstGrep => {
                Ways::of(targets(&one, empty.filter(|_| is_rest)))
            }
            ListHole::One => Ways::metavariable(one),
            ListHole::Block if !is_rest || tool == Tool::Semgrep => Ways::metavariable(many),
            // A metavariable for a list stands for something where something is before it.
            ListHole::Block | ListHole::Clause => {
                let empty = Choice::Empty(empty.ok_or(NO_LIST)?);
                Ways::of([empty, Choice::Metavariable(many)])
            }
            ListHole::Separated => {
                let many = Choice::Metavariable(many);
                let again = empty.filter(|_| !is_rest || tool == Tool::Semgrep);
                let ways = match empty {
                    Some(empty) => self.open_list(many, empty),
                    None => Ways::of([many]),
                };
                ways.opening(owner.node, again)
            }
        })
    }

    fn list_hole(&self, owner: &Owner, ty: &str) -> Result<ListHole, Reason> {
        let Owner {
            constructor, field, ..
        } = owner;
        if !self.is_python {
            let slot = constructor.split(' ').find_map(|it| {
                let slot = it.strip_prefix('$')?.strip_prefix(field)?;
                slot.strip_prefix('*')
            });
            return match slot {
                Some("") => Ok(ListHole::Block),
                Some(_) => Ok(ListHole::Separated),
                None => Err(NO_LIST),
            };
        }
        match (*field, ty) {
            ("decorators" | "type_params", _) => Ok(ListHole::Dropped),
            ("orelse", _) if *constructor == "If" => Err("an `else` may be there or not"),
            ("orelse" | "finalbody", _) => Ok(ListHole::Clause),
            ("targets", "target") => Ok(ListHole::One),
            ("conditions" | "generators" | "comparisons" | "handlers" | "cases" | "rest", _) => {
                Err(NO_LIST)
            }
            (_, "stmt") => Ok(ListHole::Block),
            _ => Ok(ListHole::Separated),
        }
    }

    /// The ways to leave open a list with separators.
    fn open_list(&self, open: Choice, empty: ProductionId) -> Ways {
        match self.tool {
            Tool::AstGrep => Ways::of([Choice::Empty(empty), open]),
            Tool::Semgrep => Ways::of([open]),
        }
    }
}

/// Types whose values are lists to the tools.
fn is_list_like(ty: &str) -> bool {
    matches!(ty, "parameters" | "lambda_parameters")
}

/// The brackets of types whose values are lists in brackets.
fn brackets(ty: &str) -> Option<(&'static str, &'static str)> {
    match ty {
        "argument_list" | "arguments" | "formal_parameters" | "parameter_list" | "parameters" => {
            Some(("(", ")"))
        }
        "block" | "statement_block" => Some(("{ ", " }")),
        _ => None,
    }
}

/// Types whose values have a name and a value with a sign between them.
fn is_named(ty: &str) -> bool {
    matches!(ty, "keyword" | "default_parameter")
}

/// The ways to write one of [these](is_named).
fn named(ty: &str, one: &str) -> [Choice; 2] {
    let other = match ty {
        "keyword" => format!("**{one}"),
        _ => format!("{one}: {one}_TYPE = {one}_VALUE"),
    };
    [format!("{one}={one}_VALUE"), other].map(Choice::Metavariable)
}

/// As many targets of an assignment as there may be, none of them where there is something for it.
fn targets(one: &str, empty: Option<ProductionId>) -> impl Iterator<Item = Choice> + use<> {
    let some = [
        one.to_owned(),
        format!("{one} = {one}_NEXT"),
        format!("{one} = {one}_NEXT = {one}_LAST"),
    ];
    let none = empty.map(Choice::Empty).into_iter();
    none.chain(some.map(Choice::Metavariable))
}

/// Types that no metavariable can stand for.
fn has_no_name(ty: &str) -> bool {
    matches!(
        ty,
        "operator"
            | "unary_operator"
            | "comparison"
            | "comprehension"
            | "handler"
            | "match_case"
            | "conversion"
            | "replacement"
            | "format_spec"
            | "variadic"
            | "type_param"
            | "pattern"
            | "dict_item"
    )
}
