//! Examples that are drawn anew in every pass.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use patois_database::DatabaseError;
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::{ExtendedGrammar, Grammar, IdiomExpansion, Language, Marker, Tree};
use patois_synthesis::{
    Actions, ExampleEncoder, ExampleSource, LinkKind, Linking, Model, ModelConfig, Spec,
    TrainingExample, Words,
};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::identifiers::{Naming, words_of};
use super::needed::Needed;
use super::question::{reformed, with_synonyms};
use super::schema::{Change, Limits};
use super::shares::Shares;
use super::values::{Condition, ValuePools};
use crate::corpus::{Example, Split};
use crate::run::config::RunConfig;
use crate::run::read::Source;
use crate::spec::linking::Linker;
use crate::spec::subtokens::Subtokenizer;
use crate::spec::{Topic, Topics, context};

/// What an example about a database is changed by: what is known of it before anything is drawn.
#[derive(Clone, Debug)]
pub struct Ingredients {
    schema: Arc<DatabaseSchema>,
    needed: Needed,
    conditions: Vec<Condition>,
}

/// Draws training examples, each from the seed, the pass and its place.
pub struct Augmenter<'a> {
    config: &'a RunConfig,
    source: &'a Source,
    topics: Topics,
    /// The examples of the train split, by their place among all.
    train: Vec<usize>,
    /// Theirs, in order; none of those that are about no database.
    ingredients: Vec<Option<Ingredients>>,
    /// The schemas that columns are taken from.
    schemas: Vec<Arc<DatabaseSchema>>,
    pools: ValuePools,
    shares: Shares,
}

/// A question and its query as they were drawn.
struct Drawn<'t> {
    spec: Spec,
    tree: Cow<'t, Tree>,
    /// The schema, where it is not the one of the database.
    schema: Option<DatabaseSchema>,
}

impl<'a> Augmenter<'a> {
    /// What draws the examples of a run.
    ///
    /// # Errors
    ///
    /// When values are to be swapped, and a database is missing or damaged.
    pub fn new(
        config: &'a RunConfig,
        source: &'a Source,
        topics: Topics,
    ) -> Result<Augmenter<'a>, DatabaseError> {
        let corpus = &source.programs.corpus;
        let examples = corpus.examples.iter().enumerate();
        let train = examples.filter(|it| it.1.split == Split::Train);
        let train: Vec<usize> = train.map(|it| it.0).collect();
        let full = Grammar::from_schema(Sql::schema_of(Mode::Full));
        let ingredients: Vec<Option<Ingredients>> = train
            .par_iter()
            .map(|&index| Ingredients::of(config.sql.mode, source, &full, index))
            .collect();
        let used = ingredients.iter().flatten().map(|it| &it.schema.name);
        let used: IndexSet<&String> = used.collect();
        let schemas = used.iter().filter_map(|&it| corpus.databases.get(it));
        let mut augmenter = Augmenter {
            config,
            source,
            topics,
            schemas: schemas.cloned().collect(),
            train,
            ingredients,
            pools: ValuePools::default(),
            shares: source.shares(config),
        };
        if config.augment.values > 0.0 {
            augmenter.pools = ValuePools::read(corpus, &augmenter.compared_columns())?;
        }
        Ok(augmenter)
    }

    /// The columns that conditions are about, by the names of their databases.
    fn compared_columns(&self) -> IndexMap<String, IndexSet<usize>> {
        let mut columns: IndexMap<String, IndexSet<usize>> = IndexMap::new();
        for ingredients in self.ingredients.iter().flatten() {
            let of_database = columns.entry(ingredients.schema.name.clone()).or_default();
            of_database.extend(ingredients.conditions.iter().map(|it| it.column));
        }
        columns
    }

    /// The specifications of a pass, with the databases that they are about: what a model may come to read.
    pub fn specs(&self, pass: usize) -> Vec<(Option<&str>, Spec)> {
        let places = self.shares.drawn(pass);
        let spec = |place| {
            let example = self.example(self.shares.example(place));
            let drawn = self.draw(pass, place);
            (example.database.as_deref(), drawn.spec)
        };
        places.into_par_iter().map(spec).collect()
    }

    fn example(&self, index: usize) -> &'a Example {
        &self.source.programs.corpus.examples[self.train[index]]
    }

    fn tree(&self, index: usize) -> &'a Tree {
        &self.source.programs.trees[self.train[index]]
    }

    /// All that is random of a place in a pass.
    fn generator(&self, pass: usize, place: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.config.seed ^ SALT);
        rng.set_stream(((pass as u64) << 32) | place as u64);
        rng
    }

    fn draw(&self, pass: usize, place: usize) -> Drawn<'a> {
        let index = self.shares.example(place);
        let example = self.example(index);
        let topic = example.database.as_ref().and_then(|it| self.topics.get(it));
        match (&self.ingredients[index], topic) {
            (Some(ingredients), Some(topic)) => {
                let mut rng = self.generator(pass, place);
                self.change(ingredients, topic, index, &mut rng)
            }
            _ => Drawn {
                spec: self.topics.spec(example),
                tree: Cow::Borrowed(self.tree(index)),
                schema: None,
            },
        }
    }

    /// An example about a database with everything changed that is drawn to be.
    fn change(
        &self,
        ingredients: &Ingredients,
        topic: &Topic,
        index: usize,
        rng: &mut ChaCha8Rng,
    ) -> Drawn<'a> {
        let (config, schema) = (&self.config.augment, ingredients.schema.as_ref());
        let (mut text, changed) = self.pools.swap(
            &schema.name,
            &ingredients.conditions,
            config.values,
            (&self.example(index).text, self.tree(index)),
            rng,
        );
        let mut tree = match changed {
            Some(tree) => Cow::Owned(tree),
            None => Cow::Borrowed(self.tree(index)),
        };
        if rng.random::<f32>() < config.reword {
            let share = rng.random_range(0.3..1.0);
            let spec = topic.spec(&text);
            text = with_synonyms(&text, &spec, &words_of(schema), share, rng).0;
        }
        let text = reformed(&text, config, rng);
        let mut spec = topic.spec(&text);
        let change = self.change_of_schema(ingredients, &spec, rng);
        let naming = Naming::draw(config, rng);
        if change.is_none() && naming.is_none() {
            return Drawn {
                spec,
                tree,
                schema: None,
            };
        }
        let mut renumbered = change.apply(schema);
        naming.apply(&mut renumbered.schema, rng);
        if !change.is_none() {
            let grammar = &self.source.programs.grammar;
            tree = Cow::Owned(renumbered.tree(grammar, &tree));
        }
        // Values are where they were, if under other numbers; names are not.
        let linking = self.config.model.relations.linking;
        let context = context(&renumbered.schema, linking);
        let links = spec.links.iter().filter(|it| it.kind == LinkKind::Value);
        let mut links: Vec<_> = links.filter_map(|&it| renumbered.link(it)).collect();
        if linking != Linking::None {
            links.extend(Linker::new(&context, None).read(&spec.words).links);
        }
        links.sort_unstable();
        (spec.context, spec.links) = (Some(Arc::new(context)), links);
        let copies = spec.copies.iter();
        spec.copies = copies.filter_map(|&it| renumbered.copied(it)).collect();
        Drawn {
            spec,
            tree,
            schema: Some(renumbered.schema),
        }
    }

    /// Which columns and tables an example has.
    fn change_of_schema(
        &self,
        ingredients: &Ingredients,
        spec: &Spec,
        rng: &mut ChaCha8Rng,
    ) -> Change {
        let (config, schema) = (&self.config.augment, ingredients.schema.as_ref());
        let mut change = Change::none(schema);
        if rng.random::<f32>() < config.drop_columns {
            change.drop_some(schema, &ingredients.needed, rng);
        }
        if rng.random::<f32>() < config.add_columns {
            let other = &self.schemas[rng.random_range(0..self.schemas.len())];
            let said = spec.words.iter();
            let said = said.flat_map(|it| [it.clone(), it.trim_end_matches('s').to_owned()]);
            let said: BTreeSet<String> = said.collect();
            change.add_some(schema, other, &said, rng);
        }
        let limits = Limits {
            max_columns: config.max_columns,
        };
        change.limit(schema, &ingredients.needed, limits, rng);
        change
    }
}

/// Other random numbers than those of everything else with the same seed.
const SALT: u64 = 0x6175_676d_656e_7400;

impl Ingredients {
    fn of(mode: Mode, source: &Source, full: &Grammar, index: usize) -> Option<Ingredients> {
        let programs = &source.programs;
        let example = &programs.corpus.examples[index];
        let schema = programs.corpus.databases.get(example.database.as_ref()?)?;
        let tree = &programs.trees[index];
        let needed = match mode {
            Mode::Full => Needed::of(schema, &programs.grammar, tree),
            // Which tables lie between those that a tree names is not in the tree.
            Mode::Paper => {
                let language = Sql::new(Arc::clone(schema), Mode::Full);
                let tree = full.tree(&language.parse(&example.code).ok()?).ok()?;
                Needed::of(schema, full, &tree)
            }
        };
        Some(Ingredients {
            schema: Arc::clone(schema),
            needed,
            conditions: Condition::all_of(&programs.grammar, tree),
        })
    }
}

/// Training examples as a model sees them, drawn anew in every pass.
pub struct AugmentedExamples<'a> {
    augmenter: Augmenter<'a>,
    grammar: ExtendedGrammar<'a>,
    marker: Marker,
    words: Words,
    actions: Actions,
    shape: ModelConfig,
}

impl<'a> AugmentedExamples<'a> {
    /// What a model learns from.
    ///
    /// # Panics
    ///
    /// When the grammar is not that of its library.
    pub fn new(
        augmenter: Augmenter<'a>,
        grammar: ExtendedGrammar<'a>,
        model: &Model,
    ) -> AugmentedExamples<'a> {
        let marker = Marker::new(grammar.grammar(), grammar.library());
        AugmentedExamples {
            augmenter,
            marker: marker.expect("the library is the grammar's"),
            grammar,
            words: model.words.clone(),
            actions: model.actions.clone(),
            shape: model.config.clone(),
        }
    }

    /// An example as it is in a pass; where it is seen several times and idioms are atomic, all but the first are
    /// told with fewer idioms.
    fn encode(&self, pass: usize, place: usize) -> TrainingExample {
        let augmenter = &self.augmenter;
        let example = augmenter.example(augmenter.shares.example(place));
        let drawn = augmenter.draw(pass, place);
        let language = augmenter.source.languages.of(example);
        let language = language.expect("the example was parsed with its language");
        let encoder = ExampleEncoder {
            grammar: self.grammar,
            words: &self.words,
            actions: &self.actions,
            config: &self.shape,
        };
        let subtokenizer = Subtokenizer::new(language, self.actions.subtokens(), &drawn.spec);
        let mut marked = self.marker.mark(&drawn.tree);
        let is_first = augmenter.shares.copy(place) == 0;
        if !is_first && self.actions.expansion() == IdiomExpansion::Atomic {
            let mut rng = augmenter.generator(pass, place);
            let dropped = augmenter.config.training.idiom_dropout;
            marked = marked.keeping(|_| rng.random::<f32>() >= dropped);
        }
        let mode = augmenter.config.sql.mode;
        let changed = drawn.schema.map(|it| Sql::new(Arc::new(it), mode));
        let language = changed.as_ref().map_or(language, |it| it);
        encoder.encode(
            example.id.clone(),
            &drawn.spec,
            &marked,
            &subtokenizer,
            language,
        )
    }
}

impl ExampleSource for AugmentedExamples<'_> {
    fn drawn(&self, pass: usize) -> Vec<usize> {
        self.augmenter.shares.drawn(pass)
    }

    fn length(&self, place: usize) -> usize {
        let index = self.augmenter.shares.example(place);
        self.augmenter.tree(index).n_nodes()
    }

    fn example(&self, pass: usize, place: usize) -> Cow<'_, TrainingExample> {
        Cow::Owned(self.encode(pass, place))
    }
}

#[cfg(test)]
mod tests;
