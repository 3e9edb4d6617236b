//! The inside recursion against all derivations, listed one by one.

use std::sync::Arc;

use crate::toy::{Class, PROGRAMS};
use patois_syntax::derivation::{self, Subtokens};
use patois_syntax::{Action, IdiomId, Next, PartialTree, Rule, Step, Tree};
use patois_synthesis::training_example::{Alternative, Choice, Derivations};
use patois_synthesis::{Actions, EncoderKind, Model, Objective, TrainingExample};

/// Follows every sequence of actions that builds the tree, and adds up their probabilities.
struct Enumeration<'a> {
    tree: &'a Tree,
    example: &'a TrainingExample,
    actions: &'a Actions,
    steps: Vec<Step>,
    /// Where the log-probabilities of each step begin.
    starts: Vec<usize>,
    ln_p: &'a [f32],
    total: f64,
    n_derivations: usize,
    n_productions: usize,
    /// How often each action is chosen, times the probability.
    usage: Vec<f64>,
}

impl Enumeration<'_> {
    fn follow(&mut self, mut partial: PartialTree<'_>, chosen: &mut Vec<usize>) {
        let is_prefix = self.tree.labels().starts_with(partial.labels());
        if !is_prefix {
            return;
        }
        match partial.next() {
            Next::Done => self.add(chosen),
            Next::Forced(action) => {
                partial.apply(&action).expect("it is possible");
                self.follow(partial, chosen);
            }
            Next::Choose(symbol) => {
                let index = partial.n_steps();
                self.choose(
                    &partial,
                    self.steps[index].action,
                    Some(self.starts[index]),
                    chosen,
                );
                for column in self.actions.possible(symbol).to_vec() {
                    let Some(idiom) = (column as usize).checked_sub(self.n_productions) else {
                        continue;
                    };
                    let action = Action::Apply(Rule::Idiom(IdiomId::new(idiom)));
                    self.choose(&partial, action, self.idiom_choice(index, column), chosen);
                }
            }
        }
    }

    /// Where the log-probability of an idiom at a step stands, if it is accepted there.
    fn idiom_choice(&self, step: usize, column: u32) -> Option<usize> {
        let Choice::Rule { possible, accepted } = &self.example.steps[step].choice else {
            return None;
        };
        let offset = accepted
            .iter()
            .position(|&it| possible[it as usize] == column)?;
        Some(self.starts[step] + offset)
    }

    fn choose(
        &mut self,
        partial: &PartialTree<'_>,
        action: Action,
        choice: Option<usize>,
        chosen: &mut Vec<usize>,
    ) {
        let mut partial = partial.clone();
        partial.apply(&action).expect("it is possible");
        // An idiom that is not marked must not lead to the tree; it gets an index that shows.
        chosen.push(choice.unwrap_or(usize::MAX));
        self.follow(partial, chosen);
        chosen.pop();
    }

    fn add(&mut self, chosen: &[usize]) {
        assert!(
            !chosen.contains(&usize::MAX),
            "every idiom that fits is marked"
        );
        let ln_p: f64 = chosen.iter().map(|&it| f64::from(self.ln_p[it])).sum();
        self.total += ln_p.exp();
        self.n_derivations += 1;
        for &choice in chosen {
            self.usage[choice] += ln_p.exp();
        }
    }
}

/// All derivations of a program, given the log-probabilities of its example's choices.
fn enumerate<'a>(
    class: &'a Class,
    model: &'a Model,
    (tree, example): (&'a Tree, &'a TrainingExample),
    ln_p: &'a [f32],
) -> Enumeration<'a> {
    let whole: fn(&str) -> Vec<&str> = |text| vec![text];
    let mut starts = vec![0];
    for step in &example.steps {
        starts.push(starts.last().expect("it has one") + step.choice.n_asked());
    }
    let mut enumeration = Enumeration {
        tree,
        example,
        actions: &model.actions,
        steps: derivation::steps(&class.extended(), &whole, tree),
        starts,
        usage: vec![0.0; ln_p.len()],
        ln_p,
        n_productions: class.grammar.n_productions(),
        total: 0.0,
        n_derivations: 0,
    };
    let subtokens: &dyn Subtokens = &whole;
    let empty = PartialTree::new(class.extended(), subtokens, class.grammar.root());
    enumeration.follow(empty, &mut Vec::new());
    enumeration
}

#[test]
fn inside_sums_over_all_derivations() {
    let class = Class::new(Objective::Marginal);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let examples = class.examples(&model);
    let mut most = 0;
    for ((_, program), example) in PROGRAMS.iter().zip(&examples) {
        let tree = Tree::parse(&class.grammar, program).unwrap();
        let ln_p: Vec<f32> = (0..example.n_choices())
            .map(|it| -((it * 7 % 5) as f32) / 3.0 - 0.1)
            .collect();
        let enumeration = enumerate(&class, &model, (&tree, example), &ln_p);
        most = most.max(enumeration.n_derivations);

        let found = example.derivations.inside(&ln_p);
        let found = found.last().unwrap();
        let expected = enumeration.total.ln();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        let posterior = example.derivations.posterior(&ln_p);
        for (found, usage) in posterior.iter().zip(&enumeration.usage) {
            assert!((found - usage / enumeration.total).abs() < 1e-9);
        }
    }
    assert!(most >= 4, "some program has {most} derivations");
}

/// What the model gives to each choice of an example, asked for one at a time.
fn ln_p(model: &Model, example: &TrainingExample) -> Vec<f32> {
    let asked = |choice: u32| {
        let mut example = example.clone();
        let only = Alternative {
            choices: vec![choice],
            nodes: Vec::new(),
        };
        example.derivations = Arc::new(Derivations {
            nodes: vec![vec![only]],
            n_choices: example.n_choices(),
        });
        -model.loss(&[&example], Objective::Marginal) as f32
    };
    (0..example.n_choices() as u32).map(asked).collect()
}

#[test]
fn idioms_are_used_as_often_as_their_derivations_are_likely() {
    let class = Class::new(Objective::Marginal);
    let model = class.model(EncoderKind::Schema, 0.1, 1);
    let examples = class.examples(&model);
    let posteriors = model.posteriors(&examples.iter().collect::<Vec<_>>());
    let mut n_idioms = 0;
    for (((_, program), example), posterior) in PROGRAMS.iter().zip(&examples).zip(&posteriors) {
        let tree = Tree::parse(&class.grammar, program).unwrap();
        let ln_p = ln_p(&model, example);
        let enumeration = enumerate(&class, &model, (&tree, example), &ln_p);
        for (idiom, choice) in example.idioms(&model.actions) {
            let expected = enumeration.usage[choice] / enumeration.total;
            let found = posterior[choice];
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            assert!(idiom < class.extended().library().len());
            assert!(found > 0.0 && found < 1.0, "{found}");
            n_idioms += 1;
        }
    }
    assert!(n_idioms >= 4, "{n_idioms} idioms are accepted");

    let uses = model.idiom_uses(&examples.iter().collect::<Vec<_>>());
    let mut all = 0.0;
    for (example, posterior) in examples.iter().zip(&posteriors) {
        let idioms = example.idioms(&model.actions).into_iter();
        all += idioms.map(|(_, choice)| posterior[choice]).sum::<f64>();
    }
    assert_eq!(uses.len(), class.library.len());
    assert!((uses.iter().sum::<f64>() - all).abs() < 1e-9);
}

/// Nothing is left of an idiom that a model is without; without all of them, the only way to write a program is the
/// original one.
#[test]
fn a_model_can_be_without_idioms() {
    let class = Class::new(Objective::Marginal);
    let model = class.model(EncoderKind::Schema, 0.0, 3);
    let examples = class.examples(&model);
    let examples: Vec<&TrainingExample> = examples.iter().collect();
    let mut without_all = model.clone();
    for idiom in 0..class.library.len() {
        let uses = model.without(idiom).idiom_uses(&examples);
        assert!(uses[idiom] < 1e-9, "{uses:?}");
        without_all = without_all.without(idiom);
    }
    let [marginal, plain] = [Objective::Marginal, Objective::Plain]
        .map(|objective| without_all.loss(&examples, objective));
    assert!((marginal - plain).abs() < 1e-3, "{marginal} {plain}");
    assert!(
        model.loss(&examples, Objective::Plain) > plain,
        "idioms took a part"
    );
}
