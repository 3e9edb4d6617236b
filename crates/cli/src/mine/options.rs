//! The options of the miner.

use clap::{Args, ValueEnum};
use patois_codebase::mining_config_of;
use patois_mining::{Annealing, LibraryCost, MinerKind, MiningConfig, Ranking};

use crate::failure::Failure;

/// What can be said about how to mine; what is not said is as in the preset.
#[derive(Args)]
#[command(next_help_heading = "Mining")]
pub(super) struct MiningOptions {
    /// Where the other options start from
    #[arg(long, value_name = "NAME", default_value = "best")]
    preset: Preset,

    /// What proposes fragments [default: type-based; for source files of more than a million nodes bpe]
    #[arg(long, value_name = "NAME")]
    miner: Option<MinerName>,

    /// How often the Markov chain visits every node [default: 10, fewer for large repositories]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sweeps: Option<u32>,

    /// How readily new fragments appear: the paper's alpha [default: 5]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    concentration: Option<f64>,

    /// How heavy the tail of rare fragments is: the paper's d, from 0 to below 1 [default: 0.5]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    discount: Option<f64>,

    /// Begin the chain at a higher temperature; worth it from some 50 sweeps on
    #[arg(long)]
    anneal: bool,

    /// What makes an idiom better than another
    #[arg(long, value_name = "NAME")]
    rank: Option<RankName>,

    /// How many idioms to keep [default: 80]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,

    /// Choose idioms that pay for themselves: programs and library together are to be short
    ///
    /// As Stitch does. There may be fewer than --top.
    #[arg(long)]
    count_library: bool,

    /// Keep idioms without a hole
    #[arg(long)]
    keep_closed: bool,

    /// Fewest choices that an idiom makes [default: 2]
    #[arg(long, value_name = "N")]
    min_size: Option<usize>,

    /// Fewest names in an idiom, other than local ones [default: 2 for source files, else 0]
    #[arg(long, value_name = "N")]
    min_names: Option<usize>,
}

/// Values of all options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// What has worked best: variants of fragments, named arguments, ranked by compression
    Best,
    /// The paper's: fragments of the last sweep as they are, ranked by coverage
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MinerName {
    /// A Markov chain that moves all nodes of one type at once
    TypeBased,
    /// A Markov chain that moves one node at a time
    SingleSite,
    /// Byte-pair encoding of trees
    Bpe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RankName {
    /// The number of programs it occurs in
    Coverage,
    /// Coverage times how much likelier it is than its parts
    CrossEntropy,
    /// The nodes that no better idiom covers
    Residual,
    /// The steps that it saves
    Compression,
    /// The bits that each occurrence saves: long and improbable, so probably copied
    Surprise,
    /// How much better programs can be told from the words of their texts; for corpora with texts
    Phrases,
}

impl MiningOptions {
    /// The configuration that the options ask for.
    pub(super) fn config(&self) -> Result<MiningConfig, Failure> {
        self.starting_from(match self.preset {
            Preset::Best => MiningConfig::default(),
            Preset::Paper => MiningConfig::paper(),
        })
    }

    /// The configuration that the options ask for where programs are cut out of source files, with so many nodes.
    pub(super) fn for_sources(&self, n_nodes: usize) -> Result<MiningConfig, Failure> {
        let mut config = match self.preset {
            Preset::Best => mining_config_of(n_nodes),
            Preset::Paper => MiningConfig::paper(),
        };
        if self.is_about_chain() {
            config.miner = MiningConfig::default().miner;
        }
        self.starting_from(config)
    }

    /// Whether byte pairs mine because there are many nodes, and nobody has said otherwise.
    pub(super) fn is_by_size(&self, config: &MiningConfig) -> bool {
        self.miner.is_none() && config.miner == MinerKind::BytePairs
    }

    /// Whether something is said of the Markov chain, which byte pairs have none of.
    fn is_about_chain(&self) -> bool {
        let has_prior = self.concentration.is_some() || self.discount.is_some();
        has_prior || self.sweeps.is_some() || self.anneal
    }

    fn starting_from(&self, mut config: MiningConfig) -> Result<MiningConfig, Failure> {
        let set = |value: Option<u32>, of: &mut usize| *of = value.map_or(*of, |it| it as usize);
        set(self.sweeps, &mut config.chain.n_sweeps);
        set(self.top, &mut config.n_idioms);
        config.miner = self.miner.map_or(config.miner, MinerKind::from);
        config.ranking = self.rank.map_or(config.ranking, Ranking::from);
        let prior = &mut config.chain.prior;
        prior.concentration = self.concentration.unwrap_or(prior.concentration);
        prior.discount = self.discount.unwrap_or(prior.discount);
        prior
            .check()
            .map_err(|error| Failure::misuse(error.to_string()))?;
        if self.anneal {
            config.chain.annealing = Annealing::Rising;
        }
        if self.count_library {
            config.library = LibraryCost::Counted;
        }
        let filter = &mut config.filter;
        filter.keep_closed |= self.keep_closed;
        filter.min_size = self.min_size.unwrap_or(filter.min_size);
        filter.min_names = self.min_names.unwrap_or(filter.min_names);
        Ok(config)
    }
}

impl From<MinerName> for MinerKind {
    fn from(name: MinerName) -> MinerKind {
        match name {
            MinerName::TypeBased => MinerKind::TypeBased,
            MinerName::SingleSite => MinerKind::SingleSite,
            MinerName::Bpe => MinerKind::BytePairs,
        }
    }
}

impl From<RankName> for Ranking {
    fn from(name: RankName) -> Ranking {
        match name {
            RankName::Coverage => Ranking::Coverage,
            RankName::CrossEntropy => Ranking::CrossEntropy,
            RankName::Residual => Ranking::Residual,
            RankName::Compression => Ranking::Compression,
            RankName::Surprise => Ranking::Surprise,
            RankName::Phrases => Ranking::Phrases,
        }
    }
}
