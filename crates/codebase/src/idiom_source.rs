//! Idioms as source code with named holes: `$target = copy.copy($argument)`.
//!
//! `$name` is a hole, `$name...` one for a list, and `$name?` one that may stay empty: what is printed
//! for it alone, as the `WHERE` of `WHERE $where?`, goes with it. Equal names stand for equal code.
//!
//! A language prints whole programs only. So each hole is filled with the smallest tree that holds
//! a placeholder, a name that nobody writes, and the fragment becomes part of the smallest program
//! around it. What belongs to a hole beyond its placeholder, and what belongs to the program around
//! the fragment, shows by printing again with something else there: it is what differs.

mod direct;
mod fillings;
mod names;
mod placeholders;

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_languages::SourceLanguage;
use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_languages::tree_sitter::TreeSitter;
use patois_syntax::{
    Fragment, FragmentNode, Grammar, HoleId, Label, Language, NodeId, ProductionId, ProductionKind,
    SymbolId, SymbolKind, Tree,
};

use fillings::{Filler, Fillings, Step};
pub(crate) use names::hole_names;
use placeholders::{MAX_HOLES, Mark};

/// Prints fragments of a grammar as source code.
///
/// ```
/// use patois_codebase::idiom_source::IdiomPrinter;
/// use patois_languages::python::Python;
/// use patois_syntax::{Fragment, Grammar, Language};
///
/// let grammar = Grammar::from_schema(Python.schema().unwrap());
/// let printer = IdiomPrinter::python(&grammar);
/// let fragment = Fragment::parse(&grammar, "(Assign [(Name ?x)] (BinOp (Name ?x) ?op ?by))")?;
/// assert_eq!(printer.print(&fragment), "$1 = $1 $op $right");
/// # Ok::<(), patois_syntax::ParseError>(())
/// ```
pub struct IdiomPrinter<'g> {
    grammar: &'g Grammar,
    language: Arc<dyn Language>,
    fillings: Fillings,
    /// The language again, where it prints fragments as they are.
    direct: Option<Arc<TreeSitter>>,
}

/// What is larger is no idiom that anybody would read.
const MAX_NODES: usize = 5000;

/// How many other trees are tried to see what belongs to a hole.
const MAX_ALTERNATIVES: usize = 6;

/// How deep they differ in everything from what they are compared to.
const ALTERNATIVE_DEPTH: usize = 3;

impl<'g> IdiomPrinter<'g> {
    /// A printer for Python.
    pub fn python(grammar: &'g Grammar) -> IdiomPrinter<'g> {
        IdiomPrinter::new(grammar, Arc::new(Python))
    }

    /// A printer for SQL, over a database whose columns and tables are the holes.
    pub fn sql(grammar: &'g Grammar, mode: Mode) -> IdiomPrinter<'g> {
        IdiomPrinter::new(grammar, Arc::new(Sql::new(placeholders::database(), mode)))
    }

    /// A printer for the language of a corpus.
    pub fn named(language: &str, grammar: &'g Grammar, mode: Mode) -> IdiomPrinter<'g> {
        match language {
            "sql" => IdiomPrinter::sql(grammar, mode),
            _ => IdiomPrinter::python(grammar),
        }
    }

    /// A printer for a language without references.
    pub fn new(grammar: &'g Grammar, language: Arc<dyn Language>) -> IdiomPrinter<'g> {
        let fillings = Fillings::new(grammar, language.as_ref());
        IdiomPrinter {
            grammar,
            language,
            fillings,
            direct: None,
        }
    }

    /// A printer for the language of source files.
    pub fn of_sources(grammar: &'g Grammar, language: &SourceLanguage) -> IdiomPrinter<'g> {
        match language {
            SourceLanguage::Python => IdiomPrinter::python(grammar),
            SourceLanguage::TreeSitter(language) => IdiomPrinter {
                grammar,
                language: Arc::<TreeSitter>::clone(language),
                fillings: Fillings::default(),
                direct: Some(Arc::clone(language)),
            },
        }
    }

    /// The fragment as source code, or in the [notation](patois_syntax::notation) where the
    /// language has no way to print it.
    pub fn print(&self, fragment: &Fragment) -> String {
        self.source(fragment)
            .unwrap_or_else(|| fragment.display(self.grammar).to_string())
    }

    /// The fragment as source code, where the language has a way to print it.
    pub(crate) fn source(&self, fragment: &Fragment) -> Option<String> {
        self.source_named(fragment, &hole_names(self.grammar, fragment))
    }

    /// As [`IdiomPrinter::source`], with other names for the holes.
    pub(crate) fn source_named(&self, fragment: &Fragment, names: &[String]) -> Option<String> {
        if fragment.n_nodes() > MAX_NODES {
            return None;
        }
        if let Some(language) = &self.direct {
            return direct::source(language, self.grammar, fragment, names);
        }
        let steps = self
            .fillings
            .context(self.grammar, fragment.root_symbol())?;
        let drawing = Drawing::new(self, fragment, &steps)?;
        let holes: Vec<Range<usize>> = (0..drawing.holes.len())
            .map(|hole| drawing.region_of_hole(hole))
            .collect::<Option<_>>()?;
        let region = drawing.region_of_fragment(&holes)?;
        let text = drawing.with_names(region, &holes, names)?;
        // The rest of a list goes on behind a comma.
        Some(match text.strip_prefix(',') {
            Some(rest) => rest.trim_start().to_owned(),
            None => text,
        })
    }

    fn filler(&self) -> Filler<'_> {
        Filler {
            grammar: self.grammar,
            language: self.language.as_ref(),
            fillings: &self.fillings,
        }
    }

    /// The text of a tree inside of the program that `steps` lead through.
    fn text(&self, steps: &[Step], labels: &[Label]) -> Option<String> {
        let program = self.filler().embed(steps, labels)?;
        let tree = Tree::from_labels(self.grammar, self.grammar.root(), &program).ok()?;
        let text = self.language.print(&self.grammar.ast(&tree)).ok()?;
        Some(placeholders::without_any_table(&text))
    }

    /// Other small trees for a symbol than the one that holds its placeholder.
    fn alternatives(&self, symbol: SymbolId, hole: usize) -> Vec<Vec<Label>> {
        let is_marked = self.fillings.is_marked(symbol);
        let empty = self.empty(symbol).filter(|_| !is_marked);
        let mut alternatives: Vec<Vec<Label>> = empty
            .map(|id| vec![Label::Production(id)])
            .into_iter()
            .collect();
        let (around, item) = self.item(symbol);
        let mark = Mark::Other(hole);
        let mut trees: Vec<Vec<Label>> = Vec::new();
        for &id in self.grammar.expansions(item) {
            let mut tree = Vec::new();
            let is_there = self
                .filler()
                .all_marked(id, mark, ALTERNATIVE_DEPTH, &mut tree);
            trees.extend(is_there.and_then(|()| self.around(around, tree)));
        }
        trees.sort_by_key(Vec::len);
        trees.truncate(MAX_ALTERNATIVES);
        alternatives.extend(trees);
        alternatives
    }

    /// The smallest tree for a symbol that has something in it, with a placeholder if possible.
    fn filling(&self, symbol: SymbolId, mark: Mark) -> Option<Vec<Label>> {
        let mut labels = Vec::new();
        if self.fillings.is_marked(symbol) {
            self.filler().symbol(symbol, mark, &mut labels)?;
            return Some(labels);
        }
        let (around, item) = self.item(symbol);
        self.filler().symbol(item, Mark::Plain, &mut labels)?;
        self.around(around, labels)
    }

    /// A list or option that holds just `item`.
    fn around(&self, cell: Option<ProductionId>, item: Vec<Label>) -> Option<Vec<Label>> {
        let Some(cell) = cell else {
            return Some(item);
        };
        let mut labels = vec![Label::Production(cell)];
        labels.extend(item);
        for &rest in &self.grammar.production(cell).rhs[1..] {
            self.filler().symbol(rest, Mark::Plain, &mut labels)?;
        }
        Some(labels)
    }

    /// The production that ends a list or leaves out an option.
    fn empty(&self, symbol: SymbolId) -> Option<ProductionId> {
        let production_of = |kind| self.grammar.production_of(symbol, kind);
        production_of(ProductionKind::Nil).or_else(|| production_of(ProductionKind::Absent))
    }

    /// What a list or option holds, and the production that holds it.
    fn item(&self, symbol: SymbolId) -> (Option<ProductionId>, SymbolId) {
        let (kind, item) = match self.grammar.symbol_kind(symbol) {
            SymbolKind::Optional(item) => (ProductionKind::Present, item),
            SymbolKind::Many(item) => (ProductionKind::Cons, item),
            SymbolKind::NonEmpty(item, _) => (ProductionKind::First, item),
            SymbolKind::Node | SymbolKind::Text | SymbolKind::Reference => return (None, symbol),
        };
        (self.grammar.production_of(symbol, kind), item)
    }

    /// Whether a symbol stands in lists and options only, so that these belong to it.
    fn is_only_in_cells(&self, symbol: SymbolId) -> bool {
        (0..self.grammar.n_productions())
            .map(|it| self.grammar.production(ProductionId::new(it)))
            .filter(|it| it.rhs.contains(&symbol))
            .all(|it| !matches!(it.kind, ProductionKind::Construct(_)))
    }
}

/// A place of a hole.
struct HolePlace {
    hole: HoleId,
    symbol: SymbolId,
    /// What its placeholder looks like; none where there is none.
    placeholder: Option<String>,
    labels: Vec<Label>,
}

/// A fragment with its holes filled in, as text.
struct Drawing<'p> {
    printer: &'p IdiomPrinter<'p>,
    fragment: &'p Fragment,
    steps: &'p [Step],
    holes: Vec<HolePlace>,
    text: String,
}

impl<'p> Drawing<'p> {
    fn new(
        printer: &'p IdiomPrinter<'p>,
        fragment: &'p Fragment,
        steps: &'p [Step],
    ) -> Option<Drawing<'p>> {
        let mut drawing = Drawing {
            printer,
            fragment,
            steps,
            holes: hole_places(printer, fragment)?,
            text: String::new(),
        };
        drawing.text = printer.text(steps, &drawing.labels(None))?;
        Some(drawing)
    }

    /// The fragment with its holes filled in, one of them with something else.
    fn labels(&self, other: Option<(usize, &[Label])>) -> Vec<Label> {
        let mut labels = Vec::new();
        let mut hole = 0;
        for node in self.fragment.nodes() {
            match *node {
                FragmentNode::Fixed(label) => labels.push(label),
                FragmentNode::Hole(_) => {
                    match other {
                        Some((it, other)) if it == hole => labels.extend(other),
                        _ => labels.extend(&self.holes[hole].labels),
                    }
                    hole += 1;
                }
            }
        }
        labels
    }

    /// The part of the text that stands for a hole.
    ///
    /// Something else in a hole may change the text elsewhere too: what most changes agree on is
    /// the hole. Where there is no placeholder to hold on to, it is all that ever changes.
    fn region_of_hole(&self, hole: usize) -> Option<Range<usize>> {
        let place = &self.holes[hole];
        let regions = self.changes(hole).into_iter();
        let Some(placeholder) = &place.placeholder else {
            let all = regions.reduce(join);
            return all.filter(|it| !it.is_empty());
        };
        let start = self.text.find(placeholder)?;
        let own = start..start + placeholder.len();
        let mut votes: IndexMap<(usize, usize), usize> = IndexMap::new();
        for region in regions {
            let region = join(region, own.clone());
            if !self.holds_other_holes(&region, hole) {
                *votes.entry((region.start, region.end)).or_default() += 1;
            }
        }
        let most = votes
            .into_iter()
            .max_by_key(|&((start, end), count)| (count, end - start, start));
        Some(most.map_or(own, |((start, end), _)| start..end))
    }

    /// What changes with something else in a hole, one region for each tree that was tried.
    fn changes(&self, hole: usize) -> Vec<Range<usize>> {
        let others = self.printer.alternatives(self.holes[hole].symbol, hole);
        let texts = others.iter().filter_map(|other| {
            let labels = self.labels(Some((hole, other)));
            self.printer.text(self.steps, &labels)
        });
        texts
            .filter_map(|text| difference(&self.text, &text))
            .filter(|region| !self.holds_other_holes(region, hole))
            .collect()
    }

    fn holds_other_holes(&self, region: &Range<usize>, hole: usize) -> bool {
        let text = &self.text[region.clone()];
        let others = self.holes.iter().enumerate().filter(|it| it.0 != hole);
        let mut placeholders = others.filter_map(|(_, it)| it.placeholder.as_ref());
        placeholders.any(|it| text.contains(it.as_str()))
    }

    /// The part of the text that is not the program around the fragment.
    fn region_of_fragment(&self, holes: &[Range<usize>]) -> Option<Range<usize>> {
        let whole = trimmed(&self.text, 0..self.text.len());
        if self.is_whole_program() {
            return Some(whole);
        }
        let symbol = self.fragment.root_symbol();
        let printer = self.printer;
        let mut others: Vec<Option<String>> = printer
            .alternatives(symbol, self.holes.len())
            .iter()
            .map(|other| printer.text(self.steps, other))
            .collect();
        let mut marked = Vec::new();
        let mark = Mark::Other(self.holes.len());
        if printer.filler().symbol(symbol, mark, &mut marked).is_some() {
            others.push(printer.text(self.steps, &marked));
        }
        others.push(self.text_without());
        let found = others.iter().flatten();
        let mut region = found
            .filter_map(|other| difference(&self.text, other))
            .reduce(join)?;
        for hole in holes {
            region = join(region, hole.clone());
        }
        if self.text[region.clone()].contains('\n') {
            // What takes several lines begins on a line of its own.
            region.start = self.text[..region.start].rfind('\n').map_or(0, |it| it + 1);
        }
        Some(trimmed(&self.text, region))
    }

    /// Whether the program around the fragment adds nothing to it.
    fn is_whole_program(&self) -> bool {
        let grammar = self.printer.grammar;
        let Some((first, cells)) = self.steps.split_first() else {
            return true;
        };
        let rhs = &grammar.production(first.production).rhs;
        let others = rhs.iter().enumerate().filter(|it| it.0 != first.child);
        let is_cell = |step: &Step| {
            let kind = grammar.production(step.production).kind;
            !matches!(kind, ProductionKind::Construct(_))
        };
        others
            .map(|(_, &symbol)| symbol)
            .all(|symbol| self.printer.empty(symbol).is_some())
            && cells.iter().all(is_cell)
    }

    /// The text of the program without the fragment, where it can do without.
    fn text_without(&self) -> Option<String> {
        let symbol = self.fragment.root_symbol();
        if let Some(empty) = self.printer.empty(symbol) {
            return self.printer.text(self.steps, &[Label::Production(empty)]);
        }
        if !self.printer.is_only_in_cells(symbol) {
            return None;
        }
        let (cell, above) = self.steps.split_last()?;
        let list = self.printer.grammar.production(cell.production).lhs;
        let empty = self.printer.empty(list)?;
        self.printer.text(above, &[Label::Production(empty)])
    }

    /// The text of the fragment, with the names of the holes where these are.
    fn with_names(
        &self,
        region: Range<usize>,
        holes: &[Range<usize>],
        names: &[String],
    ) -> Option<String> {
        let mut order: Vec<usize> = (0..holes.len()).collect();
        order.sort_by_key(|&hole| holes[hole].start);
        let mut text = String::new();
        let mut at = region.start;
        for hole in order {
            // Holes that cannot be told apart cannot be shown.
            text += self.text.get(at..holes[hole].start)?;
            text += &names[self.holes[hole].hole.index()];
            at = holes[hole].end;
        }
        text += self.text.get(at..region.end)?;
        // A text may be printed a second time.
        for place in &self.holes {
            if let Some(placeholder) = &place.placeholder {
                text = text.replace(placeholder, &names[place.hole.index()]);
            }
        }
        let line = self.text[..region.start].rfind('\n').map_or(0, |it| it + 1);
        let indent = &self.text[line..region.start];
        if !indent.is_empty() && indent.chars().all(|it| it == ' ') {
            text = text.replace(&format!("\n{indent}"), "\n");
        }
        Some(text)
    }
}

fn hole_places(printer: &IdiomPrinter<'_>, fragment: &Fragment) -> Option<Vec<HolePlace>> {
    let filler = printer.filler();
    let mut places: Vec<HolePlace> = Vec::new();
    for (index, node) in fragment.nodes().iter().enumerate() {
        let FragmentNode::Hole(hole) = *node else {
            continue;
        };
        let symbol = fragment.symbol(NodeId::new(index));
        let mark = Mark::Hole(places.len());
        let placeholder = filler.marked_leaf(symbol).and_then(|leaf| {
            placeholders::spelling(printer.grammar, printer.language.as_ref(), leaf, mark)
        });
        let labels = printer.filling(symbol, mark)?;
        places.push(HolePlace {
            hole,
            symbol,
            placeholder,
            labels,
        });
    }
    let is_placeholder = |text: &str| {
        let mut placeholders = places.iter().filter_map(|it| it.placeholder.as_ref());
        placeholders.any(|it| text.contains(it.as_str()))
    };
    let is_taken = fragment.nodes().iter().any(|node| match node {
        FragmentNode::Fixed(Label::Text(text)) => is_placeholder(text.as_str()),
        _ => false,
    });
    (places.len() < MAX_HOLES && !is_taken).then_some(places)
}

/// The part of `text` that is not as in `other`; none where they are equal.
fn difference(text: &str, other: &str) -> Option<Range<usize>> {
    if text == other {
        return None;
    }
    let equal = |(a, b): &(char, char)| a == b;
    let before: usize = text
        .chars()
        .zip(other.chars())
        .take_while(equal)
        .map(|it| it.0.len_utf8())
        .sum();
    let after: usize = text[before..]
        .chars()
        .rev()
        .zip(other[before..].chars().rev())
        .take_while(equal)
        .map(|it| it.0.len_utf8())
        .sum();
    let mut region = before..text.len() - after;
    // `**x` and `*x` differ in both stars.
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes[region.clone()].first()
        && b"*=<>/".contains(&byte)
        && region.start > 0
        && bytes[region.start - 1] == byte
    {
        region.start -= 1;
    }
    Some(trimmed(text, region))
}

fn trimmed(text: &str, region: Range<usize>) -> Range<usize> {
    let part = &text[region.clone()];
    let start = region.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

fn join(region: Range<usize>, other: Range<usize>) -> Range<usize> {
    region.start.min(other.start)..region.end.max(other.end)
}

#[cfg(test)]
mod tests;
