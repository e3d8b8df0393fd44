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
///
/// `step` adds `cost` to the word or to a greater one, and `room` is how much may be added to a word before `step` refuses.
#[inline(always)]
pub(crate) fn take(
    state: &AtomicU64,
    cost: u64,
    step: impl Fn(u64) -> Option<u64>,
    room: impl Fn(u64) -> u64,
) -> Result<u64, u64> {
    let mut word = state.load(Relaxed);
    loop {
        let Some(next) = step(word) else { return Err(word) };
        if cost == 0 {
            // Looking writes nothing.
            return Ok(next);
        }
        if next == word + cost && is_ample(room(word), cost) {
            return Ok(state.fetch_add(cost, Relaxed) + cost);
        }
        match state.compare_exchange_weak(word, next, Relaxed, Relaxed) {
            Ok(_) => return Ok(next),
            Err(newer) => word = newer,
        }
    }
}

/// Whether `room` is enough for every thread of this process to take `cost` at once.
///
/// A caller that sees so much room may add its cost to the word without comparing: whatever the others add between its
/// look and its addition, there is room for it too. Under contention an addition always succeeds where an exchange would be
/// tried again. The bound is the kernel's: no Linux has more than 2²² threads (`PID_MAX_LIMIT`), no other system more.
/// `tests/concurrent.rs: a_bucket_with_room_for_all_hands_out_exactly_its_permits` fails without it.
#[inline(always)]
const fn is_ample(room: u64, cost: u64) -> bool {
    const THREADS: u64 = 1 << 22;
    room / THREADS > cost
}
