//! The functions of SQLite that a query may call, and how many arguments they take.
//!
//! Those of every build are listed: no mathematics, which SQLite may be built without, nothing that fails for
//! some texts, as the functions of JSON do, and nothing that reaches outside the database.

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// The name in queries.
    pub(super) name: &'static str,
    /// The constructor of its node.
    pub(super) constructor: &'static str,
    /// The least number of arguments, and the greatest.
    pub(super) n_arguments: (usize, usize),
    /// Whether it is computed from many rows.
    pub(super) is_aggregate: bool,
}

/// How many arguments are given to a function that takes any number of them.
pub(super) const MANY: usize = 12;

/// The function called `name`, which is in lower case.
pub(super) fn named(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|it| it.name == name)
}

/// The function of a node.
pub(super) fn of_constructor(constructor: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|it| it.constructor == constructor)
}

const fn scalar(
    name: &'static str,
    constructor: &'static str,
    n_arguments: (usize, usize),
) -> Function {
    Function {
        name,
        constructor,
        n_arguments,
        is_aggregate: false,
    }
}

const fn aggregate(
    name: &'static str,
    constructor: &'static str,
    n_arguments: (usize, usize),
) -> Function {
    Function {
        name,
        constructor,
        n_arguments,
        is_aggregate: true,
    }
}

/// All of them; aggregates with nodes of their own are in [`AGGREGATES`](super::names::AGGREGATES).
pub(super) const FUNCTIONS: &[Function] = &[
    scalar("abs", "Abs", (1, 1)),
    scalar("char", "Char", (1, MANY)),
    scalar("coalesce", "Coalesce", (2, MANY)),
    scalar("date", "Date", (0, MANY)),
    scalar("datetime", "DateTime", (0, MANY)),
    scalar("format", "Format", (1, MANY)),
    scalar("hex", "Hex", (1, 1)),
    scalar("ifnull", "IfNull", (2, 2)),
    scalar("iif", "Iif", (3, 3)),
    scalar("instr", "Instr", (2, 2)),
    scalar("julianday", "JulianDay", (0, MANY)),
    scalar("length", "Length", (1, 1)),
    scalar("lower", "Lower", (1, 1)),
    scalar("ltrim", "LTrim", (1, 2)),
    scalar("nullif", "NullIf", (2, 2)),
    scalar("printf", "Printf", (1, MANY)),
    scalar("quote", "Quote", (1, 1)),
    scalar("random", "Random", (0, 0)),
    scalar("replace", "Replace", (3, 3)),
    scalar("round", "Round", (1, 2)),
    scalar("rtrim", "RTrim", (1, 2)),
    scalar("sign", "Sign", (1, 1)),
    scalar("strftime", "StrfTime", (1, MANY)),
    scalar("substr", "Substr", (2, 3)),
    scalar("substring", "Substring", (2, 3)),
    scalar("time", "Time", (0, MANY)),
    scalar("trim", "Trim", (1, 2)),
    scalar("typeof", "TypeOf", (1, 1)),
    scalar("unicode", "Unicode", (1, 1)),
    scalar("unixepoch", "UnixEpoch", (0, MANY)),
    scalar("upper", "Upper", (1, 1)),
    aggregate("group_concat", "GroupConcat", (1, 2)),
    aggregate("total", "Total", (1, 1)),
];

#[cfg(test)]
mod tests {
    use patois_syntax::{Arity, Grammar};

    use super::super::{Mode, Sql};
    use super::FUNCTIONS;

    #[test]
    fn the_grammars_have_all_functions_and_no_others() {
        for mode in [Mode::Full, Mode::Paper] {
            let schema = Sql::schema_of(mode);
            let grammar = Grammar::from_schema(schema);
            let symbol = grammar.symbol("function", Arity::One).unwrap();
            let found = grammar.expansions(symbol).iter();
            let found: Vec<&str> = found
                .map(|&it| grammar.constructor(it).unwrap().name)
                .collect();
            let expected: Vec<&str> = FUNCTIONS.iter().map(|it| it.constructor).collect();
            assert_eq!(found, expected, "{mode:?}");
        }
    }
}
