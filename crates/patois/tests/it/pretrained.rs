//! Runs with a pretrained encoder, from its folder to a model that needs it no more.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use patois::corpus::DataDir;
use patois::run::config::RunConfig;
use patois::run::folder::{Existing, RunDir, RunFile};
use patois::run::synthesizer::Synthesizer;
use patois::run::{Surroundings, Unobserved, pipeline};
use patois::spec::linking::ValueCache;
use patois_database::Place;

const SMALL: &str = "
n_train = 12
[pretrained]
folder = 'encoder'
[idioms.mining]
n_idioms = 4
[idioms.mining.chain]
n_sweeps = 1
[model]
encoder = 'pretrained'
hidden_size = 16
action_size = 8
symbol_size = 4
attention_size = 6
[model.relations]
n_layers = 1
n_heads = 2
feed_forward_size = 16
linking = 'names'
[training]
n_steps = 3
batch_size = 4
";

const SHOP: &str = "CREATE TABLE customer(name TEXT, city TEXT);";

/// A folder with a copy of a small encoder, and room for runs and caches.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let fixture = crates.join("synthesis/tests/reference/bert");
        std::fs::create_dir(folder.path().join("encoder")).unwrap();
        for file in ["config.json", "vocab.txt", "model.safetensors"] {
            let copy = folder.path().join("encoder").join(file);
            std::fs::copy(fixture.join(file), copy).unwrap();
        }
        Desk { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            data: DataDir::locate(None),
            values: ValueCache::in_folder(&self.path("cache")),
        }
    }

    /// Trains a model with more settings than the small ones.
    fn train(&self, name: &str, settings: &str) -> RunDir {
        std::fs::write(self.path("my.toml"), format!("{SMALL}{settings}")).unwrap();
        let config = RunConfig::read(&self.path("my.toml")).unwrap();
        let run = RunDir::create(&self.path(name), &config, Existing::Refuse).unwrap();
        pipeline::train(&config, &run, &self.surroundings(), &mut Unobserved).unwrap();
        run
    }

    /// How many readings are kept.
    fn n_kept(&self) -> usize {
        let readings = std::fs::read_dir(self.path("cache/readings"));
        let folders = readings.into_iter().flatten().flatten();
        let files = folders.flat_map(|it| std::fs::read_dir(it.path()).unwrap());
        files.count()
    }
}

#[test]
fn a_model_needs_the_folder_of_its_encoder_no_more() {
    let desk = Desk::new();
    let run = desk.train("run", "");
    std::fs::remove_dir_all(desk.path("encoder")).unwrap();
    let model = Synthesizer::load(&run).unwrap();
    let place = Place::Script(SHOP.to_owned());
    let schema = Arc::new(place.open("shop").unwrap().schema().unwrap().schema);
    let subject = model
        .about(schema, place, &desk.surroundings().values)
        .unwrap();
    let answers = model.ask("Which customers are there?", &subject, model.config.search);
    assert!(!answers.programs.is_empty());
    assert_eq!(desk.n_kept(), 0);
}

#[test]
fn a_small_model_has_no_pieces_that_no_text_has_and_answers_alike() {
    let desk = Desk::new();
    let vocabulary = desk.path("encoder/vocab.txt");
    let pieces = std::fs::read_to_string(&vocabulary).unwrap();
    let pieces = pieces.replace("[MASK]", "[unused7]");
    std::fs::write(&vocabulary, pieces).unwrap();
    let whole = Synthesizer::load(&desk.train("run", "")).unwrap();
    let small = whole.save_small(&desk.path("small")).unwrap();
    let bytes = small.read(RunFile::Model).unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("[unused7]"));
    let small = Synthesizer::load(&small).unwrap();
    let [expected, found] = [whole, small].map(|model| {
        let place = Place::Script(SHOP.to_owned());
        let schema = Arc::new(place.open("shop").unwrap().schema().unwrap().schema);
        let subject = model.about(schema, place, &desk.surroundings().values);
        let answers = model.ask("Print one customer", &subject.unwrap(), model.config.search);
        let best = &answers.programs[0];
        (best.code.clone(), best.probability())
    });
    assert_eq!(found.0, expected.0);
    assert!(
        (found.1 - expected.1).abs() < 1e-3 * expected.1,
        "{found:?}"
    );
}

#[test]
fn what_a_frozen_encoder_reads_is_kept_and_checked() {
    let desk = Desk::new();
    let frozen = "[training.pretrained]\nn_layers = 0\n";
    let model = |run: RunDir| run.read(RunFile::Model).unwrap().unwrap();
    let expected = model(desk.train("first", frozen));
    let n_kept = desk.n_kept();
    assert!(n_kept > 12, "{n_kept}");
    assert!(model(desk.train("again", frozen)) == expected);
    // One that is damaged is made again.
    let folder = std::fs::read_dir(desk.path("cache/readings")).unwrap();
    let folder = folder.flatten().next().unwrap().path();
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        std::fs::write(file.path(), b"nothing of the kind").unwrap();
    }
    assert!(model(desk.train("damaged", frozen)) == expected);
    assert_eq!(desk.n_kept(), n_kept);
}

#[test]
fn texts_alone_are_read_too() {
    let desk = Desk::new();
    let row = |n| format!("{{\"text\": \"print {n}\", \"code\": \"print({n})\"}}\n");
    std::fs::write(
        desk.path("pairs.jsonl"),
        (0..12).map(row).collect::<String>(),
    )
    .unwrap();
    let top = "corpus = 'pairs.jsonl'\nlanguage = 'python'\n";
    std::fs::write(desk.path("my.toml"), format!("{top}{SMALL}")).unwrap();
    let config = RunConfig::read(&desk.path("my.toml")).unwrap();
    let run = RunDir::create(&desk.path("run"), &config, Existing::Refuse).unwrap();
    pipeline::train(&config, &run, &desk.surroundings(), &mut Unobserved).unwrap();
    let model = Synthesizer::load(&run).unwrap();
    let answers = model.synthesize("print 7", model.config.search).unwrap();
    assert!(!answers.programs.is_empty());
}
