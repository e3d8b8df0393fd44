//! One state of a strategy, decided on at instants that the test chooses.
#![expect(clippy::disallowed_types, reason = "a test's own counters are no part of what a model checks")]

use limiter_core::{
    Decision::{self, Allowed, Refused},
    Nanos, Quota, Strategy,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub(crate) const SECOND: Nanos = 1_000_000_000;
pub(crate) const DAY: Nanos = 86_400 * SECOND;
/// 2026-01-01 00:00:00 UTC: where real clocks stand, and the beginning of every window that divides a day.
pub(crate) const NOW: Nanos = 1_767_225_600 * SECOND;

pub(crate) struct One<S: Strategy<State = AtomicU64>> {
    pub(crate) word: S::State,
    pub(crate) quota: Quota,
}

impl<S: Strategy<State = AtomicU64>> One<S> {
    pub(crate) fn new(quota: Quota) -> Self {
        Self { word: S::UNSEEN, quota }
    }

    pub(crate) fn take(&self, permits: u64, now: Nanos) -> Decision {
        S::decide(&self.word, &self.quota, permits, now)
    }

    pub(crate) fn allows(&self, now: Nanos) -> bool {
        matches!(self.take(1, now), Allowed { .. })
    }

    /// How many single permits are allowed at one instant, of at most `tries`.
    pub(crate) fn drain(&self, now: Nanos, tries: u64) -> u64 {
        (0..tries).filter(|_| self.allows(now)).count() as u64
    }

    /// The wait that a refusal names. Checks that the refusal wrote nothing, that the wait is enough and that a
    /// nanosecond less is not.
    #[track_caller]
    pub(crate) fn refused_for(&self, permits: u64, now: Nanos) -> Nanos {
        let before = self.word.load(Relaxed);
        let Refused { retry_after: Some(wait), .. } = self.take(permits, now) else { panic!("allowed at {now}") };
        assert!(matches!(self.take(permits, now + wait - 1), Refused { .. }), "a nanosecond early");
        assert_eq!(self.word.load(Relaxed), before, "a refusal wrote");
        let probe = Self { word: AtomicU64::new(before), quota: self.quota };
        assert!(matches!(probe.take(permits, now + wait), Allowed { .. }), "on time");
        wait
    }
}
