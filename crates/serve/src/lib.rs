//! A database asked in plain English, from a page in the browser and by other programs.
//!
//! [`serve`] answers HTTP: one page whose assets are inside the program, and a JSON API (`/openapi.json` describes it).
//! [`mcp`] offers the same as tools over the Model Context Protocol, on standard input and output. Both ask one
//! [`Asker`](patois_ask::Asker), on threads of their own with deep stacks; the network's threads never wait for a model.
//!
//! Of all crates only this one knows sockets.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod api;
mod assets;
mod body;
mod complete;
mod describe;
mod door;
mod host;
mod mcp;
mod options;
mod reply;
mod server;
mod token;
mod work;

pub use mcp::mcp;
pub use options::{Limits, ServeError, ServeOptions};
pub use server::serve;
