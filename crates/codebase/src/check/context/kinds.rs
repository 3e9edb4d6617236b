//! What the constructs of a language are to contexts, told by their names.

use patois_syntax::{Grammar, Label, NodeId, ProductionId, ProductionKind, Tree};

use crate::taste::{is_call, is_definition};

/// Imports name what they need, in any order; functions take what they want; types are what they must be.
const DULL: &[&str] = &[
    "alias",
    "Alias",
    "arameter",
    "attribute_item",
    "export",
    "generic_type",
    "import",
    "Import",
    "token_tree",
    "_type",
    "type_arguments",
    "type_annotation",
    "use_declaration",
];
/// Fields that hold types.
const DULL_FIELDS: &[&str] = &["annotation", "returns", "return_type", "type"];
/// Values that are written down.
pub(super) const LITERALS: &[&str] = &[
    "string", "Str", "literal", "Constant", "number", "Num", "true", "false",
];
/// What only makes a statement of an expression, or holds code of any kind.
const PLAIN: &[&str] = &[
    "expression_statement",
    "arrow_function",
    "argument",
    "parenthesized",
    "Module",
    "program",
    "block",
];

/// What the productions of a grammar are.
pub(in crate::check) struct Kinds {
    pub(super) of_productions: Vec<Kind>,
    /// Constructs whose variety means nothing.
    pub(super) is_dull: Vec<bool>,
    /// The fields of constructs of which that is true: types and annotations.
    pub(super) dull_fields: Vec<Vec<usize>>,
    /// Literals.
    pub(super) is_literal: Vec<bool>,
    /// Constructs that only make a statement of an expression.
    pub(super) is_plain: Vec<bool>,
    /// Statements that drop the value of an expression.
    is_dropping: Vec<bool>,
    /// Definitions.
    is_definition: Vec<bool>,
    /// Constructs that hold the arguments of a call.
    is_arguments: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Kind {
    Call,
    Construct,
    /// A cell of a list of statements.
    StatementCell,
    Cell,
    End,
}

/// Whether a production is of a cell of a list, which has an item.
pub(in crate::check) fn is_item(grammar: &Grammar, id: ProductionId) -> bool {
    let kind = &grammar.production(id).kind;
    matches!(kind, ProductionKind::Cons | ProductionKind::First)
}

impl Kinds {
    pub(in crate::check) fn of(grammar: &Grammar) -> Kinds {
        let productions = (0..grammar.n_productions()).map(ProductionId::new);
        let kind = |id: ProductionId| match grammar.production(id).kind {
            ProductionKind::Construct(_) => {
                let name = grammar.constructor(id).map_or("", |it| it.name);
                if is_call(name) {
                    Kind::Call
                } else {
                    Kind::Construct
                }
            }
            ProductionKind::Cons | ProductionKind::First => {
                let ty = grammar.symbol_type(grammar.production(id).lhs);
                if ty.contains("stmt") || ty.contains("statement") {
                    Kind::StatementCell
                } else {
                    Kind::Cell
                }
            }
            ProductionKind::Present => Kind::Cell,
            ProductionKind::Nil | ProductionKind::Absent => Kind::End,
        };
        let name = |id: ProductionId| {
            let name = grammar.constructor(id).map_or("", |it| it.name);
            name.split(' ').next().unwrap_or_default()
        };
        let has = |id: ProductionId, words: &[&str]| words.iter().any(|it| name(id).contains(it));
        Kinds {
            of_productions: productions.clone().map(kind).collect(),
            is_dull: productions.clone().map(|it| has(it, DULL)).collect(),
            dull_fields: productions
                .clone()
                .map(|it| dull_fields(grammar, it))
                .collect(),
            is_literal: productions.clone().map(|it| has(it, LITERALS)).collect(),
            is_plain: productions
                .clone()
                .map(|it| name(it) == "Expr" || has(it, PLAIN))
                .collect(),
            is_dropping: productions
                .clone()
                .map(|it| matches!(name(it), "Expr" | "expression_statement"))
                .collect(),
            is_definition: productions
                .clone()
                .map(|it| is_definition(name(it)))
                .collect(),
            is_arguments: productions.map(|it| has(it, &["argument"])).collect(),
        }
    }

    /// Whether a construct calls something.
    pub(in crate::check) fn is_call(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.of_productions[id.index()] == Kind::Call,
            _ => false,
        }
    }

    /// Whether a construct is a literal.
    pub(super) fn is_literal(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_literal[id.index()],
            _ => false,
        }
    }

    /// Whether a construct only makes a statement of an expression, or holds code of any kind.
    pub(in crate::check) fn is_plain(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_plain[id.index()],
            _ => false,
        }
    }

    /// Whether a construct drops the value of an expression.
    pub(in crate::check) fn is_dropping(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_dropping[id.index()],
            _ => false,
        }
    }

    /// Whether a construct defines something.
    pub(super) fn is_definition(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_definition[id.index()],
            _ => false,
        }
    }

    /// Whether a construct holds the arguments of a call.
    pub(super) fn is_arguments(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_arguments[id.index()],
            _ => false,
        }
    }

    pub(super) fn at(&self, tree: &Tree, node: NodeId) -> Option<Kind> {
        match tree.label(node) {
            Label::Production(id) => Some(self.of_productions[id.index()]),
            Label::Text(_) | Label::Reference(_) => None,
        }
    }
}

/// The fields of a constructor that hold types.
fn dull_fields(grammar: &Grammar, id: ProductionId) -> Vec<usize> {
    let fields = grammar.constructor(id).map_or(&[][..], |it| &it.fields[..]);
    let names = fields.iter().enumerate();
    let dull = names.filter(|it| DULL_FIELDS.contains(&it.1.name));
    dull.map(|it| it.0).collect()
}
