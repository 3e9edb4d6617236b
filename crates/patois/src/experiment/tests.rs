//! Files of experiments, good and bad.

use super::*;
use crate::run::config::tests::documented;

fn parse(text: &str) -> Result<Experiment, ExperimentError> {
    let file: File = document::parse("e.toml", text)?;
    file.experiment("e.toml", text, &RunConfig::default())
}

const GRID: &str = r#"
    title = "Which ranking?"
    base = "base.toml"
    seeds = [1, 2]
    baseline = "none"
    set.training = { n_shards = 1, n_steps = 20 }
    [[cell]]
    name = "none"
    seeds = [1, 2, 3]
    set.training = { objective = "plain", n_steps = 10 }
    [[axis]]
    key = "idioms.mining.ranking"
    values = ["coverage", "residual"]
    [[axis]]
    key = "idioms.mining.n_idioms"
    values = [10, 20]
    [[published]]
    cell = "residual, 20"
    exact_match = 0.2
    [more_seeds]
    "coverage, 20" = [3]
"#;

#[test]
fn cells_are_listed_ones_and_the_product_of_axes() {
    let experiment = parse(GRID).unwrap();
    let names: Vec<&str> = experiment.cells.iter().map(|it| it.name.as_str()).collect();
    let expected = [
        "none",
        "coverage, 10",
        "coverage, 20",
        "residual, 10",
        "residual, 20",
    ];
    assert_eq!(names, expected);
    let (first, last) = (&experiment.cells[0], &experiment.cells[4]);
    assert_eq!(last.config.idioms.mining.n_idioms, 20);
    let training = |cell: &Cell| (cell.config.training.n_shards, cell.config.training.n_steps);
    assert_eq!((training(first), training(last)), ((1, 10), (1, 20)));
    assert_eq!(last.published.unwrap().exact_match, Some(0.2));
    let runs = experiment.runs();
    assert_eq!(runs.len(), 3 + 4 * 2 + 1);
    assert_eq!(runs[11].folder, Path::new("coverage__20/seed-3"));
    assert_eq!(runs[5].folder, Path::new("none/seed-2"));
    assert_eq!(runs[1].folder, Path::new("coverage__10/seed-1"));
    assert_eq!(runs[1].config.seed, 1);
}

#[test]
fn folds_are_an_axis_of_their_own() {
    let with_folds = GRID.replacen(
        "baseline =",
        "folds = [0, 2]\nset.n_folds = 3\nbaseline =",
        1,
    );
    let runs = parse(&with_folds).unwrap().runs();
    // Three seeds, and for the rest two, on two folds each; one has one seed more.
    assert_eq!(runs.len(), 2 * (3 + 4 * 2 + 1));
    let folders: Vec<&str> = runs[..6]
        .iter()
        .filter_map(|it| it.folder.to_str())
        .collect();
    let expected = [
        "none/fold-0-seed-1",
        "coverage__10/fold-0-seed-1",
        "coverage__20/fold-0-seed-1",
        "residual__10/fold-0-seed-1",
        "residual__20/fold-0-seed-1",
        "none/fold-2-seed-1",
    ];
    assert_eq!(folders, expected);
    assert_eq!((runs[5].config.fold, runs[5].config.seed), (Some(2), 1));
    let check = |from: &str, to: &str, expected: &str| {
        let error = parse(&with_folds.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        "[0, 2]",
        "[0, 3]",
        "has 3 folds, counted from 0, and no fold 3",
    );
    check("[0, 2]", "[2, 2]", "every fold once");
    check("set.n_folds = 3", "", "no `n_folds`");
}

#[test]
fn mistakes_name_the_cell_and_the_key() {
    let check = |from: &str, to: &str, expected: &str| {
        let error = parse(&GRID.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        "baseline = \"none\"",
        "baseline = \"nine\"",
        "no cell `nine`, but `none`",
    );
    check(
        "seeds = [1, 2, 3]",
        "seeds = []",
        "cell `none` has no seeds",
    );
    check(
        "\"coverage, 20\" =",
        "\"coverage, 30\" =",
        "no cell `coverage, 30`",
    );
    check(
        "\"coverage, 20\" = [3]",
        "\"coverage, 20\" = [2]",
        "cell `coverage, 20` has a seed twice",
    );
    check("values = [10, 20]", "values = [10, 10]", "different names");
}

/// They used to have no suggestion, and to be placed in a configuration that nobody wrote.
#[test]
fn unknown_keys_of_an_experiment_are_placed_and_have_a_suggestion() {
    let check = |from: &str, to: &str, expected: &str, help: &str| {
        let ExperimentError::Text(error) = parse(&GRID.replacen(from, to, 1)).unwrap_err() else {
            panic!("`{to}` is no mistake in the text");
        };
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(error.help().as_deref(), Some(help), "{error}");
    };
    check(
        "title = ",
        "tittle = ",
        "`e.toml`, line 2: unknown key `tittle`, expected one of `title`, `base`,",
        "did you mean `title`?",
    );
    check(
        "exact_match",
        "exactmatch",
        "`e.toml`, line 19: unknown key `exactmatch`, expected one of `cell`,",
        "did you mean `exact_match`?",
    );
    check(
        "n_idioms",
        "n_idoms",
        "`e.toml`, line 15: cell `coverage, 10`: unknown key `n_idoms`, expected one of",
        "did you mean `n_idioms`?",
    );
    check(
        "n_steps = 10",
        "n_stepz = 10",
        "`e.toml`, line 10: cell `none`: unknown key `n_stepz`, expected one of",
        "did you mean `n_steps`?",
    );
    check(
        "\"plain\"",
        "\"plane\"",
        "`e.toml`, line 10: cell `none`: unknown variant `plane`, expected one of `plain`,",
        "did you mean `plain`?",
    );
}

#[test]
fn every_key_is_documented() {
    let tables = documented("Experiments");
    assert_eq!(tables.len(), 4);
    for table in &tables {
        table.check_keys::<File>(&tables);
    }
}
