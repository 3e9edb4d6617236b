//! Search: from a specification to programs, best first.
//!
//! A beam of partial trees grows by one step of the original derivation at a time, whichever rules
//! built them: an idiom is paid for at once, and then its body is fed to the network step by step.
//! So all hypotheses of a beam have taken equally many steps, those that reach the same partial tree in different
//! ways meet there, and become one whose probability is the sum.
//!
//! A model with [atomic](patois_syntax::IdiomExpansion::Atomic) idioms is in another state for each way, so
//! that only finished programs meet.

mod completion;
mod hypothesis;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use patois_syntax::{
    Action, ExtendedGrammar, Language, Next, Rule, Subtoken, Subtokens, SymbolId, SymbolKind, Text,
    Tree,
};
use serde::{Deserialize, Serialize};

use crate::model::{Encodings, Ensemble, States, StepInput, SubtokenProbabilities};
use crate::spec::{Origin, Spec};
use crate::training_example::EncodedSpec;

use completion::Completion;
pub use hypothesis::TraceStep;
use hypothesis::{Choosable, Hypothesis};

/// How programs are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchConfig {
    /// How many hypotheses are kept.
    pub beam_size: usize,
    /// After how many steps a program is brought to an end.
    pub max_steps: usize,
    /// How many subtokens a name or literal has, at most.
    pub max_subtokens: usize,
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig {
            beam_size: 1,
            max_steps: 500,
            max_subtokens: 20,
        }
    }
}

/// A program that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its tree.
    pub tree: Tree,
    /// The logarithm of its probability, summed over the derivations that the search came across.
    pub ln_p: f64,
    /// The most probable of these derivations.
    pub trace: Vec<TraceStep>,
}

/// Where choices lead.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The logarithm of the probability of making them.
    pub ln_p: f64,
    /// The state of the network in the last step: the one with the next choice, where there is one.
    pub state: States,
    /// The program, if it is complete.
    pub tree: Option<Tree>,
}

/// What a program is searched for with.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// How texts are cut into subtokens.
    pub subtokens: &'a dyn Subtokens,
    /// What may be a text.
    pub language: &'a dyn Language,
}

/// Searches for programs with trained models.
pub struct Searcher<'m> {
    ensemble: Ensemble<'m>,
    grammar: ExtendedGrammar<'m>,
    completion: Completion,
    /// The subtokens that can be generated, in the order of the vocabulary.
    subtokens: Vec<Text>,
    config: SearchConfig,
}

/// An example while its program is searched for.
struct Task<'a> {
    question: Question<'a>,
    spec: EncodedSpec,
    encoding: Encodings,
    /// The texts that can be copied, each with its copies and its column in the vocabulary.
    texts: Vec<(Text, Vec<usize>, Option<usize>)>,
    /// Those of them that are values of the database.
    values: IndexSet<&'static str>,
}

/// What stands for any text in the patterns of SQL.
const WILDCARD: char = '%';

/// The hypotheses for one question.
struct Beam<'a> {
    live: Vec<Hypothesis<'a>>,
    /// Those that are done, best first.
    finished: Vec<Hypothesis<'a>>,
}

impl<'a> Beam<'a> {
    fn new(start: Hypothesis<'a>) -> Beam<'a> {
        Beam {
            live: vec![start],
            finished: Vec::new(),
        }
    }

    /// Sets aside what is done, and all the rest once enough is done that it cannot get ahead of.
    fn settle(&mut self, beam_size: usize) {
        for done in self.live.extract_if(.., |it| it.next() == Next::Done) {
            // Ways that do not meet before may still end in the same program.
            match self.finished.iter_mut().find(|it| it.has_built_same(&done)) {
                Some(same) => same.merge(&done),
                None => self.finished.push(done),
            }
        }
        self.finished.sort_by(|a, b| b.ln_p.total_cmp(&a.ln_p));
        let best_live = self.live.iter().map(|it| it.ln_p);
        let best_live = best_live.fold(f64::NEG_INFINITY, f64::max);
        let last = self.finished.get(beam_size - 1);
        if last.is_some_and(|it| it.ln_p >= best_live) {
            self.live.clear();
        }
    }

    fn finish(mut self, beam_size: usize) -> Vec<Found> {
        self.finished.truncate(beam_size);
        let finished = self.finished.into_iter();
        finished.filter_map(Hypothesis::finish).collect()
    }
}

impl<'m> Searcher<'m> {
    /// A searcher for programs of a grammar, which is the one that the models were trained for.
    pub fn new(
        ensemble: Ensemble<'m>,
        grammar: ExtendedGrammar<'m>,
        config: SearchConfig,
    ) -> Searcher<'m> {
        let subtokens = ensemble.model().actions.subtokens().iter();
        Searcher {
            completion: Completion::new(&grammar),
            subtokens: subtokens.map(|(subtoken, _)| Text::new(subtoken)).collect(),
            ensemble,
            grammar,
            config,
        }
    }

    /// Programs for a question, best first; at most as many as the beam holds.
    ///
    /// Where no program comes to an end within the limits, the best hypothesis is brought to an end
    /// in as few steps as can be.
    pub fn search(&self, question: Question<'_>) -> Vec<Found> {
        let found = self.search_all(&[question]);
        found.into_iter().flatten().collect()
    }

    /// Programs for each of several questions, as [`search`](Searcher::search) finds them; the network
    /// takes the steps of all hypotheses of all questions at once.
    pub fn search_all(&self, questions: &[Question<'_>]) -> Vec<Vec<Found>> {
        let tasks: Vec<Task<'_>> = questions.iter().map(|it| self.task(*it)).collect();
        let tasks: Vec<&Task<'_>> = tasks.iter().collect();
        let mut found = self.run(&tasks, Care::None);
        for care in [Care::Full, Care::Least] {
            let is_missing = |index: &usize| found[*index].is_empty();
            let missing: Vec<usize> = (0..tasks.len()).filter(is_missing).collect();
            let again: Vec<&Task<'_>> = missing.iter().map(|&index| tasks[index]).collect();
            for (index, programs) in missing.into_iter().zip(self.run(&again, care)) {
                found[index] = programs;
            }
        }
        found
    }

    /// Makes the given choices, and whatever they force, and tells where that leads; none where one of
    /// them cannot be made.
    pub fn follow(&self, question: Question<'_>, choices: &[Action]) -> Option<Followed> {
        let task = self.task(question);
        let mut hypothesis = self.start(&task);
        let mut choices = choices.iter();
        loop {
            let next = hypothesis.next();
            if next == Next::Done {
                break;
            }
            let live = std::slice::from_mut(&mut hypothesis);
            self.advance(vec![(&task.encoding, live)]);
            let mut possible = self.possible(&task, &hypothesis, next, false, Care::None);
            if let Next::Choose(_) = next {
                let Some(wanted) = choices.next() else { break };
                possible.retain(|it| it.action == *wanted);
            }
            let choosable = possible.pop()?;
            self.take(&task, &mut hypothesis, &choosable);
        }
        let is_whole = choices.len() == 0;
        is_whole.then(|| hypothesis.into_followed())
    }

    fn task<'a>(&self, question: Question<'a>) -> Task<'a> {
        let model = self.ensemble.model();
        let spec = EncodedSpec::new(question.spec, &model.words, &model.config);
        let mut texts: IndexMap<Text, Vec<usize>> = IndexMap::new();
        for (index, copy) in question.spec.copies.iter().enumerate() {
            texts.entry(copy.text).or_default().push(index);
        }
        let column = |text: Text| model.actions.subtoken_column(Subtoken::Text(text));
        let values = question.spec.copies.iter();
        let values = values.filter(|it| matches!(it.origin, Origin::Value { .. }));
        Task {
            values: values.map(|it| it.text.as_str()).collect(),
            encoding: self.ensemble.encode(&spec),
            spec,
            texts: texts
                .into_iter()
                .map(|(text, copies)| (text, copies, column(text).map(|it| it as usize)))
                .collect(),
            question,
        }
    }

    fn run(&self, tasks: &[&Task<'_>], care: Care) -> Vec<Vec<Found>> {
        let beam_size = self.config.beam_size.max(1);
        let mut beams: Vec<Beam<'_>> = tasks.iter().map(|it| Beam::new(self.start(it))).collect();
        // Completing a program takes steps of its own; the second limit only guards the first.
        let limit = self.config.max_steps.saturating_mul(4);
        for step in 0..limit {
            for beam in &mut beams {
                beam.settle(beam_size);
            }
            if beams.iter().all(|it| it.live.is_empty()) {
                break;
            }
            let encodings = tasks.iter().map(|it| &it.encoding);
            let live = beams.iter_mut().map(|it| &mut it.live[..]);
            self.advance(encodings.zip(live).collect());
            let is_late = step >= self.config.max_steps || care == Care::Least;
            for (task, beam) in tasks.iter().zip(&mut beams) {
                let live = std::mem::take(&mut beam.live);
                beam.live = self.expand(task, live, beam_size, is_late, care);
            }
        }
        beams.into_iter().map(|it| it.finish(beam_size)).collect()
    }

    fn start<'a>(&self, task: &Task<'a>) -> Hypothesis<'a>
    where
        'm: 'a,
    {
        let Question {
            subtokens,
            language,
            ..
        } = task.question;
        let expansion = self.ensemble.model().actions.expansion();
        Hypothesis::new(self.grammar, subtokens, language, expansion)
    }

    /// Takes a step of the network for each hypothesis, of one or of several questions.
    fn advance(&self, mut all: Vec<(&Encodings, &mut [Hypothesis<'_>])>) {
        let mut positions = Vec::new();
        for (_, live) in &mut all {
            positions.extend(live.iter_mut().map(Hypothesis::position));
        }
        let actions = &self.ensemble.model().actions;
        let hypotheses = all
            .iter()
            .flat_map(|(encoding, live)| live.iter().map(move |it| (*encoding, it)));
        let inputs: Vec<StepInput<'_, Encodings, States>> = hypotheses
            .zip(positions)
            .map(|((encoding, it), position)| it.input(encoding, actions, position))
            .collect();
        let states = self.ensemble.step(&inputs);
        let hypotheses = all.into_iter().flat_map(|(_, live)| live);
        for (hypothesis, state) in hypotheses.zip(states) {
            hypothesis.push_state(Arc::new(state));
        }
    }

    /// Carries out the best actions of all hypotheses.
    fn expand<'a>(
        &self,
        task: &Task<'_>,
        mut live: Vec<Hypothesis<'a>>,
        beam_size: usize,
        is_late: bool,
        care: Care,
    ) -> Vec<Hypothesis<'a>> {
        let mut candidates: Vec<(f64, usize, Choosable)> = Vec::new();
        for (index, hypothesis) in live.iter_mut().enumerate() {
            let (ln_p, next) = (hypothesis.ln_p, hypothesis.next());
            let mut own = self.possible(task, hypothesis, next, is_late, care);
            if own.len() > beam_size {
                own.select_nth_unstable_by(beam_size - 1, |a, b| b.ln_p.total_cmp(&a.ln_p));
                own.truncate(beam_size);
            }
            candidates.extend(own.into_iter().map(|it| (ln_p + it.ln_p, index, it)));
        }
        // Of equals, the one that comes first.
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        // What is built grows by at most a node, and never in the same way twice: hypotheses can only
        // meet if they come from different ones that had built the same.
        let built: Vec<usize> = (0..live.len())
            .map(|it| {
                (0..it)
                    .find(|&other| live[other].has_built_same(&live[it]))
                    .unwrap_or(it)
            })
            .collect();
        let mut parents = Parents::new(live, candidates.iter().map(|it| it.1));
        let mut kept: Vec<(usize, Hypothesis<'a>)> = Vec::new();
        for (_, index, choosable) in candidates {
            parents.count_down(index);
            let may_meet = |from: usize| from != index && built[from] == built[index];
            let is_full = kept.len() == beam_size;
            if is_full && !kept.iter().any(|(from, _)| may_meet(*from)) {
                continue;
            }
            let mut next = parents.get(index);
            self.take(task, &mut next, &choosable);
            if !next.is_possible() {
                continue;
            }
            match kept.iter_mut().find(|(_, it)| it.is_same(&next)) {
                Some((_, same)) => same.merge(&next),
                None if is_full => {}
                None => kept.push((index, next)),
            }
        }
        kept.into_iter().map(|(_, it)| it).collect()
    }

    fn take(&self, task: &Task<'_>, hypothesis: &mut Hypothesis<'_>, choosable: &Choosable) {
        let model = self.ensemble.model();
        hypothesis.take(choosable, &task.spec, model, &self.grammar);
    }

    /// What can come next.
    fn possible(
        &self,
        task: &Task<'_>,
        hypothesis: &Hypothesis<'_>,
        next: Next,
        is_late: bool,
        care: Care,
    ) -> Vec<Choosable> {
        match next {
            Next::Done => Vec::new(),
            Next::Forced(action) => vec![Choosable::forced(action)],
            Next::Choose(symbol) => self.choices(task, hypothesis, symbol, is_late, care),
        }
    }

    /// What can be chosen at a symbol.
    fn choices(
        &self,
        task: &Task<'_>,
        hypothesis: &Hypothesis<'_>,
        symbol: SymbolId,
        is_late: bool,
        care: Care,
    ) -> Vec<Choosable> {
        let grammar = self.grammar.grammar();
        let state = hypothesis.state();
        match grammar.symbol_kind(symbol) {
            SymbolKind::Text => {
                let ty = grammar.symbol_type(symbol);
                let copies = &task.spec.copies;
                let probabilities = self.ensemble.subtokens(state, &task.encoding, copies);
                self.text_choices(task, hypothesis, ty, &probabilities, is_late, care)
            }
            SymbolKind::Reference => {
                let elements = task.spec.items(grammar, symbol);
                let start = elements.start as u32;
                let items = hypothesis.following().items(elements.len());
                let items = items.unwrap_or_else(|| (0..elements.len() as u32).collect());
                let elements: Vec<u32> = items.iter().map(|it| start + it).collect();
                let ln_p = self.ensemble.items(state, &task.encoding, &elements);
                let items = items.into_iter().zip(ln_p);
                items
                    .map(|(item, ln_p)| Choosable::new(Action::Point(item), ln_p))
                    .collect()
            }
            _ => self.rule_choices(task, hypothesis, symbol, is_late, care),
        }
    }

    /// The rules that may expand a symbol, with probabilities that add up to one.
    fn rule_choices(
        &self,
        task: &Task<'_>,
        hypothesis: &Hypothesis<'_>,
        symbol: SymbolId,
        is_late: bool,
        care: Care,
    ) -> Vec<Choosable> {
        let possible = hypothesis.following().rules(&self.grammar, symbol);
        let rules = possible.unwrap_or_else(|| self.grammar.rules(symbol).collect());
        let actions = &self.ensemble.model().actions;
        let columns: Vec<u32> = rules.iter().map(|&it| actions.rule_column(it)).collect();
        let ln_p = self.ensemble.rules(hypothesis.state(), &columns);
        let mut wanted = rules.clone();
        wanted.retain(|it| care == Care::None || self.is_safe(task, *it));
        if is_late {
            wanted = self.completion.shortest(&wanted);
        }
        let rules = rules.into_iter().zip(ln_p);
        rules
            .filter(|(rule, _)| wanted.contains(rule))
            .map(|(rule, ln_p)| Choosable::new(Action::Apply(rule), ln_p))
            .collect()
    }

    /// Whether a rule is no idiom, and the texts that it asks for can be told.
    fn is_safe(&self, task: &Task<'_>, rule: Rule) -> bool {
        let Rule::Production(id) = rule else {
            return false;
        };
        let grammar = self.grammar.grammar();
        let children = grammar.production(id).rhs.iter();
        let mut texts = children.filter(|it| grammar.symbol_kind(**it) == SymbolKind::Text);
        texts.all(|&it| {
            let ty = grammar.symbol_type(it);
            let accepts = |text: &str| task.question.language.accepts_text(ty, text);
            let copied = task.texts.iter().map(|it| &it.0);
            accepts("")
                || self
                    .subtokens
                    .iter()
                    .chain(copied)
                    .any(|it| accepts(it.as_str()))
        })
    }

    /// The end of the text where it may end, and subtokens, each with the sum of the probabilities that it is
    /// generated and that it is copied.
    fn text_choices(
        &self,
        task: &Task<'_>,
        hypothesis: &Hypothesis<'_>,
        ty: &str,
        probabilities: &SubtokenProbabilities,
        is_late: bool,
        care: Care,
    ) -> Vec<Choosable> {
        let language = task.question.language;
        let text = hypothesis.text();
        let emit = |subtoken, p: f32| {
            Choosable::new(Action::Emit(subtoken), p.max(f32::MIN_POSITIVE).ln())
        };
        let may_end = language.accepts_text(ty, text);
        let mut choices = Vec::new();
        if may_end {
            choices.push(emit(Subtoken::End, probabilities.generated[0]));
        }
        // Nothing follows a value but what stands around it in a pattern.
        let is_value = task.values.contains(text.trim_start_matches(WILDCARD));
        let may_follow = |subtoken: Text| !is_value || subtoken.as_str().starts_with(WILDCARD);
        let is_long = hypothesis.n_subtokens() >= self.config.max_subtokens;
        if is_long || (may_end && (is_late || care != Care::None)) {
            return choices;
        }
        let is_possible = |subtoken: Text| {
            may_follow(subtoken)
                && (care == Care::None || language.accepts_text(ty, &format!("{text}{subtoken}")))
        };
        let mut is_copied = vec![false; probabilities.generated.len()];
        for (subtoken, copies, column) in &task.texts {
            let copied: f32 = copies.iter().map(|&it| probabilities.copied[it]).sum();
            let generated = column.map_or(0.0, |it| probabilities.generated[it]);
            if let Some(column) = column {
                is_copied[*column] = true;
            }
            if is_possible(*subtoken) {
                choices.push(emit(Subtoken::Text(*subtoken), copied + generated));
            }
        }
        let generated = self
            .subtokens
            .iter()
            .zip(&probabilities.generated[1..])
            .zip(&is_copied[1..]);
        for ((subtoken, &p), _) in generated.filter(|it| !it.1) {
            if is_possible(*subtoken) {
                choices.push(emit(Subtoken::Text(*subtoken), p));
            }
        }
        choices
    }
}

/// How carefully programs are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// What cannot end is left behind.
    None,
    /// After every subtoken the text must be one that may stand there, it ends as soon as it may, and none is begun
    /// that could not. No idiom is used: what it prescribes after its holes may turn out not to be possible.
    Full,
    /// The same, and the shortest way to the end is taken from the beginning on.
    Least,
}

/// Hypotheses that others come of. Each is copied for all of these but the last: where one is all that
/// goes on, the work of a step does not grow with the steps before.
struct Parents<'a> {
    hypotheses: Vec<Option<Hypothesis<'a>>>,
    /// How many may still come of each.
    n_left: Vec<usize>,
}

impl<'a> Parents<'a> {
    /// `wanted` has the index of a hypothesis for each that may come of it.
    fn new(hypotheses: Vec<Hypothesis<'a>>, wanted: impl Iterator<Item = usize>) -> Parents<'a> {
        let mut n_left = vec![0; hypotheses.len()];
        wanted.for_each(|it| n_left[it] += 1);
        Parents {
            hypotheses: hypotheses.into_iter().map(Some).collect(),
            n_left,
        }
    }

    /// One less may come of a hypothesis: the one that is at hand.
    fn count_down(&mut self, index: usize) {
        self.n_left[index] -= 1;
    }

    /// The hypothesis for the one at hand.
    fn get(&mut self, index: usize) -> Hypothesis<'a> {
        let hypothesis = &mut self.hypotheses[index];
        let hypothesis = match self.n_left[index] {
            0 => hypothesis.take(),
            _ => hypothesis.clone(),
        };
        hypothesis.expect("a hypothesis is given away last")
    }
}
