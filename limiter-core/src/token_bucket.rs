//! `TokenBucket` decides by how full a bucket is: `burst` permits fit in, it starts full, and `requests` per `window`
//! flow in continuously.
//!
//! It is kept as the *theoretical arrival time* of the generic cell rate algorithm (ITU-T I.371, virtual scheduling),
//! read as "the instant at which the bucket is full again":
//!
//! ```text
//! fill(now)  = capacity - max(full_at - now, 0)          both on the quota's token line
//! allowed    : max(full_at, now) + cost <= now + capacity
//! then       : full_at = max(full_at, now) + cost
//! ```
//!
//! Taking a permit is one addition, refilling is time passing, and no remainder exists that could be dropped: the token
//! line of `quota.rs` makes a permit a whole number of units. In any time d at most `burst + requests · d / window`
//! calls are allowed, and in one window at most `burst + requests`.
//!
//! # The word
//!
//! 64 bits: `full_at` in units of the token line. 0 is a bucket never seen, which was full at the epoch and is full now.
//!
//! # Orderings
//!
//! All `Relaxed`. The word is the whole state: a decision reads nothing else, and what it permits is not data that some
//! other thread published. Read-modify-writes on one word are totally ordered whatever their ordering, so no permit is
//! taken twice. That the exchange is a read-modify-write, not a store, is what
//! `tests/concurrent.rs: sixteen_threads_share_exactly_the_permits` would catch.
//!
//! # What a racing caller may see
//!
//! Only whole decisions. Two callers for the last permit: one exchange fails, and that caller decides again on the word
//! that beat it. A caller whose clock was read before another's is decided as of the later `full_at`.

use crate::{
    clock::Nanos,
    quota::{LAST_INSTANT, Quota},
    strategy::{Decision, Strategy},
    sync::{AtomicU64, Ordering::Relaxed},
};

/// A burst of permits at once, refilled continuously. Most in any one window: `burst + requests`.
///
/// With the wait that a refusal names the call is permitted, and one nanosecond earlier it is not, unless
/// `window / requests` is not a whole number of nanoseconds: then a refill may come up to 2 ns after the exact fraction,
/// and still no permit is ever lost or gained.
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket;

/// What a bucket becomes by a decision.
#[derive(Clone, Copy)]
enum Step {
    /// The word to write, and where the full mark stands from now.
    Take { full_at: u64 },
    /// Too few permits. They will be there at `unit`, or never.
    Refuse { unit: Option<u64> },
    /// The word is more than a full bucket ahead of `now`.
    Ahead,
}

/// The decision: pure.
#[inline]
const fn step(full_at: u64, quota: &Quota, permits: u64, now: u64) -> Step {
    // `now` is at most LAST_INSTANT and the capacity at most MAX_FILL, so this sum stays in 64 bits.
    let ceiling = now + quota.capacity;
    if full_at > ceiling {
        return Step::Ahead;
    }
    let from = if full_at > now { full_at } else { now };
    if permits > quota.burst_size() {
        return Step::Refuse { unit: None };
    }
    // At most the capacity, by the line above.
    let cost = permits * quota.permit;
    if cost <= ceiling - from {
        Step::Take { full_at: from + cost }
    } else {
        Step::Refuse { unit: Some(from - (quota.capacity - cost)) }
    }
}

/// How many whole permits a bucket holds at `now`.
#[inline]
const fn held(full_at: u64, quota: &Quota, now: u64) -> u64 {
    (quota.capacity - full_at.saturating_sub(now)) / quota.permit
}

/// How many units a bucket lacks to be full at the instant `now`.
fn missing(full_at: u64, quota: &Quota, now: Nanos) -> u64 {
    full_at.saturating_sub(quota.units(now.min(LAST_INSTANT)))
}

impl Strategy for TokenBucket {
    type State = AtomicU64;
    const UNSEEN: AtomicU64 = AtomicU64::new(0);

    #[inline]
    fn decide(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
        let instant = now;
        let now = quota.units(if now < LAST_INSTANT { now } else { LAST_INSTANT });
        let wait = |unit| quota.nanos(unit).saturating_sub(instant);
        let mut word = state.load(Relaxed);
        loop {
            match step(word, quota, permits, now) {
                Step::Take { full_at } => {
                    // Looking, with 0 permits, writes nothing.
                    let taken = permits == 0
                        || match state.compare_exchange_weak(word, full_at, Relaxed, Relaxed) {
                            Ok(_) => true,
                            Err(newer) => {
                                word = newer;
                                false
                            }
                        };
                    if taken {
                        return Decision::Allowed { remaining: held(full_at, quota, now), reset_after: wait(full_at) };
                    }
                }
                Step::Refuse { unit } => {
                    // One permit was refused, so none is there: the common case divides by nothing.
                    let remaining = if permits == 1 { 0 } else { held(word, quota, now) };
                    return Decision::Refused { remaining, reset_after: wait(word), retry_after: unit.map(wait) };
                }
                Step::Ahead => return Decision::Ahead,
            }
        }
    }

    fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
        missing(state.load(Relaxed), quota, now)
    }

    fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
        state.fetch_update(Relaxed, Relaxed, |word| (missing(word, quota, now) <= at_most).then_some(0)).is_ok()
    }

    #[inline]
    fn tolerates_tick(quota: &Quota) -> bool {
        quota.bucket_tolerates_tick
    }

    fn reanchor(state: &AtomicU64, quota: &Quota, clock: &dyn Fn() -> Nanos) {
        let word = state.load(Relaxed);
        let empty = quota.units(clock().min(LAST_INSTANT)) + quota.capacity;
        if word > empty {
            // If this fails, somebody has written the word since, and that one is decided on next.
            let _ = state.compare_exchange(word, empty, Relaxed, Relaxed);
        }
    }
}
