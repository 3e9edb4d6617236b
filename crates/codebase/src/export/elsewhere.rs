//! What was cut out of a unit, as a rule sees it: whatever stands there.

use patois_languages::ELSEWHERE;
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Label, NodeId, ProductionKind};

/// The fragment, with every list open from the first place on where something was cut out of it.
///
/// A tool reads files as they are: `impl Display for $t { ... }` has methods there. Nothing where no
/// fragment is left.
pub(super) fn opened(grammar: &Grammar, fragment: &Fragment) -> Option<Fragment> {
    let parents = fragment.parents();
    let mut nodes = Vec::with_capacity(fragment.n_nodes());
    let mut n_holes = fragment.n_holes();
    let mut at = NodeId::new(0);
    while at.index() < fragment.n_nodes() {
        let item = NodeId::new(at.index() + 1);
        let is_cell = kind(grammar, fragment, at).is_some_and(ProductionKind::is_cell);
        let is_open = is_cell && is_elsewhere(grammar, fragment, item)
            || is_elsewhere(grammar, fragment, at) && parents[at.index()].is_some();
        if is_open {
            nodes.push(FragmentNode::Hole(HoleId::new(n_holes)));
            n_holes += 1;
            at = fragment.end(at);
        } else {
            nodes.push(fragment.node(at));
            at = item;
        }
    }
    Fragment::from_nodes(grammar, fragment.root_symbol(), nodes).ok()
}

fn kind(grammar: &Grammar, fragment: &Fragment, node: NodeId) -> Option<ProductionKind> {
    match fragment.node(node) {
        FragmentNode::Fixed(Label::Production(id)) => Some(grammar.production(id).kind),
        _ => None,
    }
}

fn constructor(grammar: &Grammar, fragment: &Fragment, node: NodeId) -> Option<&'static str> {
    match fragment.node(node) {
        FragmentNode::Fixed(Label::Production(id)) => grammar.constructor(id).map(|it| it.name),
        _ => None,
    }
}

/// Whether a node stands where something was cut out.
fn is_elsewhere(grammar: &Grammar, fragment: &Fragment, node: NodeId) -> bool {
    match constructor(grammar, fragment, node) {
        Some(ELSEWHERE) => true,
        Some("Expr") => {
            let value = NodeId::new(node.index() + 1);
            value.index() < fragment.n_nodes()
                && constructor(grammar, fragment, value) == Some("Ellipsis")
        }
        _ => false,
    }
}
