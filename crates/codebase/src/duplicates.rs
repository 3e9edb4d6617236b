//! Code that is there more than once: classes of clones, with all their places.

use patois_mining::{CloneClass, Run, clones};
use patois_syntax::Span;
use serde::Serialize;

use crate::local_names::LocalNames;
use crate::repository::{RepositoryPrograms, SpanCache};
use crate::source_file::SourceFile;

/// Code that is there more than once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Duplicate {
    /// Where it is, at least twice.
    pub places: Vec<Lines>,
    /// How many lines the first place has.
    pub lines: usize,
    /// How many nodes each place has.
    pub nodes: usize,
    /// How many bits all places but one cost, under the grammar with the frequencies of the code.
    pub bits: f64,
    /// The code at the first place.
    pub source: String,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// The file.
    pub file: String,
    /// The first line, counted from one.
    pub line: usize,
    /// The last line.
    pub end_line: usize,
}

/// Which duplicates are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateConfig {
    /// The fewest lines.
    pub min_lines: usize,
    /// The fewest nodes.
    pub min_nodes: usize,
    /// Whether local names must be the same.
    pub local_names: LocalNames,
}

/// Finds what is there more than once; the worst first.
pub fn find(read: &RepositoryPrograms, config: DuplicateConfig) -> Vec<Duplicate> {
    let (grammar, trees) = (&read.grammar, &read.trees);
    let blanked = config.local_names.trees(read);
    let classes = clones(grammar, &blanked, trees, config.min_nodes);
    let spans = SpanCache::new(read);
    let duplicates = classes
        .iter()
        .filter(|it| !is_parameters(read, it.runs[0]))
        .filter_map(|class| duplicate(read, &spans, class));
    duplicates
        .filter(|it| it.lines >= config.min_lines)
        .collect()
}

fn duplicate(
    read: &RepositoryPrograms,
    spans: &SpanCache<'_>,
    class: &CloneClass,
) -> Option<Duplicate> {
    let places: Vec<(&SourceFile, Span)> = class
        .runs
        .iter()
        .filter_map(|&run| place(read, spans, run))
        .collect();
    let (file, span) = *places.first().filter(|_| places.len() > 1)?;
    let places: Vec<Lines> = places
        .iter()
        .map(|(file, span)| lines(file, *span))
        .collect();
    Some(Duplicate {
        lines: places[0].end_line - places[0].line + 1,
        places,
        nodes: class.n_nodes,
        bits: class.bits,
        source: dedented(file, span),
    })
}

/// Whether a run is part of a list of parameters: `a=None, b=None` is how such lists are written.
fn is_parameters(read: &RepositoryPrograms, run: Run) -> bool {
    let symbol = read.trees[run.tree.index()].symbol(run.first);
    read.grammar.symbol_type(symbol).contains("parameter")
}

fn place<'r>(
    read: &'r RepositoryPrograms,
    spans: &SpanCache<'_>,
    run: Run,
) -> Option<(&'r SourceFile, Span)> {
    let program = run.tree.index();
    let spans = spans.of(program);
    let items = run.items(&read.trees[program]);
    let span = items.filter_map(|it| spans.get(it)).reduce(Span::join)?;
    Some((&read.files[read.units[program].file], span))
}

fn lines(file: &SourceFile, span: Span) -> Lines {
    let (line, _) = file.line_column(span.range().start);
    Lines {
        file: file.path.clone(),
        line,
        end_line: line + file.lines(span).count() - 1,
    }
}

/// The lines of a span, without the indentation that all of them have.
fn dedented(file: &SourceFile, span: Span) -> String {
    let lines: Vec<&str> = file.lines(span).map(|it| it.1).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let full = lines.iter().filter(|it| !it.trim().is_empty());
    let margin = full.map(indent).min().unwrap_or(0);
    let cut = |line: &&str| line.get(margin..).unwrap_or_default().to_owned();
    lines.iter().map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use patois_languages::SourceLanguage;

    use super::*;
    use crate::repository::UnitConfig;

    #[test]
    fn parameters_are_no_copies() {
        let parameters: Vec<String> = (0..30).map(|it| format!("    p{it}=None,\n")).collect();
        let parameters = parameters.concat();
        let body =
            "    a = f(1)\n    b = g(a, 2)\n    h(a, b)\n    k(b, a)\n    return a + b * a\n";
        let check = |functions: [String; 2], expected: usize| {
            let sources = [("a.py".to_owned(), functions.concat())];
            let python = SourceLanguage::Python;
            let read = RepositoryPrograms::of_sources(python, sources, &UnitConfig::default());
            let config = DuplicateConfig {
                min_lines: 3,
                min_nodes: 20,
                local_names: LocalNames::Holes,
            };
            assert_eq!(find(&read, config).len(), expected);
        };
        let header = |name: &str| format!("def {name}(\n{parameters}):\n");
        check(
            [
                header("one") + "    pass\n",
                header("two") + "    return 1\n",
            ],
            0,
        );
        check(["one", "two"].map(|it| format!("def {it}():\n{body}")), 1);
    }
}
