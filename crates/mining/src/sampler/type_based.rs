//! All sites of a type together (Liang, Jordan & Klein 2010).
//!
//! Sites are of one type if they would exchange the same pair of fragments for the same joined one.
//! All that the target knows of them is how many are cut: draw that number, then which.

use rand::Rng;

use super::{Exchange, Sampler, SiteFragments, below, resample_alone, uniform};
use crate::fragment_table::FragmentId;
use crate::pitman_yor::LogSums;
use crate::segmentation::Segmentation;

/// Draws the states of all sites of a type from their joint conditional distribution.
///
/// Every site is visited, and its block of `n` sites is resampled with probability
/// `min(1, visits / n)`. That number does not change under the move, so the move leaves the target
/// invariant; skipping blocks that were "done" would not, since sites change their type.
#[derive(Clone, Debug)]
pub struct TypeBased {
    /// About how often each block is resampled in a sweep.
    pub visits: f64,
    members: Vec<u32>,
    ranks: Vec<u32>,
    chain: Vec<FragmentId>,
    weights: Vec<f64>,
}

impl TypeBased {
    /// A sampler that resamples each block about `visits` times a sweep.
    pub fn new(visits: f64) -> TypeBased {
        TypeBased {
            visits,
            members: Vec::new(),
            ranks: Vec::new(),
            chain: Vec::new(),
            weights: Vec::new(),
        }
    }

    fn visit(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        node: u32,
        rng: &mut impl Rng,
    ) {
        let root = self.note_path(segmentation, node);
        let whole = SiteFragments::at(segmentation, node, root);
        // Drawn first, so that collecting can stop at a block that is too large this time.
        #[expect(clippy::cast_sign_loss, reason = "both are positive")]
        let most = (self.visits / uniform(rng)) as usize;
        if whole.upper == Some(segmentation.fragment_at(node)) {
            // Sites of such a type may overlap, which makes the number of cuts not all there is.
            let chain = &mut self.chain;
            resample_alone(
                segmentation,
                sums,
                inverse_temperature,
                node,
                whole,
                chain,
                rng,
            );
            return;
        }
        let Some(n_cut) = self.collect(segmentation, node, whole, most) else {
            return;
        };
        let n = self.members.len();
        let exchange = Exchange::new(segmentation, node, whole, (n_cut, n - n_cut));
        self.weights.clear();
        self.weights.extend((0..=n).map(|m| {
            inverse_temperature * exchange.ln_weight(sums, m, n - m) + sums.ln_choose(n, m)
        }));
        let n_cut_now = draw(&mut self.weights, rng);
        self.assign(segmentation, n_cut, n_cut_now, rng);
    }

    /// Notes which child is which on the way up from `node` to the root of its fragment.
    fn note_path(&mut self, segmentation: &Segmentation<'_>, node: u32) -> u32 {
        let arena = segmentation.arena();
        self.ranks.clear();
        let mut at = node;
        loop {
            self.ranks.push(arena.node(at).rank);
            at = arena.node(at).parent;
            if segmentation.is_cut(at) {
                return at;
            }
        }
    }

    /// Collects the sites of the same type, those that are cut first; how many of them are. None
    /// where there are more than `most`.
    fn collect(
        &mut self,
        segmentation: &Segmentation<'_>,
        node: u32,
        whole: SiteFragments,
        most: usize,
    ) -> Option<usize> {
        self.members.clear();
        let joined = whole
            .joined
            .map_or(&[][..], |fragment| segmentation.occurrences(fragment));
        let most_cut = most.checked_sub(joined.len())?;
        if let Some(upper) = whole.upper {
            let lower = segmentation.fragment_at(node);
            let uppers = segmentation.occurrences(upper);
            let lowers = segmentation.occurrences(lower);
            if uppers.len() <= lowers.len() {
                for &root in uppers {
                    let site = self.below(segmentation, root);
                    if segmentation.fragment_at(site) == lower {
                        if self.members.len() == most_cut {
                            return None;
                        }
                        self.members.push(site);
                    }
                }
            } else {
                for &site in lowers {
                    if self.is_below(segmentation, site, upper) {
                        if self.members.len() == most_cut {
                            return None;
                        }
                        self.members.push(site);
                    }
                }
            }
        }
        let n_cut = self.members.len();
        for &root in joined {
            let site = self.below(segmentation, root);
            self.members.push(site);
        }
        Some(n_cut)
    }

    /// The node at the noted path below `root`.
    fn below(&self, segmentation: &Segmentation<'_>, root: u32) -> u32 {
        let arena = segmentation.arena();
        self.ranks
            .iter()
            .rev()
            .fold(root, |node, &rank| arena.child(node, rank))
    }

    /// Whether `site` is at the noted path below a fragment that is `upper`.
    fn is_below(&self, segmentation: &Segmentation<'_>, site: u32, upper: FragmentId) -> bool {
        let arena = segmentation.arena();
        if arena.is_root(site) {
            return false;
        }
        let mut at = site;
        for (step, &rank) in self.ranks.iter().enumerate() {
            // A node inside the fragment is not cut, so it is no root and has a parent.
            if arena.node(at).rank != rank || (step > 0 && segmentation.is_cut(at)) {
                return false;
            }
            at = arena.node(at).parent;
        }
        segmentation.is_cut(at) && segmentation.fragment_at(at) == upper
    }

    /// Cuts `n_cut` of the members, drawn at random; the first `n_cut_before` are cut now.
    fn assign(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        n_cut_before: usize,
        n_cut: usize,
        rng: &mut impl Rng,
    ) {
        let n = self.members.len();
        // The first `n_cut` of a random order are cut. All members of a state have the same
        // fragments above them, so that each direction needs one chain.
        let mut order: Vec<u32> = (0..n as u32).collect();
        for place in 0..n_cut {
            order.swap(place, place + below(rng, n - place));
        }
        let was_cut = |member: u32| (member as usize) < n_cut_before;
        for is_cut in [true, false] {
            let chosen = if is_cut {
                &order[..n_cut]
            } else {
                &order[n_cut..]
            };
            let mut changed = chosen.iter().filter(|&&member| was_cut(member) != is_cut);
            let Some(&first) = changed.next() else {
                continue;
            };
            segmentation.intern_other(self.members[first as usize], &mut self.chain);
            for &member in std::iter::once(&first).chain(changed) {
                segmentation.flip(self.members[member as usize], &self.chain);
            }
        }
    }
}

impl Sampler for TypeBased {
    fn sweep(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        rng: &mut impl Rng,
    ) {
        for node in 0..segmentation.arena().n_nodes() as u32 {
            if segmentation.arena().is_site(node) {
                self.visit(segmentation, sums, inverse_temperature, node, rng);
            }
        }
    }
}

/// Draws an index with probability proportional to the exponential of its log-weight.
fn draw(ln_weights: &mut [f64], rng: &mut impl Rng) -> usize {
    let largest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for weight in ln_weights.iter_mut() {
        *weight = (*weight - largest).exp();
        total += *weight;
    }
    let mut rest = uniform(rng) * total;
    for (index, weight) in ln_weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    ln_weights.len() - 1
}
