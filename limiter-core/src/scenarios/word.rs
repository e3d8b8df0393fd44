//! Races on one word: of callers for permits, with a refill, with a boundary, with a clock that stepped back.

use super::explore::{act, explore, together};
use crate::{
    clock::Nanos,
    fixed_window::FixedWindow,
    quota::Quota,
    strategy::{
        Decision::{Ahead, Allowed, Refused},
        Strategy,
    },
    sync::{AtomicU64, Ordering::Relaxed},
    token_bucket::TokenBucket,
};
use core::time::Duration;
use std::sync::Arc;

const SECOND: Nanos = 1_000_000_000;
/// The boundary of every window that divides a day.
const NOW: Nanos = 1_767_225_600 * SECOND;

/// A bucket that several threads decide on.
struct Shared<S> {
    word: Arc<AtomicU64>,
    quota: Quota,
    /// What every clock shows to those who look at it again.
    latest: Nanos,
    strategy: core::marker::PhantomData<fn() -> S>,
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self { word: self.word.clone(), ..*self }
    }
}

impl<S: Strategy<State = AtomicU64>> Shared<S> {
    fn new(requests: u64, window: Duration) -> Self {
        Self::until(NOW, requests, window)
    }

    /// A bucket on which the last decision is made at `latest`.
    fn until(latest: Nanos, requests: u64, window: Duration) -> Self {
        let word = Arc::new(S::UNSEEN);
        #[cfg(limiter_loom)]
        word.touch();
        Self { word, quota: Quota::new(requests, window), latest, strategy: core::marker::PhantomData }
    }

    /// Takes `permits` at `now`, as the attribute does; says whether they were there.
    fn take(&self, permits: u64, now: Nanos) -> bool {
        match S::admit(&self.word, &self.quota, permits, now) {
            Ok(()) => true,
            Err(Refused { .. }) => false,
            Err(_) => self.decide(permits, now),
        }
    }

    fn decide(&self, permits: u64, now: Nanos) -> bool {
        match S::decide(&self.word, &self.quota, permits, now) {
            Allowed { .. } => true,
            Refused { .. } => false,
            // By a clock that is behind, as `take` does: the other one is asked, which nobody is ahead of.
            Ahead => {
                S::reanchor(&self.word, &self.quota, &|| self.latest);
                now < self.latest && self.decide(permits, self.latest)
            }
        }
    }

    /// How many of `tries` single permits are there at `now`.
    fn drain(&self, tries: usize, now: Nanos) -> usize {
        (0..tries).filter(|_| self.take(1, now)).count()
    }

    /// Callers that each take some permits at some instant, all at the same time.
    fn callers<const N: usize>(&self, calls: [(u64, Nanos); N]) -> [bool; N] {
        together(calls.map(|(permits, now)| {
            let shared = self.clone();
            act(move || shared.take(permits, now))
        }))
    }
}

fn last_permit<S: Strategy<State = AtomicU64>>() {
    let shared = Shared::<S>::new(1, Duration::from_secs(1));
    let allowed = shared.callers([(1, NOW), (1, NOW)]);
    assert_eq!(allowed.iter().filter(|allowed| **allowed).count(), 1);
    assert!(!shared.take(1, NOW));
}

/// What `tests/concurrent.rs` shows with many threads: that taking is one read-modify-write, and not a load and a store.
#[test]
fn the_last_permit_is_taken_once() {
    explore(3, last_permit::<TokenBucket>);
    explore(3, last_permit::<FixedWindow>);
}

fn two_permits_for_three<S: Strategy<State = AtomicU64>>() {
    let shared = Shared::<S>::new(2, Duration::from_secs(1));
    let allowed = shared.callers([(1, NOW), (1, NOW), (1, NOW)]);
    assert_eq!(allowed.iter().filter(|allowed| **allowed).count(), 2);
}

#[test]
fn of_three_callers_two_take_the_two_permits() {
    explore(3, two_permits_for_three::<TokenBucket>);
    explore(3, two_permits_for_three::<FixedWindow>);
}

/// Nobody is refused whom no order of the calls would have refused: of one who wants both permits and one who wants one, who
/// comes first is served.
fn one_and_both<S: Strategy<State = AtomicU64>>() {
    let shared = Shared::<S>::new(2, Duration::from_secs(1));
    let [both, one] = shared.callers([(2, NOW), (1, NOW)]);
    assert!(both ^ one);
    assert_eq!(shared.drain(3, NOW), usize::from(one));
}

#[test]
fn of_one_who_wants_all_and_one_who_wants_one_the_first_is_served() {
    explore(3, one_and_both::<TokenBucket>);
    explore(3, one_and_both::<FixedWindow>);
}

/// An empty bucket gets one permit back; of two who see that and one whose clock is behind, one takes it.
#[test]
fn a_refill_that_several_see_is_taken_once() {
    explore(3, || {
        let next = NOW + SECOND;
        let shared = Shared::<TokenBucket>::until(next, 2, Duration::from_secs(2));
        assert_eq!(shared.drain(3, NOW), 2);
        let [one, other, behind] = shared.callers([(1, next), (1, next), (1, next - 1)]);
        assert!(one ^ other);
        assert!(!behind, "a permit came back early");
        assert_eq!(shared.drain(3, next), 0);
        assert_eq!(shared.drain(3, next + SECOND), 1);
    });
}

/// The reset at a boundary and the first call after it are one: nobody's count is lost, nobody's call is counted twice.
#[test]
fn a_boundary_that_several_cross_opens_one_window() {
    explore(3, || {
        let next = NOW + SECOND;
        let shared = Shared::<FixedWindow>::until(next, 2, Duration::from_secs(1));
        assert_eq!(shared.drain(3, NOW), 2);
        let [one, other, behind] = shared.callers([(1, next), (1, next), (1, next - 1)]);
        // Whose clock is behind is refused by the old window or counts in the new one.
        assert_eq!([one, other, behind].iter().filter(|allowed| **allowed).count(), 2);
        assert_eq!(shared.drain(3, next), 0);
    });
}

/// In the old window's last permit, a caller of the old and one of the new window each find theirs.
#[test]
fn a_call_on_each_side_of_a_boundary_is_counted_on_its_side() {
    explore(3, || {
        let next = NOW + SECOND;
        let shared = Shared::<FixedWindow>::until(next, 2, Duration::from_secs(1));
        assert_eq!(shared.drain(1, NOW), 1);
        let [before, after] = shared.callers([(1, next - 1), (1, next)]);
        assert!(before && after);
        // The early one came first, or it counted in the window that the late one had opened.
        assert!((0..=1).contains(&shared.drain(3, next)));
    });
}

/// After a step back of the clock two threads re-anchor the bucket, and one goes on and takes the next permit. The other
/// cannot take that back, because it re-anchors by exchange, and by a clock that it reads after the state.
#[test]
fn re_anchoring_gives_no_permit_and_takes_none_back() {
    fn re_anchored<S: Strategy<State = AtomicU64>>() {
        let next = NOW + SECOND;
        let shared = Shared::<S>::until(next, 1, Duration::from_secs(1));
        assert!(shared.take(1, NOW + 1_000 * SECOND));
        // All read one clock, which is never behind what anybody has seen of it. Reads that write are the model of that.
        let clock = Arc::new(AtomicU64::new(NOW));
        #[cfg(limiter_loom)]
        clock.touch();
        let re_anchor = |shared: &Shared<S>, clock: &AtomicU64| {
            S::reanchor(&shared.word, &shared.quota, &|| clock.fetch_add(0, Relaxed));
        };
        let (slow, fast, clocks) = (shared.clone(), shared.clone(), [clock.clone(), clock]);
        let [slow_clock, fast_clock] = clocks;
        let [_, one] = together([
            act(move || {
                re_anchor(&slow, &slow_clock);
                true
            }),
            act(move || {
                re_anchor(&fast, &fast_clock);
                fast_clock.fetch_add(SECOND, Relaxed);
                fast.take(1, next)
            }),
        ]);
        assert!(one, "empty at the present, full a window later");
        assert_eq!(shared.drain(2, next), 0, "a permit came twice");
    }
    explore(3, re_anchored::<TokenBucket>);
    explore(3, re_anchored::<FixedWindow>);
}
