//! `FixedWindow` decides by a count that begins anew at each boundary of the wall clock: `requests` per window, whatever
//! their spacing.
//!
//! ```text
//! number(now) = floor(now / window)
//! allowed     : count + cost <= requests         where count is 0 once number(now) has passed the stored number
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
//! Words grow: a later window is a larger word than any count of an earlier one, so the word that a call starts from is
//! the larger of the stored one and `number(now) | 0`, and taking is an addition. One exchange moves both, so the reset
//! at a boundary and the first call after it are one operation. The count takes only the bits it needs because the
//! number wants the rest: a number of 32 bits would come round again after 2³² windows, 50 days of milliseconds, and
//! find an old count. A window is at least `requests` nanoseconds long, so this split numbers every window of every
//! quota until the year 2262. 0 is a key never seen: no call in the first window of 1970, which is no call at all.
//!
//! Orderings, and what a racing caller may see: `word.rs`. Two clocks that disagree by a tick can put callers on both sides
//! of a boundary: once one of them has opened the new window, the others count in it too.

use crate::{
    clock::{Nanos, TICK},
    quota::Quota,
    strategy::{Decision, Strategy},
    sync::{AtomicU64, Ordering::Relaxed},
    word,
};

/// `requests` per window, counted anew from each boundary of the wall clock: of UTC, counted from the Unix epoch, so that a
/// window of a day begins at midnight UTC. Most in any one window: `2 · requests`, at a boundary. It has no burst.
/// The last window, in the year 2262, does not end, whatever wait a refusal names.
#[derive(Clone, Copy, Debug)]
pub struct FixedWindow;

/// The word of the window of `now`, without calls.
#[inline(always)]
const fn opened_at(quota: &Quota, now: Nanos) -> u64 {
    quota.window_number(now) << quota.count_bits
}

/// The word that a call in the window of `opened` starts from, where `opened` is that window's word without calls.
#[inline(always)]
const fn current(word: u64, opened: u64) -> u64 {
    if word > opened { word } else { opened }
}

/// How many calls a word counts.
#[inline(always)]
const fn count(word: u64, quota: &Quota) -> u64 {
    word & ((1 << quota.count_bits) - 1)
}

/// The decision: pure. What the word becomes when `permits`, at most `requests`, are taken in the window of `opened`, or
/// `None` when they are not there.
#[inline(always)]
const fn step(word: u64, quota: &Quota, permits: u64, opened: u64) -> Option<u64> {
    let from = current(word, opened);
    if from - opened <= quota.requests() - permits { Some(from + permits) } else { None }
}

/// How many permits `word` leaves.
#[inline(always)]
const fn left(word: u64, quota: &Quota) -> u64 {
    quota.requests().saturating_sub(count(word, quota))
}

/// Decides in the window of `opened`, or as `otherwise` says when the word stands for a later one.
#[inline(always)]
fn decide_in(
    opened: u64,
    state: &AtomicU64,
    quota: &Quota,
    permits: u64,
    now: Nanos,
    otherwise: impl Fn() -> Decision,
) -> Decision {
    let answer = move |taken| match taken {
        Ok(word) => Decision::Allowed { remaining: left(word, quota), reset_after: end(word, quota, now) },
        Err(word) => refusal(word, opened, quota, now).unwrap_or_else(&otherwise),
    };
    word::take(state, permits, move |word| step(word, quota, permits, opened), answer)
}

/// The answer to a call in the window of `opened` that was refused on `word`; `None` if that stands for a later one.
#[inline(always)]
fn refusal(word: u64, opened: u64, quota: &Quota, now: Nanos) -> Option<Decision> {
    if (word - opened) >> quota.count_bits > 0 {
        return None;
    }
    let reset_after = end(word, quota, now);
    // The last window that can be numbered does not end.
    let retry_after = (reset_after > 0).then_some(reset_after);
    Some(Decision::Refused { remaining: left(word, quota), reset_after, retry_after })
}

/// The answer to a call for more permits than a window has.
#[inline(always)]
fn refusal_for_ever(word: u64, opened: u64, quota: &Quota, now: Nanos) -> Decision {
    let word = current(word, opened);
    // What a window holds that the clock has stepped back from cannot be taken.
    let out_of_reach = (word - opened) >> quota.count_bits > 1;
    let remaining = if out_of_reach { 0 } else { left(word, quota) };
    Decision::Refused { remaining, reset_after: end(word, quota, now), retry_after: None }
}

/// Decides in the window after that of `opened`, if somebody has opened it: a clock a tick ahead of this one. Time has not
/// moved back then, and this call counts there.
#[cold]
fn decide_in_next(opened: u64, state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
    let next = opened.saturating_add(1 << quota.count_bits);
    // If it was opened and has been re-anchored or forgotten since, this one is still the present.
    let window = if state.load(Relaxed) < next { opened } else { next };
    decide_in(window, state, quota, permits, now, || Decision::Ahead)
}

/// When the window of `word` ends, from `now`.
#[inline(always)]
const fn end(word: u64, quota: &Quota, now: Nanos) -> Nanos {
    // At most a window after an instant below 2^63, as every window is numbered from such a one.
    ((word >> quota.count_bits) + 1).wrapping_mul(quota.window_nanos()).saturating_sub(now)
}

/// How many calls `word` still counts at `now`.
fn spent_at(word: u64, quota: &Quota, now: Nanos) -> u64 {
    count(current(word, opened_at(quota, now)), quota)
}

impl Strategy for FixedWindow {
    type State = AtomicU64;
    const UNSEEN: AtomicU64 = AtomicU64::new(0);
    const HAS_BURST: bool = false;

    #[inline(always)]
    fn decide(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
        let opened = opened_at(quota, now);
        if permits > quota.requests() {
            return refusal_for_ever(state.load(Relaxed), opened, quota, now);
        }
        decide_in(opened, state, quota, permits, now, || decide_in_next(opened, state, quota, permits, now))
    }

    #[inline(always)]
    fn admit(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Result<(), Decision> {
        let opened = opened_at(quota, now);
        if permits > quota.requests() {
            return Err(refusal_for_ever(state.load(Relaxed), opened, quota, now));
        }
        word::admit(state, permits, move |word| step(word, quota, permits, opened))
            .map_err(|word| refusal(word, opened, quota, now).unwrap_or(Decision::Ahead))
    }

    fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
        spent_at(state.load(Relaxed), quota, now)
    }

    fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
        state.fetch_update(Relaxed, Relaxed, |word| (spent_at(word, quota, now) <= at_most).then_some(0)).is_ok()
    }

    #[inline(always)]
    fn tolerates_tick(quota: &Quota) -> bool {
        quota.window_nanos() >= 100 * TICK
    }

    fn reanchor(state: &AtomicU64, quota: &Quota, clock: &dyn Fn() -> Nanos) {
        let word = state.load(Relaxed);
        let opened = opened_at(quota, clock());
        if word.saturating_sub(opened) >> quota.count_bits > 1 {
            // If this fails, somebody has written the word since, and that one is decided on next.
            let _ = state.compare_exchange(word, opened | quota.requests(), Relaxed, Relaxed);
        }
    }
}
