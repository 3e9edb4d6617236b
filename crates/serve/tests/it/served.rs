//! A server with a model of a few steps and a small database.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use patois::corpus::DataDir;
use patois::run::config::RunConfig;
use patois::run::folder::{Existing, RunDir};
use patois::run::synthesizer::Synthesizer;
use patois::run::{Surroundings, Unobserved, pipeline};
use patois::spec::linking::ValueCache;
use patois_ask::{Asker, Confidence, Keys, Memory, Source};
use patois_serve::{ServeError, ServeOptions, serve};
use tempfile::TempDir;

use crate::client::{Client, Reply};

/// Artists and albums; the key between them is not declared.
const MUSIC: &str = "
    CREATE TABLE artist(artist_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
    CREATE TABLE album(album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER, year INTEGER, price REAL);
    INSERT INTO artist VALUES (1, 'Nina Simone', 'USA'), (2, 'Fela Kuti', 'Nigeria'), (3, 'Caetano Veloso', 'Brazil');
    INSERT INTO album VALUES (1, 'Pastel Blues', 1, 1965, 9.5), (2, 'Wild Is the Wind', 1, 1966, 8.0),
        (3, 'Zombie', 2, 1976, 11.0), (4, 'Transa', 3, 1972, 10.0), (5, 'Bicho', 3, 1977, NULL);";

/// A server that is running.
pub(crate) struct Served {
    pub(crate) folder: TempDir,
    pub(crate) url: String,
    pub(crate) port: u16,
    is_stopped: Arc<AtomicBool>,
    running: Option<JoinHandle<Result<(), ServeError>>>,
}

/// Serves the small database as it is usually served.
pub(crate) fn served() -> Served {
    served_with(ServeOptions::default())
}

/// Serves the small database.
pub(crate) fn served_with(options: ServeOptions) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let file = music(folder.path());
    let is_stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_stopped);
    let options = ServeOptions {
        is_stopped: Arc::new(move || asked.load(Ordering::SeqCst)),
        ..options
    };
    let asker = asker(&file);
    let (ready, url) = channel();
    let running = std::thread::spawn(move || {
        serve(asker, options, |url| ready.send(url.to_owned()).unwrap())
    });
    let url: String = url.recv().unwrap();
    let authority = url.strip_prefix("http://").unwrap();
    let authority = authority.split('/').next().unwrap();
    let port = authority.rsplit(':').next().unwrap().parse().unwrap();
    Served {
        folder,
        url,
        port,
        is_stopped,
        running: Some(running),
    }
}

impl Served {
    pub(crate) fn client(&self) -> Client {
        Client { port: self.port }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.client().get(path)
    }

    pub(crate) fn post(&self, path: &str, value: &serde_json::Value) -> Reply {
        self.client().post(path, value)
    }

    /// Tells the server to stop, and waits until it has.
    pub(crate) fn stop(&mut self) -> Result<(), ServeError> {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.running.take().unwrap().join().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        if let Some(running) = self.running.take() {
            let _ = running.join();
        }
    }
}

/// The small database, in a file.
pub(crate) fn music(folder: &Path) -> PathBuf {
    patois_database::bound_memory().unwrap();
    let file = folder.join("music.sqlite");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch(MUSIC).unwrap();
    file
}

/// Asks a file with a model that was trained for a few steps.
pub(crate) fn asker(file: &Path) -> Asker<'static> {
    let source = Source::of_file(file, Keys::Guessed).unwrap();
    let memory = Memory::beside(file, &source.schema).unwrap();
    let none = ValueCache::none();
    Asker::new(model(), Confidence::default(), source, memory, none).unwrap()
}

/// A model of a few thousand weights, or the one in the folder that `PATOIS_MODEL` names.
fn model() -> &'static Synthesizer {
    static MODEL: OnceLock<Synthesizer> = OnceLock::new();
    MODEL.get_or_init(|| match std::env::var_os("PATOIS_MODEL") {
        Some(folder) => Synthesizer::load(&RunDir::open(Path::new(&folder)).unwrap()).unwrap(),
        None => trained(),
    })
}

fn trained() -> Synthesizer {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../patois/tests/fixtures/tiny");
    let config = std::fs::read_to_string(fixture.join("tiny.toml")).unwrap();
    let corpus = fixture.join("tiny.jsonl");
    // On Windows, a path is no text of TOML.
    let corpus = corpus.to_str().unwrap().replace('\\', "/");
    let config = config.replace("tiny.jsonl", &corpus);
    let config = RunConfig::parse("tiny.toml", &config).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = RunDir::create(&folder.path().join("run"), &config, Existing::Refuse).unwrap();
    let here = Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::none(),
    };
    pipeline::train(&config, &run, &here, &mut Unobserved).unwrap();
    Synthesizer::load(&run).unwrap()
}
