//! Ranks that read their own files only come to what one process comes to, byte for byte.

use std::fs;
use std::ops::ControlFlow;
use std::sync::Mutex;

use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, RepositoryPrograms, UnitConfig};
use patois_codebase::{Share, Wanted, mine_on, mining_config_of};
use patois_collective::{Alone, Collective, Threads};
use patois_mining::{MinerKind, MiningConfig, Sweep};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

const STACK: usize = 64 << 20;

/// Some files of Python: calls that are alike, some of them nearly everywhere.
fn python() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..23 {
        let other = if number % 11 == 3 { "other" } else { "log" };
        let name = ["alpha", "beta", "gamma"][number % 3];
        let text = format!(
            "import os\n\n\ndef read_{number}(path):\n    with open(path) as {name}:\n        \
             {other}.warning('reading', path)\n        return json.load({name})\n\n\n\
             def sum_{number}({name}):\n    total = 0\n    for item in {name}:\n        total += item\n    \
             return total\n"
        );
        fs::write(folder.path().join(format!("m{number:02}.py")), text).unwrap();
    }
    fs::write(folder.path().join("empty.py"), "").unwrap();
    fs::write(folder.path().join("broken.py"), "def (:\n").unwrap();
    folder
}

/// Some files of JavaScript, whose grammar is what its files need: each has something that those before have not.
fn javascript() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let special = [
        "class A { constructor(x) { this.x = x; } }",
        "for (const a of b) { c(a); }",
        "const f = async (x) => { await g(x); };",
        "switch (a) { case 1: b(); break; default: c(); }",
        "try { a(); } catch (e) { console.error(e); } finally { b(); }",
        "const [a, ...rest] = `x${y}`;",
    ];
    for number in 0..12 {
        let text = format!(
            "function load{number}(file) {{\n  const text = fs.readFileSync(file, 'utf8');\n  \
             return JSON.parse(text);\n}}\n{}\n",
            special[number / 2]
        );
        fs::write(folder.path().join(format!("m{number:02}.js")), text).unwrap();
    }
    folder
}

/// What is written of a folder by ranks each of which reads its own files; and what else is said.
fn mined(
    folder: &TempDir,
    language: &str,
    miner: MinerKind,
    min_files: usize,
    n_ranks: usize,
) -> String {
    let units = UnitConfig::default();
    let found = Repository::find(&[folder.path().to_owned()], &units).unwrap();
    let told = Mutex::new(None);
    let work = |ranks: &dyn Collective| {
        found.check_same(ranks, &units).unwrap();
        let own = found.share(language, ranks);
        let read = found.parse_share(language, own, &units, ranks, &|| ());
        let share = Share::of(&read, ranks);
        let config = MiningConfig {
            miner,
            n_idioms: 12,
            ..mining_config_of(share.n_nodes())
        };
        let wanted = Wanted {
            min_files,
            ..Wanted::new(LocalNames::Holes)
        };
        let rng = |rank: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            rng.set_stream(rank as u64);
            rng
        };
        let mut watch = |_: &Sweep| ControlFlow::Continue(());
        let how = (&config, None);
        let mined = mine_on((1, STACK), &share, &wanted, how, &rng, &mut watch).unwrap();
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let library = mined.as_ref().map(|it| &it.library);
        let file = IdiomFile::of_share(&share, library, "test".into(), &printer);
        assert_eq!(mined.is_some(), ranks.rank() == 0);
        assert_eq!(file.is_some(), ranks.rank() == 0);
        if let Some((mined, file)) = mined.zip(file) {
            *told.lock().unwrap() = Some(format!(
                "{}\n{:#?}\n{:?} {:?}\n{:?} {:?}\n{}",
                file.to_json(),
                mined.idioms,
                mined.figures,
                (
                    mined.n_sites,
                    mined.n_candidates,
                    share.n_programs(),
                    share.n_nodes()
                ),
                read.figures,
                read.skipped,
                read.grammar
            ));
        }
    };
    match n_ranks {
        1 => work(&Alone),
        _ => Threads::run(n_ranks, STACK, |ranks| work(ranks), &|ranks| work(ranks)).unwrap(),
    }
    told.into_inner().unwrap().expect("rank 0 has it")
}

#[test]
fn what_ranks_find_in_their_own_files_is_what_one_finds_in_all() {
    for (folder, language) in [(python(), "python"), (javascript(), "javascript")] {
        for min_files in [1, 3] {
            let alone = mined(&folder, language, MinerKind::BytePairs, min_files, 1);
            assert!(alone.contains("\"notation\""), "{alone}");
            // More ranks than files, too.
            for n_ranks in [2, 3, 4, 30] {
                let several = mined(&folder, language, MinerKind::BytePairs, min_files, n_ranks);
                assert!(
                    several == alone,
                    "{language}, {n_ranks} ranks: {several}\nalone: {alone}"
                );
            }
        }
    }
}

#[test]
fn a_chain_in_files_of_their_own_is_the_same_whenever_it_runs() {
    let folder = python();
    let [one, other] = [0; 2].map(|_| mined(&folder, "python", MinerKind::TypeBased, 1, 3));
    assert_eq!(one, other);
}

#[test]
fn one_process_reads_a_share_as_it_reads_all() {
    for (folder, language) in [(python(), "python"), (javascript(), "javascript")] {
        let units = UnitConfig::default();
        let found = Repository::find(&[folder.path().to_owned()], &units).unwrap();
        let all = found.parse(language, &units, &|| ());
        let own = found.share(language, &Alone);
        let share = found.parse_share(language, own, &units, &Alone, &|| ());
        let told = |it: &RepositoryPrograms| {
            let trees: Vec<_> = it
                .trees
                .iter()
                .map(|tree| tree.display(&it.grammar).to_string())
                .collect();
            format!(
                "{trees:#?}\n{}\n{:?} {:?}",
                it.grammar, it.figures, it.skipped
            )
        };
        assert_eq!(told(&share), told(&all));
    }
}

#[test]
fn ranks_that_have_found_other_files_are_refused() {
    let (one, other) = (python(), python());
    fs::remove_file(other.path().join("m07.py")).unwrap();
    let units = UnitConfig::default();
    let errors = Mutex::new(Vec::new());
    let work = |ranks: &Threads<'_>| {
        let folder = if ranks.rank() == 2 { &other } else { &one };
        let found = Repository::find(&[folder.path().to_owned()], &units).unwrap();
        let error = found.check_same(ranks, &units).unwrap_err();
        errors.lock().unwrap().push(error.to_string());
    };
    Threads::run(3, STACK, |ranks| work(ranks), &work).unwrap();
    let expected = "expected rank 2 to find the 25 files that rank 0 has found, found 24 files";
    assert_eq!(errors.into_inner().unwrap(), [expected; 3]);
}
