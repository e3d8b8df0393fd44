//! `FixedWindow` decides by a count that begins anew at each boundary of the wall clock: `requests` per window, whatever
//! their spacing.
//!
//! ```text
//! number(now) = floor(now / window)
//! allowed     : count(number) + cost <= requests
//! ```
//!
//! It is the cheapest promise and the easiest to explain, and the loosest: the requests of one window can come at its
//! end and those of the next at its beginning, `2 · requests` within less than one window.
//!
//! # The word
//!
//! ```text
//! | window number | count |        count has just the bits that `requests` needs
//! ```
//!
//! One exchange moves both, so the reset at a boundary and the first call after it are one operation. The count takes
//! only the bits it needs because the number wants the rest: a number of 32 bits would come round again after 2³² windows,
//! 50 days of milliseconds, and find an old count. A window is at least `requests` nanoseconds long, so this split numbers
//! every window of every quota until the year 2262.
//! 0 is a key never seen: no call in the first window of 1970, which is no call at all.
//!
//! # Orderings
//!
//! All `Relaxed`, for the reasons given in `token_bucket.rs`, and caught by the same test.
//!
//! # What a racing caller may see
//!
//! Only whole decisions. Two clocks that disagree by a tick can put callers on both sides of a boundary: once one of them
//! has opened the new window, the others count in it too.

use crate::{
    clock::{Nanos, TICK},
    quota::Quota,
    strategy::{Decision, Strategy},
    sync::{AtomicU64, Ordering::Relaxed},
};

/// `requests` per window, counted anew from each boundary of the wall clock. Most in any one window: `2 · requests`, at
/// a boundary. It has no burst.
#[derive(Clone, Copy, Debug)]
pub struct FixedWindow;

/// What a window becomes by a decision.
#[derive(Clone, Copy)]
enum Step {
    /// The word to write, and what is left in its window.
    Take { word: u64, remaining: u64 },
    /// Too few are left in `number`.
    Refuse { number: u64, remaining: u64 },
    /// The word counts a window that comes after the next one.
    Ahead,
}

/// The bits that the count takes.
#[inline]
const fn count_bits(quota: &Quota) -> u32 {
    64 - quota.requests().leading_zeros()
}

/// The window of `now`. The numbers of the fastest quotas (two requests per 3 ns and above) fill the word in the year
/// 2262 or later; the last one then stays open.
#[inline]
const fn number_at(quota: &Quota, now: Nanos) -> u64 {
    let number = quota.window_number(now);
    let last = u64::MAX >> count_bits(quota);
    if number < last { number } else { last }
}

/// The decision: pure.
#[inline]
const fn step(word: u64, quota: &Quota, permits: u64, now: u64) -> Step {
    let bits = count_bits(quota);
    let (stored, count) = (word >> bits, word & ((1 << bits) - 1));
    let (number, count) = if stored == now || stored == now + 1 {
        // One window ahead is a clock a tick behind the one that opened it: time has not moved back.
        (stored, count)
    } else if stored < now {
        (now, 0)
    } else {
        return Step::Ahead;
    };
    let remaining = quota.requests().saturating_sub(count);
    if permits <= remaining {
        Step::Take { word: (number << bits) | (count + permits), remaining: remaining - permits }
    } else {
        Step::Refuse { number, remaining }
    }
}

/// When window `number` ends, from `now`.
#[inline]
const fn end(quota: &Quota, number: u64, now: Nanos) -> Nanos {
    (number + 1).saturating_mul(quota.window_nanos()).saturating_sub(now)
}

/// How many calls a word counts in the window of the instant `now`, or in one that is still to come.
fn counted(word: u64, quota: &Quota, now: Nanos) -> u64 {
    let bits = count_bits(quota);
    if word >> bits < number_at(quota, now) { 0 } else { word & ((1 << bits) - 1) }
}

impl Strategy for FixedWindow {
    type State = AtomicU64;
    const UNSEEN: AtomicU64 = AtomicU64::new(0);
    const HAS_BURST: bool = false;

    #[inline]
    fn decide(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
        let number = number_at(quota, now);
        let mut word = state.load(Relaxed);
        loop {
            match step(word, quota, permits, number) {
                Step::Take { word: next, remaining } => {
                    // Looking, with 0 permits, writes nothing.
                    let taken = permits == 0
                        || match state.compare_exchange_weak(word, next, Relaxed, Relaxed) {
                            Ok(_) => true,
                            Err(newer) => {
                                word = newer;
                                false
                            }
                        };
                    if taken {
                        let stored = next >> count_bits(quota);
                        return Decision::Allowed { remaining, reset_after: end(quota, stored, now) };
                    }
                }
                Step::Refuse { number, remaining } => {
                    let reset_after = end(quota, number, now);
                    let retry_after = (permits <= quota.requests()).then_some(reset_after);
                    return Decision::Refused { remaining, reset_after, retry_after };
                }
                Step::Ahead => return Decision::Ahead,
            }
        }
    }

    fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
        counted(state.load(Relaxed), quota, now)
    }

    fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
        state.fetch_update(Relaxed, Relaxed, |word| (counted(word, quota, now) <= at_most).then_some(0)).is_ok()
    }

    #[inline]
    fn tolerates_tick(quota: &Quota) -> bool {
        quota.window_nanos() >= 100 * TICK
    }

    fn reanchor(state: &AtomicU64, quota: &Quota, clock: &dyn Fn() -> Nanos) {
        let word = state.load(Relaxed);
        let bits = count_bits(quota);
        let number = number_at(quota, clock());
        if word >> bits > number + 1 {
            // If this fails, somebody has written the word since, and that one is decided on next.
            let _ = state.compare_exchange(word, (number << bits) | quota.requests(), Relaxed, Relaxed);
        }
    }
}
