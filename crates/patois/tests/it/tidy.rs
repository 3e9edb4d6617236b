//! House rules that need code: who may depend on whom, and what every file must have.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with the given extension, sorted.
fn files(below: impl AsRef<Path>, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![below.as_ref().to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)
            .expect("a folder of the repository")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("fixtures") {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources(below: &str) -> Vec<(String, String)> {
    let with_text = |path: PathBuf| (path.display().to_string().replace('\\', "/"), read(&path));
    files(root().join(below), "rs")
        .into_iter()
        .map(with_text)
        .collect()
}

fn check_dependencies(name: &str, is_allowed: impl Fn(&str) -> bool) {
    let path = root().join("crates").join(name).join("Cargo.toml");
    let manifest: toml::Table = toml::from_str(&read(path)).expect("a manifest is TOML");
    let table = manifest.get("dependencies").and_then(toml::Value::as_table);
    for dependency in table.into_iter().flat_map(toml::Table::keys) {
        assert!(
            is_allowed(dependency),
            "crate {name} must not depend on {dependency}"
        );
    }
}

#[test]
fn syntax_depends_on_next_to_nothing() {
    check_dependencies("syntax", |it| {
        ["indexmap", "serde", "thiserror"].contains(&it)
    });
}

#[test]
fn languages_knows_parsers_and_no_other_part() {
    check_dependencies("languages", |it| {
        it == "patois-syntax"
            || !(it.starts_with("patois") || it.starts_with("rand") || it == "rusqlite")
    });
}

#[test]
fn mining_knows_trees_and_no_other_part() {
    let known = ["patois-collective", "patois-syntax"];
    check_dependencies("mining", |it| {
        known.contains(&it) || !(it.starts_with("patois") || it == "rusqlite")
    });
}

#[test]
fn synthesis_knows_trees_and_no_other_part() {
    let known = ["patois-collective", "patois-syntax"];
    check_dependencies("synthesis", |it| {
        known.contains(&it) || !(it.starts_with("patois") || it == "rusqlite")
    });
}

#[test]
fn codebase_knows_neither_network_nor_database() {
    let known = [
        "patois-collective",
        "patois-languages",
        "patois-mining",
        "patois-syntax",
    ];
    check_dependencies("codebase", |it| {
        known.contains(&it) || !(it.starts_with("patois") || it == "rusqlite")
    });
}

#[test]
fn metrics_and_databases_know_no_model() {
    for name in ["metrics", "database"] {
        check_dependencies(name, |it| {
            !["patois-mining", "patois-synthesis", "patois-codebase"].contains(&it)
        });
    }
}

/// Checks that of all crates only `owner` has the dependencies that the test names.
fn check_only(owner: &str, is_theirs: impl Fn(&str) -> bool) {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    for name in entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        if name != owner {
            check_dependencies(&name, |it| !is_theirs(it));
        }
    }
}

#[test]
fn only_database_names_sqlite() {
    check_only("database", |it| it == "rusqlite");
}

#[test]
fn only_synthesis_multiplies_matrices() {
    check_only("synthesis", |it| it.starts_with("gemm") || it == "pulp");
}

#[test]
fn only_languages_depends_on_a_parser() {
    check_only("languages", |it| {
        it.starts_with("ruff") || it == "sqlite3-parser" || it.starts_with("tree-sitter")
    });
}

#[test]
fn only_serve_knows_sockets() {
    let theirs = ["axum", "hyper", "hyper-util", "rmcp", "tokio"];
    check_only("serve", |it| theirs.contains(&it));
}

#[test]
fn only_python_knows_its_interpreter() {
    check_only("python", |it| it == "pyo3" || it == "pythonize");
}

#[test]
fn only_the_command_line_knows_flags_and_terminals() {
    let theirs = [
        "anstream",
        "clap",
        "ctrlc",
        "indicatif",
        "miette",
        "mimalloc",
        "terminal_size",
    ];
    check_only("cli", |it| theirs.contains(&it));
}

#[test]
fn parsers_are_named_in_one_place_each() {
    for (path, source) in sources("crates/languages/src") {
        assert!(
            path.contains("/python/") || !source.contains("ruff_python"),
            "{path} names ruff"
        );
        assert!(
            path.contains("/sql/") || !source.contains("sqlite3_parser"),
            "{path} names sqlite3-parser"
        );
        assert!(
            path.contains("/tree_sitter") || !source.contains(" ::tree_sitter"),
            "{path} names tree-sitter"
        );
    }
}

#[test]
fn libraries_touch_neither_files_nor_clocks_nor_terminals() {
    for (path, source) in [
        "crates/collective/src",
        "crates/syntax/src",
        "crates/languages/src",
        "crates/mining/src",
        "crates/synthesis/src",
        "crates/metrics/src",
    ]
    .into_iter()
    .flat_map(sources)
    {
        for forbidden in [
            "std::fs",
            "std::time",
            "std::env",
            "std::io::std",
            "println!",
        ] {
            assert!(!source.contains(forbidden), "{path} uses {forbidden}");
        }
    }
}

#[test]
fn list_cells_are_known_to_few_files() {
    let found: Vec<String> = sources("crates")
        .into_iter()
        .filter(|(_, source)| {
            let mut kinds = source.split(concat!("ProductionKind", "::")).skip(1);
            kinds.any(|it| {
                it.starts_with("Present") || it.starts_with("Cons") && !it.starts_with("Construct")
            })
        })
        .filter_map(|(path, _)| Some(path.rsplit('/').next()?.to_owned()))
        .collect();
    // The last four are syntax's; the others read and show holes for lists, `$name...`, and two tell items from rests.
    let expected = [
        "plants.rs",
        "kinds.rs",
        "holes.rs",
        "direct.rs",
        "names.rs",
        "idiom_source.rs",
        "contexts.rs",
        "convert.rs",
        "cells.rs",
        "read.rs",
        "write.rs",
    ];
    assert_eq!(found, expected);
}

#[test]
fn every_module_says_what_it_is() {
    for (path, source) in ["crates", "tools"].into_iter().flat_map(sources) {
        assert!(source.starts_with("//! "), "{path} has no module comment");
    }
}

/// Clippy says the same of functions of more than 70 lines.
#[test]
fn no_file_is_longer_than_its_concept() {
    for (path, source) in ["crates", "tools"].into_iter().flat_map(sources) {
        let n_lines = source.lines().count();
        assert!(n_lines <= 600, "{path} has {n_lines} lines");
    }
}

#[test]
fn no_module_has_a_name_that_says_nothing() {
    let empty = [
        "utils", "util", "common", "helpers", "misc", "core", "base", "manager",
    ];
    let folders = ["crates", "tools"].into_iter();
    for path in folders.flat_map(|it| files(root().join(it), "rs")) {
        let name = path
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        assert!(
            !empty.contains(&name),
            "{} should say what it holds",
            path.display()
        );
    }
}

#[test]
fn nothing_is_left_to_do_without_an_issue() {
    let word = concat!("TO", "DO");
    for (path, source) in ["crates", "tools"].into_iter().flat_map(sources) {
        for (number, line) in source.lines().enumerate() {
            let is_fine = !line.contains(word) || line.contains(&format!("{word}(#"));
            assert!(is_fine, "{path}:{}: a {word} names its issue", number + 1);
        }
    }
}

/// A package holds no file from outside its folder.
#[test]
fn the_embedded_configuration_is_the_one_in_configs() {
    let embedded = read(root().join("crates/cli/src/run/default.toml"));
    assert_eq!(embedded, read(root().join("configs/default.toml")));
}

#[test]
fn every_decision_is_linked_from_the_architecture() {
    let architecture = read(root().join("ARCHITECTURE.md"));
    for path in files(root().join("docs/decisions"), "md") {
        let name = path
            .file_name()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        assert!(
            architecture.contains(&format!("docs/decisions/{name}")),
            "{name} is not linked"
        );
    }
}

fn is_source(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "rs")
}

/// A name with alternatives, `a/{b,c}.rs`, as all the names that it stands for.
fn alternatives(name: &str) -> Vec<String> {
    let Some((start, (middle, end))) = name
        .split_once('{')
        .and_then(|(start, rest)| Some((start, rest.split_once('}')?)))
    else {
        return vec![name.to_owned()];
    };
    let names = middle.split(',');
    names.map(|it| format!("{start}{it}{end}")).collect()
}

#[test]
fn the_architecture_lists_files_that_are_there() {
    let architecture = read(root().join("ARCHITECTURE.md"));
    let mut n_files = 0;
    for section in architecture.split("\n### ").skip(1) {
        let (crates, rows) = section.split_once('\n').expect("a heading ends");
        for row in rows.lines().filter(|it| it.starts_with("| `")) {
            let listed = row.split(" | ").next().unwrap_or_default();
            let names = listed.split('`').skip(1).step_by(2);
            for name in names.filter(|it| is_source(it)).flat_map(alternatives) {
                let is_there = crates.split(", ").any(|it| {
                    let folder = root().join(it);
                    let places = [folder.join("src"), folder.clone(), folder.join("..")];
                    places.iter().any(|it| it.join(&name).exists())
                });
                assert!(is_there, "{crates} has no {name}");
                n_files += 1;
            }
        }
    }
    assert!(n_files > 150, "{n_files} files");
}

/// The map from the paper: after a file, the names that are in it.
#[test]
fn the_map_of_the_paper_names_what_there_is() {
    let map = read(root().join("docs/paper-map.md"));
    let mut n_names = 0;
    for row in map.lines().filter(|it| it.starts_with("| ")) {
        let code = row.split(" | ").nth(1).unwrap_or_default();
        let mut source = String::new();
        for word in code.split('`').skip(1).step_by(2) {
            if is_source(word) {
                source = read(root().join("crates").join(word));
                continue;
            }
            let kinds = ["fn", "struct", "enum", "trait", "mod"];
            let is_there = kinds
                .iter()
                .any(|kind| source.contains(&format!("{kind} {word}")));
            assert!(is_there, "no `{word}`: {row}");
            n_names += 1;
        }
    }
    assert!(n_names > 30, "{n_names} names");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut documents = files(root().join("docs"), "md");
    documents.extend(
        [
            "README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
        ]
        .map(|name| root().join(name)),
    );
    for path in documents {
        // Every second part between fences is code.
        let prose: String = read(&path).split("```").step_by(2).collect();
        let folder = path.parent().expect("a file has a folder");
        for target in prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = target.split('#').next().unwrap_or_default();
            let is_local = !target.is_empty() && !target.contains("://");
            assert!(
                !is_local || folder.join(target).exists(),
                "{} links to {target}, which is not there",
                path.display()
            );
        }
    }
}
