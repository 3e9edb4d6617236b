//! Drawn examples are whole, repeatable, and linked to the schema that they have.

use patois_syntax::IdiomLibrary;

use super::*;
use crate::augment::AugmentConfig;
use crate::corpus::DataDir;
use crate::run::Surroundings;
use crate::run::mark::{new_models, specs_of, topics};
use crate::spec::linking::ValueCache;

const EVERYTHING: &str = "
    n_train = 60
    [model]
    encoder = 'schema'
    hidden_size = 16
    [model.relations]
    linking = 'values'
    n_heads = 2
    [augment]
    max_columns = 12
    drop_columns = 0.5
    add_columns = 0.5
    abbreviate = 0.5
    join = 0.3
    prefix = 0.3
    rename = 0.5
    reword = 0.5
    lower_case = 0.3
    no_mark = 0.3
    polite = 0.3
    values = 0.5
";

fn with_source(text: &str, check: impl Fn(&RunConfig, &Source, &Surroundings)) {
    let config = RunConfig::parse("test.toml", text).unwrap();
    let here = Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::none(),
    };
    let source = Source::read(&config, &here.data).unwrap();
    check(&config, &source, &here);
}

/// Whatever is drawn, a program points at columns and tables that are there, and every link does.
#[test]
fn examples_are_whole_and_the_same_whenever_they_are_drawn() {
    with_source(EVERYTHING, |config, source, here| {
        let topics = topics(config, source, here).unwrap();
        let specs = specs_of(source, &topics);
        let augmenter = Augmenter::new(config, source, topics).unwrap();
        let library = IdiomLibrary::empty(&source.programs.grammar);
        let grammar = ExtendedGrammar::new(&source.programs.grammar, &library).unwrap();
        let models = new_models(
            config,
            source,
            &specs,
            Some(&augmenter),
            &grammar,
            &here.data,
        );
        let examples = AugmentedExamples::new(augmenter, grammar, &models.unwrap()[0]);
        let (mut n_changed, mut n_capped) = (0, 0);
        for place in examples.drawn(0) {
            let [one, other] = [0, 1].map(|pass| examples.example(pass, place).into_owned());
            let again = examples.example(0, place);
            assert_eq!(one.steps, again.steps);
            assert_eq!(one.spec.words, again.spec.words);
            assert_eq!(
                (&one.spec.columns, &one.spec.relations),
                (&again.spec.columns, &again.spec.relations)
            );
            let drawn = examples.augmenter.draw(0, place);
            let context = drawn.spec.context.as_ref().unwrap();
            for link in &drawn.spec.links {
                match link.item {
                    patois_synthesis::Item::Column(it) => assert!(it < context.columns.len()),
                    patois_synthesis::Item::Table(it) => assert!(it < context.tables.len()),
                }
            }
            for copied in &drawn.spec.copies {
                if let patois_synthesis::Origin::Value { column, .. } = copied.origin {
                    assert!((column as usize) < context.columns.len());
                }
            }
            n_capped += usize::from(context.columns.len() <= 12);
            n_changed += usize::from(
                one.spec.words != other.spec.words || one.spec.columns != other.spec.columns,
            );
        }
        let n_drawn = examples.drawn(0).len();
        assert!(
            n_changed > n_drawn * 9 / 10,
            "{n_changed} of {n_drawn} differ between passes"
        );
        assert!(n_capped > n_drawn / 2, "{n_capped} of {n_drawn} are small");
    });
}

/// What is not drawn is what it would be without any of it, links included.
#[test]
fn an_example_that_is_not_changed_is_what_it_was() {
    let tiny = EVERYTHING.split("[augment]").next().unwrap();
    let nearly_off = format!("{tiny}\n[augment]\nmax_columns = 10000");
    with_source(&nearly_off, |config, source, here| {
        let topics = topics(config, source, here).unwrap();
        let specs = specs_of(source, &topics);
        assert_ne!(config.augment, AugmentConfig::default());
        let augmenter = Augmenter::new(config, source, topics).unwrap();
        for place in augmenter.shares.drawn(3) {
            let drawn = augmenter.draw(3, place);
            assert_eq!(drawn.spec, specs[augmenter.train[place]]);
            assert_eq!(*drawn.tree, *augmenter.tree(place));
        }
    });
}

/// Renamed schemas are linked by their new names, and values by the columns that hold them, whatever their numbers.
#[test]
fn links_follow_the_schema() {
    let renamed = EVERYTHING.replace("max_columns = 12", "max_columns = 6");
    with_source(&renamed, |config, source, here| {
        let topics = topics(config, source, here).unwrap();
        let augmenter = Augmenter::new(config, source, topics).unwrap();
        let mut n_values = 0;
        for place in augmenter.shares.drawn(0) {
            let drawn = augmenter.draw(0, place);
            let context = drawn.spec.context.as_ref().unwrap();
            let names = Linker::new(context, None).read(&drawn.spec.words).links;
            let found = drawn
                .spec
                .links
                .iter()
                .filter(|it| it.kind != LinkKind::Value);
            assert_eq!(found.copied().collect::<Vec<_>>(), names);
            n_values += drawn.spec.links.len() - names.len();
        }
        assert!(n_values > 0, "some values are found");
    });
}
