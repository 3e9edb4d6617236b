//! Where to listen, what each visitor may take, and why there is nothing to listen on.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// How to serve.
#[derive(Clone)]
pub struct ServeOptions {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Names, beside `localhost`, that this machine goes by in the address bar.
    pub hosts: Vec<String>,
    /// What visitors must show. Where none is given, one is drawn unless the address is of this machine only.
    pub token: Option<String>,
    /// What visitors may take.
    pub limits: Limits,
    /// Whether to stop; asked ten times a second.
    pub is_stopped: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            hosts: Vec::new(),
            token: None,
            limits: Limits::default(),
            is_stopped: Arc::new(|| false),
        }
    }
}

impl std::fmt::Debug for ServeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The token is a secret, and what is asked for a stop has nothing to show.
        f.debug_struct("ServeOptions")
            .field("address", &self.address)
            .field("port", &self.port)
            .field("hosts", &self.hosts)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// What visitors may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many questions are worked on at once, and how many queries beside them.
    pub n_at_once: usize,
    /// How long another one waits for its turn.
    pub patience: Duration,
    /// How long one may take.
    pub work: Duration,
    /// How long the head of a request may take to arrive, and how long a connection may be idle.
    pub head: Duration,
    /// How long the rest of it may take.
    pub body: Duration,
    /// How many bytes that may be.
    pub n_body_bytes: usize,
    /// How many connections there are at once.
    pub n_connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            n_at_once: n_cores,
            patience: Duration::from_secs(10),
            work: Duration::from_secs(30),
            head: Duration::from_secs(15),
            body: Duration::from_secs(10),
            n_body_bytes: 64 << 10,
            n_connections: 256,
        }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody else listens there.
    #[error("port {} of {} is in use", .0.port(), .0.ip())]
    Busy(SocketAddr),
    /// The system refuses.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where to.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// There are no threads, or no random numbers.
    #[error("cannot start to serve: {0}")]
    Start(io::Error),
    /// The other program speaks another protocol, or has gone.
    #[error("cannot talk over standard input and output: {0}")]
    Protocol(String),
}
