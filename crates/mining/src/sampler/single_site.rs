//! One site at a time: the reference sampler.

use rand::Rng;

use super::{Sampler, SiteFragments, resample_alone};
use crate::pitman_yor::LogSums;
use crate::segmentation::Segmentation;

/// Draws each site's state from its conditional distribution, in the order of the corpus.
#[derive(Clone, Debug, Default)]
pub struct SingleSite;

impl Sampler for SingleSite {
    fn sweep(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        rng: &mut impl Rng,
    ) {
        let mut chain = Vec::new();
        for node in 0..segmentation.arena().n_nodes() as u32 {
            if segmentation.arena().is_site(node) {
                let root = segmentation.fragment_root(node);
                let whole = SiteFragments::at(segmentation, node, root);
                let t = inverse_temperature;
                resample_alone(segmentation, sums, t, node, whole, &mut chain, rng);
            }
        }
    }
}
