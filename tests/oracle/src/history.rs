//! What callers and the clock do, one after the other.
//!
//! Most operations name their numbers by what they aim at, the burst, the wait that the last refusal told, a window, and not
//! by value: so a history that is shortened, or another quota that is put in, still aims at the same edges.

use limiter_core::{Nanos, Quota};

/// A quota, an instant, and what happens from then on.
#[derive(Clone, Debug)]
pub struct History {
    /// Which strategy decides.
    pub algorithm: Algorithm,
    /// What is allowed.
    pub quota: Quota,
    /// Where the clock stands at first.
    pub start: Nanos,
    /// What happens.
    pub operations: Vec<Operation>,
}

/// The most operations of a history made of bytes: the oracle replays everything at each of them.
pub const MOST_OPERATIONS: usize = 100;

/// The strategies that have an oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`limiter_core::FixedWindow`]
    FixedWindow,
    /// [`limiter_core::TokenBucket`]
    TokenBucket,
}

/// Something that a caller or the clock does.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// A call for permits.
    Take(Permits),
    /// The clock moves on.
    Forward(Span),
    /// The clock steps back.
    Back(Span),
    /// The clock is set.
    Set(Nanos),
}

/// How many permits.
#[derive(Clone, Copy, Debug)]
pub enum Permits {
    /// So many.
    Exactly(u64),
    /// As many as there can be at once.
    Limit,
    /// More than there can be, by so many and one.
    Above(u64),
    /// As many as the last call.
    Again,
    /// As many as the last answer said are left.
    Remaining,
    /// One more than the last answer said are left.
    OneTooMany,
}

/// How long.
#[derive(Clone, Copy, Debug)]
pub enum Span {
    /// So many nanoseconds.
    Nanos(u64),
    /// So many windows.
    Windows(u64),
    /// So many permits' worth, rounded down.
    Periods(u64),
    /// As long as the last refusal said.
    Retry,
    /// A nanosecond less than the last refusal said.
    AlmostRetry,
    /// As long as the last answer said until all permits are there.
    Reset,
    /// A nanosecond less than that.
    AlmostReset,
    /// So many times 365 days.
    Years(u64),
}

/// What operations refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) limit: u64,
    pub(crate) permits: u64,
    pub(crate) remaining: u64,
    pub(crate) reset_after: Nanos,
    pub(crate) retry_after: Nanos,
}

impl Permits {
    pub(crate) fn number(self, last: &Last) -> u64 {
        match self {
            Self::Exactly(permits) => permits,
            Self::Limit => last.limit,
            Self::Above(by) => last.limit.saturating_add(1).saturating_add(by),
            Self::Again => last.permits,
            Self::Remaining => last.remaining,
            Self::OneTooMany => last.remaining.saturating_add(1),
        }
    }
}

impl Span {
    const YEAR: Nanos = 365 * 86_400 * 1_000_000_000;

    pub(crate) fn nanos(self, quota: &Quota, last: &Last) -> Nanos {
        let window = u64::try_from(quota.window().as_nanos()).unwrap_or(u64::MAX);
        match self {
            Self::Nanos(nanos) => nanos,
            Self::Windows(windows) => window.saturating_mul(windows),
            Self::Periods(permits) => {
                let nanos = u128::from(window) * u128::from(permits) / u128::from(quota.requests());
                u64::try_from(nanos).unwrap_or(u64::MAX)
            }
            Self::Retry => last.retry_after,
            Self::AlmostRetry => last.retry_after.saturating_sub(1),
            Self::Reset => last.reset_after,
            Self::AlmostReset => last.reset_after.saturating_sub(1),
            Self::Years(years) => Self::YEAR.saturating_mul(years),
        }
    }
}

impl Operation {
    /// Where the clock stands after this, if it moves it.
    pub(crate) fn moves(self, now: Nanos, quota: &Quota, last: &Last) -> Option<Nanos> {
        match self {
            Self::Take(_) => None,
            Self::Forward(span) => Some(now.saturating_add(span.nanos(quota, last))),
            Self::Back(span) => Some(now.saturating_sub(span.nanos(quota, last))),
            Self::Set(instant) => Some(instant),
        }
    }
}
