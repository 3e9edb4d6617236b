//! What databases promise, on real ones.

mod schemas;
