//! How long hostile statements really take, and how much memory of the process: no more than 1.2 times the
//! limit of time, and 1.5 times that of memory.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use super::statements::{Checker, LISTS, SCRIPT, chain};
use crate::{Database, QueryLimits};

/// What a query without limits of its own is given.
const LIMITS: QueryLimits = QueryLimits {
    time: Duration::from_secs(10),
    n_rows: 1_000_000,
    n_bytes: 256 << 20,
};

/// How much longer than its limit a query may take: what cannot be stopped.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// How much memory the process may take for one.
const MAX_BYTES: u64 = LIMITS.n_bytes as u64 * 3 / 2;

/// Checks that a statement ends soon after a limit of time that is hardly any.
#[track_caller]
pub(super) fn check_soon_over(database: &Database, sql: &str) {
    let limits = QueryLimits {
        time: Duration::from_millis(20),
        ..LIMITS
    };
    let (_, time) = timed(|| database.query(sql, &limits));
    let shown: String = sql.chars().take(120).collect();
    assert!(time < limits.time + MAX_DELAY, "{time:?}: {shown}");
}

/// How long an action takes, without the time in which other programs had the core.
pub(super) fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    let (start, before) = (Instant::now(), waited());
    let result = action();
    let waited = waited().saturating_sub(before);
    (result, start.elapsed().saturating_sub(waited))
}

/// How long this thread was ready to run and did not; nothing where the system does not say.
fn waited() -> Duration {
    let state = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = state.split_whitespace().nth(1);
    Duration::from_nanos(waited.and_then(|it| it.parse().ok()).unwrap_or_default())
}

/// The most memory that the process has had since the last call; nothing where the system does not say.
pub(super) fn peak_memory() -> u64 {
    let state = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = state.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    // Where it cannot be reset, what was highest stays so.
    let _ = fs::write("/proc/self/clear_refs", "5");
    kilobytes.unwrap_or_default() << 10
}

/// Functions of values that are `{n}` long, and half as long: what takes the square of its input, or
/// makes more of it.
const COSTLY: &[&str] = &[
    "instr({a}, {h} || 'b')",
    "instr({a} || 'b', {h} || 'b')",
    "instr(CAST({a} AS BLOB), CAST({h} || 'b' AS BLOB))",
    "length(replace({a}, {h} || 'b', 'c'))",
    "length(replace({a}, 'a', 'bb'))",
    "length(replace({a}, 'aa', ''))",
    "{a} LIKE '%a%a%a%a%a%b'",
    "{a} LIKE '%' || substr({a}, 1, 200) || 'b%'",
    "{a} LIKE '%_%_%_%_%_%_b' ESCAPE '\\'",
    "{a} GLOB '*a*a*a*a*a*b'",
    "{a} GLOB '*[!b]*[!b]*[!b]*b'",
    "{a} GLOB '*[' || substr({a}, 1, 200) || ']*b'",
    "length(trim({a}, {h} || 'b'))",
    "length(ltrim({h} || {a}, 'ba'))",
    "length(rtrim({a}, {h} || 'ä'))",
    "length(printf('%s%s', {a}, {h}))",
    "length(printf('%.*c', {n}, 'é'))",
    "length(printf('%*s|%-*s', {n}, 'x', {n}, 'y'))",
    "length(printf('%,d %!.26f %q %w', 9e18, 1e300, {h}, {a}))",
    "length(hex({a}))",
    "length(quote({a}))",
    "length(unhex(hex({h})))",
    "length(upper({a}) || lower({a}))",
    "length(zeroblob({n}) || randomblob({n}))",
    "hex(randomblob({n})) = hex(randomblob({n}))",
    "length(substr({a}, -{n}, 9223372036854775807))",
    "unicode({a}) + length(char(97, 98)) + length(soundex({a}))",
    "length(json_array({a}, {h}, {a}))",
    "json_valid('[' || replace({h}, 'a', '1,') || '1]')",
    "json_extract('[' || replace({h}, 'a', '1,') || '1]', '$[#-1]')",
    "length(json_set('{}', '$.' || {h}, {a}))",
    "length(json_patch('{\"a\":1}', json_object('b', {a})))",
    "length(json_pretty('[[[' || replace({h}, 'a', '1,') || '1]]]'))",
    "length(json_quote({a})) + length(jsonb(json_array({h})))",
    "length(json_remove('[' || replace({h}, 'a', '1,') || '1]', '$[0]', '$[1]'))",
    "length(concat_ws({a}, {h}, 'x', {h}))",
    "length(strftime('%Y' || {a}, 'now'))",
    "{a} = {h} || {h} COLLATE NOCASE",
    "{a} || 'x' > {h} || {h} COLLATE RTRIM",
    "{a} BETWEEN {h} AND {a} || {h}",
    "CASE {a} WHEN {h} THEN 1 WHEN {h} || 'b' THEN 2 ELSE length({a}) END",
    "CAST({a} AS INTEGER) + CAST('0x' || {a} AS REAL) + ('1' || {a})",
    "(SELECT count(*) FROM t WHERE b LIKE {a} OR instr({a}, b) OR {a} GLOB b)",
];

/// What asks for such a value: once, for many rows, or in an aggregate.
const AROUND: &[&str] = &[
    "SELECT {}",
    "SELECT {} FROM n LIMIT 100",
    "SELECT count(*), max({}) FROM n",
    "SELECT group_concat({}) OVER (ORDER BY i DESC ROWS 9 PRECEDING) FROM n LIMIT 9",
];

const LENGTHS: [usize; 6] = [1_000, 59_000, 240_000, 1_000_000, 5_000_000, 16_000_000];

/// Costly functions of long values, in queries of few and of many rows.
fn costly() -> Vec<String> {
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let long = |length: usize| format!("printf('%.*c', {length}, 'a')");
    let mut all = Vec::new();
    for (function, length) in COSTLY
        .iter()
        .flat_map(|it| LENGTHS.map(|length| (it, length)))
    {
        let value = function.replace("{a}", &long(length));
        let value = value.replace("{h}", &long(length / 2));
        let value = value.replace("{n}", &length.to_string());
        let around = AROUND.iter().map(|it| it.replace("{}", &value));
        all.extend(around.map(|it| format!("{rows} {it}")));
    }
    all
}

/// Common tables that unfold to twice as many at each step: more work to compile than to run.
fn unfolding() -> Vec<String> {
    let steps = [
        "SELECT p.x FROM @ p, @ q",
        "SELECT x FROM @ UNION ALL SELECT x FROM @",
        "SELECT (SELECT x FROM @) + (SELECT x FROM @) AS x",
        "SELECT x || x AS x FROM @",
        "SELECT p.x FROM @ p LEFT JOIN @ q ON p.x = q.x",
    ];
    let chains = steps.iter().flat_map(|step| {
        let last = "SELECT count(*), max(x) FROM @";
        (4..=18).map(move |n| chain(n, step, last))
    });
    chains.collect()
}

/// The longest and the largest of what was measured.
#[derive(Default)]
pub(super) struct Worst {
    n: usize,
    delay: (Duration, String),
    /// The same by the clock, however busy the machine is.
    clock: Duration,
    memory: (u64, String),
    wrong: String,
}

impl Worst {
    /// Measures an action that has so long; `what` it is about is said where it is too much.
    pub(super) fn measure<T>(
        &mut self,
        what: &str,
        time: Duration,
        action: impl FnOnce() -> T,
    ) -> T {
        let (before, start) = (peak_memory(), Instant::now());
        let (result, taken) = timed(action);
        self.clock = self.clock.max(start.elapsed().saturating_sub(time));
        let (peak, delay) = (peak_memory(), taken.saturating_sub(time));
        let shown: String = what.chars().take(160).collect();
        if delay > MAX_DELAY || peak > before.max(MAX_BYTES) {
            let _ = writeln!(self.wrong, "{taken:?}, {} MB: {shown}", peak >> 20);
        }
        self.n += 1;
        if delay > self.delay.0 {
            self.delay = (delay, shown.clone());
        }
        if peak > self.memory.0 {
            self.memory = (peak, shown);
        }
        result
    }

    /// Says what was measured, and fails where it was too much.
    #[track_caller]
    pub(super) fn report(&self, what: &str) {
        println!("{} {what}", self.n);
        println!("beyond the limit: {:?}: {}", self.delay.0, self.delay.1);
        println!("by the clock: {:?}", self.clock);
        println!("memory: {} MB: {}", self.memory.0 >> 20, self.memory.1);
        assert!(self.wrong.is_empty(), "{}", self.wrong);
    }
}

fn measure_statements(statements: &[String], limits: &QueryLimits) {
    let database = Database::from_script("hostile", SCRIPT).unwrap();
    let mut worst = Worst::default();
    for sql in statements {
        let _ = worst.measure(sql, limits.time, || database.query(sql, limits));
    }
    worst.report("statements");
}

#[test]
#[ignore = "takes ten minutes, and measures the process: to be run alone, with --nocapture"]
fn measured_statements() {
    let mut statements = Vec::new();
    for list in LISTS {
        list(&mut Checker(&mut |_, sql| statements.push(sql.to_owned())));
    }
    statements.extend(unfolding());
    measure_statements(&statements, &LIMITS);
}

/// A second each: what matters is how long a statement goes on after that.
#[test]
#[ignore = "takes ten minutes, and measures the process: to be run alone, with --nocapture"]
fn measured_functions() {
    let limits = QueryLimits {
        time: Duration::from_secs(1),
        ..LIMITS
    };
    measure_statements(&costly(), &limits);
}

/// Some of the same, in every run.
#[test]
fn costly_functions_are_soon_over() {
    let database = Database::from_script("hostile", SCRIPT).unwrap();
    for sql in costly().iter().step_by(11) {
        check_soon_over(&database, sql);
    }
}
