//! One decision of a limit that is in use: which clock it is made on, and what happens when the clock stepped back.
//!
//! Most of a decision's price is its clock, so it is made on the coarse one where the quota tolerates a tick. The coarse
//! clock is a lower bound of the time. An allowance on it is therefore never early. A refusal may be, by as much as that
//! clock is behind: if it ends within what that can be, the precise clock is asked and decides.

use crate::{
    clock::{self, LAG, Nanos},
    outcome::{Allowed, NEVER, Rejected},
    quota::Quota,
    spec::Spec,
    strategy::{Decision, Strategy},
};

/// How often a decision is tried anew after the clock stepped back. One time is enough for every strategy that re-anchors,
/// unless other threads write in between; the bound is for one that does not.
const REANCHORINGS: u32 = 16;

/// What a caller wants to know of an allowed call.
pub(crate) trait Answer: Sized {
    /// The answer, made of `allowed`.
    fn of(allowed: Allowed) -> Self;

    /// Takes `permits` at `now`; the error is never [`Decision::Allowed`].
    #[inline(always)]
    fn admit<S: Strategy>(state: &S::State, quota: &Quota, permits: u64, now: Nanos) -> Result<Self, Decision> {
        match S::decide(state, quota, permits, now) {
            Decision::Allowed { remaining, reset_after } => {
                Ok(Self::of(Allowed { limit: S::limit(quota), remaining, reset_after }))
            }
            other => Err(other),
        }
    }
}

impl Answer for Allowed {
    #[inline(always)]
    fn of(allowed: Allowed) -> Self {
        allowed
    }
}

/// Nothing but that it is allowed: for the attribute, which has no use for the numbers.
impl Answer for () {
    #[inline(always)]
    fn of(_: Allowed) -> Self {}

    #[inline(always)]
    fn admit<S: Strategy>(state: &S::State, quota: &Quota, permits: u64, now: Nanos) -> Result<Self, Decision> {
        S::admit(state, quota, permits, now)
    }
}

/// Takes `permits` from `state` now.
#[inline(always)]
pub(crate) fn take<S: Strategy, A: Answer>(state: &S::State, spec: &Spec, permits: u64) -> Result<A, Rejected> {
    take_by::<S, A>(state, spec, permits, clock::coarse, clock::precise)
}

/// Takes `permits` by two clocks, of which `coarse` may be behind.
#[inline(always)]
fn take_by<S: Strategy, A: Answer>(
    state: &S::State,
    spec: &Spec,
    permits: u64,
    coarse: impl Fn() -> Nanos,
    precise: impl Fn() -> Nanos,
) -> Result<A, Rejected> {
    let quota = &spec.quota;
    let tolerant = S::tolerates_tick(quota);
    let now = if tolerant { coarse() } else { precise() };
    match A::admit::<S>(state, quota, permits, now) {
        Ok(answer) => Ok(answer),
        Err(Decision::Refused { retry_after, .. }) if tolerant && retry_after.is_some_and(|wait| wait <= LAG) => {
            take_precisely::<S, A>(state, spec, permits, &precise)
        }
        Err(Decision::Refused { remaining, reset_after, retry_after }) => {
            Err(rejected::<S>(spec, remaining, reset_after, retry_after))
        }
        Err(_) => take_precisely::<S, A>(state, spec, permits, &precise),
    }
}

/// Takes `permits` on the precise clock, after an answer that might have been another on it.
#[cold]
fn take_precisely<S: Strategy, A: Answer>(
    state: &S::State,
    spec: &Spec,
    permits: u64,
    clock: &dyn Fn() -> Nanos,
) -> Result<A, Rejected> {
    let limit = S::limit(&spec.quota);
    for _ in 0..REANCHORINGS {
        match S::decide(state, &spec.quota, permits, clock()) {
            Decision::Allowed { remaining, reset_after } => {
                return Ok(A::of(Allowed { limit, remaining, reset_after }));
            }
            Decision::Refused { remaining, reset_after, retry_after } => {
                return Err(rejected::<S>(spec, remaining, reset_after, retry_after));
            }
            Decision::Ahead => S::reanchor(state, &spec.quota, clock),
        }
    }
    let window = spec.quota.window_nanos();
    Err(Rejected::new(spec.name, limit, 0, window, window))
}

/// What a refused caller is told.
#[inline(always)]
fn rejected<S: Strategy>(spec: &Spec, remaining: u64, reset_after: Nanos, retry_after: Option<Nanos>) -> Rejected {
    let retry_after = match retry_after {
        Some(wait) => wait,
        None => NEVER,
    };
    Rejected::new(spec.name, S::limit(&spec.quota), remaining, reset_after, retry_after)
}

#[cfg(test)]
mod tests {
    use super::{LAG, Nanos, take_by};
    use crate::{
        fixed_window::FixedWindow, outcome::Rejected, quota::Quota, spec::Spec, strategy::Strategy,
        token_bucket::TokenBucket,
    };
    use std::{cell::Cell, time::Duration};

    const SECOND: Nanos = 1_000_000_000;
    const NOW: Nanos = 1_767_225_600 * SECOND;

    /// A limit, the time, how far the coarse clock is behind it, and how often the precise clock was asked.
    struct Clocks<S: Strategy> {
        state: S::State,
        spec: Spec,
        now: Cell<Nanos>,
        behind: Cell<Nanos>,
        asked: Cell<u32>,
    }

    impl<S: Strategy> Clocks<S> {
        fn new(quota: Quota) -> Self {
            let spec = Spec::here::<S>("limit", quota);
            let (now, behind) = (Cell::new(NOW), Cell::new(0));
            Self { state: S::UNSEEN, spec, now, behind, asked: Cell::new(0) }
        }

        fn take(&self) -> Result<(), Rejected> {
            let precise = || {
                self.asked.set(self.asked.get() + 1);
                self.now.get()
            };
            take_by::<S, ()>(&self.state, &self.spec, 1, || self.now.get() - self.behind.get(), precise)
        }

        fn drain(&self) -> usize {
            (0..1_000).filter(|_| self.take().is_ok()).count()
        }

        fn pass(&self, time: Nanos) {
            self.now.set(self.now.get() + time);
        }
    }

    #[test]
    fn waiting_as_long_as_a_refusal_says_is_enough_however_far_the_coarse_clock_is_behind() {
        for behind in [0, 1, 4_000_000, 15_800_000, LAG] {
            let limit = Clocks::<TokenBucket>::new(Quota::per_second(50).burst(1));
            limit.take().unwrap();
            for _ in 0..100 {
                let wait = limit.take().unwrap_err().retry_after().unwrap();
                limit.pass(wait.as_nanos() as u64);
                limit.behind.set(behind);
                limit.take().unwrap();
            }
        }
    }

    #[test]
    fn the_coarse_clock_grants_nothing_early() {
        let limit = Clocks::<TokenBucket>::new(Quota::per_second(100));
        assert_eq!(limit.drain(), 100);
        limit.behind.set(10_000_000);
        limit.pass(9_999_999);
        assert_eq!(limit.drain(), 0);
        limit.pass(1);
        assert_eq!(limit.drain(), 1);
    }

    #[test]
    fn the_precise_clock_is_asked_only_when_it_could_change_the_answer() {
        let limit = Clocks::<TokenBucket>::new(Quota::per_hour(10));
        limit.behind.set(4_000_000);
        assert_eq!(limit.drain(), 10);
        assert_eq!(limit.asked.get(), 0);
        let limit = Clocks::<FixedWindow>::new(Quota::per_hour(10));
        assert_eq!(limit.drain(), 10);
        assert_eq!(limit.asked.get(), 0);
        limit.pass(3_600 * SECOND - LAG);
        assert_eq!(limit.drain(), 0);
        assert_eq!(limit.asked.get(), 1_000);
    }

    #[test]
    fn a_quota_that_refills_within_a_tick_is_decided_on_the_precise_clock() {
        let limit = Clocks::<TokenBucket>::new(Quota::per_second(100_000).burst(10));
        limit.behind.set(4_000_000);
        assert_eq!(limit.drain(), 10);
        limit.pass(10_000);
        assert_eq!(limit.drain(), 1);
        let limit = Clocks::<FixedWindow>::new(Quota::new(5, Duration::from_millis(10)));
        limit.behind.set(4_000_000);
        assert_eq!(limit.drain(), 5);
        limit.pass(10_000_000);
        assert_eq!(limit.drain(), 5);
    }

    #[test]
    fn callers_on_both_sides_of_a_boundary_share_the_window_that_was_opened() {
        let limit = Clocks::<FixedWindow>::new(Quota::per_second(10));
        assert_eq!(limit.drain(), 10);
        limit.pass(SECOND);
        // The precise clock opens the window, the coarse one has not reached it.
        limit.behind.set(4_000_000);
        assert_eq!(limit.drain(), 10);
        limit.behind.set(0);
        assert_eq!(limit.drain(), 0);
    }
}
