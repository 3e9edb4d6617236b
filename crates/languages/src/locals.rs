//! Local names: those that a function binds, and that could be called anything else.
//!
//! `for i in range(n): total += a[i]` is the same idea whatever `i` and `total` are called. Which
//! names are local is read off the tree with a table for each language. The table errs on the side
//! of doing nothing: a binding that it does not know leaves a name as it is.

use indexmap::IndexSet;
use patois_syntax::{Ast, Child, Text};
use rustc_hash::FxBuildHasher;

/// How a language binds names. A position is a kind of node and a field of it, or `*` for any field.
#[derive(Debug)]
pub(crate) struct Scoping {
    /// Kinds of nodes that names are local to; those within others belong to the outermost.
    pub(crate) scopes: &'static [&'static str],
    /// Positions of texts that name variables, beside those where texts are bound.
    pub(crate) names: &'static [Position],
    /// Positions where names are bound.
    pub(crate) binders: &'static [Position],
    /// Positions where names are bound if the node around them stands where names are.
    pub(crate) patterns: &'static [Position],
    /// Positions of names that are none of variables.
    pub(crate) labels: &'static [Position],
    /// Kinds of nodes that say of names that they are not local.
    pub(crate) outer: &'static [&'static str],
    /// Names that everybody uses alike.
    pub(crate) kept: &'static [&'static str],
    /// Whether a name that begins with a capital is never bound.
    pub(crate) keeps_capitals: bool,
}

/// A kind of node, and one of its fields.
pub(crate) type Position = (&'static str, &'static str);

/// What a name does where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is used.
    Use,
    /// It is bound.
    Bind,
    /// It is said to be no local name.
    Outer,
    /// It names no variable.
    Label,
}

/// What is still to be visited.
enum Work<'a> {
    Node(&'a Ast, Option<u32>, Role),
    Text(Text, Option<u32>, Option<Role>),
}

/// The texts of a tree that are local names, counted in the order of the tree.
pub(crate) fn locals(ast: &Ast, scoping: &Scoping) -> Vec<u32> {
    type Names = IndexSet<(u32, Text), FxBuildHasher>;
    let (mut bound, mut outer) = (Names::default(), Names::default());
    let mut uses: Vec<(u32, (u32, Text))> = Vec::new();
    let (mut n_texts, mut n_scopes) = (0, 0);
    let mut work = vec![Work::Node(ast, None, Role::Use)];
    while let Some(next) = work.pop() {
        match next {
            Work::Node(ast, scope, role) => {
                let kind = kind(ast.constructor);
                let scope = scope.or_else(|| {
                    scoping.scopes.contains(&kind).then(|| {
                        n_scopes += 1;
                        n_scopes
                    })
                });
                scoping.push_children(ast, kind, scope, role, &mut work);
            }
            Work::Text(text, scope, role) => {
                if let (Some(scope), Some(role)) = (scope, role) {
                    let name = (scope, text);
                    match role {
                        Role::Bind if !scoping.is_kept(text) => _ = bound.insert(name),
                        Role::Outer => _ = outer.insert(name),
                        _ => {}
                    }
                    if role != Role::Label {
                        uses.push((n_texts, name));
                    }
                }
                n_texts += 1;
            }
        }
    }
    let is_local = |name: &(u32, Text)| bound.contains(name) && !outer.contains(name);
    let local = uses.into_iter().filter(|it| is_local(&it.1));
    local.map(|it| it.0).collect()
}

impl Scoping {
    /// Puts the children of a node on the stack, the first on top.
    fn push_children<'a>(
        &self,
        ast: &'a Ast,
        kind: &str,
        scope: Option<u32>,
        role: Role,
        work: &mut Vec<Work<'a>>,
    ) {
        for field in ast.fields.iter().rev() {
            let at = (
                kind,
                field.name.trim_end_matches(|it: char| it.is_ascii_digit()),
            );
            let below = self.role(at, kind, role);
            for child in field.value.children().iter().rev() {
                work.push(match child {
                    Child::Node(ast) => Work::Node(ast, scope, below),
                    Child::Text(text) => {
                        let is_name = is_in(self.names, at) || is_in(self.binders, at);
                        // A leaf is where its parent says.
                        let role = if below == Role::Use { role } else { below };
                        Work::Text(*text, scope, is_name.then_some(role))
                    }
                    Child::Reference(_) => continue,
                });
            }
        }
    }

    fn role(&self, at: (&str, &str), kind: &str, above: Role) -> Role {
        if is_in(self.binders, at) || above == Role::Bind && is_in(self.patterns, at) {
            Role::Bind
        } else if is_in(self.labels, at) {
            Role::Label
        } else if self.outer.contains(&kind) {
            Role::Outer
        } else {
            Role::Use
        }
    }

    fn is_kept(&self, name: Text) -> bool {
        let name = name.as_str();
        self.kept.contains(&name)
            || self.keeps_capitals && name.starts_with(|it: char| it.is_uppercase())
    }
}

/// The kind of node that a constructor is of: what stands before its parts.
fn kind(constructor: &str) -> &str {
    constructor.split_once(' ').map_or(constructor, |it| it.0)
}

fn is_in(positions: &[Position], at: (&str, &str)) -> bool {
    positions
        .iter()
        .any(|it| it.0 == at.0 && (it.1 == "*" || it.1 == at.1))
}
