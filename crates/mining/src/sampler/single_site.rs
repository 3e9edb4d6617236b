//! One site at a time: the reference sampler.

use rand::Rng;

use super::{Sampler, SiteFragments, resample_alone};
use crate::arena::Site;
use crate::pitman_yor::LogSums;
use crate::segmentation::Segmentation;

/// Draws each site's state from its conditional distribution, in the order of the corpus.
#[derive(Clone, Debug, Default)]
pub struct SingleSite;

impl Sampler for SingleSite {
    fn visit(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        sites: impl Iterator<Item = Site>,
        rng: &mut impl Rng,
    ) {
        let mut chain = Vec::new();
        for site in sites {
            let root = segmentation.fragment_root(site);
            if !segmentation.is_free(site, root) {
                continue;
            }
            let around = SiteFragments::new(segmentation, site, root);
            let t = inverse_temperature;
            resample_alone(segmentation, sums, t, &around, &mut chain, rng);
        }
    }
}
