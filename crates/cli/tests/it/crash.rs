//! Whatever becomes of the process: killed at any moment, no room left, another one beside it. What it leaves
//! is whole, and the same command then comes to the same bytes as if nothing had happened.
//!
//! The short forms are ordinary tests. A thousand kills, or as many as `PATOIS_KILLS` says, take some minutes:
//! `cargo test -p patois-cli --test it -- crash_ --ignored --nocapture`.

#![cfg(unix)]
#![expect(clippy::print_stdout, reason = "says how often it was killed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use patois::run::folder::RunDir;
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::output::is_passing;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{TINY, patois, run, tiny_folder};

/// A verb, and what it leaves.
#[derive(Clone, Copy)]
struct Scenario {
    name: &'static str,
    /// The command but for `--out`.
    command: &'static [&'static str],
    /// What is said when it is not done, where that is something else.
    resume: &'static [&'static str],
    /// What is made before, and not disturbed.
    before: &'static [&'static str],
    out: Out,
}

/// Where a verb writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Out {
    /// To the folder of a run, named by `--out`.
    Run,
    /// To the folder of a run that is there.
    Existing,
    /// To a folder of several runs.
    Experiment,
    /// To a file, and others beside it.
    File,
}

const TRAIN: Scenario = Scenario {
    name: "train",
    command: &["train", "often.toml"],
    resume: &["--resume"],
    before: &[],
    out: Out::Run,
};

/// All verbs that write several files, or one for long.
const ALL: [Scenario; 7] = [
    TRAIN,
    Scenario {
        name: "train with patience",
        command: &["train", "patient.toml"],
        ..TRAIN
    },
    Scenario {
        name: "run",
        command: &["run", "compared.toml"],
        resume: &[],
        ..TRAIN
    },
    Scenario {
        name: "evaluate",
        command: &["evaluate"],
        resume: &[],
        before: &["train", "often.toml"],
        out: Out::Existing,
    },
    Scenario {
        name: "experiment",
        command: &["experiment", "grid.toml"],
        resume: &[],
        before: &[],
        out: Out::Experiment,
    },
    Scenario {
        name: "mine",
        command: &[
            "mine",
            "src",
            "--export",
            "ast-grep",
            "--report",
            "page.html",
        ],
        resume: &[],
        before: &[],
        out: Out::File,
    },
    Scenario {
        name: "mine on two ranks",
        command: &[
            "mine",
            "src",
            "--ranks",
            "2",
            "--sweeps",
            "200",
            "--resume",
            "--checkpoint",
            "states",
        ],
        resume: &[],
        before: &[],
        out: Out::File,
    },
];

const GRID: &str = "title = 'Two runs'\nbase = 'often.toml'\nseeds = [1]\nbaseline = 'plain'\n\
    [[cell]]\nname = 'plain'\nset.training.objective = 'plain'\n\
    [[axis]]\nkey = 'idioms.mining.n_idioms'\nvalues = [5]\n";

fn folder() -> TempDir {
    let often = TINY.replace("checkpoint_every = 4", "checkpoint_every = 1");
    let patience = "[training]\npatience = 1\n";
    let patient = often
        .replace("[training]\n", patience)
        .replace("evaluate_every = 6", "evaluate_every = 1")
        .replace("n_steps = 12", "n_steps = 60");
    let compared = format!("baseline = true\n{often}");
    let source = |name: &str| {
        format!(
            "def {name}(self, x):\n    if x is None:\n        return self.cache.get('k', {name})\n    \
             log.warn('{name}', x, extra=1)\n    return [str(it) for it in x]\n"
        )
    };
    let sources: Vec<(String, String)> = ["alpha", "beta", "gamma", "delta"]
        .map(|name| (format!("src/{name}.py"), source(name)))
        .into();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("often.toml", often.as_bytes()),
        ("patient.toml", patient.as_bytes()),
        ("compared.toml", compared.as_bytes()),
        ("grid.toml", GRID.as_bytes()),
        ("whole/README", b"cleared"),
        ("killed/README", b"cleared"),
    ];
    files.extend(sources.iter().map(|it| (it.0.as_str(), it.1.as_bytes())));
    tiny_folder(&files)
}

impl Scenario {
    /// The arguments for results in the folder `out`, which is inside of the working directory.
    fn arguments(&self, folder: &Path, out: &str) -> Vec<String> {
        let place = match self.out {
            Out::File => format!("{out}/idioms.json"),
            _ => format!("{out}/it"),
        };
        let mut arguments: Vec<String> = Vec::new();
        let has_begun = folder.join(&place).join("training.jsonl").exists();
        let resume: &[&str] = if has_begun { self.resume } else { &[] };
        for word in self.command.iter().chain(resume) {
            let is_place = matches!(*word, "page.html" | "states");
            arguments.push(if is_place {
                format!("{out}/{word}")
            } else {
                (*word).to_owned()
            });
        }
        if self.out == Out::Existing {
            arguments.push(place);
        } else {
            arguments.extend(["--out".to_owned(), place]);
        }
        arguments.push("-q".to_owned());
        arguments
    }

    fn command(&self, folder: &Path, out: &str) -> Command {
        let arguments = self.arguments(folder, out);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = patois(folder, &words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Clears the place of the results, and puts there what is made before.
    fn begin(&self, folder: &Path, out: &str) {
        let path = folder.join(out);
        fs::remove_dir_all(&path).unwrap();
        fs::create_dir(&path).unwrap();
        if self.before.is_empty() {
            return;
        }
        let place = format!("{out}/it");
        let arguments = [self.before, &["--out", &place, "-q"]].concat();
        let (code, _, stderr) = run(folder, &arguments);
        assert_eq!(code, 0, "{stderr}");
    }

    /// Takes the verb to its end.
    #[track_caller]
    fn finish(&self, folder: &Path, out: &str) {
        let arguments = self.arguments(folder, out);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (code, _, stderr) = run(folder, &words);
        assert_eq!(code, 0, "{}: {stderr}", self.name);
    }
}

/// Every file below a folder, but for those of processes at work.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if !is_passing(path.file_name().unwrap()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Refuses a folder with a file that is not whole.
#[track_caller]
fn check_whole(folder: &Path, what: &str) {
    for path in files(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = || fs::read_to_string(&path).unwrap();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let is_whole = match (name.as_str(), ending.as_ref()) {
            // It checks all files of the run.
            ("config.toml", _) => {
                let run = RunDir::open(path.parent().unwrap()).unwrap();
                run.check()
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                true
            }
            ("idioms.json", _) => IdiomFile::open(&path).is_ok(),
            // It grows, and a line that was cut off is forgotten.
            ("training.jsonl", _) => true,
            (_, "json") => serde_json::from_str::<Value>(&text()).is_ok(),
            (_, "jsonl") => {
                let text = text();
                let mut lines = text.lines().map(serde_json::from_str::<Value>);
                text.ends_with('\n') && lines.all(|it| it.is_ok())
            }
            (_, "html") => text().ends_with("</html>\n"),
            _ => fs::metadata(&path).unwrap().len() > 0,
        };
        assert!(is_whole, "{what}: {} is not whole", path.display());
    }
}

/// What is in a folder, but for what a clock said.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut contents = BTreeMap::new();
    for path in files(folder) {
        let name = path.file_name().unwrap().to_string_lossy();
        let bytes = fs::read(&path).unwrap();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let bytes = match (name.as_ref(), ending.as_ref()) {
            // What these say of times is all over them; they are drawn from `report.json` and records.
            ("report.md" | "report.html" | "table.md" | "table.html", _) => Vec::new(),
            ("training.jsonl", _) | (_, "json") => timeless(&bytes),
            _ => bytes,
        };
        contents.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
    }
    contents
}

/// Values of JSON, one a line or one in all, without what a clock said, and how many runs were left to
/// share the machine.
fn timeless(bytes: &[u8]) -> Vec<u8> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                const CLOCK: [&str; 7] = [
                    "seconds",
                    "minutes",
                    "cpu_minutes",
                    "effort",
                    "timings",
                    "at_once",
                    "checksum",
                ];
                for key in CLOCK {
                    object.remove(key);
                }
                object.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let mut values: Vec<Value> = values.map(Result::unwrap).collect();
    values.iter_mut().for_each(strip);
    serde_json::to_vec(&values).unwrap()
}

/// The two folders hold the same, and nothing of a process that is no more.
#[track_caller]
fn check_same(folder: &Path, one: &str, other: &str, what: &str) {
    let (one, other) = (folder.join(one), folder.join(other));
    let (expected, found) = (contents(&one), contents(&other));
    let names = |it: &BTreeMap<PathBuf, Vec<u8>>| it.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{what}");
    for (name, bytes) in &expected {
        let is_same = found[name] == *bytes;
        let shown = String::from_utf8_lossy(&found[name]).into_owned();
        assert!(is_same, "{what}: {} differs: {shown:.2000}", name.display());
    }
    let mut open = vec![other];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(
                !is_passing(path.file_name().unwrap()),
                "{what}: {} is left",
                path.display()
            );
            if path.is_dir() {
                open.push(path);
            }
        }
    }
}

/// How many steps the checkpoint of a run has taken.
fn n_steps(run: &Path) -> usize {
    let bytes = fs::read(run.join("checkpoint.safetensors")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let after = text.split_once(r#"\"progress\":{\"step\":"#);
    let digits = after.and_then(|(_, it)| it.split(',').next()?.parse().ok());
    digits.unwrap_or(0)
}

/// Kills a verb again and again, each time at a moment drawn at random, and takes it to its end now and then.
fn kill(scenario: &Scenario, n_kills: usize, seed: u64) {
    let folder = folder();
    let path = folder.path();
    scenario.begin(path, "whole");
    let started = Instant::now();
    scenario.finish(path, "whole");
    let whole = started.elapsed().as_secs_f64();
    check_whole(&path.join("whole"), scenario.name);

    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut n_killed, mut n_ends) = (0, 0);
    while n_killed < n_kills {
        scenario.begin(path, "killed");
        let n_in_a_row = rng.random_range(1..=5);
        let mut n_before = 0;
        for _ in 0..n_in_a_row {
            let what = format!("{}, kill {n_killed}", scenario.name);
            let mut child = scenario.command(path, "killed").spawn().unwrap();
            std::thread::sleep(Duration::from_secs_f64(rng.random_range(0.0..whole)));
            // SIGKILL: nothing is finished, nothing is cleaned up.
            child.kill().unwrap();
            let has_ended = child.wait().unwrap().success();
            n_killed += 1;
            check_whole(&path.join("killed"), &what);
            let n_now = n_steps(&path.join("killed/it"));
            assert!(
                n_now >= n_before,
                "{what}: {n_now} steps are left of {n_before}"
            );
            n_before = n_now;
            if has_ended {
                break;
            }
        }
        scenario.finish(path, "killed");
        n_ends += 1;
        let what = format!("{} after {n_killed} kills", scenario.name);
        check_same(path, "whole", "killed", &what);
    }
    println!(
        "{}: {n_killed} kills, {n_ends} ends, all the same",
        scenario.name
    );
}

#[test]
fn kills_leave_nothing_broken_and_nothing_lost() {
    for (seed, scenario) in (1..).zip(&ALL) {
        kill(scenario, 4, seed);
    }
}

#[test]
#[ignore = "takes some minutes"]
fn crash_a_thousand_kills() {
    let n_kills = std::env::var("PATOIS_KILLS").map_or(1000, |it| it.parse().unwrap());
    for (seed, scenario) in (100..).zip(&ALL) {
        kill(scenario, n_kills / ALL.len() + 1, seed);
    }
}

/// Runs a verb where no file may be longer than so many bytes: what a full disk says, too.
fn run_without_room(
    scenario: &Scenario,
    folder: &Path,
    out: &str,
    n_bytes: usize,
) -> (bool, String) {
    let arguments = scenario.arguments(folder, out);
    // The unit of a shell that is called so is half a kilobyte.
    let limited = "trap '' XFSZ; ulimit -f $0 && exec \"$@\"";
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", limited]);
    command.arg(n_bytes.div_ceil(512).to_string());
    command.arg(env!("CARGO_BIN_EXE_patois")).args(arguments);
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{}: {code:?} {stderr}",
        scenario.name
    );
    (code == Some(0), stderr)
}

#[test]
fn where_there_is_no_room_what_was_there_stays() {
    for scenario in &ALL {
        let folder = folder();
        let path = folder.path();
        scenario.begin(path, "whole");
        scenario.finish(path, "whole");
        scenario.begin(path, "killed");
        let mut n_failed = 0;
        for n_bytes in [512, 1024, 4096, 16_384, 65_536, 262_144, 1 << 20] {
            let (is_done, stderr) = run_without_room(scenario, path, "killed", n_bytes);
            let what = format!("{}, {n_bytes} bytes: {stderr}", scenario.name);
            check_whole(&path.join("killed"), &what);
            if is_done {
                break;
            }
            n_failed += 1;
            assert!(stderr.contains("File too large"), "{what}");
        }
        assert!(n_failed > 0, "{}", scenario.name);
        scenario.finish(path, "killed");
        check_same(path, "whole", "killed", scenario.name);
    }
}

/// Starts two commands at once: how they end, and what they say.
fn at_once(folder: &Path, commands: [&[&str]; 2]) -> [(i32, String); 2] {
    let start = |it: &[&str]| {
        let mut command = patois(folder, it);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    commands.map(start).map(|it| {
        let output = it.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), stderr)
    })
}

/// Two used to end well, with the configuration of one and the model of the other.
fn two_at_once(n_times: usize) {
    let folder = folder();
    let path = folder.path();
    for seed in ["1", "2"] {
        let out = format!("whole/{seed}");
        let arguments = ["run", "often.toml", "--seed", seed, "--out", &out, "-q"];
        assert_eq!(run(path, &arguments).0, 0);
    }
    for round in 0..n_times {
        let verb = ["train", "run"][round % 2];
        fs::remove_dir_all(path.join("killed")).unwrap();
        let command = |seed| {
            [
                verb,
                "often.toml",
                "--seed",
                seed,
                "--out",
                "killed/it",
                "-q",
            ]
        };
        let ends = at_once(path, [&command("1"), &command("2")]);
        let n_done = ends.iter().filter(|it| it.0 == 0).count();
        assert_eq!(n_done, 1, "{verb}: {ends:?}");
        for (index, (code, stderr)) in ends.iter().enumerate() {
            if *code == 0 {
                let seed = (index + 1).to_string();
                let (expected, found) = (path.join("whole").join(seed), path.join("killed/it"));
                let (expected, found) = (contents(&expected), contents(&found));
                assert!(
                    found.iter().all(|it| expected[it.0] == *it.1),
                    "{verb}: mixed"
                );
                continue;
            }
            let refusals = [
                "is in use by process",
                "holds a run already",
                "another configuration",
            ];
            let is_clear = refusals.iter().any(|it| stderr.contains(it));
            assert!(*code == 1 && is_clear, "{verb}: {code} {stderr}");
        }
        check_whole(&path.join("killed"), verb);
    }
}

#[test]
fn of_two_at_once_one_is_refused() {
    two_at_once(4);
}

#[test]
#[ignore = "takes a minute"]
fn crash_two_at_once() {
    two_at_once(200);
}

#[test]
fn two_evaluations_or_experiments_do_not_mix() {
    let folder = folder();
    let path = folder.path();
    let train = ["train", "often.toml", "--out", "whole/it", "-q"];
    assert_eq!(run(path, &train).0, 0);
    let evaluate = |split| ["evaluate", "whole/it", "--split", split, "-q"];
    for _ in 0..3 {
        let ends = at_once(path, [&evaluate("dev"), &evaluate("train")]);
        assert!(ends.iter().any(|it| it.0 == 0), "{ends:?}");
        for (code, stderr) in &ends {
            assert!(
                *code == 0 || stderr.contains("is in use by process"),
                "{stderr}"
            );
        }
        check_whole(&path.join("whole"), "evaluate");
    }
    let experiment = ["experiment", "grid.toml", "--out", "killed/it", "-q"];
    let ends = at_once(path, [&experiment, &experiment]);
    assert!(ends.iter().any(|it| it.0 == 0), "{ends:?}");
    for (code, stderr) in &ends {
        assert!(
            *code == 0 || stderr.contains("is in use by process"),
            "{stderr}"
        );
    }
    check_whole(&path.join("killed"), "experiment");
}

/// Two used to end well, with the idioms of one and the rules of the other.
#[test]
fn of_two_minings_to_one_file_the_second_is_refused() {
    let folder = folder();
    let path = folder.path();
    let lock = path.join("whole/.idioms.json.lock");
    let mine = |seed| {
        let file = ["--out", "whole/idioms.json", "--export", "ast-grep"];
        [&["mine", "src", "-q", "--seed", seed][..], &file].concat()
    };
    let mut first = patois(path, &mine("1"));
    let mut first = first.args(["--sweeps", "1000000"]).spawn().unwrap();
    let started = Instant::now();
    while fs::read_to_string(&lock).map_or(true, |it| it.is_empty()) {
        assert!(started.elapsed() < Duration::from_mins(1), "no lock");
        std::thread::sleep(Duration::from_millis(5));
    }
    let (code, _, stderr) = run(path, &mine("2"));
    let holder = format!("is in use by process {}", first.id());
    assert!(code == 1 && stderr.contains(&holder), "{code} {stderr}");
    assert_eq!(fs::read_dir(path.join("whole")).unwrap().count(), 2);
    // Another file is nobody's.
    let elsewhere = ["mine", "src", "-q", "--out", "killed/idioms.json"];
    assert_eq!(run(path, &elsewhere).0, 0);
    // What a process that was killed leaves is no lock.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(lock.exists());
    let (code, _, stderr) = run(path, &mine("2"));
    assert_eq!(code, 0, "{stderr}");
    check_whole(&path.join("whole"), "mine");
    assert!(!lock.exists());
}
