//! `patois data`: what a corpus holds, whether it survives being read and written, and copies in other words.

mod perturb;
mod roundtrip;
mod stats;

use clap::{Args, Subcommand};

use super::Context;
use crate::failure::{Failure, Status};

/// Check and count the programs of a corpus
#[derive(Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Example:\n  patois data stats hearthstone"
)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    verb: DataVerb,
}

#[derive(Subcommand)]
enum DataVerb {
    Stats(stats::StatsArgs),
    Roundtrip(roundtrip::RoundtripArgs),
    Perturb(perturb::PerturbArgs),
}

impl DataArgs {
    pub(super) fn run(self, context: &Context) -> Result<Status, Failure> {
        match self.verb {
            DataVerb::Stats(args) => args.run(context),
            DataVerb::Roundtrip(args) => args.run(context),
            DataVerb::Perturb(args) => args.run(context),
        }
    }
}

/// A share in per cent, rounded down, so that only everything is 100 %.
fn share(part: usize, whole: usize) -> String {
    let hundredths = part * 10_000 / whole.max(1);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_everything_is_a_hundred_per_cent() {
        let check = |part, whole, expected| assert_eq!(share(part, whole), expected);
        check(1, 1, "100.00 %");
        check(999_999, 1_000_000, "99.99 %");
        check(1, 3, "33.33 %");
        check(0, 5, "0.00 %");
        check(0, 0, "0.00 %");
    }
}
