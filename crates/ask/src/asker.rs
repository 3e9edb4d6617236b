//! From a question to an answer.

use std::sync::Arc;
use std::time::Duration;

use patois::run::StageError;
use patois::run::standing::LeftOut;
use patois::run::synthesizer::{Subject, Synthesizer, Written};
use patois::run::trace::{item_name, parts};
use patois::spec::linking::ValueCache;
use patois_database::{
    Completeness, Database, DatabaseError, QueryError, QueryLimits, Rows, SqlValue,
};
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::Language;
use patois_synthesis::{SearchConfig, Searcher, Spec};
use serde::Serialize;

use crate::answer::{Answer, Program};
use crate::choice::choice;
use crate::confidence::Confidence;
use crate::evidence::{Evidence, is_beyond};
use crate::memory::{Lesson, Memory, MemoryError, Note};
use crate::narrowing::{Narrowing, is_large};
use crate::question_words::linked_words;
use crate::refusal;
use crate::source::{Source, SourceError};

/// Answers questions about one database.
pub struct Asker<'m> {
    model: &'m Synthesizer,
    searcher: Searcher<'m>,
    confidence: Confidence,
    source: Source,
    memory: Memory,
    values: ValueCache,
    scope: Scope,
}

/// What a question is read beside.
enum Scope {
    /// All tables.
    Whole(Arc<Subject>),
    /// Those that it may be about: there are too many.
    Parts(Narrowing),
}

/// Why nothing can be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The model writes something else.
    #[error("the model writes {found}, expected one that writes SQL with values")]
    Model {
        /// What it writes.
        found: String,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// There is nothing to ask about.
    #[error(transparent)]
    Source(SourceError),
    /// Nothing can be learnt.
    #[error(transparent)]
    Teaching(StageError),
    /// What was said about it cannot be kept.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many answers there may be.
    pub n_programs: usize,
    /// How many rows of each are kept; none where queries need not be run for their rows.
    pub n_rows: usize,
    /// Whether it is told what made which part of a query.
    pub is_traced: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            n_programs: 4,
            n_rows: 100,
            is_traced: false,
        }
    }
}

/// What can be told of a query without running it for its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Whether it would run here: it is one query, reads only, and all names are there.
    pub runs: bool,
    /// Why not.
    pub error: Option<String>,
    /// What it computes, in words, where it is one that we understand.
    pub words: Option<String>,
}

/// What a query may cost here.
const LIMITS: QueryLimits = QueryLimits {
    time: Duration::from_secs(5),
    n_rows: 1000,
    n_bytes: 64 << 20,
};

/// What each of several hypotheses may cost.
const A_LOOK: Duration = Duration::from_millis(500);

/// How many hypotheses the search keeps, at least: answers are compared by their rows, and some are the same.
const BEAM: usize = 8;

impl<'m> Asker<'m> {
    /// Answers questions about a source with a model.
    ///
    /// # Errors
    ///
    /// When the model writes no whole queries, or the database cannot be read.
    pub fn new(
        model: &'m Synthesizer,
        confidence: Confidence,
        source: Source,
        memory: Memory,
        values: ValueCache,
    ) -> Result<Asker<'m>, AskError> {
        if model.card.language != "sql" || model.config.sql.mode != Mode::Full {
            return Err(AskError::Model {
                found: model.card.language.clone(),
            });
        }
        let scope = Scope::of(model, &source, &memory, &values)?;
        let search = SearchConfig {
            beam_size: model.config.search.beam_size.max(BEAM),
            ..model.config.search
        };
        Ok(Asker {
            model,
            searcher: model.searcher(search),
            confidence,
            source,
            memory,
            values,
            scope,
        })
    }

    /// The tables and columns that questions are about.
    pub fn schema(&self) -> &DatabaseSchema {
        &self.source.schema
    }

    /// Where they come from, and what is to be known about that.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What was said about them.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Answers a question.
    pub fn ask(&self, question: &str, request: &Request) -> Answer {
        let question = question.trim();
        let mut answer = Answer {
            question: question.to_owned(),
            ..Answer::default()
        };
        answer.reason = refusal::refused(question);
        if answer.reason.is_some() {
            answer.abstained = true;
            return answer;
        }
        let filled = self
            .open()
            .and_then(|database| self.fill(&mut answer, &database, request));
        if let Err(error) = filled {
            answer.abstained = true;
            answer.reason = Some(error.to_string());
        }
        answer
    }

    /// What speaks for the answers that would be given to a question, without a look at what was said before: what
    /// [`Confidence`] is fitted to.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn evidence(&self, question: &str) -> Result<Vec<(Program, Evidence)>, DatabaseError> {
        let request = Request {
            n_rows: LIMITS.n_rows,
            ..Request::default()
        };
        Ok(self.candidates(question, &self.open()?, &request)?.0)
    }

    /// Runs a query where it can do no harm.
    ///
    /// # Errors
    ///
    /// When it is none, does more than reading, or takes too much.
    pub fn run(&self, sql: &str, n_rows: usize) -> Result<(Rows, Completeness), QueryError> {
        let database = self
            .open()
            .map_err(|it| QueryError::Sqlite(it.to_string()))?;
        let limits = QueryLimits { n_rows, ..LIMITS };
        database.first_rows(sql, &limits)
    }

    /// What can be told of a query without running it for its rows.
    pub fn check(&self, sql: &str) -> Checked {
        let error = match self.run(sql, 0) {
            // What takes long does run.
            Ok(_) | Err(QueryError::Time(_)) => None,
            Err(error) => Some(error.to_string()),
        };
        Checked {
            runs: error.is_none(),
            words: self.in_words(sql).filter(|_| error.is_none()),
            error,
        }
    }

    /// What a query computes, in words, where it is one that we understand.
    pub fn in_words(&self, sql: &str) -> Option<String> {
        let language = Sql::new(Arc::clone(&self.source.schema), Mode::Full);
        language.in_words(&language.parse(sql).ok()?).ok()
    }

    /// Remembers that a query is right for a question.
    ///
    /// # Errors
    ///
    /// When that cannot be written down.
    pub fn learn(&mut self, question: &str, code: &str) -> Result<(), AskError> {
        let lesson = Lesson {
            question: question.trim().to_owned(),
            code: code.trim().to_owned(),
        };
        Ok(self.memory.learn(lesson, &self.source.schema)?)
    }

    /// Remembers what a table or a column is called; it is understood at once.
    ///
    /// # Errors
    ///
    /// When there is no such thing, or that cannot be written down.
    pub fn note(&mut self, note: Note) -> Result<(), AskError> {
        self.memory.note(note, &self.source.schema)?;
        self.scope = Scope::of(self.model, &self.source, &self.memory, &self.values)?;
        Ok(())
    }

    fn open(&self) -> Result<Database, DatabaseError> {
        self.source.place.open(&self.source.schema.name)
    }

    fn fill(
        &self,
        answer: &mut Answer,
        database: &Database,
        request: &Request,
    ) -> Result<(), DatabaseError> {
        let (candidates, spec) = self.candidates(&answer.question, database, request)?;
        let first = candidates.first().map(|it| it.1.clone());
        answer.abstained = first.is_none_or(|it| self.confidence.is_refused(&it));
        for (mut program, evidence) in candidates {
            program.confidence = self.confidence.of(&evidence);
            answer.programs.push(program);
        }
        if let Some(lesson) = self.memory.recall(&answer.question) {
            let said = self.recalled(lesson, database, request);
            answer
                .programs
                .retain(|it| it.rows != said.rows || it.error.is_some());
            answer.programs.insert(0, said);
            answer.abstained = false;
        }
        drop_idle(&mut answer.programs);
        answer.programs.truncate(request.n_programs);
        let unheld = self.confidence.words.unheld(&spec);
        let best = answer.programs.first();
        answer.reason = match best {
            None => Some("no query was found".to_owned()),
            Some(_) if answer.abstained => Some(refusal::unsure(&self.source.schema, &unheld)),
            Some(best) => best
                .error
                .as_ref()
                .map(|it| format!("the query fails: {it}")),
        };
        if !answer.abstained {
            answer.choice = choice(&answer.programs);
        }
        Ok(())
    }

    /// What a question is read beside.
    fn subject(&self, question: &str) -> Result<Arc<Subject>, DatabaseError> {
        match &self.scope {
            Scope::Whole(subject) => Ok(Arc::clone(subject)),
            Scope::Parts(narrowing) => {
                let part = Arc::new(narrowing.part_for(question));
                let place = self.source.place.clone();
                Ok(Arc::new(self.model.about(part, place, &self.values)?))
            }
        }
    }

    /// Queries that differ in their rows, best first, and what speaks for each.
    fn candidates(
        &self,
        question: &str,
        database: &Database,
        request: &Request,
    ) -> Result<(Vec<(Program, Evidence)>, Spec), DatabaseError> {
        let subject = self.subject(question)?;
        let (spec, answers) = self.model.answer(&self.searcher, question, &subject);
        let total: f64 = answers.programs.iter().map(Written::probability).sum();
        let mut found: Vec<(Program, Evidence)> = Vec::new();
        for written in &answers.programs {
            let program = self.program(written, (&spec, &subject), database, request);
            let share = written.probability() / total.max(f64::MIN_POSITIVE);
            let same = found.iter_mut().find(|(it, _)| {
                it.error.is_none() && program.error.is_none() && have_same_rows(it, &program)
            });
            if let Some((_, evidence)) = same {
                evidence.agreement += share;
                continue;
            }
            let evidence = Evidence {
                agreement: share,
                rank: found.len(),
                is_empty: is_empty(&program),
                ..self.evidence_of(written, &spec)
            };
            found.push((program, evidence));
        }
        compare(&mut found);
        // What fails is no alternative to what does not.
        if found.iter().any(|(it, _)| it.error.is_none()) {
            found.retain(|(it, _)| it.error.is_none());
        }
        Ok((found, spec))
    }

    fn program(
        &self,
        written: &Written,
        (spec, subject): (&Spec, &Subject),
        database: &Database,
        request: &Request,
    ) -> Program {
        let mut program = Program {
            words: self.model.in_words(written, subject).unwrap_or_default(),
            probability: written.probability(),
            ..run(database, &written.code, request, A_LOOK)
        };
        if request.is_traced {
            let name = |ty: &str, item| item_name(subject.schema(), ty, item);
            program.trace = parts(&self.model.grammar, &written.found, spec, &name);
        }
        program
    }

    /// What a query and its question say by themselves.
    fn evidence_of(&self, written: &Written, spec: &Spec) -> Evidence {
        let choices = written.found.trace.iter().map(|it| it.ln_p);
        let n_of = |word: &str| written.code.matches(word).count();
        let words = &self.confidence.words;
        let missing = words.missing(spec).into_iter().map(|it| it.1);
        let left_out = LeftOut::by(&self.model.grammar, spec, &written.found.tree);
        Evidence {
            ln_p: written.found.ln_p,
            least_ln_p: choices.fold(0.0, f64::min),
            n_choices: written.found.trace.len(),
            n_selects: n_of("SELECT "),
            n_joins: n_of(" JOIN "),
            n_linked: linked_words(spec).len(),
            n_unknown: words.unknown(spec).len(),
            n_words: spec.words.len(),
            is_beyond: is_beyond(spec),
            missing: missing.clone().sum(),
            most_missing: missing.fold(0.0, f64::max),
            n_left_out: left_out.columns + left_out.tables,
            n_values_left_out: left_out.values,
            ..Evidence::default()
        }
    }

    fn recalled(&self, lesson: &Lesson, database: &Database, request: &Request) -> Program {
        Program {
            words: self.check(&lesson.code).words.unwrap_or_default(),
            probability: 1.0,
            confidence: 1.0,
            is_remembered: true,
            ..run(database, &lesson.code, request, LIMITS.time)
        }
    }
}

/// How sure another answer must be to be worth a look.
const LEAST_SURE: f64 = 0.02;

/// Drops answers after the first that nobody would choose: hardly likely ones, and those that are said in the same words.
fn drop_idle(programs: &mut Vec<Program>) {
    let mut said: Vec<String> = Vec::new();
    programs.retain(|it| {
        let is_new = it.words.is_empty() || !said.contains(&it.words);
        let is_kept = said.is_empty() || (is_new && it.confidence >= LEAST_SURE);
        if is_kept {
            said.push(it.words.clone());
        }
        is_kept
    });
}

impl Scope {
    fn of(
        model: &Synthesizer,
        source: &Source,
        memory: &Memory,
        values: &ValueCache,
    ) -> Result<Scope, DatabaseError> {
        if is_large(&source.schema) {
            let spoken = memory.spoken(&source.schema);
            return Ok(Scope::Parts(Narrowing::new(spoken)));
        }
        let subject = about(model, source, memory, values)?;
        Ok(Scope::Whole(Arc::new(subject)))
    }
}

/// What questions are about, called as people call it.
pub(crate) fn about(
    model: &Synthesizer,
    source: &Source,
    memory: &Memory,
    values: &ValueCache,
) -> Result<Subject, DatabaseError> {
    let spoken = Arc::new(memory.spoken(&source.schema));
    model.about(spoken, source.place.clone(), values)
}

/// A query with its rows.
fn run(database: &Database, code: &str, request: &Request, time: Duration) -> Program {
    let limits = QueryLimits {
        time,
        n_rows: request.n_rows,
        ..LIMITS
    };
    let mut program = Program {
        code: code.to_owned(),
        ..Program::default()
    };
    match database.first_rows(code, &limits) {
        Ok((rows, completeness)) => {
            program.columns = rows.columns;
            program.rows = rows.rows;
            program.is_cut = completeness == Completeness::Cut;
        }
        Err(error) => program.error = Some(error.to_string()),
    }
    program
}

/// Tells each answer how much speaks for the best of the others.
fn compare(found: &mut [(Program, Evidence)]) {
    let shares: Vec<f64> = found.iter().map(|it| it.1.agreement).collect();
    for (index, (_, evidence)) in found.iter_mut().enumerate() {
        let others = shares.iter().enumerate().filter(|it| it.0 != index);
        evidence.best_other = others.map(|it| *it.1).fold(0.0, f64::max);
    }
}

/// Whether two queries have the same rows, with their columns in any order.
fn have_same_rows(program: &Program, other: &Program) -> bool {
    let is_same = |(row, other): (&Vec<SqlValue>, &Vec<SqlValue>)| {
        row == other || (row.len() == other.len() && sorted(row) == sorted(other))
    };
    program.is_cut == other.is_cut
        && program.rows.len() == other.rows.len()
        && program.rows.iter().zip(&other.rows).all(is_same)
}

fn sorted(row: &[SqlValue]) -> Vec<String> {
    let mut values: Vec<String> = row.iter().map(ToString::to_string).collect();
    values.sort();
    values
}

fn is_empty(program: &Program) -> bool {
    let mut values = program.rows.iter().flatten();
    values.all(|it| *it == SqlValue::Null)
}
