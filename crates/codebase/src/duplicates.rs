//! Code that is there more than once: classes of clones, with all their places, and functions that are nearly
//! the same.

mod near;

use patois_mining::{Bits, CloneClass, Run, clones};
use patois_syntax::{Grammar, Span, SymbolId};
use serde::Serialize;

use crate::findings::{Comments, Finding, Level, Region, Related, RuleText};
use crate::local_names::LocalNames;
use crate::repository::{RepositoryPrograms, SpanCache};
use crate::source_file::SourceFile;
use near::near;

/// What findings about copies are against.
const EXACT_RULE: &str = "duplicate-code";

/// What findings about functions that are nearly the same are against.
const NEAR_RULE: &str = "similar-code";

/// A place is part of another one that has so many of its lines.
const COVERED: f64 = 0.8;

/// Code that is there more than once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Duplicate {
    /// Where it is, at least twice.
    pub places: Vec<Region>,
    /// How many lines the first place has.
    pub lines: usize,
    /// How many nodes each place has.
    pub nodes: usize,
    /// How many bits all places but one cost, under the grammar with the frequencies of the code.
    pub bits: f64,
    /// How much the places have in common, from 0 to 1; 1 where they differ in local names only.
    pub similarity: f64,
    /// The code at the first place.
    pub source: String,
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

impl Duplicate {
    /// What there is to say about it at one of its places.
    pub fn finding(&self, place: usize) -> Finding {
        let others = self.places.iter().enumerate().filter(|it| it.0 != place);
        let others: Vec<Related> = others
            .map(|(_, region)| Related {
                message: "here, too".to_owned(),
                region: region.clone(),
            })
            .collect();
        let n_others = match others.len() {
            1 => "another place".to_owned(),
            n => format!("{n} other places"),
        };
        let what = if self.is_exact() {
            "are the same".to_owned()
        } else {
            format!("are to {:.0} % the same", 100.0 * self.similarity)
        };
        let region = self.places[place].clone();
        let n_lines = region.end_line + 1 - region.line;
        Finding {
            rule: self.rule().to_owned(),
            level: Level::Warning,
            message: format!("these {n_lines} lines {what} at {n_others}"),
            region,
            related: others,
            fingerprint: String::new(),
            fix: None,
        }
    }

    /// The rules that findings are against.
    pub fn rules() -> Vec<RuleText> {
        let rule = |id: &str, title: &str, description: &str| RuleText {
            id: id.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
        };
        vec![
            rule(
                EXACT_RULE,
                "code that is there more than once",
                "Statements that follow each other are the same at several places, whatever local names are called.",
            ),
            rule(
                NEAR_RULE,
                "functions that are nearly the same",
                "Functions have most of their lines in common, in order: a literal was changed, a line put in or taken out.",
            ),
        ]
    }

    fn rule(&self) -> &'static str {
        if self.is_exact() {
            EXACT_RULE
        } else {
            NEAR_RULE
        }
    }

    fn is_exact(&self) -> bool {
        self.similarity >= 1.0
    }

    /// Whether each place of some lies in a place of this one, save for a few lines.
    fn covers(&self, places: &[Region]) -> bool {
        let is_covered =
            |place: &Region| self.places.iter().any(|it| n_shared(it, place) >= COVERED);
        places.iter().all(is_covered)
    }
}

/// Finds what is there more than once; the worst first.
pub fn find(read: &RepositoryPrograms, config: DuplicateConfig) -> Vec<Duplicate> {
    let (grammar, trees) = (&read.grammar, &read.trees);
    let blanked = config.local_names.trees(read);
    let classes = clones(grammar, &blanked, trees, config.min_nodes);
    let spans = SpanCache::new(read);
    let exact = classes
        .iter()
        .filter(|it| {
            let Run { tree, first, .. } = it.runs[0];
            !is_parameters(grammar, trees[tree.index()].symbol(first))
        })
        .filter_map(|class| duplicate(read, &spans, class));
    let mut duplicates: Vec<Duplicate> = exact.filter(|it| it.lines >= config.min_lines).collect();
    let bits = Bits::of(&blanked);
    for class in near(read, &blanked, &spans, config.min_lines, config.min_nodes) {
        let first = &blanked[class.programs[0]];
        let n_copies = (class.programs.len() - 1) as f64;
        let bits = bits.nodes(first, 0..first.n_nodes()) * n_copies * class.similarity;
        let spans = class.programs.iter().map(|&it| {
            let unit = &read.units[it];
            (&read.files[unit.file], unit.span)
        });
        // Lines that are all the same were found in another way, or differ in how names are used.
        let similarity = class.similarity.min(0.99);
        let found = of_places(spans.collect(), first.n_nodes(), bits, similarity);
        let Some(found) = found.filter(|it| !duplicates.iter().any(|old| old.covers(&it.places)))
        else {
            continue;
        };
        duplicates.retain(|old| !found.covers(&old.places));
        duplicates.push(found);
    }
    duplicates.sort_by(|left, right| right.bits.total_cmp(&left.bits));
    duplicates
}

fn duplicate(
    read: &RepositoryPrograms,
    spans: &SpanCache<'_>,
    class: &CloneClass,
) -> Option<Duplicate> {
    let places = class.runs.iter();
    let places = places.filter_map(|&run| place(read, spans, run)).collect();
    of_places(places, class.n_nodes, class.bits, 1.0)
}

/// What is at some places, unless comments say of all but one that it may be there.
fn of_places(
    mut places: Vec<(&SourceFile, Span)>,
    nodes: usize,
    bits: f64,
    similarity: f64,
) -> Option<Duplicate> {
    let rule = if similarity >= 1.0 {
        EXACT_RULE
    } else {
        NEAR_RULE
    };
    places.retain(|(file, span)| {
        let (line, _) = file.line_column(span.range().start);
        // A function has a head before its first statement.
        let last = line + usize::from(rule == NEAR_RULE);
        !Comments::of(&file.text).silences(rule, line..=last)
    });
    let (file, span) = *places.first().filter(|_| places.len() > 1)?;
    let places: Vec<Region> = places
        .iter()
        .map(|(file, span)| region(file, *span))
        .collect();
    Some(Duplicate {
        lines: places[0].end_line - places[0].line + 1,
        places,
        nodes,
        bits,
        similarity,
        source: dedented(file, span),
    })
}

/// Which share of the lines of a place another one has.
fn n_shared(one: &Region, place: &Region) -> f64 {
    if one.file != place.file {
        return 0.0;
    }
    let first = one.line.max(place.line);
    let last = one.end_line.min(place.end_line);
    let n_lines = place.end_line + 1 - place.line;
    (last + 1).saturating_sub(first) as f64 / n_lines as f64
}

/// Whether a symbol is of parameters: `a=None, b=None` is how such lists are written.
fn is_parameters(grammar: &Grammar, symbol: SymbolId) -> bool {
    grammar.symbol_type(symbol).contains("parameter")
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

/// A span as lines; what ends with a line ends in it.
fn region(file: &SourceFile, span: Span) -> Region {
    let region = Region::of(file, span);
    Region {
        end_line: region.line + file.lines(span).count() - 1,
        ..region
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

    /// A function, and the same with a change: how many duplicates there are, and how alike they are.
    fn copies(change: impl Fn(&str) -> String) -> Vec<Duplicate> {
        let body = "    rows = read(path)\n    total = 0\n    for row in rows:\n        total += row.price * 3\n        \
                    log.info('row %s', row.name)\n    if total > limit:\n        raise TooMuch(path, total)\n    \
                    write(path, total)\n    return total\n";
        let one = format!("def one(path, limit):\n{body}");
        let two = format!("def two(path, limit):\n{}", change(body));
        let sources = [("a.py".to_owned(), one), ("b.py".to_owned(), two)];
        let config = UnitConfig::default();
        let read = RepositoryPrograms::of_sources(SourceLanguage::Python, sources, &config);
        let config = DuplicateConfig {
            min_lines: 5,
            min_nodes: 40,
            local_names: LocalNames::Holes,
        };
        find(&read, config)
    }

    #[test]
    fn copies_with_a_change_are_found_as_one() {
        let check = |change: &dyn Fn(&str) -> String, is_exact: bool| {
            let found = copies(change);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].is_exact(), is_exact, "{found:?}");
            assert_eq!(found[0].places.len(), 2);
            assert!(found[0].similarity >= 0.7, "{found:?}");
        };
        check(&|it| it.to_owned(), true);
        check(&|it| it.replace("row", "line"), false);
        check(&|it| it.replace(" * 3", " * 4"), false);
        check(
            &|it| it.replace("    if total", "    audit(total)\n    if total"),
            false,
        );
        check(
            &|it| it.replace("        log.info('row %s', row.name)\n", ""),
            false,
        );
        let other = |it: &str| {
            it.replace("total", "self.a")
                .replace("path", "self.b")
                .replace("row", "self.c")
        };
        assert_eq!(copies(other), []);
    }

    #[test]
    fn a_comment_silences_a_place() {
        let found = copies(|it| it.to_owned());
        let finding = found[0].finding(1);
        assert_eq!(finding.rule, "duplicate-code");
        assert_eq!(finding.related.len(), 1);
        assert!(
            finding.message.ends_with("are the same at another place"),
            "{}",
            finding.message
        );
        let marked = |it: &str| it.replacen("(path)\n", "(path)  # patois: ignore\n", 1);
        assert_eq!(copies(marked), []);
    }
}
