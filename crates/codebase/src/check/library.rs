//! Rules from idioms that somebody has mined: every part of an idiom, in the context of all the others.

use indexmap::IndexMap;
use patois_syntax::{Fragment, FragmentIndex, FragmentNode, HoleId, Label, NodeId};
use rayon::prelude::*;

use super::CheckConfig;
use super::context::{Aspect, Kinds, LOCAL, Seen, class, is_telling};
use super::tally::{self, ALTERNATIVE, Conventions, Place, Usual};
use crate::idiom_name;
use crate::repository::RepositoryPrograms;

/// An idiom with a hole in place of one of its parts.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) fragment: Fragment,
    pub(super) hole: HoleId,
    /// The id of the idiom.
    pub(super) idiom: String,
    usual: Label,
}

/// What is usual in the contexts of idioms.
pub(super) fn usual(
    read: &RepositoryPrograms,
    idioms: &[Fragment],
    conventions: &Conventions,
    config: &CheckConfig,
) -> Vec<Usual> {
    let contexts: Vec<Context> = idioms.iter().flat_map(|it| contexts(read, it)).collect();
    let index = FragmentIndex::new(contexts.iter().map(|it| &it.fragment));
    let found: Vec<Vec<(usize, Place)>> = (0..read.trees.len())
        .into_par_iter()
        .map(|program| {
            let mut found = Vec::new();
            index.find(&read.trees[program], |context, root, bindings| {
                let part = bindings[contexts[context].hole.index()];
                let place = Place {
                    program: program as u32,
                    root,
                    part,
                };
                found.push((context, place));
            });
            found
        })
        .collect();
    let mut places: Vec<Vec<Place>> = vec![Vec::new(); contexts.len()];
    for (context, place) in found.into_iter().flatten() {
        places[context].push(place);
    }
    let kinds = Kinds::of(&read.grammar);
    let counted = contexts.into_iter().zip(places);
    let usual = counted.filter_map(|(context, places)| {
        of_context(read, &kinds, conventions, context, &places, config)
    });
    usual.collect()
}

/// The idiom without each of its parts.
fn contexts(read: &RepositoryPrograms, idiom: &Fragment) -> Vec<Context> {
    let parts = (1..idiom.n_nodes()).map(NodeId::new);
    let id = idiom_name::id(&read.grammar, read.language.name(), idiom);
    let contexts = parts.filter_map(|part| {
        let FragmentNode::Fixed(usual) = idiom.node(part) else {
            return None;
        };
        let nodes = idiom.nodes();
        let (before, behind) = (&nodes[..part.index()], &nodes[idiom.end(part).index()..]);
        let hole = FragmentNode::Hole(HoleId::new(idiom.n_holes()));
        let nodes = before
            .iter()
            .copied()
            .chain([hole])
            .chain(behind.iter().copied());
        let fragment = Fragment::from_nodes(&read.grammar, idiom.root_symbol(), nodes).ok()?;
        let FragmentNode::Hole(hole) = fragment.node(part) else {
            return None;
        };
        (n_names(&fragment) > 0).then_some(Context {
            fragment,
            hole,
            usual,
            idiom: id.clone(),
        })
    });
    contexts.collect()
}

fn n_names(fragment: &Fragment) -> usize {
    let is_name = |it: &&FragmentNode| match it {
        FragmentNode::Fixed(label) => is_telling(*label),
        FragmentNode::Hole(_) => false,
    };
    fragment.nodes().iter().filter(is_name).count()
}

fn of_context(
    read: &RepositoryPrograms,
    kinds: &Kinds,
    conventions: &Conventions,
    context: Context,
    places: &[Place],
    config: &CheckConfig,
) -> Option<Usual> {
    let label = |it: &Place| read.trees[it.program as usize].label(it.part);
    let is_usual = |it: &&Place| label(it) == context.usual;
    let n_usual = places.iter().filter(is_usual).count();
    let is_rule =
        n_usual >= config.min_places && n_usual as f64 >= config.min_share * places.len() as f64;
    let is_required = config.required.contains(&context.idiom);
    if !is_rule && !is_required {
        return None;
    }
    let usual: Vec<Place> = places.iter().filter(is_usual).copied().collect();
    let files = tally::files(read, usual.iter().copied());
    let examples = tally::examples(read, usual.into_iter());
    let example = *examples.first()?;
    let program = tally::of(read, kinds, conventions, example.program as usize);
    let filling = program.filling(example.part);
    if filling == LOCAL {
        return None;
    }
    let mut others: IndexMap<Label, Vec<Place>> = IndexMap::new();
    for place in places.iter().filter(|it| !is_usual(it)) {
        others.entry(label(place)).or_default().push(*place);
    }
    // What a part could be is what it is most often.
    if others.values().any(|it| it.len() > n_usual) {
        return None;
    }
    let (frequent, rare): (Vec<Vec<Place>>, Vec<_>) =
        others.into_values().partition(|it| it.len() >= ALTERNATIVE);
    let seen = Seen {
        aspect: Aspect::Inside,
        variant: 0,
        root: example.root,
        part: example.part,
        context: 0,
        filling,
        is_open: false,
    };
    Some(Usual {
        aspect: Aspect::Inside,
        variant: 0,
        class: class(program.tree, &seen),
        n_places: places.len(),
        n_usual,
        files,
        others: rare.into_iter().flatten().collect(),
        alternatives: frequent.iter().map(|it| it[0]).collect(),
        frequent: frequent
            .into_iter()
            .flatten()
            .filter(|_| is_required)
            .collect(),
        examples,
        n_names: n_names(&context.fragment),
        callees: IndexMap::new(),
        context: Some(context),
    })
}
