//! Languages that are read through tree-sitter grammars.
//!
//! A grammar of tree-sitter names kinds of nodes and fields, but says neither in which order the
//! children of a node stand nor which fixed tokens stand between them. Programs show it: the
//! constructor of a node is its kind together with the tokens and slots that were found, such as
//! `binary_expression $left + $right` or `arguments ( $expression*, )`. So idioms print as source
//! code, and the grammar of a corpus is induced from its programs.
//!
//! Comments and blanks are dropped, and so are separators behind the last item of a list, and
//! whether a statement ends in the semicolon that it may end in. Strings are kept as they are.

mod budget;
mod constructor;
#[allow(dead_code, reason = "a build may leave languages out")]
mod dialect;
mod elsewhere;
mod layout;
#[allow(dead_code, reason = "a build may leave languages out")]
mod locals;
mod node_types;
mod parse;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use ::tree_sitter::Node;
use patois_syntax::{Ast, Child, Field, Language, ParseError, PrintError, Text};

use crate::units::{Unit, UnitKind, Units};
use dialect::{DIALECTS, Dialect};
use node_types::NodeTypes;
use parse::{Converter, Faults, Root};

/// The deepest tree that is read, in nodes from the root to a leaf.
pub const MAX_DEPTH: usize = 1000;

/// A programming language by way of its tree-sitter grammar.
///
/// ```
/// # #[cfg(feature = "javascript")] {
/// use patois_languages::tree_sitter::TreeSitter;
/// use patois_syntax::Language;
///
/// let javascript = TreeSitter::named("javascript").unwrap();
/// let loose = javascript.parse("let x=( 1+y )  // comment")?;
/// let tidy = javascript.parse("let x = (1 + y);")?;
/// assert_eq!(loose, tidy);
/// assert_eq!(javascript.print(&loose)?, "let x = (1 + y);\n");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeSitter {
    dialect: &'static Dialect,
    grammar: ::tree_sitter::Language,
    types: NodeTypes,
    /// The kinds of nodes by their ids.
    kinds: Vec<&'static str>,
    /// The fields by their ids.
    fields: Vec<&'static str>,
}

/// The languages in the order of [`DIALECTS`], each made when it is first asked for.
static LANGUAGES: LazyLock<Vec<OnceLock<Arc<TreeSitter>>>> =
    LazyLock::new(|| DIALECTS.iter().map(|_| OnceLock::new()).collect());

impl TreeSitter {
    /// The language of that name, if this build has it.
    pub fn named(name: &str) -> Option<Arc<TreeSitter>> {
        let at = DIALECTS.iter().position(|it| it.name == name)?;
        let made = LANGUAGES[at].get_or_init(|| Arc::new(TreeSitter::new(&DIALECTS[at])));
        Some(Arc::clone(made))
    }

    /// Whether this build has the language of that name.
    pub(crate) fn is_there(name: &str) -> bool {
        DIALECTS.iter().any(|it| it.name == name)
    }

    fn new(dialect: &'static Dialect) -> TreeSitter {
        budget::count_work();
        let grammar = (dialect.grammar)();
        let intern = |name: Option<&str>| Text::new(name.unwrap_or_default()).as_str();
        let kinds = 0..grammar.node_kind_count();
        let fields = 0..=grammar.field_count();
        TreeSitter {
            dialect,
            kinds: kinds
                .map(|id| intern(grammar.node_kind_for_id(id as u16)))
                .collect(),
            fields: fields
                .map(|id| intern(grammar.field_name_for_id(id as u16)))
                .collect(),
            grammar,
            types: NodeTypes::parse(dialect.node_types)
                .expect("a grammar comes with a description of its nodes"),
        }
    }

    fn kind(&self, node: Node<'_>) -> &'static str {
        let known = self.kinds.get(usize::from(node.kind_id()));
        known.copied().unwrap_or("ERROR")
    }

    /// The units of a source file. Places that are no program are left out, with as little as
    /// possible of what is around them, and counted.
    ///
    /// # Errors
    ///
    /// When the source nests too deep, is too much work to parse, or nothing of it is a program.
    pub fn units(&self, source: &str, kind: UnitKind) -> Result<Units, ParseError> {
        let tree = parse::syntax(self, source)?;
        let mut converter = Converter {
            language: self,
            source,
            faults: Faults::LeaveOut,
            found: Vec::new(),
        };
        let mut units = Units::default();
        let whole = Root {
            node: tree.root_node(),
            ty: None,
        };
        let mut open = vec![whole];
        while let Some(root) = open.pop() {
            let mut cut = Vec::new();
            // Functions stay whole.
            let is_cut = kind == UnitKind::Function && !self.is_function(root.node);
            let ast = converter.convert(root, |node, ty| {
                let is_unit = is_cut && (self.is_function(node) || self.is_class(node));
                if is_unit {
                    cut.push(Root { node, ty: Some(ty) });
                }
                is_unit
            })?;
            if let Some(ast) = ast.filter(|it| !is_nothing(it)) {
                units.units.push(Unit {
                    range: range(root.node),
                    ast: as_program(root, ast),
                });
            }
            cut.reverse();
            open.extend(cut);
        }
        units.units.sort_by_key(|it| (it.range.start, it.range.end));
        units.faults = converter.found;
        units.faults.sort_by_key(|it| it.offset);
        Ok(units)
    }

    fn is_function(&self, node: Node<'_>) -> bool {
        self.dialect.functions.contains(&node.kind()) || self.names_function(node)
    }

    fn is_class(&self, node: Node<'_>) -> bool {
        let is_class = self.dialect.classes.contains(&node.kind());
        is_class && node.child_by_field_name("body").is_some()
    }

    /// Whether a statement gives a function its name: `const f = () => {}`, `exports.f = function() {}`.
    fn names_function(&self, node: Node<'_>) -> bool {
        let kinds = self.dialect.function_values;
        if kinds.is_empty() || !dialect::is_naming(node.kind()) {
            return false;
        }
        let is_function = |it: Node<'_>| {
            let value = it.child_by_field_name("value");
            let value = value.or_else(|| it.child_by_field_name("right"));
            value.is_some_and(|it| kinds.contains(&it.kind()))
        };
        // Asking for one child after the other by its number would begin anew for each.
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.any(is_function)
    }

    /// The texts of a tree that are names local to a function, counted in the order of the tree.
    pub fn locals(&self, ast: &Ast) -> Vec<u32> {
        crate::locals::locals(ast, self.dialect.scoping)
    }

    /// Prints items of a list as they stand in the field `field` of a constructor.
    ///
    /// # Errors
    ///
    /// When one of them is no tree of this language.
    pub fn print_items(
        &self,
        constructor: &str,
        field: &str,
        items: &[Child],
    ) -> Result<String, PrintError> {
        layout::print_items(self, constructor, field, items)
    }
}

impl Language for TreeSitter {
    fn name(&self) -> &str {
        self.dialect.name
    }

    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        let tree = parse::syntax(self, source)?;
        let mut converter = Converter {
            language: self,
            source,
            faults: Faults::Refuse,
            found: Vec::new(),
        };
        let root = Root {
            node: tree.root_node(),
            ty: None,
        };
        if root.node.is_error() {
            return Err(ParseError::whole(
                "expected a program, found something else",
            ));
        }
        let ast = converter.convert(root, |_, _| false)?;
        ast.ok_or_else(|| ParseError::whole("expected a program, found something else"))
    }

    fn print(&self, ast: &Ast) -> Result<String, PrintError> {
        layout::print(self, ast)
    }
}

impl fmt::Debug for TreeSitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeSitter({})", self.dialect.name)
    }
}

fn range(node: Node<'_>) -> Range<usize> {
    node.byte_range()
}

/// Whether nothing is left of a file.
fn is_nothing(ast: &Ast) -> bool {
    let is_empty = ast.fields.iter().all(|it| it.value.children().is_empty())
        && constructor::parts(ast.constructor).all(|it| it == constructor::Part::Token("".into()));
    is_empty || elsewhere::is_elsewhere(ast)
}

/// A unit as a program: what it is below its parent stays its type.
fn as_program(root: Root<'_>, ast: Ast) -> Ast {
    let Some(ty) = root.ty else {
        return ast;
    };
    let name = Text::new(&format!("unit ${ty}")).as_str();
    Ast::new(parse::PROGRAM, name, vec![Field::one(ty, ty, ast)])
}
