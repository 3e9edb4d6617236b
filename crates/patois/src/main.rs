//! The command line of patois.

fn main() {}
