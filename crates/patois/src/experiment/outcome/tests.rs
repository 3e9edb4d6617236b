//! Runs that become rows, and rows that become tables.

use super::*;
use crate::run::config::RunConfig;

/// A run whose examples are called by letters, upper-case ones right.
fn run(seed: u64, fold: Option<usize>, examples: &str) -> RunOutcome {
    let letters = || examples.chars();
    RunOutcome {
        seed,
        fold,
        figures: Figures {
            exact_match: letters().filter(char::is_ascii_uppercase).count() as f64
                / examples.len() as f64,
            execution: None,
            sentence_bleu: None,
            corpus_bleu: None,
            idioms_used: 0,
            right: letters().map(|it| it.is_ascii_uppercase()).collect(),
            ids: letters()
                .map(|it| it.to_ascii_lowercase().to_string())
                .collect(),
            ln_p: Vec::new(),
            n_idioms: Vec::new(),
        },
        record: None,
    }
}

fn cell(name: &str, runs: Vec<RunOutcome>) -> CellOutcome {
    let cell = Cell {
        name: name.to_owned(),
        seeds: vec![1, 2],
        folds: vec![0, 1],
        config: RunConfig::default(),
        published: None,
    };
    CellOutcome::new(&cell, runs)
}

#[test]
fn answers_to_one_example_are_put_together() {
    let runs = || {
        vec![
            run(1, Some(0), "Ab"),
            run(1, Some(1), "CDe"),
            run(2, Some(0), "BA"),
        ]
    };
    let told = cell("told", runs());
    assert_eq!((told.outcomes, told.planned), (7, 4));
    let values = |cells: &[CellOutcome]| Shares::of(cells)[0].values();
    assert_eq!(
        values(std::slice::from_ref(&told)),
        [1.0, 0.5, 1.0, 1.0, 0.0]
    );
    // Records from before do not tell the examples: they are in the same order in every run.
    let mut before = runs();
    for run in &mut before {
        run.figures.ids.clear();
    }
    let expected = [1.0, 0.5, 1.0, 1.0, 0.0];
    assert_eq!(values(&[cell("before", before.clone()), told]), expected);
}

#[test]
fn cells_are_compared_example_by_example() {
    let mut cells = [
        cell("none", vec![run(1, None, "abcdEF"), run(2, None, "abcdeF")]),
        cell("ours", vec![run(1, None, "ABCDeF"), run(2, None, "fEDCBA")]),
        cell("part", vec![run(3, None, "AF")]),
        cell("other", vec![run(1, None, "xyz")]),
        cell("nothing", Vec::new()),
    ];
    let shares = Shares::of(&cells);
    compare(&mut cells, &shares, 0);
    let [none, ours, part, other, nothing] = cells.map(|it| it.against_baseline);
    assert!(none.is_none() && other.is_none() && nothing.is_none());
    // By hand: a to d 1 more, e the same, f half of the time less. Of 32 ways to flip five signs, four leave a sum
    // of at least 3.5: none, and that of the last, each with all flipped.
    let (ours, part) = (ours.unwrap(), part.unwrap());
    assert!((ours.mean - 3.5 / 6.0).abs() < 1e-12);
    assert!((ours.p - 4.0 / 32.0).abs() < 1e-12, "{ours:?}");
    assert!((ours.p_corrected - 8.0 / 32.0).abs() < 1e-12, "{ours:?}");
    assert_eq!((ours.runs, part.runs), ((2, 0, 0), (0, 0, 0)));
    assert!((part.mean - 0.5).abs() < 1e-12);
}

/// A `|` used to begin another column, and a tag to be one.
#[test]
fn hostile_names_stay_names() {
    let hostile = "a | b `c` ``d`` <script>x</script>\n# second [l](u) \\";
    let cell = Cell {
        name: hostile.to_owned(),
        seeds: vec![1],
        folds: Vec::new(),
        config: RunConfig::default(),
        published: None,
    };
    let outcome = Outcome {
        title: hostile.to_owned(),
        command: hostile.to_owned(),
        split: crate::corpus::Split::Dev,
        examples: 3,
        baseline: Some(hostile.to_owned()),
        cells: vec![CellOutcome::new(&cell, Vec::new())],
    };
    let markdown = outcome.to_markdown();
    let plain = r"a \| b \`c\` \`\`d\`\` \<script\>x\</script\> \# second \[l\](u) \\";
    let code = r"```a | b `c` ``d`` <script>x</script> # second [l](u) \```";
    let expected = format!(
        "# {plain}\n\n|  | runs |\n| --- | ---: |\n| {plain} | 0 of 1 |\n\nMeans over seeds on 3 \
         examples of `dev`, ± the standard deviation of a single run. Differences in exact match from {code}, \
         with 95 % intervals of a bootstrap over examples (10000 draws), each with all answers to it, and p of a \
         permutation test that flips the signs of examples (in all ways, or 100000 of them), alone and corrected for the \
         number of rows (Holm). Seen with 80 %: the difference that would have been seen, at the corrected level of 5 %, with a \
         probability of 80 %.\n\n{code}\n"
    );
    assert_eq!(markdown, expected);
}

#[test]
fn means_and_deviations() {
    let mean = Mean::of([0.1, 0.2, 0.3].into_iter()).unwrap();
    assert_eq!(mean.share(), "0.200 ± 0.100");
    assert_eq!(Mean::of([0.5].into_iter()).unwrap().share(), "0.500");
    assert_eq!(Mean::of(std::iter::empty()), None);
}
