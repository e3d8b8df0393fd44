//! A log through a limit: every request decided at the log's own time, nothing measured, nothing evicted.
//!
//! A strategy decides from a state, a quota and an instant. With one state for each client and the instants of the log,
//! that is the limit as it would have run.

use crate::{axis::Axis, log::Log};
use limiter::{Decision, FixedWindow, Quota, Strategy, TokenBucket};

/// The strategies that are replayed. One more is one more line here.
pub(crate) const KINDS: &[Kind] = &[
    // In the order of their panels.
    Kind::of::<FixedWindow>("FixedWindow"),
    Kind::of::<TokenBucket>("TokenBucket"),
];

/// A strategy as a value.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) has_burst: bool,
    pub(crate) max_requests: u64,
    replay: fn(&Log, &Axis, &Quota) -> Outcome,
}

impl Kind {
    const fn of<S: Strategy>(name: &'static str) -> Self {
        Self { name, has_burst: S::HAS_BURST, max_requests: S::MAX_REQUESTS, replay: replay::<S> }
    }

    pub(crate) fn replay(&self, log: &Log, axis: &Axis, quota: &Quota) -> Outcome {
        (self.replay)(log, axis, quota)
    }
}

/// How many requests were allowed and refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) allowed: u64,
    pub(crate) refused: u64,
}

impl Count {
    fn add(&mut self, is_allowed: bool) {
        if is_allowed {
            self.allowed += 1;
        } else {
            self.refused += 1;
        }
    }

    pub(crate) fn total(self) -> u64 {
        self.allowed + self.refused
    }
}

/// What a limit would have done.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) total: Count,
    /// Beside [`Log::clients`].
    pub(crate) clients: Vec<Count>,
    /// For each step of the axis.
    pub(crate) steps: Vec<Count>,
}

fn replay<S: Strategy>(log: &Log, axis: &Axis, quota: &Quota) -> Outcome {
    let states: Vec<S::State> = log.clients.iter().map(|_| S::UNSEEN).collect();
    let mut outcome = Outcome {
        total: Count::default(),
        clients: vec![Count::default(); log.clients.len()],
        steps: vec![Count::default(); axis.steps()],
    };
    for request in &log.requests {
        let client = request.client as usize;
        let now = u64::from(request.second) * 1_000_000_000;
        let is_allowed = match S::decide(&states[client], quota, 1, now) {
            Decision::Allowed { .. } => true,
            // `Ahead` is for clocks that step back. This one is sorted.
            Decision::Refused { .. } | Decision::Ahead => false,
        };
        outcome.total.add(is_allowed);
        outcome.clients[client].add(is_allowed);
        outcome.steps[axis.step_of(request.second)].add(is_allowed);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::{Count, KINDS, Outcome};
    use crate::{axis::Axis, log::read_lines};
    use limiter::Quota;

    /// Requests of `client` at seconds of 17 May 2015, 10:05.
    fn outcomes(requests: &[(&str, u32)], quota: Quota) -> Vec<Outcome> {
        let lines: Vec<_> = requests
            .iter()
            .map(|(client, second)| format!("{client} - - [17/May/2015:10:05:{second:02} +0000] \"-\" 200 1"))
            .collect();
        let log = read_lines(lines.join("\n").as_bytes()).unwrap();
        let axis = Axis::of(&log);
        KINDS.iter().map(|kind| kind.replay(&log, &axis, &quota)).collect()
    }

    #[test]
    fn each_strategy_decides_by_the_time_of_the_log() {
        // Two per 10 s. The window turns at :10; the bucket has one permit back 5 s after the first.
        let requests = [("a", 8), ("a", 8), ("a", 9), ("a", 10), ("a", 13), ("a", 14)];
        let quota = Quota::new(2, std::time::Duration::from_secs(10));
        let counts: Vec<_> = outcomes(&requests, quota).iter().map(|outcome| outcome.total).collect();
        assert!(
            counts.starts_with(&[Count { allowed: 4, refused: 2 }, Count { allowed: 3, refused: 3 }]),
            "{counts:?}"
        );
    }

    #[test]
    fn clients_do_not_share_a_limit() {
        for outcome in outcomes(&[("a", 1), ("a", 1), ("b", 1), ("::1", 2)], Quota::per_minute(1)) {
            let refused: Vec<_> = outcome.clients.iter().map(|count| count.refused).collect();
            assert_eq!(refused, [1, 0, 0]);
        }
    }

    #[test]
    fn steps_and_clients_add_up_to_the_total() {
        let requests: Vec<_> = (0..60).flat_map(|second| [("a", second), ("b", second / 2)]).collect();
        for outcome in outcomes(&requests, Quota::per_minute(7)) {
            for counts in [&outcome.clients, &outcome.steps] {
                assert_eq!(counts.iter().map(|count| count.allowed).sum::<u64>(), outcome.total.allowed);
                assert_eq!(counts.iter().map(|count| count.refused).sum::<u64>(), outcome.total.refused);
            }
            assert_eq!(outcome.total.total(), 120);
        }
    }
}
