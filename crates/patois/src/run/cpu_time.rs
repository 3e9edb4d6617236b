//! How long processors have worked for a run, whatever else they had to do meanwhile.

/// How many seconds processors have spent on the threads of the current pool, and on the calling thread, since they
/// were started.
///
/// Other threads of the process, such as those of runs beside this one, do not count. Where the system does not
/// tell, it is the time on the wall.
pub(crate) fn cpu_seconds() -> f64 {
    let pool: f64 = rayon::broadcast(|_| of_this_thread()).into_iter().sum();
    match rayon::current_thread_index() {
        Some(_) => pool,
        None => pool + of_this_thread(),
    }
}

#[cfg(unix)]
fn of_this_thread() -> f64 {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(not(unix))]
fn of_this_thread() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;

    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    // Threads that wait are counted as well, so one share of all is as much as can be said.
    STARTED.elapsed().as_secs_f64() / rayon::current_num_threads() as f64
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Sleeping costs nothing, work does, on whichever thread of the pool; work of others does not count.
    #[cfg(unix)]
    #[test]
    fn work_counts_and_waiting_does_not() {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(2);
        let (pool, other) = (pool().build().unwrap(), pool().build().unwrap());
        let work = || {
            let (started, mut n) = (of_this_thread(), 0_u64);
            while of_this_thread() - started < 0.05 {
                n = std::hint::black_box(n + 1);
            }
        };
        let of = |task: &(dyn Fn() + Sync)| {
            pool.install(|| {
                let before = cpu_seconds();
                task();
                cpu_seconds() - before
            })
        };
        let started = Instant::now();
        let asleep = of(&|| std::thread::sleep(Duration::from_millis(200)));
        assert!(started.elapsed().as_secs_f64() >= 0.2);
        assert!(asleep < 0.1, "{asleep}");
        let awake = of(&|| _ = rayon::join(work, work));
        assert!(awake >= 0.1, "{awake}");
        let elsewhere = of(&|| {
            std::thread::scope(|scope| _ = scope.spawn(|| other.install(work)).join());
        });
        assert!(elsewhere < 0.04, "{elsewhere}");
    }
}
