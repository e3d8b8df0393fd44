//! `TokenBucket` as anybody would write it: replay all grants on a bucket that holds `burst` permits, starts full and is
//! refilled by `requests` per `window`.
//!
//! ```text
//! level = min(burst, level + (now - then) · requests / window) - permits        for each grant, in order
//! ```
//!
//! The level is kept in `window`ths of a permit. Nanoseconds are whole, so in that measure every level is a whole number, and
//! nothing is ever rounded.
//!
//! * When the clock steps back, `now - then` is negative: the bucket is that much emptier until the clock has caught up.
//! * A level below 0 cannot have been left by a grant: the clock has stepped back further than the strategy itself can have
//!   put the state ahead. It is then put to 0 at the present.
//! * Instants after 2⁶⁴ − 1 − 2⁶² ns, in the year 2408, count as that one.
//!
//! # The one deviation
//!
//! `limiter-core` cuts the time `window / requests` in which a permit comes back into as many equal parts as it has whole
//! nanoseconds, and reads the clock in whole parts, rounded down. If `window / requests` is whole, a part is a nanosecond
//! and there is no difference. Otherwise a part `u` is longer than 1 ns and shorter than 2 ns, and of two instants the earlier
//! can be rounded down by more than the later, by less than `u`. All that is compared, levels and costs, is whole parts.
//! Therefore:
//!
//! ```text
//! exact level <= level of the core < exact level + what flows in within u
//! ```
//!
//! The core is never stricter than this bucket, and never a full part more generous. The interval stays that wide however
//! long the history is, as each instant is rounded by itself.

use crate::{
    history::Algorithm,
    oracle::{Allowance, Expected, Oracle, Refusal, Subject},
};
use limiter_core::{Nanos, Quota, TokenBucket};
use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

impl Subject for TokenBucket {
    type Oracle = Bucket;
    const ALGORITHM: Algorithm = Algorithm::TokenBucket;

    fn words(state: &Self::State) -> Vec<u64> {
        vec![state.load(Relaxed)]
    }

    fn copy(state: &Self::State) -> Self::State {
        AtomicU64::new(state.load(Relaxed))
    }
}

/// 2⁶⁴ − 1 − 2⁶² ns.
const LAST_INSTANT: Nanos = u64::MAX - (1 << 62);

/// The twin of `TokenBucket`. At most 2⁶² ns of refill fit in and a window has at most 2⁵⁵ ns, so that `burst · window` is
/// below 2¹¹⁷, and `requests` times any time below 2¹¹⁹.
pub struct Bucket {
    requests: i128,
    window: i128,
    burst: i128,
    /// When the bucket was put to no permits.
    emptied: Option<i128>,
    /// What was granted since, in order.
    grants: Vec<Granted>,
    /// How much higher the core's level can be, in whole `window`ths.
    above: i128,
}

struct Granted {
    at: i128,
    permits: i128,
}

impl Bucket {
    /// A full bucket.
    fn full(&self) -> i128 {
        self.burst * self.window
    }

    /// The level at `now`, not yet bounded by what fits in.
    fn level(&self, now: i128) -> i128 {
        // A bucket that nothing was taken from is full whatever the time.
        let mut last = self.emptied.map(|at| (at, 0));
        let at = |last: Option<(i128, i128)>, now| match last {
            Some((then, level)) => level + (now - then) * self.requests,
            None => self.full(),
        };
        for grant in &self.grants {
            let before = at(last, grant.at).min(self.full());
            last = Some((grant.at, before - grant.permits * self.window));
        }
        at(last, now)
    }

    /// Until `missing` has flowed in, or up to `above` less, on a clock that shows `shown` and counts as `now`.
    fn wait(&self, missing: i128, now: i128, shown: Nanos, at_least: i128) -> RangeInclusive<u64> {
        let until = |missing: i128| {
            let nanos = ceil(missing, self.requests).max(at_least);
            (now + nanos - i128::from(shown)).max(0) as u64
        };
        until(missing - self.above)..=until(missing)
    }

    fn permits(&self, levels: RangeInclusive<i128>) -> RangeInclusive<u64> {
        let whole = |level: i128| (level.max(0) / self.window) as u64;
        whole(*levels.start())..=whole(*levels.end())
    }
}

impl Oracle for Bucket {
    fn new(quota: Quota) -> Self {
        let (requests, window) = (i128::from(quota.requests()), nanos(&quota));
        Self {
            requests,
            window,
            burst: i128::from(quota.burst_size()),
            emptied: None,
            grants: Vec::new(),
            above: above(requests, window, 1),
        }
    }

    fn expects(&self, permits: u64, shown: Nanos) -> Expected {
        let now = i128::from(shown.min(LAST_INSTANT));
        let level = self.level(now);
        // What the core can hold, at least and at most.
        let (low, high) = (level.min(self.full()), (level + self.above).min(self.full()));
        let reset_after = self.wait(self.full() - low, now, shown, 0);
        if i128::from(permits) > self.burst {
            let refused = Refusal { remaining: self.permits(low..=high), reset_after, retry_after: None };
            return Expected { allowed: None, refused: Some(refused), ahead: false };
        }
        let cost = i128::from(permits) * self.window;
        let allowed = (high >= cost).then(|| Allowance {
            remaining: self.permits(low.max(cost) - cost..=high - cost),
            reset_after: self.wait(self.full() - low + cost, now, shown, 0),
        });
        let refused = (low < cost && high >= 0 && cost > 0).then(|| Refusal {
            remaining: self.permits(low..=high.min(cost - 1)),
            reset_after,
            // What is refused now is not granted now.
            retry_after: Some(self.wait(cost - low, now, shown, 1)),
        });
        Expected { allowed, refused, ahead: low < 0 }
    }

    fn granted(&mut self, permits: u64, now: Nanos) {
        self.grants.push(Granted { at: i128::from(now.min(LAST_INSTANT)), permits: i128::from(permits) });
    }

    fn reanchored(&mut self, now: Nanos) {
        self.emptied = Some(i128::from(now.min(LAST_INSTANT)));
        self.grants.clear();
    }

    fn limit(quota: &Quota) -> u64 {
        quota.burst_size()
    }

    /// A full bucket, and what flows in; each re-anchoring can begin another part of the clock's.
    fn most(quota: &Quota, apart: u128, reanchorings: u64) -> u128 {
        let (requests, window) = (i128::from(quota.requests()), nanos(quota));
        let above = above(requests, window, i128::from(reanchorings) + 1) as u128;
        let full = u128::from(quota.burst_size()) * window as u128;
        apart.saturating_mul(requests as u128).saturating_add(full + above) / window as u128
    }

    fn last_instant(_quota: &Quota) -> Nanos {
        LAST_INSTANT
    }
}

/// The whole `window`ths that are less than what flows in within so many parts of the core's clock: of `floor(window /
/// requests)` parts, each brings a permit's `window` ÷ that many.
fn above(requests: i128, window: i128, parts: i128) -> i128 {
    if window % requests == 0 { 0 } else { ceil(parts * window, window / requests) - 1 }
}

fn ceil(numerator: i128, denominator: i128) -> i128 {
    -(-numerator).div_euclid(denominator)
}

fn nanos(quota: &Quota) -> i128 {
    i128::try_from(quota.window().as_nanos()).unwrap_or(i128::MAX)
}
