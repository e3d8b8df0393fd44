//! `TokenBucket` decides by how full a bucket is: `burst` permits fit in, it starts full, and `requests` per `window`
//! flow in continuously.
//!
//! It is kept as the *theoretical arrival time* of the generic cell rate algorithm (ITU-T I.371, virtual scheduling),
//! read as "the instant at which the bucket is full again":
//!
//! ```text
//! fill(now)  = capacity - max(full_at - now, 0)          all on the quota's token line
//! allowed    : fill(now) >= cost,  that is  full_at <= now + (capacity - cost)
//! then       : full_at = max(full_at, now) + cost
//! ```
//!
//! Taking a permit is one addition, refilling is time passing, and no remainder exists that could be dropped: the token
//! line of `quota.rs` makes a permit a whole number of units. In any time d at most `burst + requests · d / window`
//! calls are allowed, and in one window at most `burst + requests`; where a permit is no whole number of nanoseconds, d counts
//! from the unit before it.
//!
//! # The word
//!
//! 64 bits: `full_at` in units of the token line. 0 is a bucket never seen, which was full at the epoch and is full now.
//!
//! Orderings, and what a racing caller may see: `word.rs`. A caller whose clock was read before another's is decided as of
//! the later `full_at`.

use crate::{
    clock::Nanos,
    quota::{LAST_INSTANT, Quota},
    strategy::{Decision, Strategy},
    sync::{AtomicU64, Ordering::Relaxed},
    word,
};

/// A burst of permits at once, refilled continuously. Most in any one window: `burst + requests`.
///
/// With the wait that a refusal names the call is permitted, and one nanosecond earlier it is not, by the clock that decided; of
/// waits longer than 50 ms that is one that may be some milliseconds behind. Where
/// `window / requests` is not a whole number of nanoseconds, a permit may be back early, by less than 2 ns, but never late,
/// and still no permit is ever lost or gained. Nothing flows in after the year 2408, whatever wait a refusal names.
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket;

/// The decision: pure. What the word becomes when `cost` units are taken, or `None` when they are not there.
///
/// `now` is at most `LAST_INSTANT`, the capacity at most `MAX_FILL` and `cost` at most the capacity, so that no sum leaves
/// 64 bits.
#[inline(always)]
const fn step(full_at: u64, quota: &Quota, cost: u64, now: u64) -> Option<u64> {
    if full_at <= now + (quota.capacity - cost) {
        let from = if full_at > now { full_at } else { now };
        Some(from + cost)
    } else {
        None
    }
}

/// How many units a bucket holds at `now`.
#[inline(always)]
const fn fill(full_at: u64, quota: &Quota, now: u64) -> u64 {
    quota.capacity.saturating_sub(full_at.saturating_sub(now))
}

/// How many units a bucket lacks to be full at the instant `now`.
fn missing(full_at: u64, quota: &Quota, now: Nanos) -> u64 {
    full_at.saturating_sub(quota.units(now.min(LAST_INSTANT)))
}

/// The answer to a call for `permits`, at most the capacity, that was refused on `full_at`.
#[inline(always)]
fn refusal(full_at: u64, quota: &Quota, permits: u64, instant: Nanos) -> Decision {
    let now = quota.units(instant.min(LAST_INSTANT));
    if full_at > now + quota.capacity {
        return Decision::Ahead;
    }
    // One permit was refused, so none is there: the common case divides by nothing.
    let remaining = if permits == 1 { 0 } else { fill(full_at, quota, now) / quota.permit };
    // Where the fill comes up to the cost. The bucket was not full, so `full_at` is above what is taken away.
    let unit = full_at - (quota.capacity - permits * quota.permit);
    let retry_after = Some(wait(unit, quota, instant));
    Decision::Refused { remaining, reset_after: wait(full_at, quota, instant), retry_after }
}

/// The answer to a call for more permits than fit in.
#[inline(always)]
fn refusal_for_ever(full_at: u64, quota: &Quota, instant: Nanos) -> Decision {
    let remaining = fill(full_at, quota, quota.units(instant.min(LAST_INSTANT))) / quota.permit;
    Decision::Refused { remaining, reset_after: wait(full_at, quota, instant), retry_after: None }
}

/// How long from `instant` until `unit` of the token line.
#[inline(always)]
fn wait(unit: u64, quota: &Quota, instant: Nanos) -> Nanos {
    quota.nanos(unit).saturating_sub(instant)
}

impl Strategy for TokenBucket {
    type State = AtomicU64;
    const UNSEEN: AtomicU64 = AtomicU64::new(0);

    #[inline(always)]
    fn decide(state: &AtomicU64, quota: &Quota, permits: u64, instant: Nanos) -> Decision {
        if permits > quota.burst_size() {
            return refusal_for_ever(state.load(Relaxed), quota, instant);
        }
        let now = quota.units(instant.min(LAST_INSTANT));
        let cost = permits * quota.permit;
        let answer = move |taken| match taken {
            Ok(full_at) => {
                let remaining = fill(full_at, quota, now) / quota.permit;
                Decision::Allowed { remaining, reset_after: wait(full_at, quota, instant) }
            }
            Err(full_at) => refusal(full_at, quota, permits, instant),
        };
        word::take(state, cost, move |word| step(word, quota, cost, now), answer)
    }

    #[inline(always)]
    fn admit(state: &AtomicU64, quota: &Quota, permits: u64, instant: Nanos) -> Result<(), Decision> {
        if permits > quota.burst_size() {
            return Err(refusal_for_ever(state.load(Relaxed), quota, instant));
        }
        let now = quota.units(instant.min(LAST_INSTANT));
        let cost = permits * quota.permit;
        word::admit(state, cost, move |word| step(word, quota, cost, now))
            .map_err(|full_at| refusal(full_at, quota, permits, instant))
    }

    fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
        missing(state.load(Relaxed), quota, now)
    }

    fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
        state.fetch_update(Relaxed, Relaxed, |word| (missing(word, quota, now) <= at_most).then_some(0)).is_ok()
    }

    #[inline(always)]
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
