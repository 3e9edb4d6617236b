//! How languages that are read through tree-sitter grammars bind names.

use crate::locals::{Position, Scoping};

/// Leaves that name variables.
const NAMES: &[Position] = &[
    ("identifier", "*"),
    ("implicit_parameter", "*"),
    ("shorthand_field_identifier", "*"),
    ("shorthand_property_identifier", "*"),
    ("shorthand_property_identifier_pattern", "*"),
];

/// A language that binds no names that we know of.
pub(super) static NONE: Scoping = Scoping {
    scopes: &[],
    names: NAMES,
    binders: &[],
    patterns: &[],
    labels: &[],
    outer: &[],
    kept: &["_"],
    keeps_capitals: false,
};

/// C and C++.
pub(super) static C: Scoping = Scoping {
    scopes: &["function_definition", "lambda_expression"],
    binders: &[
        ("declaration", "declarator"),
        ("for_range_loop", "declarator"),
        ("init_declarator", "declarator"),
        ("optional_parameter_declaration", "declarator"),
        ("parameter_declaration", "declarator"),
    ],
    patterns: &[
        ("array_declarator", "declarator"),
        ("init_declarator", "declarator"),
        ("parenthesized_declarator", "*"),
        ("pointer_declarator", "declarator"),
        ("reference_declarator", "*"),
        ("structured_binding_declarator", "*"),
    ],
    ..NONE
};

pub(super) static C_SHARP: Scoping = Scoping {
    scopes: &[
        "anonymous_method_expression",
        "constructor_declaration",
        "conversion_operator_declaration",
        "destructor_declaration",
        "indexer_declaration",
        "lambda_expression",
        "method_declaration",
        "operator_declaration",
        "property_declaration",
    ],
    binders: &[
        ("catch_declaration", "name"),
        ("declaration_expression", "name"),
        ("declaration_pattern", "name"),
        ("foreach_statement", "left"),
        ("implicit_parameter", "*"),
        ("lambda_expression", "parameters"),
        ("parameter", "name"),
        ("variable_declarator", "name"),
    ],
    labels: &[
        ("argument", "name"),
        ("constructor_declaration", "name"),
        ("destructor_declaration", "name"),
        ("local_function_statement", "name"),
        ("member_access_expression", "name"),
        ("member_binding_expression", "name"),
        ("method_declaration", "name"),
        ("property_declaration", "name"),
    ],
    ..NONE
};

pub(super) static GO: Scoping = Scoping {
    scopes: &["func_literal", "function_declaration", "method_declaration"],
    binders: &[
        ("const_spec", "name"),
        ("parameter_declaration", "name"),
        ("range_clause", "left"),
        ("receive_statement", "left"),
        ("short_var_declaration", "left"),
        ("type_switch_statement", "alias"),
        ("var_spec", "name"),
        ("variadic_parameter_declaration", "name"),
    ],
    patterns: &[("expression_list", "*")],
    labels: &[("function_declaration", "name"), ("keyed_element", "key")],
    kept: &["_", "err"],
    ..NONE
};

pub(super) static JAVA: Scoping = Scoping {
    scopes: &[
        "compact_constructor_declaration",
        "constructor_declaration",
        "lambda_expression",
        "method_declaration",
    ],
    binders: &[
        ("catch_formal_parameter", "name"),
        ("enhanced_for_statement", "name"),
        ("formal_parameter", "name"),
        ("inferred_parameters", "*"),
        ("instanceof_expression", "name"),
        ("lambda_expression", "parameters"),
        ("resource", "name"),
        ("variable_declarator", "name"),
    ],
    labels: &[
        ("compact_constructor_declaration", "name"),
        ("constructor_declaration", "name"),
        ("field_access", "field"),
        ("method_declaration", "name"),
        ("method_invocation", "name"),
        ("method_reference", "*"),
    ],
    ..NONE
};

/// JavaScript and TypeScript.
pub(super) static JAVASCRIPT: Scoping = Scoping {
    scopes: &[
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    ],
    binders: &[
        ("arrow_function", "parameter"),
        ("catch_clause", "parameter"),
        ("for_in_statement", "left"),
        ("formal_parameters", "*"),
        ("optional_parameter", "pattern"),
        ("required_parameter", "pattern"),
        ("variable_declarator", "name"),
    ],
    patterns: &[
        ("array_pattern", "*"),
        ("assignment_pattern", "left"),
        ("object_assignment_pattern", "left"),
        ("object_pattern", "*"),
        ("pair_pattern", "value"),
        ("rest_pattern", "*"),
    ],
    labels: &[
        ("class_declaration", "name"),
        ("function_declaration", "name"),
        ("function_expression", "name"),
        ("generator_function_declaration", "name"),
    ],
    ..NONE
};

pub(super) static RUBY: Scoping = Scoping {
    scopes: &["block", "do_block", "lambda", "method", "singleton_method"],
    binders: &[
        ("assignment", "left"),
        ("block_parameter", "name"),
        ("block_parameters", "*"),
        ("exception_variable", "*"),
        ("for", "pattern"),
        ("hash_splat_parameter", "name"),
        ("keyword_parameter", "name"),
        ("lambda_parameters", "*"),
        ("method_parameters", "*"),
        ("operator_assignment", "left"),
        ("optional_parameter", "name"),
        ("splat_parameter", "name"),
    ],
    patterns: &[
        ("destructured_left_assignment", "*"),
        ("destructured_parameter", "*"),
        ("left_assignment_list", "*"),
        ("rest_assignment", "*"),
    ],
    labels: &[
        ("call", "method"),
        ("method", "name"),
        ("singleton_method", "name"),
    ],
    ..NONE
};

pub(super) static RUST: Scoping = Scoping {
    scopes: &["closure_expression", "function_item"],
    binders: &[
        ("closure_parameters", "*"),
        ("for_expression", "pattern"),
        ("let_condition", "pattern"),
        ("let_declaration", "pattern"),
        ("match_pattern", "*"),
        ("parameter", "pattern"),
    ],
    patterns: &[
        ("captured_pattern", "*"),
        ("field_pattern", "*"),
        ("mut_pattern", "*"),
        ("or_pattern", "*"),
        ("ref_pattern", "*"),
        ("reference_pattern", "*"),
        ("slice_pattern", "*"),
        ("struct_pattern", "*"),
        ("tuple_pattern", "*"),
        ("tuple_struct_pattern", "*"),
    ],
    labels: &[("function_item", "name")],
    // In a pattern, `None` is no name.
    keeps_capitals: true,
    ..NONE
};
