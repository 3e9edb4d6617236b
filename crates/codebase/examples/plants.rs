//! Plants bugs and looks whether `check` finds them: `cargo run --release -p patois-codebase --all-features
//! --example plants -- 50 7 FOLDER...`, for 50 plants in each folder, drawn with seed 7.
//!
//! Idioms are mined by byte pairs, which know nothing of the contexts that `check` counts. Of an idiom with
//! 20 places, a part is drawn that is there at 90 % of the places that could have it; at one place it is
//! left out, replaced by other code of the same kind, or swapped with its neighbour. The plant is found if
//! one of the first twenty findings is on its lines and was not there before.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use patois_codebase::check::{CheckConfig, Deviation, check};
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, RepositoryPrograms, Taken, UnitConfig};
use patois_codebase::{mine, mining_config};
use patois_mining::MinerKind;
use patois_syntax::{
    Fragment, FragmentIndex, FragmentNode, HoleId, Label, NodeId, NodeSpans, ProductionKind, Span,
    Tree,
};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MIN_PLACES: usize = 20;
const MIN_SHARE: f64 = 0.9;
const N_IDIOMS: usize = 400;
const N_FIRST: usize = 20;
/// What is put in place of something is at most so large.
const MAX_NODES: usize = 8;
const MAX_TRIES: usize = 200;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_none() {
        println!("usage: plants PLANTS SEED FOLDER...");
        return Ok(());
    }
    let mut number = |what: &str| -> Result<u64, Failure> {
        let text = arguments.next().ok_or(format!("expected {what}"))?;
        Ok(text.parse()?)
    };
    let (n_plants, seed) = (number("how many plants")?, number("a seed")?);
    let units = UnitConfig {
        tests: Taken::Skip,
        generated: Taken::Skip,
        ..UnitConfig::default()
    };
    let mut all = Score::default();
    for folder in arguments.map(PathBuf::from) {
        let found = Repository::find(std::slice::from_ref(&folder), &units)?;
        // The language with the most files.
        let languages = found.files.iter().max_by_key(|it| it.1.len());
        let (language, _) = languages.ok_or("expected source files")?;
        let read = found.parse(language, &units, &|| ());
        println!("{}", folder.display());
        let score = plant_all(&read, &units, n_plants as usize, seed)?;
        println!("{score}\n");
        all.add(score);
    }
    println!("all: {all}");
    Ok(())
}

#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_field_names,
    reason = "all of them are numbers of plants"
)]
struct Score {
    n_plants: usize,
    n_first: usize,
    n_anywhere: usize,
    n_new: usize,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.n_plants += other.n_plants;
        self.n_first += other.n_first;
        self.n_anywhere += other.n_anywhere;
        self.n_new += other.n_new;
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |n: usize| n as f64 / self.n_plants.max(1) as f64;
        let Score {
            n_plants,
            n_first,
            n_anywhere,
            n_new,
        } = *self;
        write!(
            f,
            "{n_plants} plants: {n_first} among the first {N_FIRST} ({:.2}), {n_new} among the first {N_FIRST} \
             that a baseline does not know ({:.2}), {n_anywhere} at all ({:.2})",
            share(n_first),
            share(n_new),
            share(n_anywhere)
        )
    }
}

fn plant_all(
    read: &RepositoryPrograms,
    units: &UnitConfig,
    n_plants: usize,
    seed: u64,
) -> Result<Score, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let targets = targets(read, &mut rng)?;
    let with_idioms = std::env::var_os("PLANTS_WITHOUT_IDIOMS").is_none();
    let idioms = targets
        .iter()
        .filter(|_| with_idioms)
        .map(|it| it.fragment.clone());
    let idioms: Vec<Fragment> = idioms.collect();
    let before: BTreeSet<(String, String, String)> = check(read, &idioms, &CheckConfig::default())
        .found
        .iter()
        .map(key)
        .collect();
    println!("  {} findings, {} idioms", before.len(), targets.len());
    let mut score = Score::default();
    while score.n_plants < n_plants {
        let Some(plant) = (0..MAX_TRIES).find_map(|_| draw(read, &targets, units, &mut rng)) else {
            break;
        };
        score.n_plants += 1;
        let now = planted(read, &plant, units);
        // The library was mined before, as one that is kept with the code is.
        let fragments = idioms.iter().filter_map(|it| {
            let notation = it.display(&read.grammar).to_string();
            Fragment::parse(&now.grammar, &notation).ok()
        });
        let fragments: Vec<Fragment> = fragments.collect();
        let found = check(&now, &fragments, &CheckConfig::default()).found;
        let is_new = |it: &&Deviation| !before.contains(&key(it));
        let is_plant = |it: &Deviation| {
            let region = &it.finding.region;
            let is_there = region.line <= plant.lines.end && plant.lines.start <= region.end_line;
            is_there && region.file == read.files[plant.file].path && is_new(&it)
        };
        let rank = found.iter().position(is_plant);
        let rank_of_new = found.iter().filter(is_new).position(is_plant);
        score.n_first += usize::from(rank.is_some_and(|it| it < N_FIRST));
        score.n_new += usize::from(rank_of_new.is_some_and(|it| it < N_FIRST));
        score.n_anywhere += usize::from(rank.is_some());
        let rank = rank.map_or("-".to_owned(), |it| (it + 1).to_string());
        println!("  {rank:>4} {}", plant.what);
    }
    Ok(score)
}

/// What tells findings apart that were there before.
fn key(deviation: &Deviation) -> (String, String, String) {
    let region = &deviation.finding.region;
    let (file, text) = (region.file.clone(), region.text.clone());
    (deviation.rule.id.clone(), file, text)
}

/// An idiom with the parts that can be altered, and its places.
struct Target {
    fragment: Fragment,
    parts: Vec<NodeId>,
    places: Vec<(usize, NodeId)>,
}

/// Idioms with support, and the parts of them that nearly all places have that could.
fn targets(read: &RepositoryPrograms, rng: &mut impl Rng) -> Result<Vec<Target>, Failure> {
    let mut config = mining_config(read);
    config.miner = MinerKind::BytePairs;
    config.n_idioms = N_IDIOMS;
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let mined = mine(read, LocalNames::Holes, &config, rng, &mut go_on)?;
    let mut targets = Vec::new();
    for (_, idiom) in mined.library.iter() {
        let fragment = &idiom.fragment;
        let nodes = (1..fragment.n_nodes()).map(NodeId::new);
        let is_fixed = |it: &NodeId| matches!(fragment.node(*it), FragmentNode::Fixed(_));
        let parts: Vec<NodeId> = nodes.filter(is_fixed).collect();
        let with_holes = parts.iter().filter_map(|&part| {
            let holed = without(read, fragment, part)?;
            Some((part, holed))
        });
        let (parts, holed): (Vec<NodeId>, Vec<Fragment>) = with_holes.unzip();
        let all = std::iter::once(fragment).chain(&holed);
        let mut places = vec![Vec::new(); holed.len() + 1];
        let index = FragmentIndex::new(all);
        for (program, tree) in read.trees.iter().enumerate() {
            index.find(tree, |fragment, node, _| {
                places[fragment].push((program, node));
            });
        }
        let own = places.remove(0);
        let is_usual = |n_places: usize| own.len() as f64 >= MIN_SHARE * n_places as f64;
        let usual = parts.into_iter().zip(&places);
        let usual = usual.filter(|it| is_usual(it.1.len())).map(|it| it.0);
        let parts: Vec<NodeId> = usual.collect();
        if own.len() >= MIN_PLACES && !parts.is_empty() {
            targets.push(Target {
                fragment: fragment.clone(),
                parts,
                places: own,
            });
        }
    }
    Ok(targets)
}

/// The fragment with a hole for one of its parts.
fn without(read: &RepositoryPrograms, fragment: &Fragment, part: NodeId) -> Option<Fragment> {
    let nodes = fragment.nodes();
    let (before, behind) = (&nodes[..part.index()], &nodes[fragment.end(part).index()..]);
    let hole = FragmentNode::Hole(HoleId::new(fragment.n_holes()));
    let nodes = before
        .iter()
        .copied()
        .chain([hole])
        .chain(behind.iter().copied());
    Fragment::from_nodes(&read.grammar, fragment.root_symbol(), nodes).ok()
}

/// A file with a bug.
struct Plant {
    file: usize,
    text: String,
    /// The lines that the bug is on.
    lines: Range<usize>,
    what: String,
}

fn draw(
    read: &RepositoryPrograms,
    targets: &[Target],
    units: &UnitConfig,
    rng: &mut impl Rng,
) -> Option<Plant> {
    let target = targets.choose(rng)?;
    let &part = target.parts.choose(rng)?;
    let &(program, root) = target.places.choose(rng)?;
    let tree = &read.trees[program];
    let positions = target.fragment.positions(tree, root);
    let node = positions.map(|it| it.1).nth(part.index())?;
    let spans = read.spans(program);
    let file = read.units[program].file;
    let text = &read.files[file].text;
    let edit = alter(read, program, &spans, node, rng)?;
    let changed = [
        &text[..edit.range.start],
        &edit.text,
        &text[edit.range.end..],
    ]
    .concat();
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let plant = Plant {
        file,
        lines: line(edit.range.start)..line(edit.range.end),
        what: format!(
            "{}:{}: {} `{}` by `{}`",
            read.files[file].path,
            line(edit.range.start),
            edit.how,
            short(&text[edit.range.clone()]),
            short(&edit.text)
        ),
        text: changed,
    };
    // It must be a program all the same, and no longer have the idiom there.
    let one = |text: &str| {
        let source = [(read.files[file].path.clone(), text.to_owned())];
        RepositoryPrograms::of_sources(read.language.clone(), source, units)
    };
    let (old, new) = (one(text), one(&plant.text));
    let notation = target.fragment.display(&read.grammar).to_string();
    let n_places = |read: &RepositoryPrograms| {
        // Without one of its productions, a fragment is nowhere.
        let fragment = Fragment::parse(&read.grammar, &notation).ok();
        let trees = fragment
            .iter()
            .flat_map(|it| read.trees.iter().map(move |tree| (it, tree)));
        trees
            .map(|(fragment, tree)| fragment.occurrences(tree).count())
            .sum::<usize>()
    };
    let is_whole = new.figures.faults <= old.figures.faults && new.figures.files == 1;
    (is_whole && n_places(&new) < n_places(&old)).then_some(plant)
}

fn short(code: &str) -> String {
    let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(50).collect()
}

/// Text of a file that becomes other text.
struct Edit {
    range: Range<usize>,
    text: String,
    how: &'static str,
}

fn alter(
    read: &RepositoryPrograms,
    program: usize,
    spans: &NodeSpans,
    node: NodeId,
    rng: &mut impl Rng,
) -> Option<Edit> {
    let tree = &read.trees[program];
    let text = &read.files[read.units[program].file].text;
    let Label::Production(id) = tree.label(node) else {
        return replace(read, tree, spans, node, rng);
    };
    match read.grammar.production(id).kind {
        ProductionKind::Construct(_) => replace(read, tree, spans, node, rng),
        ProductionKind::Cons | ProductionKind::First => {
            let item = NodeId::new(node.index() + 1);
            let rest = tree.end(item);
            let own = spans.get(item)?.range();
            let next = is_cons(read, tree, rest).then(|| NodeId::new(rest.index() + 1));
            let next = next.and_then(|it| spans.get(it)).map(Span::range);
            if let (Some(next), true) = (&next, rng.random_bool(0.3)) {
                let between = &text[own.end..next.start];
                let swapped = [&text[next.clone()], between, &text[own.clone()]].concat();
                return Some(Edit {
                    range: own.start..next.end,
                    text: swapped,
                    how: "swapped",
                });
            }
            Some(Edit {
                range: own.start..next.map_or(own.end, |it| it.start),
                text: String::new(),
                how: "left out",
            })
        }
        ProductionKind::Present => {
            let range = spans.get(node)?.range();
            Some(Edit {
                range,
                text: String::new(),
                how: "left out",
            })
        }
        ProductionKind::Nil | ProductionKind::Absent => None,
    }
}

fn is_cons(read: &RepositoryPrograms, tree: &Tree, node: NodeId) -> bool {
    match tree.label(node) {
        Label::Production(id) => read.grammar.production(id).kind == ProductionKind::Cons,
        _ => false,
    }
}

/// Code of the same kind from anywhere in the code base.
fn replace(
    read: &RepositoryPrograms,
    tree: &Tree,
    spans: &NodeSpans,
    node: NodeId,
    rng: &mut impl Rng,
) -> Option<Edit> {
    let symbol = tree.symbol(node);
    let range = spans.get(node)?.range();
    let donor = rng.random_range(0..read.trees.len());
    let other = &read.trees[donor];
    let fits = |it: &NodeId| {
        other.symbol(*it) == symbol
            && other.subtree(*it).len() <= MAX_NODES
            && other.subtree(*it) != tree.subtree(node)
    };
    let candidates: Vec<NodeId> = other.nodes().filter(fits).collect();
    let &chosen = candidates.choose(rng)?;
    let source = read.spans(donor).get(chosen)?.range();
    let text = read.files[read.units[donor].file].text[source].to_owned();
    Some(Edit {
        range,
        text,
        how: "replaced",
    })
}

/// The code base with the bug in it.
fn planted(read: &RepositoryPrograms, plant: &Plant, units: &UnitConfig) -> RepositoryPrograms {
    let files = read.files.iter().enumerate();
    let sources = files.map(|(index, file)| {
        let text = if index == plant.file {
            &plant.text
        } else {
            &file.text
        };
        (file.path.clone(), text.clone())
    });
    RepositoryPrograms::of_sources(read.language.clone(), sources, units)
}
