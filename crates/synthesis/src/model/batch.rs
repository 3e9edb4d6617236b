//! Several examples as matrices of rows.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexSet;

use crate::layers::{DecoderPlan, ElementRows, PointerChoice, RuleChoice, TextChoice};
use crate::sequences::Sequences;
use crate::training_example::{Choice, EncodedSpec, Fed, TrainingExample};

/// Examples that are worked on together, longest first.
pub(super) struct Batch<'a> {
    examples: Vec<&'a TrainingExample>,
    /// For each example, where its log-probabilities begin.
    pub(super) starts: Vec<usize>,
    /// The example of each element.
    pub(super) example_of_elements: Arc<Vec<u32>>,
    /// The example of each step, and its elements.
    pub(super) example_of_steps: Arc<Vec<u32>>,
    pub(super) elements_of_steps: Arc<Vec<Range<usize>>>,
    pub(super) plan: DecoderPlan,
    /// Rows of the table of actions, which elements that can be pointed at follow.
    pub(super) previous: Input,
    pub(super) parent_actions: Input,
    pub(super) symbols: Input,
    pub(super) places: Input,
    pub(super) rule_rows: Arc<Vec<u32>>,
    pub(super) rules: Arc<Vec<RuleChoice>>,
    pub(super) text_rows: Arc<Vec<u32>>,
    pub(super) texts: Arc<Vec<TextChoice>>,
    pub(super) item_rows: Arc<Vec<u32>>,
    pub(super) items: Arc<Vec<PointerChoice>>,
    /// Which log-probability comes when, if those of rules are followed by those of texts and of
    /// items.
    pub(super) in_order: Arc<Vec<u32>>,
}

/// What is looked up in a table at each step. An example asks for the same few rows again and again.
pub(super) struct Input {
    /// The rows that each example asks for, each once.
    pub(super) rows: Arc<Vec<u32>>,
    /// The examples that ask for them.
    pub(super) examples: Arc<Vec<u32>>,
    /// Which of them each step asks for.
    pub(super) of_steps: Arc<Vec<u32>>,
}

impl Input {
    /// From the example and the row of each step.
    fn new(asked: impl Iterator<Item = (u32, u32)>) -> Input {
        let mut seen = IndexSet::new();
        let of_steps = asked.map(|it| seen.insert_full(it).0 as u32).collect();
        let (examples, rows) = seen.into_iter().unzip();
        Input {
            rows: Arc::new(rows),
            examples: Arc::new(examples),
            of_steps: Arc::new(of_steps),
        }
    }
}

/// Which kind of action a log-probability is of, and its index among those of that kind.
#[derive(Clone, Copy)]
enum Asked {
    Rule(usize),
    Text(usize),
    Item(usize),
}

impl<'a> Batch<'a> {
    /// Puts examples together; `n_action_rows` is the length of the table of actions.
    pub(super) fn new(examples: &[&'a TrainingExample], n_action_rows: usize) -> Batch<'a> {
        let mut examples = examples.to_vec();
        examples.sort_by_key(|it| std::cmp::Reverse(it.steps.len()));
        let sequences = Sequences::new(examples.iter().map(|it| it.steps.len()).collect());
        let starts = ranges(examples.iter().map(|it| it.n_choices()));
        let elements = ranges(examples.iter().map(|it| it.spec.n_elements()));
        let mut steps = Steps::new(sequences.n_rows());
        for (sequence, example) in examples.iter().enumerate() {
            let start = elements[sequence].start;
            for (index, step) in example.steps.iter().enumerate() {
                let row = sequences.row(sequence, index);
                let parent = |it: u32| sequences.row(sequence, it as usize) as u32;
                steps.parents[row] = step.parent.map(parent);
                steps.inputs[0][row] = fed_row(step.previous, n_action_rows + start);
                steps.inputs[1][row] = fed_row(step.parent_action, n_action_rows + start);
                steps.inputs[2][row] = step.symbol;
                steps.inputs[3][row] = step.place;
                steps.choices.add(&step.choice, row, start, &example.spec);
            }
        }
        let example_of_elements = (0..).zip(&elements);
        let example_of_elements = example_of_elements
            .flat_map(|(example, rows)| rows.clone().map(move |_| example))
            .collect();
        let example_of_steps = sequences.sequence_of_rows();
        let [previous, parent_actions, symbols, places] = steps
            .inputs
            .map(|rows| Input::new(example_of_steps.iter().copied().zip(rows)));
        let elements_of_steps = example_of_steps
            .iter()
            .map(|&it| elements[it as usize].clone());
        let choices = steps.choices;
        Batch {
            in_order: Arc::new(choices.in_order()),
            examples,
            starts: starts.into_iter().map(|it| it.start).collect(),
            example_of_elements: Arc::new(example_of_elements),
            elements_of_steps: Arc::new(elements_of_steps.collect()),
            example_of_steps: Arc::new(example_of_steps),
            plan: DecoderPlan {
                sequences,
                parents: steps.parents,
                elements,
                masks: None,
            },
            previous,
            parent_actions,
            symbols,
            places,
            rule_rows: Arc::new(choices.rule_rows),
            rules: Arc::new(choices.rules),
            text_rows: Arc::new(choices.text_rows),
            texts: Arc::new(choices.texts),
            item_rows: Arc::new(choices.item_rows),
            items: Arc::new(choices.items),
        }
    }

    /// The examples, longest first.
    pub(super) fn examples(&self) -> &[&'a TrainingExample] {
        &self.examples
    }

    /// How many examples there are.
    pub(super) fn len(&self) -> usize {
        self.examples.len()
    }

    /// Their specifications.
    pub(super) fn specs(&self) -> Vec<&'a EncodedSpec> {
        self.examples.iter().map(|it| &it.spec).collect()
    }
}

/// The steps of all examples, row by row.
struct Steps {
    parents: Vec<Option<u32>>,
    /// Rows of tables: the previous action, the parent's, the symbol, the hole.
    inputs: [Vec<u32>; 4],
    choices: Choices,
}

impl Steps {
    fn new(n_rows: usize) -> Steps {
        Steps {
            parents: vec![None; n_rows],
            inputs: std::array::from_fn(|_| vec![0; n_rows]),
            choices: Choices::default(),
        }
    }
}

/// Ranges of the given lengths, one after the other.
fn ranges(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end - length..*end)
    });
    ends.collect()
}

/// The row of an action, where elements that can be pointed at begin at `first_element`.
fn fed_row(fed: Fed, first_element: usize) -> u32 {
    match fed {
        Fed::Row(row) => row,
        Fed::Element(element) => first_element as u32 + element,
    }
}

#[derive(Default)]
struct Choices {
    rule_rows: Vec<u32>,
    rules: Vec<RuleChoice>,
    n_rules_asked: usize,
    text_rows: Vec<u32>,
    texts: Vec<TextChoice>,
    item_rows: Vec<u32>,
    items: Vec<PointerChoice>,
    asked: Vec<Asked>,
}

impl Choices {
    fn add(&mut self, choice: &Choice, row: usize, start: usize, spec: &EncodedSpec) {
        match choice {
            Choice::Rule { possible, accepted } => {
                for _ in accepted {
                    self.asked.push(Asked::Rule(self.n_rules_asked));
                    self.n_rules_asked += 1;
                }
                self.rules.push(RuleChoice {
                    row: self.rule_rows.len(),
                    possible: Arc::clone(possible),
                    asked: accepted.clone(),
                });
                self.rule_rows.push(row as u32);
            }
            Choice::Text { subtoken, copied } => {
                self.asked.push(Asked::Text(self.texts.len()));
                self.texts.push(TextChoice {
                    row: self.text_rows.len(),
                    elements: ElementRows::of(spec, start),
                    copies: Arc::clone(&spec.copies),
                    subtoken: *subtoken,
                    copied: copied.clone(),
                });
                self.text_rows.push(row as u32);
            }
            Choice::Item { items, target } => {
                self.asked.push(Asked::Item(self.items.len()));
                self.items.push(PointerChoice {
                    row: self.item_rows.len(),
                    start,
                    items: Arc::clone(items),
                    target: *target,
                });
                self.item_rows.push(row as u32);
            }
            Choice::Unreachable => {}
        }
    }

    fn in_order(&self) -> Vec<u32> {
        let index = |asked: &Asked| match *asked {
            Asked::Rule(index) => index,
            Asked::Text(index) => self.n_rules_asked + index,
            Asked::Item(index) => self.n_rules_asked + self.texts.len() + index,
        };
        self.asked.iter().map(|it| index(it) as u32).collect()
    }
}
