//! What a strategy's naive twin must be able to say, and how an answer is compared with it.

use crate::history::Algorithm;
use limiter_core::{Decision, Nanos, Quota, Strategy};
use std::ops::RangeInclusive;

/// A strategy that has a twin.
pub trait Subject: Strategy {
    /// The twin.
    type Oracle: Oracle;

    /// Which one it is in a history.
    const ALGORITHM: Algorithm;

    /// All that a state holds, to see whether a call wrote.
    fn words(state: &Self::State) -> Vec<u64>;

    /// The same state a second time, to try what would happen.
    fn copy(state: &Self::State) -> Self::State;
}

/// The twin: what must be answered, given everything that was granted so far.
pub trait Oracle {
    /// Nothing was granted yet.
    fn new(quota: Quota) -> Self;

    /// What may be answered to a call for `permits` at `now`.
    fn expects(&self, permits: u64, now: Nanos) -> Expected;

    /// `permits`, at least 1, were granted at `now`.
    fn granted(&mut self, permits: u64, now: Nanos);

    /// At `now` the state was too far ahead, and has been put to no permits.
    fn reanchored(&mut self, now: Nanos);

    /// The most permits there can be at once.
    fn limit(quota: &Quota) -> u64;

    /// The most permits that can be granted between two instants `apart`, both included, when the state was re-anchored so
    /// many times between them. `apart` counts the clock's way forward: a second that passes again is a second more.
    fn most(quota: &Quota, apart: u128, reanchorings: u64) -> u128;

    /// The last instant that the strategy can tell from the one before. Past it nothing comes back.
    fn last_instant(quota: &Quota) -> Nanos;
}

/// Every answer that is right. Usually there is one.
#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    /// The permits may be granted, with such numbers.
    pub allowed: Option<Allowance>,
    /// The call may be refused, with such numbers.
    pub refused: Option<Refusal>,
    /// The state may be found ahead of the clock by more than the strategy can have put it.
    pub ahead: bool,
}

/// The right numbers of an allowance.
#[derive(Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Permits left after the call.
    pub remaining: RangeInclusive<u64>,
    /// How long until all permits are there.
    pub reset_after: RangeInclusive<u64>,
}

/// The right numbers of a refusal.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Permits there are.
    pub remaining: RangeInclusive<u64>,
    /// How long until all permits are there.
    pub reset_after: RangeInclusive<u64>,
    /// How long until the same call is granted; `None` for never.
    pub retry_after: Option<RangeInclusive<u64>>,
}

impl Expected {
    /// Only this allowance.
    pub(crate) fn allowed(remaining: u64, reset_after: Nanos) -> Self {
        let allowed = Allowance { remaining: just(remaining), reset_after: just(reset_after) };
        Self { allowed: Some(allowed), refused: None, ahead: false }
    }

    /// Only this refusal.
    pub(crate) fn refused(remaining: u64, reset_after: Nanos, retry_after: Option<Nanos>) -> Self {
        let (remaining, reset_after) = (just(remaining), just(reset_after));
        let refused = Refusal { remaining, reset_after, retry_after: retry_after.map(just) };
        Self { allowed: None, refused: Some(refused), ahead: false }
    }

    /// Only that the state is too far ahead.
    pub(crate) fn ahead() -> Self {
        Self { allowed: None, refused: None, ahead: true }
    }

    /// Whether this answer is right.
    #[must_use]
    pub fn admits(&self, answer: &Decision) -> bool {
        match *answer {
            Decision::Allowed { remaining, reset_after } => self.allowed.as_ref().is_some_and(|allowed| {
                allowed.remaining.contains(&remaining) && allowed.reset_after.contains(&reset_after)
            }),
            Decision::Refused { remaining, reset_after, retry_after } => self.refused.as_ref().is_some_and(|refused| {
                refused.remaining.contains(&remaining)
                    && refused.reset_after.contains(&reset_after)
                    && match (&refused.retry_after, retry_after) {
                        (Some(range), Some(wait)) => range.contains(&wait),
                        (None, None) => true,
                        _ => false,
                    }
            }),
            Decision::Ahead => self.ahead,
        }
    }

    /// Whether there is one right answer and no other.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let one = |range: &RangeInclusive<u64>| range.start() == range.end();
        let answers =
            usize::from(self.allowed.is_some()) + usize::from(self.refused.is_some()) + usize::from(self.ahead);
        answers == 1
            && self.allowed.as_ref().is_none_or(|allowed| one(&allowed.remaining) && one(&allowed.reset_after))
            && self.refused.as_ref().is_none_or(|refused| {
                one(&refused.remaining) && one(&refused.reset_after) && refused.retry_after.as_ref().is_none_or(one)
            })
    }
}

fn just(number: u64) -> RangeInclusive<u64> {
    number..=number
}
