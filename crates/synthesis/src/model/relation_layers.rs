//! Layers in which columns, tables and words attend to each other.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::encoder::Affine;
use crate::config::{ModelConfig, RelationConfig};
use crate::layers::{Group, add_and_norm, attend, relu};
use crate::parameters::{ParameterId, Parameters, glorot};
use crate::relations::RelationType;
use crate::tape::{Tape, Var};
use crate::training_example::EncodedSpec;

/// How everything attends to everything.
#[derive(Clone, Debug)]
pub(super) struct RelationLayers {
    layers: Vec<RelationLayer>,
    config: RelationConfig,
}

#[derive(Clone, Copy, Debug)]
struct RelationLayer {
    projection: Affine,
    relation_keys: ParameterId,
    relation_values: ParameterId,
    attention_norm: Affine,
    inner: Affine,
    inner_width: usize,
    outer: Affine,
    norm: Affine,
}

impl RelationLayers {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        rng: &mut impl Rng,
    ) -> RelationLayers {
        RelationLayers {
            layers: (0..config.relations.n_layers)
                .map(|index| RelationLayer::new(parameters, index, config, rng))
                .collect(),
            config: config.relations.clone(),
        }
    }

    /// The weights that rows are multiplied with, and nothing else is done with.
    pub(super) fn weights(&self) -> impl Iterator<Item = ParameterId> {
        let affine = |it: &RelationLayer| [it.projection, it.inner, it.outer];
        self.layers
            .iter()
            .flat_map(affine)
            .map(|affine| affine.weight)
    }

    /// What becomes of the elements of specifications when they attend to each other.
    pub(super) fn relate(
        &self,
        tape: &mut Tape<'_>,
        elements: Var,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let mut start = 0;
        let groups = specs.iter().map(|spec| {
            let rows = start..start + spec.n_elements();
            start = rows.end;
            Group {
                rows,
                relations: Arc::clone(&spec.relations),
            }
        });
        let groups = Arc::new(groups.collect());
        self.layers.iter().fold(elements, |x, layer| {
            layer.apply(tape, x, &groups, &self.config, dropout)
        })
    }
}

impl RelationLayer {
    fn new(
        parameters: &mut Parameters,
        index: usize,
        config: &ModelConfig,
        rng: &mut impl Rng,
    ) -> RelationLayer {
        let (width, relations) = (config.hidden_size, &config.relations);
        let name = |part: &str| format!("relations.{index}.{part}");
        let inner = relations.feed_forward_size;
        let types = (
            RelationType::n_types(relations.linking),
            width / relations.n_heads,
        );
        let projection = Affine::new(parameters, &name("projection"), (width, 3 * width), rng);
        RelationLayer {
            projection,
            relation_keys: parameters.begin(name("keys"), types, |it| glorot(it, rng)),
            relation_values: parameters.begin(name("values"), types, |it| glorot(it, rng)),
            attention_norm: Affine::norm(parameters, &name("attention_norm"), width),
            inner: Affine::new(parameters, &name("inner"), (width, inner), rng),
            inner_width: inner,
            outer: Affine::new(parameters, &name("outer"), (inner, width), rng),
            norm: Affine::norm(parameters, &name("norm"), width),
        }
    }

    fn apply(
        &self,
        tape: &mut Tape<'_>,
        x: Var,
        groups: &Arc<Vec<Group>>,
        config: &RelationConfig,
        dropout: &mut Dropout,
    ) -> Var {
        let projected = self.projection.apply(tape, x);
        let gathered = attend(
            tape,
            projected,
            self.relation_keys.into(),
            self.relation_values.into(),
            Arc::clone(groups),
            config.n_heads,
        );
        let masks = dropout.masks_of(tape, gathered, config.dropout);
        let y = add_and_norm(tape, x, gathered, masks, self.attention_norm.into());
        let masks = dropout.masks(tape.value(y).n_rows(), self.inner_width, config.dropout);
        let (weight, bias) = (self.inner.weight.into(), self.inner.bias.into());
        let inner = relu(tape, y, weight, bias, masks);
        let outer = self.outer.apply(tape, inner);
        let masks = dropout.masks_of(tape, outer, config.dropout);
        add_and_norm(tape, y, outer, masks, self.norm.into())
    }
}
