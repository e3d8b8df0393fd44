//! `FixedWindow` as anybody would write it: how many permits were granted in this window of the wall clock?
//!
//! From `DESIGN.md` and the strategy's documentation:
//!
//! * windows are aligned to the Unix epoch, and `requests` fit into each;
//! * when the clock has stepped back by a window, the window that was opened goes on, and calls count in it;
//! * when it has stepped back further, no call can have put the state there: the present window has no permits;
//! * windows are numbered until the year 2262. The last one does not end.

use crate::{
    history::Algorithm,
    oracle::{Expected, Oracle, Subject},
};
use limiter_core::{FixedWindow, Nanos, Quota, Strategy};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

impl Subject for FixedWindow {
    type Oracle = FixedWindows;
    const ALGORITHM: Algorithm = Algorithm::FixedWindow;

    fn words(state: &Self::State) -> Vec<u64> {
        vec![state.load(Relaxed)]
    }

    fn copy(state: &Self::State) -> Self::State {
        AtomicU64::new(state.load(Relaxed))
    }
}

/// The instants after this one, in April 2262, are in its window.
const LAST_INSTANT: Nanos = (1 << 63) - 1;

/// The twin of `FixedWindow`.
pub struct FixedWindows {
    requests: u64,
    window: Nanos,
    /// What was granted, in order.
    grants: Vec<Granted>,
}

/// Some permits, and the number of the window in which they count.
struct Granted {
    window: u64,
    permits: u64,
}

impl FixedWindows {
    fn present(&self, now: Nanos) -> u64 {
        now.min(LAST_INSTANT) / self.window
    }

    /// The last window in which a call counted.
    fn opened(&self) -> u64 {
        self.grants.last().map_or(0, |granted| granted.window)
    }

    /// The window in which a call at `now` counts; `None` if the clock has stepped back too far.
    fn counts_in(&self, now: Nanos) -> Option<u64> {
        let (present, opened) = (self.present(now), self.opened());
        if opened <= present {
            Some(present)
        } else if opened == present + 1 {
            Some(opened)
        } else {
            None
        }
    }

    fn left(&self, window: u64) -> u64 {
        let granted = self.grants.iter().filter(|granted| granted.window == window).map(|granted| granted.permits);
        self.requests - granted.sum::<u64>()
    }

    fn end(&self, window: u64, now: Nanos) -> Nanos {
        ((window + 1) * self.window).saturating_sub(now)
    }
}

impl Oracle for FixedWindows {
    fn new(quota: Quota) -> Self {
        Self { requests: quota.requests(), window: nanos(&quota), grants: Vec::new() }
    }

    fn expects(&self, permits: u64, now: Nanos) -> Expected {
        let Some(window) = self.counts_in(now) else {
            // A call that waiting does not help does not re-anchor either. It has nothing, until that window ends.
            return if permits > self.requests {
                Expected::refused(0, self.end(self.opened(), now), None)
            } else {
                Expected::ahead()
            };
        };
        let (left, reset_after) = (self.left(window), self.end(window, now));
        if permits > self.requests {
            Expected::refused(left, reset_after, None)
        } else if permits <= left {
            Expected::allowed(left - permits, reset_after)
        } else {
            Expected::refused(left, reset_after, (reset_after > 0).then_some(reset_after))
        }
    }

    fn granted(&mut self, permits: u64, now: Nanos) {
        if let Some(window) = self.counts_in(now) {
            self.grants.push(Granted { window, permits });
        }
    }

    fn reanchored(&mut self, now: Nanos) {
        self.grants.clear();
        self.grants.push(Granted { window: self.present(now), permits: self.requests });
    }

    fn limit(quota: &Quota) -> u64 {
        quota.requests()
    }

    /// Each window has its requests. From the last permit of one window to the first of the `m`th after it the clock goes
    /// more than `m - 1` windows forward; and each re-anchoring leaves a window without permits, whose end can be near.
    fn most(quota: &Quota, apart: u128, reanchorings: u64) -> u128 {
        let windows = match apart.checked_sub(1) {
            Some(less) => 2 + less / u128::from(nanos(quota)),
            None => 1,
        };
        (windows + u128::from(reanchorings)).saturating_mul(u128::from(quota.requests()))
    }

    fn last_instant(_quota: &Quota) -> Nanos {
        LAST_INSTANT
    }
}

fn nanos(quota: &Quota) -> Nanos {
    u64::try_from(quota.window().as_nanos()).unwrap_or(u64::MAX)
}

const _: () = assert!(!FixedWindow::HAS_BURST);
