//! What is known of each production of a grammar of SQL, whatever stands around it.

use patois_syntax::{Grammar, ProductionId, ProductionKind};

use crate::sql::functions::{self, Function};
use crate::sql::names::AGGREGATES;

/// What is known of a production.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) kind: Kind,
    /// What each child is to the node.
    pub(super) roles: Box<[Role]>,
    /// Whether it can hold more nodes like itself, so that trees get deeper and deeper.
    pub(super) deepens: bool,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One more item of a list, or its first one.
    Cell,
    /// The end of a list.
    End,
    /// An option that is there, or not.
    Option,
    Query,
    Select,
    Grouping,
    From,
    Derived,
    /// A table of a FROM clause.
    Source,
    /// A join along a key.
    KeyJoin,
    /// A LIMIT that may fail.
    LimitValue,
    /// A comparison of values.
    Comparison,
    IsNull,
    /// Any other condition.
    Condition,
    /// Any other value.
    Value,
    Column,
    Occurrence,
    AllColumns,
    AllColumnsOf,
    Output,
    Number,
    Truth,
    Subquery,
    Aggregate,
    Call,
    CallDistinct,
    Function(&'static Function),
    /// The first number that is counted.
    One,
    /// The number after another one.
    Next,
    Other,
}

/// What a child is to its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What the node itself is: the items of a list, the key of an order.
    Same,
    /// A part of an expression.
    Part,
    /// A part that stands for the whole, as a number behind a sign.
    Sign,
    /// What may be null.
    Tested,
    Compounds,
    OrderBy,
    Limit,
    From,
    On,
    Results,
    Where,
    Grouping,
    Keys,
    Having,
    /// What an aggregate is computed from.
    Argument,
    /// What is counted, which may be `*`.
    Counted,
    /// The arguments of a call.
    Arguments,
    /// A query that is a value.
    OneResult,
    /// A query that is not.
    AnyResults,
}

/// What is known of all productions of a grammar.
pub(super) fn facts(grammar: &Grammar) -> Vec<Fact> {
    let all = (0..grammar.n_productions()).map(ProductionId::new);
    all.map(|id| fact(grammar, id)).collect()
}

fn fact(grammar: &Grammar, id: ProductionId) -> Fact {
    let production = grammar.production(id);
    let ty = grammar.symbol_type(production.lhs);
    let Some(constructor) = grammar.constructor(id) else {
        let kind = match production.kind {
            kind if kind.is_cell() => Kind::Cell,
            ProductionKind::Nil => Kind::End,
            _ => Kind::Option,
        };
        return Fact {
            kind,
            roles: production.rhs.iter().map(|_| Role::Same).collect(),
            deepens: false,
        };
    };
    let kind = kind(ty, constructor.name);
    let fields = constructor.fields.iter();
    let holds = |types: &[&str]| constructor.fields.iter().any(|it| types.contains(&it.ty));
    let deepens = match ty {
        "value" => holds(&["value", "condition", "query", "branch", "choice"]),
        "condition" => holds(&["condition", "query"]) || matches!(constructor.name, "In" | "Holds"),
        "source" => holds(&["query"]),
        _ => false,
    };
    Fact {
        kind,
        roles: fields
            .map(|it| role(constructor.name, kind, it.name))
            .collect(),
        deepens,
    }
}

fn kind(ty: &str, constructor: &str) -> Kind {
    let is_aggregate = |name: &str| AGGREGATES.iter().any(|it| it.1 == name || it.2 == name);
    match (ty, constructor) {
        ("query", _) => Kind::Query,
        ("select", _) => Kind::Select,
        ("grouping", _) => Kind::Grouping,
        ("from", _) => Kind::From,
        ("source", "Derived") => Kind::Derived,
        ("source", _) => Kind::Source,
        ("join", "Join" | "ReverseJoin" | "LeftKeyJoin") => Kind::KeyJoin,
        ("condition", "IsNull") => Kind::IsNull,
        (
            "condition",
            "Equal" | "NotEqual" | "Less" | "LessEqual" | "Greater" | "GreaterEqual" | "Like"
            | "Glob",
        ) => Kind::Comparison,
        ("condition", _) => Kind::Condition,
        ("limit", "LimitValue" | "LimitValueOffset") => Kind::LimitValue,
        ("value", "Column") => Kind::Column,
        ("value", "Occurrence") => Kind::Occurrence,
        ("value", "AllColumns") => Kind::AllColumns,
        ("value", "AllColumnsOf") => Kind::AllColumnsOf,
        ("value", "Output") => Kind::Output,
        ("value", "Number") => Kind::Number,
        ("value", "True" | "False") => Kind::Truth,
        ("value", "Subquery") => Kind::Subquery,
        ("value", "Call") => Kind::Call,
        ("value", "CallDistinct") => Kind::CallDistinct,
        ("value", name) if is_aggregate(name) => Kind::Aggregate,
        ("value", _) => Kind::Value,
        ("function", name) => functions::of_constructor(name).map_or(Kind::Other, Kind::Function),
        ("ordinal" | "position", "Next") => Kind::Next,
        ("ordinal" | "position", _) => Kind::One,
        _ => Kind::Other,
    }
}

fn role(constructor: &str, kind: Kind, field: &str) -> Role {
    match (kind, constructor, field) {
        (Kind::Query, _, "compounds") => Role::Compounds,
        (Kind::Query, _, "order_by") => Role::OrderBy,
        (Kind::Query, _, "limit") => Role::Limit,
        (Kind::Select, _, "from") => Role::From,
        (Kind::Select, _, "results") => Role::Results,
        (Kind::Select, _, "where") => Role::Where,
        (Kind::Select, _, "grouping") => Role::Grouping,
        (Kind::Grouping, _, "keys") => Role::Keys,
        (Kind::Grouping, _, "having") => Role::Having,
        (Kind::Derived, ..) | (_, "Exists", _) => Role::AnyResults,
        (Kind::Subquery, ..) | (_, "InQuery", "query") => Role::OneResult,
        (Kind::Aggregate, "Count", _) => Role::Counted,
        (Kind::Aggregate, ..) | (Kind::CallDistinct, _, "argument") => Role::Argument,
        (Kind::Call, _, "arguments") => Role::Arguments,
        (_, _, "on") => Role::On,
        (_, "Negate" | "Collate" | "Truth", _) => Role::Sign,
        (Kind::IsNull, ..) => Role::Tested,
        (Kind::Value | Kind::Comparison | Kind::Condition, ..)
        | (Kind::Other, "branch" | "choice", _) => Role::Part,
        _ => Role::Same,
    }
}
