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
/// `step` adds `cost` to the word or to a greater one; `room` is how much may be added to a word before `step` refuses.
///
/// Where there is plenty of room the cost is added without comparing: under contention an addition always succeeds where an
/// exchange would be tried again. What it was added to is judged afterwards, by the same `step`, so an addition permits
/// exactly what the exchange would have. If it must not have been made, because others took the room between the look and the
/// addition, it is taken back, unless the word has been written since: then the limit has given `cost` too few.
#[inline(always)]
pub(crate) fn take(
    state: &AtomicU64,
    cost: u64,
    step: impl Fn(u64) -> Option<u64>,
    room: impl Fn(u64) -> u64,
) -> Result<u64, u64> {
    let mut word = state.load(Relaxed);
    let mut may_add = true;
    loop {
        let Some(next) = step(word) else { return Err(word) };
        if cost == 0 {
            // Looking writes nothing.
            return Ok(next);
        }
        if may_add && next == word.wrapping_add(cost) && is_plenty(room(word), cost) {
            let found = state.fetch_add(cost, Relaxed);
            let sum = found.wrapping_add(cost);
            if step(found) == Some(sum) {
                return Ok(sum);
            }
            let _ = state.compare_exchange(sum, found, Relaxed, Relaxed);
            may_add = false;
            word = state.load(Relaxed);
            continue;
        }
        match state.compare_exchange_weak(word, next, Relaxed, Relaxed) {
            Ok(_) => return Ok(next),
            Err(newer) => word = newer,
        }
    }
}

/// From this much room on, in units of the cost, it is added without comparing.
///
/// It is the number of threads that a process can have (Linux: `PID_MAX_LIMIT`; nowhere more). A thread that has added what
/// it must not adds no more until it sees plenty of room again, so such additions come to less than the room that was seen,
/// and a strategy can have bits for them.
pub(crate) const PLENTY: u64 = 1 << 22;

#[inline(always)]
const fn is_plenty(room: u64, cost: u64) -> bool {
    room / PLENTY > cost
}

#[cfg(test)]
mod tests {
    use super::{PLENTY, take};
    use crate::sync::{AtomicU64, Ordering::Relaxed};
    use std::cell::Cell;

    const LIMIT: u64 = 3 * PLENTY;

    /// Takes `cost` of a word up to `LIMIT`, while `meddle` comes in between the look and what is done about it.
    fn take_while(state: &AtomicU64, cost: u64, meddle: impl Fn()) -> Result<u64, u64> {
        let meddled = Cell::new(false);
        let step = |word: u64| word.checked_add(cost).filter(|sum| *sum <= LIMIT);
        let room = |word| {
            if !meddled.replace(true) {
                meddle();
            }
            LIMIT - word
        };
        take(state, cost, step, room)
    }

    #[test]
    fn an_addition_permits_what_an_exchange_would() {
        let state = AtomicU64::new(5);
        assert_eq!(take_while(&state, 1, || state.store(LIMIT - 1, Relaxed)), Ok(LIMIT));
        assert_eq!(take_while(&state, 1, || ()), Err(LIMIT));
    }

    #[test]
    fn an_addition_that_must_not_be_is_refused_and_taken_back() {
        let state = AtomicU64::new(5);
        assert_eq!(take_while(&state, 1, || state.store(LIMIT, Relaxed)), Err(LIMIT));
        assert_eq!(state.into_inner(), LIMIT);
    }
}
