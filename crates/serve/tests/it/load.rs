//! Many questions at once: how long they take, and whether memory stays what it is.
//!
//! `PATOIS_MODEL=RUN cargo test --release -p patois-serve --test it -- load_ --ignored --nocapture` measures a trained
//! model; `PATOIS_QUESTIONS` says how many questions are asked, 10,000 where it does not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::served::served;

const N_CLIENTS: usize = 8;

/// How many questions are asked one after the other, for their latency.
const N_ALONE: usize = 200;

const QUESTIONS: [&str; 6] = [
    "How many albums are there?",
    "How many albums are there for each artist?",
    "Which artist has the most albums?",
    "What is the average price of albums after 1970?",
    "List the titles of albums by Nina Simone",
    "Show the name and the country of all artists, sorted by name",
];

#[test]
#[ignore = "takes minutes"]
fn load_of_many_questions() {
    let n_questions = std::env::var("PATOIS_QUESTIONS");
    let n_questions = n_questions.map_or(10_000, |it| it.parse().unwrap());
    let served = served();
    let client = served.client();
    let ask = |index: usize| {
        let started = Instant::now();
        let question = json!({"question": QUESTIONS[index % QUESTIONS.len()]});
        assert_eq!(client.post("/api/ask", &question).status, 200);
        started.elapsed()
    };
    let mut alone: Vec<Duration> = (0..N_ALONE).map(ask).collect();
    alone.sort();
    let before = memory();
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    let mut together: Vec<Duration> = std::thread::scope(|scope| {
        let client = || {
            let indices = std::iter::repeat_with(|| next.fetch_add(1, Ordering::SeqCst));
            let taken = indices.take_while(|it| *it < n_questions);
            taken.map(ask).collect::<Vec<_>>()
        };
        let clients: Vec<_> = (0..N_CLIENTS).map(|_| scope.spawn(client)).collect();
        let latencies = clients.into_iter().flat_map(|it| it.join().unwrap());
        latencies.collect()
    });
    let rate = n_questions as f64 / started.elapsed().as_secs_f64();
    let after = memory();
    together.sort();
    println!(
        "one client: median of {N_ALONE} {:?}, longest {:?}",
        middle(&alone),
        alone[N_ALONE - 1]
    );
    println!(
        "{N_CLIENTS} clients: {rate:.1} questions a second, median {:?}, longest {:?}",
        middle(&together),
        together[together.len() - 1]
    );
    println!("memory: {before:?} MB before, {after:?} MB after {n_questions} questions");
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after < before + 200, "{before} MB became {after} MB");
    }
}

fn middle(sorted: &[Duration]) -> Duration {
    sorted[sorted.len() / 2]
}

/// How many megabytes this process holds, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|it| it.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes >> 10)
}
