//! Code in the making: all ways to write it, up to some node.

use indexmap::IndexSet;
use patois_syntax::{FragmentNode, HoleId, Label, NodeId, ProductionId};

use super::{Block, Item};

/// Code in the making.
pub(super) struct Draft {
    pub(super) root: NodeId,
    /// The node at hand, which is put into the variants.
    pub(super) at: NodeId,
    variants: Vec<Variant>,
    /// What the variants leave out, as in [`Code`](super::Code).
    pub(super) may_be_decorated: bool,
    pub(super) decorators: Vec<Item>,
    pub(super) generated: Option<Vec<String>>,
    pub(super) blocks: Vec<Block>,
}

/// One way to write it.
#[derive(Clone, Default)]
struct Variant {
    nodes: Vec<FragmentNode>,
    /// Nodes that have a metavariable for a list already.
    open: Vec<NodeId>,
    /// The node that it goes on with, where it has something else for those before.
    resumes_at: Option<NodeId>,
}

/// What may stand in the place of a node.
pub(super) struct Ways {
    choices: Vec<Choice>,
    /// The node whose list is left open by a metavariable.
    opens: Option<NodeId>,
    /// What stands there where that list has been left open before: two metavariables must have
    /// something between them.
    again: Option<ProductionId>,
}

/// One of the ways.
#[derive(Clone)]
pub(super) enum Choice {
    Metavariable(String),
    /// A metavariable for what may be left out.
    Present(ProductionId, String),
    /// Nothing.
    Empty(ProductionId),
}

/// All metavariables; holes are numbered by them while a variant is put together.
#[derive(Default)]
pub(super) struct Metavariables(IndexSet<String>);

impl Draft {
    pub(super) fn new(root: NodeId) -> Draft {
        Draft {
            root,
            at: root,
            variants: vec![Variant::default()],
            may_be_decorated: false,
            decorators: Vec::new(),
            generated: None,
            blocks: Vec::new(),
        }
    }

    pub(super) fn n_variants(&self) -> usize {
        self.variants.len()
    }

    /// The nodes of each variant.
    pub(super) fn variants(&mut self) -> impl Iterator<Item = Vec<FragmentNode>> + use<> {
        let variants = std::mem::take(&mut self.variants);
        variants.into_iter().map(|it| it.nodes)
    }

    /// Extends each variant by the same.
    pub(super) fn put(&mut self, node: FragmentNode) {
        let at = self.at;
        for variant in self.variants.iter_mut().filter(|it| !it.is_past(at)) {
            variant.nodes.push(node);
        }
    }

    /// Adds variants in which a hole stands for the node at hand and all before `end`.
    pub(super) fn put_instead(&mut self, hole: HoleId, end: NodeId) {
        let others = self.variants.iter().filter(|it| !it.is_past(self.at));
        let others: Vec<Variant> = others
            .map(|it| {
                let mut other = it.clone();
                other.nodes.push(FragmentNode::Hole(hole));
                other.resumes_at = Some(end);
                other
            })
            .collect();
        self.variants.extend(others);
    }

    /// Extends each variant in each way.
    pub(super) fn put_ways(&mut self, ways: &Ways, metavariables: &mut Metavariables) {
        let mut extended = Vec::new();
        for variant in std::mem::take(&mut self.variants) {
            if variant.is_past(self.at) {
                extended.push(variant);
                continue;
            }
            // Mostly there is one way: the variant goes on with it as it is, however long it has become.
            let mut choices = ways.of_variant(&variant);
            let last = choices.pop();
            for choice in choices {
                let other = variant.clone();
                extended.push(other.extended(choice, ways.opens, metavariables));
            }
            extended.extend(last.map(|it| variant.extended(it, ways.opens, metavariables)));
        }
        self.variants = extended;
    }
}

impl Variant {
    fn is_past(&self, node: NodeId) -> bool {
        self.resumes_at.is_some_and(|it| node < it)
    }

    fn extended(
        mut self,
        choice: Choice,
        opens: Option<NodeId>,
        metavariables: &mut Metavariables,
    ) -> Variant {
        let (production, name) = match choice {
            Choice::Empty(id) => (Some(id), None),
            Choice::Present(id, name) => (Some(id), Some(name)),
            Choice::Metavariable(name) => (None, Some(name)),
        };
        let fixed = production.map(|id| FragmentNode::Fixed(Label::Production(id)));
        self.nodes.extend(fixed);
        if let Some(name) = name {
            let hole = metavariables.hole(name);
            self.nodes.push(FragmentNode::Hole(hole));
            self.open.extend(opens);
        }
        self
    }
}

impl Ways {
    pub(super) fn of(choices: impl IntoIterator<Item = Choice>) -> Ways {
        Ways {
            choices: choices.into_iter().collect(),
            opens: None,
            again: None,
        }
    }

    pub(super) fn metavariable(name: String) -> Ways {
        Ways::of([Choice::Metavariable(name)])
    }

    /// The same where they leave open a list of `owner`.
    pub(super) fn opening(self, owner: NodeId, again: Option<ProductionId>) -> Ways {
        Ways {
            opens: Some(owner),
            again,
            ..self
        }
    }

    fn of_variant(&self, variant: &Variant) -> Vec<Choice> {
        let is_open = self.opens.is_some_and(|it| variant.open.contains(&it));
        match self.again {
            Some(again) if is_open => vec![Choice::Empty(again)],
            _ => self.choices.clone(),
        }
    }
}

impl Metavariables {
    /// The hole of a metavariable; Semgrep's `...` is one of its own each time.
    pub(super) fn hole(&mut self, name: String) -> HoleId {
        let name = if name == "..." {
            format!("...{}", " ".repeat(self.0.len()))
        } else {
            name
        };
        HoleId::new(self.0.insert_full(name).0)
    }

    pub(super) fn name(&self, hole: HoleId) -> &str {
        &self.0[hole.index()]
    }
}

/// The names of holes as metavariables, without their dollar signs; all different.
pub(super) fn metavariable_names(names: &[String]) -> Vec<String> {
    let upper = names.iter().map(|name| {
        let letters = name
            .chars()
            .filter(|it| it.is_ascii_alphanumeric() || *it == '_');
        let upper: String = letters.map(|it| it.to_ascii_uppercase()).collect();
        if upper.starts_with(|it: char| it.is_ascii_uppercase()) {
            upper
        } else {
            format!("X{upper}")
        }
    });
    let mut all: IndexSet<String> = IndexSet::new();
    for name in upper {
        let numbered = (2..).map(|it| format!("{name}_{it}"));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        let free = free.find(|it| !all.contains(it));
        all.insert(free.expect("there are more numbers than holes"));
    }
    all.into_iter().collect()
}
