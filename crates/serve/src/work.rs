//! Work for an asker: on threads with deep stacks, a few pieces at a time, others wait for their turn.

use std::sync::{Arc, PoisonError, RwLock};

use axum::http::StatusCode;
use patois_ask::Asker;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::options::Limits;
use crate::reply::Refusal;

/// Parsers and printers of trees recurse; only what is touched becomes memory.
const STACK_BYTES: usize = 64 << 20;

/// An asker and its turns.
#[derive(Clone)]
pub(crate) struct Work {
    asker: Arc<RwLock<Asker<'static>>>,
    pub(crate) limits: Limits,
    questions: Arc<Semaphore>,
    queries: Arc<Semaphore>,
    glances: Arc<Semaphore>,
    /// Threads that ask the model, and keep the memory that this takes from one question to the next.
    thinkers: Arc<rayon::ThreadPool>,
}

/// How many pieces of work that take next to no time are done at once.
const N_GLANCES: usize = 16;

/// What a piece of work is: slow queries do not keep questions waiting, nor the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The model is asked.
    Question,
    /// The database is.
    Query,
    /// Neither of them.
    Glance,
}

impl Work {
    /// # Errors
    ///
    /// When there is no room for threads.
    pub(crate) fn new(asker: Asker<'static>, limits: Limits) -> std::io::Result<Work> {
        let thinkers = rayon::ThreadPoolBuilder::new()
            .num_threads(limits.n_at_once.max(1))
            .stack_size(STACK_BYTES)
            // Whoever waits for it is told; the hook has said the rest.
            .panic_handler(|_| {})
            .build()
            .map_err(std::io::Error::other)?;
        let turns = |n_turns: usize| Arc::new(Semaphore::new(n_turns.max(1)));
        Ok(Work {
            asker: Arc::new(RwLock::new(asker)),
            limits,
            questions: turns(limits.n_at_once),
            queries: turns(limits.n_at_once),
            glances: turns(N_GLANCES),
            thinkers: Arc::new(thinkers),
        })
    }

    /// Lets the asker do something that leaves it as it is.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        turn: Turn,
        action: impl FnOnce(&Asker<'static>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let asker = Arc::clone(&self.asker);
        self.run(turn, move || {
            action(&asker.read().unwrap_or_else(PoisonError::into_inner))
        })
        .await
    }

    /// Lets the asker do something that changes it, once nobody is asking.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        action: impl FnOnce(&mut Asker<'static>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let asker = Arc::clone(&self.asker);
        self.run(Turn::Question, move || {
            action(&mut asker.write().unwrap_or_else(PoisonError::into_inner))
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        action: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let kind = turn;
        let turns = match turn {
            Turn::Question => &self.questions,
            Turn::Query => &self.queries,
            Turn::Glance => &self.glances,
        };
        let turn = timeout(self.limits.patience, Arc::clone(turns).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            let message = "too much is being asked at once, try again in a moment";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        let (sender, working) = tokio::sync::oneshot::channel();
        let work = move || {
            // The turn is over when the work is, whether or not somebody still waits for it.
            let _turn = turn;
            let _ = sender.send(action());
        };
        match kind {
            Turn::Question => self.thinkers.spawn(work),
            Turn::Query | Turn::Glance => drop(tokio::task::spawn_blocking(work)),
        }
        match timeout(self.limits.work, working).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => {
                let message = "a mistake of patois: the details are where it was started";
                Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message))
            }
            Err(_) => {
                let message = format!("the answer took longer than {:?}", self.limits.work);
                Err(Refusal::new(StatusCode::GATEWAY_TIMEOUT, message))
            }
        }
    }
}

/// Threads for the network, and others with deep stacks for work that lasts.
pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK_BYTES)
        .enable_io()
        .enable_time()
        .build()
}
