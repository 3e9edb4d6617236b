//! Training: batches, steps, measurements, and checkpoints from which it goes on.

mod checksum;
mod file;
mod load_error;
mod optimizer;
mod order;
mod shared;
mod source;
mod tensors;

use std::borrow::Cow;

use patois_collective::{Alone, Collective, Reader, Writer};
use patois_syntax::{ExtendedGrammar, Fingerprint};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

pub use file::{
    Progress, Remembered, read_compact_models, read_idioms, read_models, read_remembered, read_run,
    write_models, write_small_models,
};

pub use load_error::LoadError;
pub use source::ExampleSource;

use file::{MemberMemory, write_checkpoint};
pub(crate) use optimizer::{Memory, Step};
use shared::Shard;

use crate::config::TrainingConfig;
use crate::gradient::Gradient;
use crate::matrix::Matrix;
use crate::model::{Dropout, Loss, Model};
use crate::parameters::Learning;
use crate::training_example::TrainingExample;

/// Trains a model, or several of an ensemble side by side, one step after the other.
///
/// All that is random hangs on the seed and the number of the step, so that a trainer that goes on
/// from a checkpoint does what the one that wrote it would have done.
pub struct Trainer<'a> {
    members: Vec<Member>,
    examples: Box<dyn ExampleSource + 'a>,
    progress: Progress,
    /// The ranks that the shards of a batch are dealt to.
    ranks: &'a dyn Collective,
}

/// A model that is being trained.
struct Member {
    model: Model,
    remembered: MemberMemory,
    /// The rates of parameters that have their own.
    rates: Vec<Option<f32>>,
    /// What everything random of its own depends on.
    seed: u64,
    /// The batches of a pass over the examples, and which pass.
    pass: (usize, Vec<Vec<usize>>),
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// Its number, counted from one.
    pub step: usize,
    /// The mean loss of the examples that it looked at, before it.
    pub loss: f64,
    /// The norm of the gradient, before it was shortened.
    pub gradient: f64,
}

/// What a measurement on dev found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The mean loss.
    pub loss: f64,
    /// Whether none before was better.
    pub is_best: bool,
    /// Whether there was none better for so long that training should end.
    pub is_last: bool,
}

/// Why training cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainingError {
    /// There is nothing to learn.
    #[error("there is no example to learn from")]
    NoExamples,
    /// A loss or a gradient is not a number.
    #[error("the loss of step {step} is {loss}; its examples are {}", examples.join(", "))]
    NotFinite {
        /// The step, counted from one.
        step: usize,
        /// The loss.
        loss: f64,
        /// Where the examples come from.
        examples: Vec<String>,
    },
}

/// Streams of random numbers of one seed.
enum Stream {
    /// The weights that training begins with.
    Weights,
    /// The order of the examples in a pass.
    Pass(usize),
    /// What is dropped in a shard of the batch of a step.
    Dropout { step: usize, shard: usize },
}

fn generator(seed: u64, stream: &Stream) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(match *stream {
        Stream::Weights => 0,
        Stream::Pass(pass) => 1 + pass as u64,
        Stream::Dropout { step, shard } => (1 << 63) | ((step as u64) << 16) | shard as u64,
    });
    rng
}

/// The random numbers for the weights that training with a seed begins with; `member` is which of
/// the models of an ensemble, counted from zero.
pub fn weights_generator(seed: u64, member: usize) -> ChaCha8Rng {
    generator(member_seed(seed, member), &Stream::Weights)
}

/// The first member is as it would be alone; the others' seeds are none that people choose.
fn member_seed(seed: u64, member: usize) -> u64 {
    seed.wrapping_add((member as u64) << 32)
}

impl<'a> Trainer<'a> {
    /// Begins to train models, each from weights of its own.
    ///
    /// # Errors
    ///
    /// When there is nothing to learn from.
    pub fn new(
        mut models: Vec<Model>,
        examples: impl ExampleSource + 'a,
        config: TrainingConfig,
        seed: u64,
    ) -> Result<Trainer<'a>, TrainingError> {
        for model in &mut models {
            model.fine_tune(&config.pretrained);
        }
        let members = models.iter().map(|model| MemberMemory {
            memory: Memory::new(&model.parameters),
            ema: None,
        });
        let remembered = Remembered {
            members: members.collect(),
            progress: Progress {
                step: 0,
                seed,
                config,
                best: None,
                spent: None,
            },
        };
        Trainer::resume(models, examples, remembered)
    }

    /// Goes on to train models.
    ///
    /// # Errors
    ///
    /// When there is nothing to learn from.
    pub fn resume(
        models: Vec<Model>,
        examples: impl ExampleSource + 'a,
        remembered: Remembered,
    ) -> Result<Trainer<'a>, TrainingError> {
        if examples.drawn(0).is_empty() {
            return Err(TrainingError::NoExamples);
        }
        let Remembered { progress, members } = remembered;
        let members = models.into_iter().zip(members).enumerate();
        let members = members.map(|(index, (mut model, mut remembered))| {
            let seed = member_seed(progress.seed, index);
            let rates = model.fine_tune(&progress.config.pretrained);
            remembered.memory.complete(&model.parameters);
            Member {
                model,
                remembered,
                rates,
                seed,
                pass: (0, batches(&examples, &progress.config, seed, 0)),
            }
        });
        Ok(Trainer {
            members: members.collect(),
            examples: Box::new(examples),
            progress,
            ranks: &Alone,
        })
    }

    /// The same, with the shards of each batch dealt to several ranks, all of which take the same steps.
    ///
    /// The weights do not depend on how many ranks there are, only on the number of
    /// [shards](TrainingConfig::n_shards).
    #[must_use]
    pub fn on(mut self, ranks: &'a dyn Collective) -> Trainer<'a> {
        self.ranks = ranks;
        self
    }

    /// How training is configured.
    pub fn config(&self) -> &TrainingConfig {
        &self.progress.config
    }

    /// How many steps were taken.
    pub fn n_steps_taken(&self) -> usize {
        self.progress.step
    }

    /// Takes note of how many seconds of processors a step took, where training has a budget of them.
    pub fn spend(&mut self, seconds: f64) {
        if self.config().cpu_seconds.is_some() {
            *self.progress.spent.get_or_insert(0.0) += seconds;
        }
    }

    /// Whether all steps are taken, or all seconds are spent.
    pub fn is_spent(&self) -> bool {
        let Progress { spent, config, .. } = &self.progress;
        let seconds = spent.zip(config.cpu_seconds);
        self.progress.step >= config.n_steps || seconds.is_some_and(|(spent, of)| spent >= of)
    }

    /// Whether there was no better measurement for so long that training should end.
    pub fn is_over(&self) -> bool {
        let measured = self.progress.best.zip(self.config().patience);
        measured.is_some_and(|((_, n_since), patience)| n_since >= patience)
    }

    /// Takes a step with each model.
    ///
    /// # Errors
    ///
    /// When a loss or a gradient is not a number; the models stay as they were.
    pub fn step(&mut self) -> Result<StepRecord, TrainingError> {
        let (step, config) = (self.progress.step, &self.progress.config);
        let share_spent = self.progress.share_spent();
        let examples = self.examples.as_ref();
        let ranks = self.ranks;
        let propose = |it: &mut Member| it.propose(examples, config, step, ranks);
        let proposed: Result<Vec<Proposal>, TrainingError> = if ranks.size() > 1 {
            // All ranks add up the gradients of the same member.
            self.members.iter_mut().map(propose).collect()
        } else {
            self.members.par_iter_mut().map(propose).collect()
        };
        let proposed = proposed?;
        let n_members = proposed.len() as f64;
        let record = StepRecord {
            step: step + 1,
            loss: proposed.iter().map(|it| it.loss).sum::<f64>() / n_members,
            gradient: proposed.iter().map(|it| it.norm).sum::<f64>() / n_members,
        };
        let members = self.members.par_iter_mut().zip(proposed);
        members.for_each(|(member, proposal)| member.apply(proposal, config, (step, share_spent)));
        self.progress.step += 1;
        Ok(record)
    }

    /// The models as they would be used now: with the moving averages of their weights where they are taken.
    pub fn models(&self) -> Vec<Model> {
        self.members.iter().map(Member::usable).collect()
    }

    /// Measures the mean loss of the models on examples that training does not see.
    pub fn measure(&mut self, examples: &[TrainingExample]) -> Measurement {
        let models = self.models();
        let losses = models
            .iter()
            .map(|it| mean_loss_on(self.ranks, it, examples, self.config()));
        let loss = losses.sum::<f64>() / models.len() as f64;
        let progress = &mut self.progress;
        let is_best = progress.best.is_none_or(|(best, _)| loss < best);
        let (best, n_since) = match progress.best {
            Some((best, n_since)) if !is_best => (best, n_since + 1),
            _ => (loss, 0),
        };
        progress.best = Some((best, n_since));
        Measurement {
            loss,
            is_best,
            is_last: self.is_over(),
        }
    }

    /// A checkpoint: all that it takes to go on, and what tells the configuration of its run.
    pub fn checkpoint(&self, grammar: &ExtendedGrammar<'_>, run: Option<Fingerprint>) -> Vec<u8> {
        let models: Vec<&Model> = self.members.iter().map(|it| &it.model).collect();
        let members = self.members.iter().map(|it| &it.remembered);
        write_checkpoint(
            &models,
            grammar,
            run,
            &self.progress,
            &members.collect::<Vec<_>>(),
        )
    }
}

/// What a step would do to a model.
struct Proposal {
    loss: f64,
    gradients: Vec<Option<Gradient>>,
    /// The norm of the gradient.
    norm: f64,
}

impl Member {
    /// Looks at the examples of a step.
    fn propose(
        &mut self,
        examples: &dyn ExampleSource,
        config: &TrainingConfig,
        step: usize,
        ranks: &dyn Collective,
    ) -> Result<Proposal, TrainingError> {
        let batch = self.batch(examples, config, step);
        let pass = self.pass.0;
        let batch: Vec<Cow<'_, TrainingExample>> = batch
            .into_par_iter()
            .map(|it| examples.example(pass, it))
            .collect();
        let batch: Vec<&TrainingExample> = batch.iter().map(AsRef::as_ref).collect();
        let (loss, gradients) = self.gradients(&batch, config, step, ranks);
        let norm = optimizer::norm(&gradients);
        if loss.is_finite() && norm.is_finite() {
            return Ok(Proposal {
                loss,
                gradients,
                norm,
            });
        }
        Err(TrainingError::NotFinite {
            step: step + 1,
            loss,
            examples: batch.iter().map(|it| it.id.clone()).collect(),
        })
    }

    /// Changes the weights: in which step, and which share of the budget was spent before it.
    fn apply(
        &mut self,
        mut proposal: Proposal,
        config: &TrainingConfig,
        (step, share_spent): (usize, f32),
    ) {
        let (gradients, norm) = (&mut proposal.gradients, proposal.norm);
        let is_exceeded = |&most: &f32| norm > f64::from(most);
        if let Some(most) = config.max_gradient_norm.filter(is_exceeded) {
            scale(gradients, most / norm as f32);
        }
        let taken = Step {
            index: step,
            factor: config.schedule.factor(step, share_spent),
            rates: &self.rates,
        };
        config.optimizer.apply(
            &mut self.model.parameters,
            gradients,
            &mut self.remembered.memory,
            &taken,
        );
        if let Some(decay) = config.ema_decay {
            self.update_ema(decay, step);
        }
    }

    /// The mean loss of a batch, and its gradients: those of its shards, added in order.
    fn gradients(
        &self,
        batch: &[&TrainingExample],
        config: &TrainingConfig,
        step: usize,
        ranks: &dyn Collective,
    ) -> Shard {
        let n_pieces =
            |it: &&TrainingExample| it.spec.pieces.as_ref().map_or(0, |it| it.n_pieces());
        let lengths: Vec<usize> = batch.iter().map(n_pieces).collect();
        let n_shards = config.n_shards.clamp(1, batch.len());
        let shards = order::shards(&lengths, n_shards);
        let shards: Vec<Shard> = shared::own_shards(n_shards, ranks)
            .into_par_iter()
            .map(|shard| {
                let own = shards[shard].iter();
                let examples: Vec<&TrainingExample> = own.map(|&it| batch[it]).collect();
                let rng = generator(self.seed, &Stream::Dropout { step, shard });
                let mut dropout = Dropout::new(rng);
                let loss = Loss {
                    objective: config.objective,
                    weight: 1.0 / batch.len() as f32,
                    precision: config.precision,
                };
                self.model.gradients(&examples, loss, &mut dropout)
            })
            .collect();
        if ranks.size() > 1 {
            let sizes = self.model.parameters.learnt();
            let sizes: Vec<usize> = sizes.map(|it| it.0.values().len()).collect();
            return shared::sum(ranks, &shards, &sizes);
        }
        let (mut loss, mut gradients) = (0.0, Vec::new());
        for (own_loss, own) in shards {
            loss += own_loss;
            gradients = sum(gradients, own);
        }
        (loss, gradients)
    }

    /// The examples of a step.
    fn batch(
        &mut self,
        examples: &dyn ExampleSource,
        config: &TrainingConfig,
        step: usize,
    ) -> Vec<usize> {
        let n_batches = self.pass.1.len();
        let pass = step / n_batches;
        if pass != self.pass.0 {
            self.pass = (pass, batches(examples, config, self.seed, pass));
        }
        self.pass.1[step % n_batches].clone()
    }

    /// The exponential moving average of the weights, `ema = decay ema + (1 - decay) weights`; at first
    /// less is kept, since there is little. None is taken of what a step does not change as a whole.
    fn update_ema(&mut self, decay: f32, step: usize) {
        let learnt = self.model.parameters.learnt();
        let Some(ema) = &mut self.remembered.ema else {
            let begin = |(weights, learning): (&Matrix, Learning)| match learning {
                Learning::Whole => weights.clone(),
                Learning::Rows | Learning::Frozen => Matrix::default(),
            };
            self.remembered.ema = Some(learnt.map(begin).collect());
            return;
        };
        let decay = decay.min((1 + step) as f32 / (10 + step) as f32);
        let pairs: Vec<(&mut Matrix, (&Matrix, Learning))> = ema.iter_mut().zip(learnt).collect();
        pairs
            .into_par_iter()
            .for_each(|(ema, (weights, learning))| {
                if learning != Learning::Whole {
                    return;
                }
                if ema.shape() != weights.shape() {
                    ema.clone_from(weights);
                }
                for (ema, weight) in ema.values_mut().iter_mut().zip(weights.values()) {
                    *ema += (1.0 - decay) * (weight - *ema);
                }
            });
    }

    /// The model as it would be used now.
    fn usable(&self) -> Model {
        let mut model = self.model.clone();
        if let Some(ema) = &self.remembered.ema {
            for (weights, ema) in model.parameters.values_mut().zip(ema) {
                if ema.shape() == weights.shape() {
                    weights.clone_from(ema);
                }
            }
        }
        model
    }
}

fn batches(
    examples: &dyn ExampleSource,
    config: &TrainingConfig,
    seed: u64,
    pass: usize,
) -> Vec<Vec<usize>> {
    let drawn = examples.drawn(pass);
    let lengths: Vec<usize> = drawn.iter().map(|&it| examples.length(it)).collect();
    let mut rng = generator(seed, &Stream::Pass(pass));
    let batches = order::batches(&lengths, config.batch_size.max(1), &mut rng);
    let drawn = |batch: Vec<usize>| batch.into_iter().map(|it| drawn[it]).collect();
    batches.into_iter().map(drawn).collect()
}

/// How many examples are measured together.
const MEASURED_TOGETHER: usize = 10;

/// The mean loss of examples, nothing dropped.
pub fn mean_loss(model: &Model, examples: &[TrainingExample], config: &TrainingConfig) -> f64 {
    mean_loss_on(&Alone, model, examples, config)
}

/// The same, measured by several ranks.
fn mean_loss_on(
    ranks: &dyn Collective,
    model: &Model,
    examples: &[TrainingExample],
    config: &TrainingConfig,
) -> f64 {
    let chunks: Vec<&[TrainingExample]> = examples.chunks(MEASURED_TOGETHER).collect();
    let own = &chunks[shared::own_shards(chunks.len(), ranks)];
    let losses: Vec<f64> = own
        .par_iter()
        .map(|own| model.loss(&own.iter().collect::<Vec<_>>(), config.objective))
        .collect();
    let mut writer = Writer::default();
    for it in losses {
        writer.float(it);
    }
    let mut sum = 0.0;
    for bytes in ranks.all_gather(writer.finish()) {
        let mut reader = Reader::new(&bytes);
        while !reader.is_empty() {
            sum += reader.float();
        }
    }
    sum / examples.len().max(1) as f64
}

fn sum(sums: Vec<Option<Gradient>>, others: Vec<Option<Gradient>>) -> Vec<Option<Gradient>> {
    if sums.is_empty() {
        return others;
    }
    let pairs: Vec<_> = sums.into_iter().zip(others).collect();
    pairs
        .into_par_iter()
        .map(|pair| match pair {
            (Some(mut sum), Some(other)) => {
                sum.add(&other);
                Some(sum)
            }
            (one, None) | (None, one) => one,
        })
        .collect()
}

fn scale(gradients: &mut [Option<Gradient>], factor: f32) {
    gradients.par_iter_mut().flatten().for_each(|gradient| {
        for value in gradient.values_mut().values_mut() {
            *value *= factor;
        }
    });
}
