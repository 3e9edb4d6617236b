//! The JSON API, and the routes of everything.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{Request, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use patois_ask::{Answer, AskError, Asker, Checked, Note};
use patois_database::{Completeness, SqlValue};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::complete::{Completion, Values, complete};
use crate::describe::{Description, Sample, describe, sample};
use crate::door::{Door, pass};
use crate::reply::Refusal;
use crate::work::{Turn, Work};
use crate::{assets, body};

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) work: Work,
    /// Values to complete; not there until they have been read.
    pub(crate) values: Arc<OnceLock<Values>>,
}

type Replied<T> = Result<Json<T>, Refusal>;

/// Everything that is served, behind the door.
pub(crate) fn router(shared: Shared, door: Door) -> Router {
    let mut router = Router::new()
        .route("/healthz", get(health))
        .route("/api/ask", post(ask))
        .route("/api/sql", post(sql))
        .route("/api/check", post(check))
        .route("/api/learn", post(learn))
        .route("/api/note", post(note))
        .route("/api/schema", get(schema))
        .route("/api/table", get(table))
        .route("/api/complete", get(completions));
    for path in assets::paths() {
        router = router.route(path, get(asset));
    }
    router
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state(door, pass))
        .with_state(shared)
}

async fn health() -> Json<Value> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}))
}

async fn asset(uri: Uri) -> Response {
    assets::at(uri.path()).unwrap_or_else(|| absent().into_response())
}

async fn nothing() -> Refusal {
    absent()
}

fn absent() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

async fn other_method() -> Refusal {
    let message = "expected another method: /openapi.json says which";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// The most answers and rows that can be asked for.
pub(crate) const MOST_PROGRAMS: usize = 20;
pub(crate) const MOST_ROWS: usize = 1000;

/// A question, as it is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) question: String,
    pub(crate) n_programs: Option<usize>,
    pub(crate) n_rows: Option<usize>,
    #[serde(default)]
    pub(crate) trace: bool,
}

impl Asked {
    /// Asks it.
    pub(crate) fn ask(&self, asker: &Asker<'_>) -> Answer {
        let usual = patois_ask::Request::default();
        let request = patois_ask::Request {
            n_programs: self
                .n_programs
                .unwrap_or(usual.n_programs)
                .clamp(1, MOST_PROGRAMS),
            n_rows: self.n_rows.unwrap_or(usual.n_rows).min(MOST_ROWS),
            is_traced: self.trace,
        };
        asker.ask(&self.question, &request)
    }
}

/// A query to be run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statement {
    pub(crate) sql: String,
    pub(crate) n_rows: Option<usize>,
}

/// What a query returns.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Returned {
    Rows {
        columns: Vec<String>,
        rows: Vec<Vec<SqlValue>>,
        is_cut: bool,
        words: Option<String>,
    },
    Error {
        error: String,
    },
}

/// How many rows a query returns where nobody says.
const USUAL_ROWS: usize = 100;

impl Statement {
    /// Runs it.
    pub(crate) fn run(&self, asker: &Asker<'_>) -> Returned {
        let n_rows = self.n_rows.unwrap_or(USUAL_ROWS).min(MOST_ROWS);
        match asker.run(&self.sql, n_rows) {
            Ok((rows, completeness)) => Returned::Rows {
                columns: rows.columns,
                rows: rows.rows,
                is_cut: completeness == Completeness::Cut,
                words: asker.in_words(&self.sql),
            },
            Err(error) => Returned::Error {
                error: error.to_string(),
            },
        }
    }
}

async fn ask(State(shared): State<Shared>, request: Request<Body>) -> Replied<Answer> {
    let question: Asked = body::read(request, &shared.work.limits).await?;
    let answer = shared.work.read(Turn::Question, move |it| question.ask(it));
    answer.await.map(Json)
}

async fn sql(State(shared): State<Shared>, request: Request<Body>) -> Replied<Returned> {
    let statement: Statement = body::read(request, &shared.work.limits).await?;
    let returned = shared.work.read(Turn::Query, move |it| statement.run(it));
    returned.await.map(Json)
}

/// A query to be looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Looked {
    sql: String,
}

async fn check(State(shared): State<Shared>, request: Request<Body>) -> Replied<Checked> {
    let looked: Looked = body::read(request, &shared.work.limits).await?;
    let checked = shared
        .work
        .read(Turn::Query, move |it| it.check(&looked.sql));
    checked.await.map(Json)
}

/// A query that is right for a question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Taught {
    question: String,
    code: String,
}

async fn learn(State(shared): State<Shared>, request: Request<Body>) -> Replied<Value> {
    let taught: Taught = body::read(request, &shared.work.limits).await?;
    let learnt = shared.work.change(move |asker| taught.teach(asker));
    learnt.await?.map(Json)
}

impl Taught {
    fn teach(&self, asker: &mut Asker<'_>) -> Result<Value, Refusal> {
        if self.question.trim().is_empty() {
            return Err(undone("expected a question, found nothing"));
        }
        if let Some(error) = asker.check(&self.code).error {
            return Err(undone(&format!("the query does not run here: {error}")));
        }
        let learnt = asker.learn(&self.question, &self.code);
        learnt.map_err(|it| not_kept(&it))?;
        Ok(kept(asker))
    }
}

async fn note(State(shared): State<Shared>, request: Request<Body>) -> Replied<Value> {
    let note: Note = body::read(request, &shared.work.limits).await?;
    let noted = shared.work.change(move |asker| {
        if note.words.trim().is_empty() {
            return Err(undone("expected what it is called, found nothing"));
        }
        asker.note(note).map_err(|it| not_kept(&it))?;
        Ok(kept(asker))
    });
    noted.await?.map(Json)
}

/// How much is known now, and where that is kept; nowhere for a database inside the program.
fn kept(asker: &Asker<'_>) -> Value {
    let file = asker.memory().path().and_then(|it| it.file_name());
    json!({
        "n_lessons": asker.memory().lessons().len(),
        "n_notes": asker.memory().notes().len(),
        "file": file.map(|it| it.to_string_lossy()),
    })
}

fn undone(message: &str) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}

fn not_kept(error: &AskError) -> Refusal {
    undone(&error.to_string())
}

async fn schema(State(shared): State<Shared>) -> Replied<Description> {
    shared.work.read(Turn::Query, describe).await.map(Json)
}

/// What stands behind the question mark of an address.
fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T, Refusal> {
    let parsed = Query::try_from_uri(uri).map(|Query(it)| it);
    parsed.map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, error.body_text()))
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

async fn table(State(shared): State<Shared>, uri: Uri) -> Replied<Sample> {
    let named: Named = query(&uri)?;
    let sampled = shared.work.read(Turn::Query, move |it| {
        let unknown = || {
            let message = format!("there is no table called `{}`", named.name);
            Refusal::new(StatusCode::NOT_FOUND, message)
        };
        let sampled = sample(it, &named.name).ok_or_else(unknown)?;
        sampled.map_err(|it| undone(&it))
    });
    sampled.await?.map(Json)
}

#[derive(Debug, Deserialize)]
struct Typed {
    prefix: String,
}

/// How much of what was typed is looked at.
const MOST_TYPED: usize = 80;

async fn completions(State(shared): State<Shared>, uri: Uri) -> Replied<Vec<Completion>> {
    let typed: Typed = query(&uri)?;
    let values = Arc::clone(&shared.values);
    let found = shared.work.read(Turn::Glance, move |it| {
        let n_before = typed.prefix.chars().count().saturating_sub(MOST_TYPED);
        let last: String = typed.prefix.chars().skip(n_before).collect();
        let spoken = it.memory().spoken(it.schema());
        complete(&spoken, values.get(), &last)
    });
    found.await.map(Json)
}
