//! Learning curves: the losses of a training, from its log.

use serde::{Deserialize, Serialize};

/// How the losses of a training went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// On what is learnt from: the mean over the steps since the point before.
    pub train: Vec<Point>,
    /// On dev.
    pub dev: Vec<Point>,
}

/// A loss after a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// After how many steps.
    pub step: usize,
    /// The loss: nats an example.
    pub loss: f64,
}

/// How many points a curve has at most: more cannot be told apart in a picture.
const MAX_POINTS: usize = 150;

#[derive(Deserialize)]
struct Line {
    step: usize,
    loss: Option<f64>,
    dev_loss: Option<f64>,
    #[serde(default)]
    seconds: f64,
}

impl Curve {
    /// The curve of a log, and how many seconds the training took, over all times it went on.
    pub(crate) fn of_log(log: &str) -> (Curve, f64) {
        let mut curve = Curve::default();
        let (mut seconds, mut last) = (0.0, 0.0);
        // The last line of a run that is under way may be cut off.
        let lines = log
            .lines()
            .filter_map(|it| serde_json::from_str::<Line>(it).ok());
        for line in lines {
            let step = line.step;
            curve
                .train
                .extend(line.loss.map(|loss| Point { step, loss }));
            curve
                .dev
                .extend(line.dev_loss.map(|loss| Point { step, loss }));
            if line.seconds < last {
                // The clock of a training that goes on starts anew.
                seconds += last;
            }
            last = line.seconds;
        }
        curve.train = thinned(&curve.train);
        curve.dev = thinned(&curve.dev);
        (curve, seconds + last)
    }
}

/// At most so many points, each the mean of those that it stands for.
fn thinned(points: &[Point]) -> Vec<Point> {
    let n_each = points.len().div_ceil(MAX_POINTS).max(1);
    let mean = |points: &[Point]| Point {
        step: points.last().map_or(0, |it| it.step),
        loss: points.iter().map(|it| it.loss).sum::<f64>() / points.len() as f64,
    };
    points.chunks(n_each).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn long_logs_are_thinned_and_broken_lines_left_out() {
        let mut log = String::new();
        for step in 1..=301 {
            let _ = writeln!(
                log,
                "{{\"step\":{step},\"loss\":{step},\"seconds\":{step}}}"
            );
        }
        log += "{\"step\":301,\"dev_loss\":2.5,\"seconds\":302.0}\n{\"step\":302,\"los";
        let (curve, seconds) = Curve::of_log(&log);
        assert_eq!(curve.train.len(), 101);
        let first = Point { step: 3, loss: 2.0 };
        assert_eq!(curve.train[0], first);
        assert_eq!(curve.train[100].step, 301);
        let dev = Point {
            step: 301,
            loss: 2.5,
        };
        assert_eq!(curve.dev, [dev]);
        assert!((seconds - 302.0).abs() < 1e-9);
    }

    #[test]
    fn times_of_a_training_that_went_on_are_added_up() {
        let log = "{\"step\":1,\"loss\":1.0,\"seconds\":10.0}\n{\"step\":2,\"loss\":1.0,\"seconds\":4.0}\n";
        let (_, seconds) = Curve::of_log(log);
        assert!((seconds - 14.0).abs() < 1e-9);
        assert_eq!(Curve::of_log(""), (Curve::default(), 0.0));
    }
}
