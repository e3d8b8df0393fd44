//! A decision on one 64-bit word that many threads decide on: the loop around a strategy's pure step.
//!
//! # Orderings
//!
//! All `Relaxed`. The word is the whole state: a decision reads nothing else, and what it permits is not data that some
//! other thread published. Read-modify-writes on one word are totally ordered whatever their ordering, so no permit is taken
//! twice. That they are read-modify-writes, and not a load and a store, is what
//! `tests/concurrent.rs: sixteen_threads_share_exactly_the_permits` would catch.
//!
//! # What a racing caller may see
//!
//! Only whole decisions. Of two callers for the last permit one fails to exchange, and decides again on the word that beat
//! it.

use crate::sync::{AtomicU64, Ordering::Relaxed};

/// Takes `cost` from the word, if `step` says what it becomes; then that is returned, else the word that was refused on.
#[inline(always)]
pub(crate) fn take(state: &AtomicU64, cost: u64, step: impl Fn(u64) -> Option<u64>) -> Result<u64, u64> {
    let mut word = state.load(Relaxed);
    let mut failures = 0;
    loop {
        let Some(next) = step(word) else { return Err(word) };
        if cost == 0 {
            // Looking writes nothing.
            return Ok(next);
        }
        match state.compare_exchange(word, next, Relaxed, Relaxed) {
            Ok(_) => return Ok(next),
            Err(_) => word = back_off(state, &mut failures),
        }
    }
}

#[cold]
fn back_off(state: &AtomicU64, failures: &mut u32) -> u64 {
    for _ in 0..1 << *failures {
        core::hint::spin_loop();
    }
    *failures = (*failures + 1).min(BACKOFF);
    state.load(Relaxed)
}
const BACKOFF: u32 = 10;
