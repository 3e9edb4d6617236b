//! Configurations that are read, and what is said of mistakes; the page that documents all keys.

use std::collections::BTreeSet;

use patois_synthesis::{EncoderKind, Linking, Objective, Optimizer, RelationConfig, Schedule};
use serde::de::DeserializeOwned;

use super::*;
use crate::run::document::Unknown;

fn read(name: &str) -> RunConfig {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    RunConfig::read(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_configuration_is_read_and_survives_being_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "toml") {
            let config = RunConfig::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let written = config.to_toml();
            assert_eq!(RunConfig::parse("written", &written).unwrap(), config);
            n_files += 1;
        }
    }
    assert!(n_files >= 5, "{n_files}");
}

#[test]
fn the_papers_settings_are_the_papers() {
    let cards = read("hearthstone.toml");
    assert_eq!(cards.training.optimizer, Optimizer::ADADELTA);
    assert_eq!(cards.training.n_steps, 2600);
    assert_eq!(cards.training.batch_size, 10);
    assert_eq!((cards.model.word_size, cards.model.hidden_size), (256, 256));
    assert_eq!(cards.idioms.mining.n_idioms, 80);
    let spider = read("spider.toml");
    assert_eq!(spider.training.optimizer, Optimizer::ADAM);
    let schedule = Schedule::WarmUp {
        n_warm_up: 2000,
        power: 0.5,
    };
    assert_eq!(spider.training.schedule, schedule);
    assert_eq!(spider.training.n_steps, 40_000);
    assert_eq!(spider.model.encoder, EncoderKind::Schema);
    assert_eq!(spider.model.relations.linking, Linking::None);
    assert_eq!(spider.model.relations, RelationConfig::default());
    assert_eq!(spider.sql.mode, Mode::Paper);
    for config in [cards, spider] {
        assert_eq!(config.training.objective, Objective::Mean);
        assert_eq!(config.idioms.mining, MiningConfig::paper());
    }
}

fn check(text: &str, expected: &str, help: Option<&str>) {
    let error = RunConfig::parse("my.toml", text).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(error.help().as_deref(), help, "{message}");
}

#[test]
fn mistakes_are_named_with_line_and_suggestion() {
    check(
        "corpus = 'spider'\n[training]\nbatchsize = 3",
        "`my.toml`, line 3: unknown key `batchsize`, expected one of",
        Some("did you mean `batch_size`?"),
    );
    check(
        "[trainig]\nbatch_size = 3",
        "`my.toml`, line 1: unknown key `trainig`, expected one of",
        Some("did you mean `training`?"),
    );
    check(
        "[model]\nencoder = 'schemas'",
        "`my.toml`, line 2: unknown variant `schemas`, expected one of `words`, `schema`, `pretrained`",
        Some("did you mean `schema`?"),
    );
    check(
        "[training]\nbogus = 3",
        "`my.toml`, line 2: unknown key `bogus`",
        None,
    );
    check(
        "[vectors]\nn_frequent = 3",
        "`my.toml`, line 1: missing field `file`",
        None,
    );
    check("seed = -1", "`my.toml`, line 1: invalid value", None);
    check("seed = ", "`my.toml`, line 1: ", None);
    check(
        "[training]\nbatch_size = 0",
        "`my.toml`: `training.batch_size`: expected at least 1, found 0",
        None,
    );
    check(
        "language = 'cobol'",
        "`my.toml`: `language`: expected `python` or `sql`, found `cobol`",
        None,
    );
    check(
        "n_folds = 1",
        "`my.toml`: `n_folds`: expected at least 2, found 1",
        None,
    );
    check(
        "n_folds = 5\nfold = 5",
        "`my.toml`: `fold`: expected less than `n_folds`, 5, found 5",
        None,
    );
    check(
        "fold_seed = 1",
        "`my.toml`: `fold_seed`: expected `n_folds` beside it, found none",
        None,
    );
    check(
        "n_folds = 5\nfolds_of = ['train', 'test']",
        "`my.toml`: `folds_of`: expected [\"train\"] or [\"train\", \"dev\"], found [\"train\", \"test\"]",
        None,
    );
    check(
        "[model]\nencoder = 'pretrained'",
        "`my.toml`: `pretrained.folder`: expected the folder of the encoder, found nothing",
        None,
    );
    check(
        "[idioms.mining.chain.prior]\nconcentration = 1.0\ndiscount = 2.0",
        "`my.toml`: `idioms.mining.chain.prior`: ",
        None,
    );
}

/// They used to be relative to wherever the program was started.
#[test]
fn paths_of_a_configuration_are_seen_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("configs")).unwrap();
    std::fs::write(path("pairs.jsonl"), "").unwrap();
    std::fs::write(path("configs/words.txt"), "").unwrap();
    let check = |text: &str, corpus: &str, vectors: &str, idioms: &str| {
        std::fs::write(path("configs/my.toml"), text).unwrap();
        let config = RunConfig::read(&path("configs/my.toml")).unwrap();
        assert_eq!(Path::new(&config.corpus), Path::new(corpus));
        assert_eq!(config.vectors.as_ref().unwrap().file, Path::new(vectors));
        assert_eq!(config.idioms.file.as_deref(), Some(Path::new(idioms)));
        // Wherever it is copied to, it says the same.
        std::fs::write(path("copy.toml"), config.to_toml()).unwrap();
        assert_eq!(RunConfig::read(&path("copy.toml")).unwrap(), config);
    };
    let here = |name: &str| path(name).display().to_string();
    check(
        "corpus = '../pairs.jsonl'\n[vectors]\nfile = 'words.txt'\n[idioms]\nfile = './a/i.json'",
        &here("pairs.jsonl"),
        &here("configs/words.txt"),
        &here("configs/a/i.json"),
    );
    // Datasets, and vectors among them.
    check(
        "corpus = 'spider'\n[vectors]\nfile = 'glove.txt'\n[idioms]\nfile = '../i.json'",
        "spider",
        "glove.txt",
        &here("i.json"),
    );
    check(
        "corpus = 'spyder'\n[vectors]\nfile = 'glove.txt'\n[idioms]\nfile = '../i.json'",
        "spyder",
        "glove.txt",
        &here("i.json"),
    );
}

#[test]
fn relative_paths_stay_short_and_become_absolute_where_they_are_kept() {
    assert_eq!(plain(Path::new("a/./b/../c")), Path::new("a/c"));
    assert_eq!(plain(Path::new("a/../../c")), Path::new("../c"));
    let config = RunConfig {
        corpus: "data/pairs.jsonl".to_owned(),
        ..RunConfig::default()
    };
    let here = std::env::current_dir().unwrap();
    let expected = here.join("data/pairs.jsonl").display().to_string();
    assert_eq!(config.absolute().corpus, expected);
}

/// A table of keys in `docs/configuration.md`.
pub(crate) struct DocumentedTable {
    /// The table that the keys are in; empty at the top of the file.
    pub(crate) table: String,
    /// What else must stand in it for the keys to be known.
    pub(crate) with: String,
    /// Key, default and meaning.
    pub(crate) rows: Vec<[String; 3]>,
}

/// The tables of a section of the page about configurations.
pub(crate) fn documented(section: &str) -> Vec<DocumentedTable> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let page = std::fs::read_to_string(page).unwrap().replace('\r', "");
    let section = page
        .split("\n## ")
        .find(|it| it.starts_with(section))
        .unwrap();
    let mut tables = Vec::new();
    for text in section.split("\n### ").skip(1) {
        let (heading, text) = text.split_once('\n').unwrap();
        let mut quoted = heading.split('`').skip(1).step_by(2).map(str::to_owned);
        let rows = text.lines().filter(|it| it.starts_with("| `"));
        let row = |row: &str| {
            let cells: Vec<&str> = row.trim_matches('|').splitn(3, " | ").collect();
            let cell = |index: usize| cells[index].trim().trim_matches('`').to_owned();
            [cell(0), cell(1), cell(2)]
        };
        tables.push(DocumentedTable {
            table: quoted.next().unwrap_or_default(),
            with: quoted.next().unwrap_or_default(),
            rows: rows.map(row).collect(),
        });
    }
    tables
}

impl DocumentedTable {
    /// What reading the table with one more line says is expected there.
    fn expected<T: DeserializeOwned>(&self, line: &str) -> Option<Unknown> {
        let text = format!("{}\n{}\n{line}\n", self.table, self.with);
        let error = document::parse::<T>("page", &text).err()?;
        error.unknown
    }

    /// Makes sure that the keys of the table are those that there are, but for tables of their own.
    pub(crate) fn check_keys<T: DeserializeOwned>(&self, all: &[DocumentedTable]) {
        let unknown = self.expected::<T>("not-a-key = 0").unwrap();
        let name = self.table.trim_matches(['[', ']']);
        let prefix = if name.is_empty() {
            String::new()
        } else {
            format!("{name}.")
        };
        let inner = all.iter().map(|it| it.table.trim_matches(['[', ']']));
        let inner = inner.filter_map(|it| it.strip_prefix(&prefix));
        let inner = inner.filter_map(|it| it.split('.').next());
        let documented = self.rows.iter().map(|it| it[0].as_str());
        let documented: BTreeSet<&str> = documented
            .chain(inner)
            .filter(|it| !it.is_empty())
            .collect();
        let known: BTreeSet<&str> = unknown.expected.iter().copied().collect();
        assert_eq!(documented, known, "{} {}", self.table, self.with);
    }
}

#[test]
fn every_key_is_documented_with_its_default_and_its_variants() {
    let default: toml::Table = toml::from_str(&RunConfig::default().to_toml()).unwrap();
    let tables = documented("Runs");
    for table in &tables {
        table.check_keys::<RunConfig>(&tables);
        let names = table.table.trim_matches(['[', ']']).split('.');
        let mut names = names.filter(|it| !it.is_empty());
        let values = names.try_fold(&default, |it, name| it.get(name)?.as_table());
        for [key, documented, meaning] in &table.rows {
            // Tables that are not there by default, and variants that are not the default.
            let is_default = |values: &&toml::Table| {
                let name = values.get("name").map(|it| format!("name = {it}"));
                name.is_none_or(|it| it == table.with)
            };
            if let Some(values) = values.filter(is_default) {
                let value = values.get(key).map(ToString::to_string);
                assert_eq!(documented, value.as_deref().unwrap_or("*none*"), "{key}");
            }
            let variants = table.expected::<RunConfig>(&format!("{key} = 'not-a-variant'"));
            for variant in variants.iter().flat_map(|it| it.expected) {
                assert!(meaning.contains(variant), "{key}: {variant}");
            }
        }
    }
}

/// Folders of runs from before have neither table, and stay what they are.
#[test]
fn sources_and_changes_are_written_down_only_where_there_are_some() {
    let default = RunConfig::default().to_toml();
    assert!(!default.contains("sources") && !default.contains("augment"));
    let text = "[[sources]]\ncorpus = 'spider-syn'\n[augment]\nmax_columns = 60\nvalues = 0.5";
    let config = RunConfig::parse("some.toml", text).unwrap();
    assert!((config.sources[0].weight - 1.0).abs() < f64::EPSILON);
    let again = RunConfig::parse("again.toml", &config.to_toml()).unwrap();
    assert_eq!(again, config);
    let error = RunConfig::parse("some.toml", "[augment]\nvalues = 1.5").unwrap_err();
    let expected = "`augment.values`: expected a probability, 0 to 1, found 1.5";
    assert!(error.to_string().contains(expected), "{error}");
}
