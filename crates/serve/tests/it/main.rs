//! The server from outside, over real sockets; one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod served;

mod api;
mod door;
mod limits;
mod load;
mod sandbox;
