//! What other ranks have: a corpus in several parts, whose counts are those of the whole.
//!
//! Each rank knows how often the others had each fragment when they last told, and adds its own changes
//! at once. What happened elsewhere since then it does not know: between exchanges a chain is approximate,
//! as in the distributed samplers of Newman et al. (2009). Fragments are called by their
//! [keys](FragmentTable::key), so no rank needs to know what those of the others look like.

use hashbrown::HashTable;
use patois_collective::{Collective, Reader, Writer};
use patois_syntax::{Id as _, IdVec, SymbolId};

use super::Segmentation;
use crate::base_distribution::Places;
use crate::fragment_table::{FragmentId, FragmentTable, MAX_FRAGMENT_NODES};
use crate::pitman_yor::LogSums;

/// The fragments of other ranks, as of the last exchange.
#[derive(Clone, Debug)]
pub(super) struct Others {
    /// By key.
    known: HashTable<Known>,
    /// How often they have each fragment of the table.
    counts: IdVec<FragmentId, usize>,
    /// How many fragments they have at each symbol, and how many of these are different.
    symbols: IdVec<SymbolId, (usize, usize)>,
    /// The fragments whose counts have changed here since, with what they were.
    changed: Vec<(FragmentId, usize)>,
    is_changed: IdVec<FragmentId, bool>,
}

/// A fragment that other ranks have.
#[derive(Clone, Copy, Debug)]
struct Known {
    key: u64,
    /// How often.
    n: u64,
    /// How many ranks below this one have it: the lowest counts it where each is to be counted once.
    n_lower: u32,
}

impl Others {
    fn new(n_ids: usize, n_symbols: usize) -> Others {
        Others {
            known: HashTable::new(),
            counts: IdVec::filled(0, n_ids),
            symbols: IdVec::filled((0, 0), n_symbols),
            changed: Vec::new(),
            is_changed: IdVec::filled(false, n_ids),
        }
    }

    /// How often other ranks have a fragment of the table.
    #[inline]
    pub(super) fn count(&self, table: &FragmentTable, fragment: FragmentId) -> usize {
        let known = self.counts.get(fragment).copied();
        known.unwrap_or_else(|| self.count_of_key(table.key(fragment)))
    }

    /// How often other ranks have the fragment with a key.
    pub(super) fn count_of_key(&self, key: u64) -> usize {
        self.find(key).map_or(0, |it| it.n as usize)
    }

    fn find(&self, key: u64) -> Option<&Known> {
        self.known.find(key, |it| it.key == key)
    }

    /// Notes that a fragment which occurs `n` times here is about to change; whether others have it.
    #[inline]
    pub(super) fn note(&mut self, table: &FragmentTable, fragment: FragmentId, n: usize) -> bool {
        if self.counts.len() <= fragment.index() {
            for id in self.counts.len()..table.n_ids() {
                let count = self.count_of_key(table.key(FragmentId::new(id)));
                self.counts.push(count);
            }
            self.is_changed.items_mut().resize(table.n_ids(), false);
        }
        if !self.is_changed[fragment] {
            self.is_changed[fragment] = true;
            self.changed.push((fragment, n));
        }
        self.counts[fragment] > 0
    }

    /// Fragments have other numbers now; all that has changed has been told.
    pub(super) fn rename(&mut self, renamed: &IdVec<FragmentId, FragmentId>, n_ids: usize) {
        assert!(self.changed.is_empty(), "ranks exchange before they forget");
        let mut counts = IdVec::filled(0, n_ids);
        for (fragment, &count) in self.counts.entries() {
            counts[renamed[fragment]] = count;
        }
        counts[FragmentId::new(0)] = 0;
        self.counts = counts;
        self.is_changed = IdVec::filled(false, n_ids);
    }

    /// What has changed here since the last exchange.
    fn changes(&mut self, table: &FragmentTable, n_now: impl Fn(FragmentId) -> usize) -> Vec<u8> {
        let mut writer = Writer::default();
        for (fragment, before) in std::mem::take(&mut self.changed) {
            self.is_changed[fragment] = false;
            let now = n_now(fragment);
            if now != before {
                writer.hash(table.key(fragment));
                writer.number(u64::from(table.symbol(fragment).to_u32()));
                writer.number(before as u64);
                writer.number(now as u64);
            }
        }
        writer.finish()
    }

    /// Takes in what has changed in another rank; notes the keys of what did.
    fn hear(&mut self, bytes: &[u8], is_lower: bool, keys: &mut HashTable<u64>) {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let key = reader.hash();
            let symbol = &mut self.symbols[SymbolId::new(reader.size())];
            let (before, now) = (reader.number(), reader.number());
            let entry = self.known.entry(key, |it| it.key == key, |it| it.key);
            let mut entry = entry.or_insert(Known {
                key,
                n: 0,
                n_lower: 0,
            });
            let known = entry.get_mut();
            symbol.1 += usize::from(known.n == 0 && now > before);
            known.n = known.n + now - before;
            symbol.0 = symbol.0 + now as usize - before as usize;
            if is_lower {
                known.n_lower += u32::from(before == 0);
                known.n_lower -= u32::from(now == 0);
            }
            if known.n == 0 {
                symbol.1 -= 1;
                entry.remove();
            }
            keys.entry(key, |&it| it == key, |&it| it).or_insert(key);
        }
    }
}

/// A corpus of which each rank has a part.
impl Segmentation<'_> {
    /// From now on, fragments have keys that mean the same to all ranks.
    pub(crate) fn keep_keys(&mut self) {
        self.table.keep_keys(self.arena);
    }

    /// From now on, counts are those of all ranks.
    ///
    /// Labels must have been [counted in all](crate::CorpusArena::count_in_all) before the base
    /// distribution was made of them.
    pub fn share(&mut self, ranks: &dyn Collective) {
        self.keep_keys();
        let mut others = Others::new(self.table.n_ids(), self.arena.n_symbols());
        for fragment in self.occurring() {
            others.is_changed[fragment] = true;
            others.changed.push((fragment, 0));
        }
        self.others = Some(Box::new(others));
        self.exchange(ranks);
    }

    /// Tells the other ranks what has changed here, and hears what has changed there; how many bytes
    /// this rank has sent.
    ///
    /// # Panics
    ///
    /// When the corpus is not [shared](Self::share).
    pub fn exchange(&mut self, ranks: &dyn Collective) -> usize {
        let mut others = self.others.take().expect("a corpus that is shared");
        let own = others.changes(&self.table, |it| self.occurrences(it).len());
        let n_sent = own.len();
        let mut keys = HashTable::new();
        for (rank, bytes) in ranks.all_gather(own).iter().enumerate() {
            if rank != ranks.rank() {
                others.hear(bytes, rank < ranks.rank(), &mut keys);
            }
        }
        for fragment in others.counts.ids() {
            let key = self.table.key(fragment);
            if keys.find(key, |&it| it == key).is_some() {
                others.counts[fragment] = others.count_of_key(key);
            }
        }
        let counts = others.symbols.iter().copied();
        self.symbols = counts
            .map(|(n, distinct)| super::SymbolCounts { n, distinct })
            .collect();
        for (fragment, nodes) in self.occurrences.entries() {
            if !nodes.is_empty() {
                let symbol = &mut self.symbols[self.table.symbol(fragment)];
                symbol.n += nodes.len();
                symbol.distinct += usize::from(others.count(&self.table, fragment) == 0);
            }
        }
        self.others = Some(others);
        n_sent
    }

    /// The fragments that occur here and in no rank below, whole references among them: each fragment of
    /// all ranks is one of just one rank.
    fn counted_here(&self) -> impl Iterator<Item = FragmentId> + '_ {
        let others = self.others.as_deref();
        let is_lowest = move |fragment: &FragmentId| {
            let known = others.and_then(|it| it.find(self.table.key(*fragment)));
            known.is_none_or(|it| it.n_lower == 0)
        };
        self.occurring().filter(is_lowest)
    }

    /// The log-probability of the cuts of all ranks; see [`ln_target`](Self::ln_target).
    pub fn ln_target_of_all(&self, sums: &LogSums, ranks: &dyn Collective) -> f64 {
        let fragments: f64 = self
            .counted_here()
            .map(|it| self.table.ln_base(it) + sums.occurrences(self.count(it)))
            .sum();
        let mut writer = Writer::default();
        writer.float(fragments);
        let gathered = ranks.all_gather(writer.finish());
        let fragments: f64 = gathered.iter().map(|it| Reader::new(it).float()).sum();
        let symbols = self.symbols.iter();
        fragments
            + symbols
                .map(|it| sums.symbol(it.n, it.distinct))
                .sum::<f64>()
    }

    /// How many distinct fragments all ranks have, references aside, and how many sites they cut.
    pub(crate) fn figures_of_all(&self, ranks: &dyn Collective) -> (usize, usize) {
        let is_reference = |it: &FragmentId| self.is_reference(*it);
        let n_fragments = self.counted_here().filter(|it| !is_reference(it)).count();
        let mut figures = [n_fragments as u64, self.n_cut_sites as u64];
        ranks.sum(&mut figures);
        (figures[0] as usize, figures[1] as usize)
    }

    /// Estimates the probabilities of stopping from the fragments of all ranks.
    pub fn estimate_stop_in_all(&mut self, ranks: &dyn Collective) {
        let own = self.counted_here();
        let own: Vec<FragmentId> = own.filter(|&it| !self.is_reference(it)).collect();
        let mut places = Places::of(self.arena, &self.table, &own);
        ranks.sum(&mut places.n_holes);
        ranks.sum(&mut places.n_all);
        self.set_stop(&places);
    }

    /// How many fragments of all ranks are so large that [`MAX_FRAGMENT_NODES`] may have kept them from
    /// growing.
    pub(crate) fn n_large_in_all(&self, ranks: &dyn Collective) -> usize {
        let is_large = |&it: &FragmentId| 2 * self.table.n_nodes(it) > MAX_FRAGMENT_NODES;
        let mut n_large = [self.counted_here().filter(is_large).count() as u64];
        ranks.sum(&mut n_large);
        n_large[0] as usize
    }
}
