//! Ctrl-C: usually the end, but work that can be saved is first asked to stop.

use std::sync::atomic::{AtomicU8, Ordering};

/// Nobody waits for a Ctrl-C: it ends the program.
const ENDS: u8 = 0;
/// Somebody does, and it has not come.
const AWAITED: u8 = 1;
/// It has come; a second one ends the program.
const CAME: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(ENDS);

/// As long as this lives, a first Ctrl-C only asks the work to stop.
pub(crate) struct Awaited(());

impl Awaited {
    pub(crate) fn start() -> Awaited {
        STATE.store(AWAITED, Ordering::SeqCst);
        Awaited(())
    }

    /// Whether there was a Ctrl-C.
    #[expect(clippy::unused_self, reason = "asked only while it is awaited")]
    pub(crate) fn came(&self) -> bool {
        STATE.load(Ordering::SeqCst) == CAME
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        STATE.store(ENDS, Ordering::SeqCst);
    }
}

/// Called on Ctrl-C: whether somebody waits for it, and will be told.
pub(crate) fn is_awaited() -> bool {
    let told = STATE.compare_exchange(AWAITED, CAME, Ordering::SeqCst, Ordering::SeqCst);
    told.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_awaited_and_the_second_ends() {
        assert!(!is_awaited());
        let awaited = Awaited::start();
        assert!(!awaited.came());
        assert!(is_awaited());
        assert!(awaited.came());
        assert!(!is_awaited());
        drop(awaited);
        assert!(!is_awaited());
    }
}
