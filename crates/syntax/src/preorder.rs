//! Nodes in preorder: what follows from where each subtree ends.

use crate::NodeId;

/// The children of a node, first to last.
pub(crate) fn children(ends: &[u32], node: NodeId) -> impl Iterator<Item = NodeId> {
    let end = ends[node.index()];
    let within = move |child: u32| (child < end).then_some(child);
    let children = std::iter::successors(within(node.index() as u32 + 1), move |&child| {
        within(ends[child as usize])
    });
    children.map(|child| NodeId::new(child as usize))
}

/// The parent of every node; the root has none.
pub(crate) fn parents(ends: &[u32]) -> Vec<Option<NodeId>> {
    let mut parents = vec![None; ends.len()];
    for node in (0..ends.len()).map(NodeId::new) {
        for child in children(ends, node) {
            parents[child.index()] = Some(node);
        }
    }
    parents
}

/// One past the last node of each subtree, from the number of children of each node in preorder.
pub(crate) fn subtree_ends(
    n_children: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator,
) -> Vec<u32> {
    let n_nodes = n_children.len();
    let mut ends = vec![0; n_nodes];
    // Right to left, the subtrees to the right of a node are complete: the next one on top.
    let mut complete: Vec<u32> = Vec::new();
    for (node, n_children) in (0..n_nodes).rev().zip(n_children.rev()) {
        let end = if n_children == 0 {
            NodeId::new(node + 1).index() as u32
        } else {
            let last = complete.len() - n_children;
            let end = complete[last];
            complete.truncate(last);
            end
        };
        ends[node] = end;
        complete.push(end);
    }
    ends
}
