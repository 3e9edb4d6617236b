//! How many of the columns and tables that Spider's queries need are linked to the questions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Programs, Split};
use patois::spec::Topics;
use patois::spec::linking::ValueCache;
use patois_languages::sql::Mode;
use patois_syntax::{Grammar, Label, Tree};
use patois_synthesis::{Item, LinkKind, Linking};

/// How many things there are, and how many of them were found by each kind of link.
#[derive(Debug, Default)]
struct Found {
    needed: usize,
    name: usize,
    part: usize,
    value: usize,
    any: usize,
}

impl Found {
    fn count(&mut self, kinds: &BTreeSet<LinkKind>) {
        self.needed += 1;
        self.name += usize::from(kinds.contains(&LinkKind::Name));
        self.part += usize::from(kinds.contains(&LinkKind::PartOfName));
        self.value += usize::from(kinds.contains(&LinkKind::Value));
        self.any += usize::from(!kinds.is_empty());
    }

    fn share(&self, part: usize) -> f64 {
        100.0 * part as f64 / self.needed as f64
    }
}

/// The columns and tables that a query points at, without `*`.
fn needed((grammar, tree): (&Grammar, &Tree)) -> BTreeSet<Item> {
    let items = tree.nodes().filter_map(|node| match tree.label(node) {
        Label::Reference(index) => {
            let index = index as usize;
            match grammar.symbol_type(tree.symbol(node)) {
                "table" => Some(Item::Table(index)),
                _ => (index > 0).then_some(Item::Column(index)),
            }
        }
        Label::Production(_) | Label::Text(_) => None,
    });
    items.collect()
}

fn spider(data: &Path, mode: Mode) -> Result<Programs, Box<dyn std::error::Error>> {
    let dir = DataDir::locate(Some(data));
    let corpus = Corpus::open("spider", &dir, &CorpusOptions::default())?;
    let languages = Languages::of_corpus(&corpus, mode)?;
    Ok(corpus.parse(&languages)?)
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_most_columns_and_tables_of_spider_are_linked() {
    let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    let data = Path::new(&data);
    // Tables stand in FROM clauses; so do the columns that join them, which no question names.
    let programs = spider(data, Mode::Full).unwrap();
    let paper = spider(data, Mode::Paper).unwrap();
    let shorter: BTreeMap<&str, &Tree> = paper
        .iter()
        .map(|(example, tree)| (example.id.as_str(), tree))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let cache = ValueCache::in_folder(folder.path());
    for what in ["read", "kept"] {
        let started = Instant::now();
        Topics::linked(&programs.corpus, Linking::Values, &cache).unwrap();
        println!("values {what} in {:.2} s", started.elapsed().as_secs_f64());
    }
    let topics = Topics::linked(&programs.corpus, Linking::Values, &cache).unwrap();
    for split in [Split::Train, Split::Dev] {
        let (mut columns, mut tables) = (Found::default(), Found::default());
        let (mut n_linked, mut n_right) = ([0; 5], [0; 5]);
        let (mut n_specs, mut seconds) = (0, 0.0);
        for (example, tree) in programs.iter().filter(|it| it.0.split == split) {
            let Some(shorter) = shorter.get(example.id.as_str()) else {
                continue;
            };
            let started = Instant::now();
            let spec = topics.spec(example);
            seconds += started.elapsed().as_secs_f64();
            n_specs += 1;
            let mut needed = needed((&programs.grammar, tree));
            needed.retain(|item| matches!(item, Item::Table(_)));
            needed.extend(self::needed((&paper.grammar, shorter)));
            for &item in &needed {
                let links = spec.links.iter().filter(|link| link.item == item);
                let kinds = links.map(|link| link.kind).collect();
                match item {
                    Item::Column(_) => columns.count(&kinds),
                    Item::Table(_) => tables.count(&kinds),
                }
            }
            let linked: BTreeSet<(LinkKind, Item)> =
                spec.links.iter().map(|it| (it.kind, it.item)).collect();
            for (kind, item) in linked {
                n_linked[kind as usize] += 1;
                n_right[kind as usize] += usize::from(needed.contains(&item));
            }
        }
        for (what, found) in [("columns", &columns), ("tables", &tables)] {
            println!(
                "{split} {what}: {} needed, by name {:.1} %, part {:.1} %, value {:.1} %, any {:.1} %",
                found.needed,
                found.share(found.name),
                found.share(found.part),
                found.share(found.value),
                found.share(found.any),
            );
        }
        println!(
            "{split} links (name, part, the same in short, value): {n_linked:?}, needed {n_right:?}"
        );
        println!("{:.1} µs a question", 1e6 * seconds / f64::from(n_specs));
        assert!(columns.share(columns.any) > 75.0, "{columns:?}");
        assert!(tables.share(tables.any) > 70.0, "{tables:?}");
    }
}
