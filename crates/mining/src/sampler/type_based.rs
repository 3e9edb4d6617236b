//! Type-based MCMC: all sites of a type together (Liang, Jordan & Klein 2010).
//!
//! Sites are of one type if they would exchange the same pair of fragments for the same joined one.
//! All that the target knows of them is how many are cut: draw that number, then which.

use patois_syntax::{IdVec, index};
use rand::Rng;

use super::{Exchange, Sampler, SiteFragments, below, resample_alone, uniform};
use crate::arena::{ChildRank, CorpusNodeId, Site};
use crate::fragment_table::FragmentId;
use crate::pitman_yor::LogSums;
use crate::segmentation::Segmentation;

index! {
    /// A site of the block that is resampled.
    MemberId
}

/// Draws the states of all sites of a type from their joint conditional distribution:
///
/// ```text
/// Pr(m of the n sites are cut | rest) ~ C(n, m) * w(m cut, n - m joined)
/// ```
///
/// where `w` is the target, all else equal, and all choices of the `m` sites are equally likely.
///
/// Every site is visited, and its block of `n` sites is resampled with probability
/// `min(1, visits / n)`. That number does not change under the move, so the move leaves the target
/// invariant; skipping blocks that were "done" would not, since sites change their type.
#[derive(Clone, Debug)]
pub struct TypeBased {
    /// About how often each block is resampled in a sweep.
    visits: f64,
    members: IdVec<MemberId, Site>,
    /// The ranks of the nodes from a site up to the child of its fragment's root.
    path: Vec<ChildRank>,
    chain: Vec<FragmentId>,
    ln_weights: Vec<f64>,
}

impl TypeBased {
    /// A sampler that resamples each block about `visits` times a sweep.
    pub fn new(visits: f64) -> TypeBased {
        TypeBased {
            visits,
            members: IdVec::new(),
            path: Vec::new(),
            chain: Vec::new(),
            ln_weights: Vec::new(),
        }
    }

    fn resample(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        site: Site,
        rng: &mut impl Rng,
    ) {
        let root = self.note_path(segmentation, site);
        if !segmentation.is_free(site, root) {
            return;
        }
        let around = SiteFragments::new(segmentation, site, root);
        let t = inverse_temperature;
        // Drawn first, so that collecting can stop at a block that is too large this time.
        #[expect(clippy::cast_sign_loss, reason = "both are positive")]
        let most = (self.visits / uniform(rng)) as usize;
        if around.is_twice() {
            // Sites of such a type may overlap, which makes the number of cuts not all there is.
            resample_alone(segmentation, sums, t, &around, &mut self.chain, rng);
            return;
        }
        let Some(n_cut) = self.collect(segmentation, &around, most) else {
            return;
        };
        let n = self.members.len();
        let exchange = Exchange::new(segmentation, &around, (n_cut, n - n_cut));
        self.ln_weights.clear();
        let ln_weight = |m| t * exchange.ln_weight(sums, m, n - m) + sums.ln_choose(n, m);
        self.ln_weights.extend((0..=n).map(ln_weight));
        let n_cut_now = draw(&mut self.ln_weights, rng);
        self.assign(segmentation, n_cut, n_cut_now, rng);
    }

    /// Notes which child is which on the way up from a site to the root of its fragment.
    fn note_path(&mut self, segmentation: &Segmentation<'_>, site: Site) -> CorpusNodeId {
        let arena = segmentation.arena();
        self.path.clear();
        let mut at = site.node();
        loop {
            self.path.push(arena.node(at).rank);
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
        around: &SiteFragments,
        most: usize,
    ) -> Option<usize> {
        let arena = segmentation.arena();
        self.members.items_mut().clear();
        let joined = around
            .joined
            .map_or(&[][..], |it| segmentation.occurrences(it));
        let most_cut = most.checked_sub(joined.len())?;
        if let Some(upper) = around.upper {
            let uppers = segmentation.occurrences(upper);
            let lowers = segmentation.occurrences(around.lower);
            if uppers.len() <= lowers.len() {
                for &root in uppers {
                    let site = arena.site_below(root, &self.path);
                    if segmentation.fragment_at(site) == around.lower {
                        if self.members.len() == most_cut {
                            return None;
                        }
                        self.members.push(site);
                    }
                }
            } else {
                for &node in lowers {
                    if self.is_below(segmentation, node, upper) {
                        if self.members.len() == most_cut {
                            return None;
                        }
                        self.members.push(arena.known_site(node));
                    }
                }
            }
        }
        let n_cut = self.members.len();
        let sites = joined.iter().map(|&it| arena.site_below(it, &self.path));
        self.members.extend(sites);
        Some(n_cut)
    }

    /// Whether a node is at the noted path below a fragment that is `upper`.
    fn is_below(
        &self,
        segmentation: &Segmentation<'_>,
        node: CorpusNodeId,
        upper: FragmentId,
    ) -> bool {
        let arena = segmentation.arena();
        if arena.is_root(node) {
            return false;
        }
        let mut at = node;
        for (step, &rank) in self.path.iter().enumerate() {
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
        let mut order: Vec<MemberId> = self.members.ids().collect();
        for place in 0..n_cut {
            order.swap(place, place + below(rng, n - place));
        }
        let was_cut = |member: MemberId| member.index() < n_cut_before;
        let (cut, joined) = order.split_at(n_cut);
        for (chosen, is_cut) in [(cut, true), (joined, false)] {
            let mut changed = chosen.iter().filter(|&&member| was_cut(member) != is_cut);
            let Some(&first) = changed.next() else {
                continue;
            };
            segmentation.intern_other(self.members[first], &mut self.chain);
            for &member in std::iter::once(&first).chain(changed) {
                segmentation.flip(self.members[member], &self.chain);
            }
        }
    }
}

impl Sampler for TypeBased {
    fn visit(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        sites: impl Iterator<Item = Site>,
        rng: &mut impl Rng,
    ) {
        for site in sites {
            self.resample(segmentation, sums, inverse_temperature, site, rng);
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
