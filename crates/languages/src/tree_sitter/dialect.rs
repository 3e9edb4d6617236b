//! What a tree-sitter grammar does not say about its language.

use ::tree_sitter::Language as Grammar;

use crate::locals::Scoping;

/// A language that is read through a tree-sitter grammar.
pub(super) struct Dialect {
    /// Its name in the [table](crate::LANGUAGES).
    pub(super) name: &'static str,
    pub(super) grammar: fn() -> Grammar,
    /// The grammar's own description of its nodes.
    pub(super) node_types: &'static str,
    /// Kinds of nodes that are units of their own.
    pub(super) functions: &'static [&'static str],
    /// Kinds of expressions that make a unit of the statement that names them.
    pub(super) function_values: &'static [&'static str],
    /// Kinds of nodes that are units without the functions in them.
    pub(super) classes: &'static [&'static str],
    /// Tokens that may be left out at the end of a kind of node.
    pub(super) optional_ends: &'static [(&'static str, &'static str)],
    /// How names are bound.
    pub(super) scoping: &'static Scoping,
}

/// Every language that this build knows.
pub(super) static DIALECTS: &[Dialect] = &[
    #[cfg(feature = "c")]
    Dialect {
        name: "c",
        grammar: || ::tree_sitter_c::LANGUAGE.into(),
        node_types: ::tree_sitter_c::NODE_TYPES,
        functions: &["function_definition"],
        function_values: &[],
        classes: &[],
        optional_ends: &[],
        scoping: &super::locals::C,
    },
    #[cfg(feature = "cpp")]
    Dialect {
        name: "cpp",
        grammar: || ::tree_sitter_cpp::LANGUAGE.into(),
        node_types: ::tree_sitter_cpp::NODE_TYPES,
        functions: &["function_definition"],
        function_values: &[],
        classes: &["class_specifier", "struct_specifier"],
        optional_ends: &[],
        scoping: &super::locals::C,
    },
    #[cfg(feature = "c-sharp")]
    Dialect {
        name: "csharp",
        grammar: || ::tree_sitter_c_sharp::LANGUAGE.into(),
        node_types: ::tree_sitter_c_sharp::NODE_TYPES,
        functions: &[
            "constructor_declaration",
            "conversion_operator_declaration",
            "destructor_declaration",
            "indexer_declaration",
            "method_declaration",
            "operator_declaration",
            "property_declaration",
        ],
        function_values: &[],
        classes: &[
            "class_declaration",
            "interface_declaration",
            "record_declaration",
            "struct_declaration",
        ],
        optional_ends: &[],
        scoping: &super::locals::C_SHARP,
    },
    #[cfg(feature = "go")]
    Dialect {
        name: "go",
        grammar: || ::tree_sitter_go::LANGUAGE.into(),
        node_types: ::tree_sitter_go::NODE_TYPES,
        functions: &["function_declaration", "method_declaration"],
        function_values: &[],
        classes: &[],
        optional_ends: &[],
        scoping: &super::locals::GO,
    },
    #[cfg(feature = "java")]
    Dialect {
        name: "java",
        grammar: || ::tree_sitter_java::LANGUAGE.into(),
        node_types: ::tree_sitter_java::NODE_TYPES,
        functions: &[
            "compact_constructor_declaration",
            "constructor_declaration",
            "method_declaration",
        ],
        function_values: &[],
        classes: &[
            "annotation_type_declaration",
            "class_declaration",
            "enum_declaration",
            "interface_declaration",
            "record_declaration",
        ],
        optional_ends: &[],
        scoping: &super::locals::JAVA,
    },
    #[cfg(feature = "javascript")]
    Dialect {
        name: "javascript",
        grammar: || ::tree_sitter_javascript::LANGUAGE.into(),
        node_types: ::tree_sitter_javascript::NODE_TYPES,
        functions: JAVASCRIPT_FUNCTIONS,
        function_values: JAVASCRIPT_FUNCTION_VALUES,
        classes: JAVASCRIPT_CLASSES,
        optional_ends: JAVASCRIPT_ENDS,
        scoping: &super::locals::JAVASCRIPT,
    },
    #[cfg(feature = "ruby")]
    Dialect {
        name: "ruby",
        grammar: || ::tree_sitter_ruby::LANGUAGE.into(),
        node_types: ::tree_sitter_ruby::NODE_TYPES,
        functions: &["method", "singleton_method"],
        function_values: &[],
        classes: &["class", "module", "singleton_class"],
        optional_ends: &[],
        scoping: &super::locals::RUBY,
    },
    #[cfg(feature = "rust")]
    Dialect {
        name: "rust",
        grammar: || ::tree_sitter_rust::LANGUAGE.into(),
        node_types: ::tree_sitter_rust::NODE_TYPES,
        functions: &["function_item"],
        function_values: &[],
        classes: &["impl_item", "trait_item"],
        optional_ends: &[("match_arm", ",")],
        scoping: &super::locals::RUST,
    },
    #[cfg(feature = "sql")]
    Dialect {
        name: "sql",
        grammar: || ::tree_sitter_sequel::LANGUAGE.into(),
        node_types: ::tree_sitter_sequel::NODE_TYPES,
        functions: &["statement"],
        function_values: &[],
        classes: &[],
        optional_ends: &[],
        scoping: &super::locals::NONE,
    },
    #[cfg(feature = "typescript")]
    Dialect {
        name: "typescript",
        grammar: || ::tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        node_types: ::tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
        functions: JAVASCRIPT_FUNCTIONS,
        function_values: JAVASCRIPT_FUNCTION_VALUES,
        classes: TYPESCRIPT_CLASSES,
        optional_ends: JAVASCRIPT_ENDS,
        scoping: &super::locals::JAVASCRIPT,
    },
    #[cfg(feature = "typescript")]
    Dialect {
        name: "tsx",
        grammar: || ::tree_sitter_typescript::LANGUAGE_TSX.into(),
        node_types: ::tree_sitter_typescript::TSX_NODE_TYPES,
        functions: JAVASCRIPT_FUNCTIONS,
        function_values: JAVASCRIPT_FUNCTION_VALUES,
        classes: TYPESCRIPT_CLASSES,
        optional_ends: JAVASCRIPT_ENDS,
        scoping: &super::locals::JAVASCRIPT,
    },
];

const JAVASCRIPT_FUNCTIONS: &[&str] = &[
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
];
const JAVASCRIPT_FUNCTION_VALUES: &[&str] = &[
    "arrow_function",
    "function_expression",
    "generator_function",
];
const JAVASCRIPT_ENDS: &[(&str, &str)] = &[
    ("break_statement", ";"),
    ("continue_statement", ";"),
    ("debugger_statement", ";"),
    ("do_statement", ";"),
    ("expression_statement", ";"),
    ("import_statement", ";"),
    ("lexical_declaration", ";"),
    ("return_statement", ";"),
    ("throw_statement", ";"),
    ("type_alias_declaration", ";"),
    ("variable_declaration", ";"),
];
const JAVASCRIPT_CLASSES: &[&str] = &["class", "class_declaration"];
const TYPESCRIPT_CLASSES: &[&str] = &[
    "abstract_class_declaration",
    "class",
    "class_declaration",
    "interface_declaration",
];

/// Whether a statement may give something a name.
pub(super) fn is_naming(kind: &str) -> bool {
    matches!(
        kind,
        "expression_statement" | "lexical_declaration" | "variable_declaration"
    )
}

/// Whether a node says nothing to the machine.
pub(super) fn is_comment(kind: &str) -> bool {
    kind.contains("comment")
        || matches!(
            kind,
            "marginalia" | "hash_bang_line" | "shebang" | "uninterpreted"
        )
}

/// Whether every blank inside of a node counts, so that it is kept as it is.
pub(super) fn is_verbatim(kind: &str) -> bool {
    let is_string =
        kind.contains("string") && !kind.contains("concatenated") && !kind.contains("chained");
    is_string
        || kind.starts_with("char_literal")
        || matches!(
            kind,
            "character"
                | "character_literal"
                | "delimited_symbol"
                | "heredoc_body"
                | "jsx_element"
                | "jsx_self_closing_element"
                | "regex"
                | "rune_literal"
                | "subshell"
                | "symbol_array"
                | "template_literal_type"
        )
}

/// Whether a node is a bag of tokens that only a macro understands.
pub(super) fn is_token_soup(kind: &str) -> bool {
    kind.starts_with("token_tree")
        || matches!(
            kind,
            "token_repetition" | "token_repetition_pattern" | "delim_token_tree"
        )
}

/// Whether the parts of a node stand on lines of their own, one after the other, so that one of them
/// can be left out without making nonsense of the others.
pub(super) fn is_sequence(kind: &str) -> bool {
    matches!(
        kind,
        "begin"
            | "begin_block"
            | "block_body"
            | "body_statement"
            | "compilation_unit"
            | "do"
            | "else"
            | "ensure"
            | "parenthesized_statements"
            | "program"
            | "source_file"
            | "statement_list"
            | "then"
            | "translation_unit"
    )
}

/// Whether a node is made of things in braces that follow each other, one to a line.
pub(super) fn is_block(kind: &str) -> bool {
    is_sequence(kind)
        || matches!(
            kind,
            "block"
                | "class_body"
                | "compound_statement"
                | "constructor_body"
                | "declaration_list"
                | "field_declaration_list"
                | "interface_body"
                | "match_block"
                | "statement_block"
        )
}

/// Kinds whose children have commas between them, with no or with curly brackets around.
const COMMA_LISTS: &[&str] = &[
    "array_initializer",
    "enum_body",
    "enum_member_declaration_list",
    "enum_variant_list",
    "enumerator_list",
    "export_clause",
    "field_initializer_list",
    "hash",
    "initializer_expression",
    "initializer_list",
    "lexical_declaration",
    "literal_value",
    "named_imports",
    "object",
    "object_pattern",
    "sequence_expression",
    "struct_pattern",
    "use_list",
    "variable_declaration",
];

/// What stands between the items of a list of one kind of node, where there is but one item to see.
pub(super) fn separator(kind: &str, field: Option<&str>, opening: Option<&str>) -> &'static str {
    if is_token_soup(kind) || is_lines_in_parentheses(kind) {
        return "";
    }
    if matches!(kind, "interface_body" | "object_type") {
        return ";";
    }
    if let Some(field) = field {
        let is_bare = matches!(field, "decorator" | "body" | "modifiers");
        return if is_bare { "" } else { "," };
    }
    if COMMA_LISTS.contains(&kind) {
        return ",";
    }
    let is_list = kind.ends_with("expression_list") || kind.ends_with("argument_list");
    match opening {
        Some("(" | "[" | "<" | "|") => ",",
        _ if is_list => ",",
        _ => "",
    }
}

/// Whether a node is in parentheses, and yet its items stand on lines of their own.
pub(super) fn is_lines_in_parentheses(kind: &str) -> bool {
    matches!(
        kind,
        "const_declaration" | "import_spec_list" | "type_declaration" | "var_spec_list"
    )
}

/// Whether the children of a node stand side by side, without a blank where none is needed.
pub(super) fn is_tight(kind: &str) -> bool {
    const PARTS: &[&str] = &[
        "access",
        "argument_list",
        "block_argument",
        "block_parameter",
        "dereference",
        "element_reference",
        "field_expression",
        "generic",
        "index_expression",
        "indexer",
        "lifetime",
        "member_expression",
        "non_null",
        "nullable",
        "pointer",
        "postfix",
        "prefix",
        "qualified",
        "range_expression",
        "range_pattern",
        "reference",
        "rest_",
        "scope",
        "selector",
        "self_parameter",
        "slice",
        "splat",
        "spread",
        "subscript",
        "try_expression",
        "type_argument",
        "type_parameters",
        "unary",
        "update_expression",
        "variadic",
    ];
    kind == "range" || PARTS.iter().any(|it| kind.contains(it))
}
