//! Listening, and stopping to listen.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use patois_ask::Asker;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::api::{Shared, router};
use crate::complete::Values;
use crate::door::Door;
use crate::host::Hosts;
use crate::options::{Limits, ServeError, ServeOptions};
use crate::token::Token;
use crate::work::{Turn, Work, runtime};

/// How often it is asked whether to stop.
const LOOKS: Duration = Duration::from_millis(100);

/// How long connections have to come to an end.
const FAREWELL: Duration = Duration::from_secs(5);

/// How long to wait where the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// Serves an asker until it is told to stop; `on_ready` is given the address of the page.
///
/// # Errors
///
/// When the address cannot be listened on, or there are no threads.
pub fn serve(
    asker: Asker<'static>,
    options: ServeOptions,
    on_ready: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let runtime = runtime().map_err(ServeError::Start)?;
    let served = runtime.block_on(serve_on(asker, options, on_ready));
    // A query that nobody waits for any more ends with the program.
    runtime.shutdown_background();
    served
}

async fn serve_on(
    asker: Asker<'static>,
    options: ServeOptions,
    on_ready: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let address = SocketAddr::new(options.address, options.port);
    let listener = listen(address).await?;
    let address = listener.local_addr().map_err(ServeError::Start)?;
    let door = door(&options, address).map_err(ServeError::Start)?;
    let shared = Shared {
        work: Work::new(asker, options.limits).map_err(ServeError::Start)?,
        values: Arc::new(OnceLock::new()),
    };
    let url = url(address, door.token.as_ref());
    tokio::spawn(read_values(shared.clone()));
    let router = router(shared, door);
    on_ready(&url);
    let (stop, stopped) = watch::channel(());
    tokio::select! {
        () = accept(listener, router, options.limits, stopped) => {}
        () = wait(&options) => {}
    }
    drop_connections(stop).await;
    Ok(())
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Busy(address),
            _ => ServeError::Listen { address, source },
        })
}

/// Visitors from this machine are let in as they are; those from others must know the token.
fn door(options: &ServeOptions, address: SocketAddr) -> io::Result<Door> {
    let token = match &options.token {
        Some(token) => Some(Token::given(token)),
        None if address.ip().is_loopback() => None,
        None => Some(Token::drawn()?),
    };
    let hosts = Hosts {
        address: address.ip(),
        names: options.hosts.clone(),
    };
    Ok(Door { hosts, token })
}

/// The address of the page.
fn url(address: SocketAddr, token: Option<&Token>) -> String {
    let token = token.map_or(String::new(), |it| format!("?token={}", it.text()));
    format!("http://{address}/{token}")
}

/// Reads what questions may name, while others ask already.
async fn read_values(shared: Shared) {
    let read = shared.work.read(Turn::Query, Values::read).await;
    // Without values, there are still names to be completed.
    if let Ok(Ok(values)) = read {
        let _ = shared.values.set(values);
    }
}

/// Waits until it is time to stop.
async fn wait(options: &ServeOptions) {
    let mut looks = interval(LOOKS);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !(options.is_stopped)() {
        looks.tick().await;
    }
}

/// Takes connections, so many at once.
async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stopped: watch::Receiver<()>,
) {
    let places = Arc::new(Semaphore::new(limits.n_connections));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a visitor who left already.
            sleep(BREATH).await;
            continue;
        };
        let connection = talk(stream, router.clone(), limits.head, stopped.clone());
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
}

/// Answers the requests of one connection.
async fn talk(stream: TcpStream, router: Router, head: Duration, mut stopped: watch::Receiver<()>) {
    // Answers are short; where that cannot be set, they are as right.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // A visitor who goes away, or talks nonsense, is no concern of ours.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Lets connections finish what they are at, for a while.
async fn drop_connections(stop: watch::Sender<()>) {
    let _ = stop.send(());
    let _ = timeout(FAREWELL, stop.closed()).await;
}
