//! A decision on one 64-bit word that many threads decide on: the loop around a strategy's pure step.
//!
//! # Orderings
//!
//! All `Relaxed`. The word is the whole state: a decision reads nothing else, and what it permits is not data that some
//! other thread published. Read-modify-writes on one word are totally ordered whatever their ordering, so no permit is taken
//! twice. That they are read-modify-writes, and not a load and a store, is what
//! `scenarios/word.rs: the_last_permit_is_taken_once` and `tests/concurrent.rs` would catch.
//!
//! # What a racing caller may see
//!
//! Only whole decisions. Of two callers for the last permit one fails to exchange, and decides again on the word that beat
//! it.

use crate::sync::{AtomicU64, Ordering::Relaxed, pause};

/// Takes `cost` from the word, if `step` says what it becomes. `answer` is given that, or else the word that was refused on.
///
/// The answer is made on each way by itself, so that the common ways stay short and straight.
#[inline(always)]
pub(crate) fn take<R>(
    state: &AtomicU64,
    cost: u64,
    step: impl Fn(u64) -> Option<u64>,
    answer: impl Fn(Result<u64, u64>) -> R,
) -> R {
    let word = state.load(Relaxed);
    let Some(next) = step(word) else { return answer(Err(word)) };
    // Looking writes nothing.
    if cost == 0 || state.compare_exchange(word, next, Relaxed, Relaxed).is_ok() {
        return answer(Ok(next));
    }
    take_contended(state, step, answer)
}

/// Takes `cost` from the word, if `step` says what it becomes, or returns the word that was refused on.
#[inline(always)]
pub(crate) fn admit(state: &AtomicU64, cost: u64, step: impl Fn(u64) -> Option<u64>) -> Result<(), u64> {
    let word = state.load(Relaxed);
    let Some(next) = step(word) else { return Err(word) };
    // Looking writes nothing.
    if cost == 0 || state.compare_exchange(word, next, Relaxed, Relaxed).is_ok() {
        return Ok(());
    }
    take_contended(state, step, |taken| taken.map(|_| ()))
}

/// The same after another thread was faster: with pauses that grow, in which that thread gets many permits while the cache
/// line is its own. An exchange fails only because another succeeded, so somebody always gets on.
///
/// The first pause is as long as what it is to spare, a few trips of the cache line between two cores. Shorter ones cost
/// such a trip each, for nothing: with a first pause of one spin two threads took one and a half times as long.
#[cold]
#[inline(never)]
fn take_contended<R>(
    state: &AtomicU64,
    step: impl Fn(u64) -> Option<u64>,
    answer: impl Fn(Result<u64, u64>) -> R,
) -> R {
    // In spins: of 26 ns on the machine that they were chosen on, of 40 on some, of 10 on others.
    const SHORTEST_PAUSE: u32 = 1 << 5;
    const LONGEST_PAUSE: u32 = 1 << 8;
    let mut spins = SHORTEST_PAUSE;
    loop {
        pause(spins);
        spins = LONGEST_PAUSE.min(spins * 2);
        let word = state.load(Relaxed);
        let Some(next) = step(word) else { return answer(Err(word)) };
        if state.compare_exchange(word, next, Relaxed, Relaxed).is_ok() {
            return answer(Ok(next));
        }
    }
}
