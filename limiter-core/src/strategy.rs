//! The extension point: how a limit decides, given what it remembers of a key and the time.
//!
//! A strategy is a type that has no values of its own. What it remembers of one key is its [`State`](Strategy::State), whose first value
//! is all zeros, so that tables of them need no memory until they are touched. Deciding must not block and must not
//! allocate; a refusal must leave the state as it was.

use crate::{clock::Nanos, quota::Quota};

/// An algorithm that decides whether a call is permitted.
///
/// Implement it on a type of your own and name that type in the attribute, `strategy = Lifetime`, or in
/// [`Limiter`](crate::Limiter); nothing needs to be registered. This one permits each quota's `requests` once and never
/// again:
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::{Decision, Limiter, Nanos, Quota, Strategy};
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// struct Lifetime;
///
/// impl Strategy for Lifetime {
///     type State = AtomicU64;
///     const UNSEEN: AtomicU64 = AtomicU64::new(0);
///
///     fn decide(spent: &AtomicU64, quota: &Quota, permits: u64, _now: Nanos) -> Decision {
///         let limit = quota.requests();
///         let refused = |spent| Decision::Refused { remaining: limit - spent, reset_after: Nanos::MAX, retry_after: None };
///         match spent.fetch_update(Relaxed, Relaxed, |spent| spent.checked_add(permits).filter(|sum| *sum <= limit)) {
///             Ok(before) => Decision::Allowed { remaining: limit - before - permits, reset_after: Nanos::MAX },
///             Err(spent) => refused(spent),
///         }
///     }
///
///     fn spent(spent: &AtomicU64, _quota: &Quota, _now: Nanos) -> u64 {
///         spent.load(Relaxed)
///     }
///
///     fn forget(spent: &AtomicU64, _quota: &Quota, _now: Nanos, at_most: u64) -> bool {
///         spent.fetch_update(Relaxed, Relaxed, |spent| (spent <= at_most).then_some(0)).is_ok()
///     }
/// }
///
/// static TRIAL: Limiter<Lifetime> = Limiter::new(Quota::per_day(2));
/// assert!(TRIAL.try_acquire().is_ok());
/// assert!(TRIAL.try_acquire().is_ok());
/// assert!(TRIAL.try_acquire().is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rate-limiting strategy",
    label = "this type does not implement `Strategy`",
    note = "use `FixedWindow` or `TokenBucket`, or implement `limiter::Strategy` for your own type"
)]
pub trait Strategy: 'static {
    /// What is remembered of one key.
    ///
    /// Best some words. The attribute's table makes 256 of them at a time on the stack, several times over in a build without
    /// optimisation: with more than 500 bytes each, that is too much for threads of 2 MiB. [`Keyed`](crate::Keyed) does not.
    type State: Send + Sync + 'static;

    /// The state of a key that was never seen. All its bytes must be zero, or the tables will not cost nothing until
    /// they are touched.
    const UNSEEN: Self::State;

    /// The most requests per window that the state can count.
    const MAX_REQUESTS: u64 = u64::MAX;

    /// Whether the quota's burst means anything to this strategy. If not, giving one is a compile error.
    const HAS_BURST: bool = true;

    /// Takes `permits` at `now` if they are there. 0 permits are always there: such a call only looks, writes nothing and
    /// is allowed, unless the clock stepped back so far that it is answered [`Decision::Ahead`], like any other.
    ///
    /// `now` counts nanoseconds since the Unix epoch and is not the wall clock: nobody sets it. It comes from two clocks,
    /// one of which may be some milliseconds behind, so from one call to the next it may be that much less.
    fn decide(state: &Self::State, quota: &Quota, permits: u64, now: Nanos) -> Decision;

    /// [`decide`](Self::decide), for a caller who does not want to know what an allowed call leaves. The error is never
    /// [`Decision::Allowed`], and may be [`Decision::Ahead`] in any case that is not a common one: the caller then asks
    /// `decide`.
    ///
    /// For the built-in strategies: without the numbers of an allowed call, every way to its end fits into registers, and the
    /// compiler makes of it nothing but the step and the exchange.
    #[doc(hidden)]
    #[inline(always)]
    fn admit(state: &Self::State, quota: &Quota, permits: u64, now: Nanos) -> Result<(), Decision> {
        match Self::decide(state, quota, permits, now) {
            Decision::Allowed { .. } => Ok(()),
            other => Err(other),
        }
    }

    /// How far this state is from [`UNSEEN`](Self::UNSEEN), in a measure of the strategy's own; 0 if it is as good as
    /// that. A key that is out of permits must have spent more than one that is not.
    ///
    /// A keyed table that must replace a key takes the one that has spent least.
    fn spent(state: &Self::State, quota: &Quota, now: Nanos) -> u64;

    /// Makes the state [`UNSEEN`](Self::UNSEEN), unless it has by now spent more than `at_most`: then says `false`.
    fn forget(state: &Self::State, quota: &Quota, now: Nanos, at_most: u64) -> bool;

    /// Whether a decision may be made on a clock that is five times cheaper and behind by a tick of the kernel, up to 10 ms, or
    /// more on a busy host. A refusal that ends within 50 ms is made again with the precise clock. `false` unless overridden.
    #[inline]
    #[must_use]
    fn tolerates_tick(quota: &Quota) -> bool {
        let _ = quota;
        false
    }

    /// The most permits there can be at once: the burst if the strategy has one, else the requests of a window.
    #[inline]
    #[must_use]
    fn limit(quota: &Quota) -> u64 {
        if Self::HAS_BURST { quota.burst_size() } else { quota.requests() }
    }

    /// Called after [`Decision::Ahead`], even if the call only looked, and only then; a strategy that never answers so need
    /// not override it. The state was written at a time that by `clock` is not yet reached: writes it anew so
    /// that it holds no permits and [`decide`](Self::decide) can go on from the present.
    ///
    /// `clock` must be read *after* the state was loaded, and the write must fail if the state has changed since;
    /// otherwise a thread that slept between reading the clock and deciding would take permits back in time.
    #[cold]
    fn reanchor(state: &Self::State, quota: &Quota, clock: &dyn Fn() -> Nanos) {
        let _ = (state, quota, clock);
    }
}

/// What a strategy decided. Times are in nanoseconds, counted from `now`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The permits were taken.
    Allowed {
        /// Permits left.
        remaining: u64,
        /// How long until all permits are there again; `Nanos::MAX` for never.
        reset_after: Nanos,
    },
    /// The permits were not there. Nothing was written.
    Refused {
        /// Permits left, fewer than were asked for.
        remaining: u64,
        /// How long until all permits are there again; `Nanos::MAX` for never.
        reset_after: Nanos,
        /// How long until the same call would be permitted; `None` for never.
        retry_after: Option<Nanos>,
    },
    /// The state lies further in the future than the strategy itself can have put it: the clock has stepped back. Only for
    /// strategies that remember instants. Nothing was written; [`Strategy::reanchor`] is called and the decision made again.
    Ahead,
}
