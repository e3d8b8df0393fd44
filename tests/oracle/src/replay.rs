//! A history on the oracle and on the core side by side: on a bare state, on a `Limiter` and on a key of a `Keyed`.

use crate::{
    history::{Algorithm, History, Last, Operation},
    oracle::{Oracle, Subject},
    promises::{Answered, Grant, keep_the_bound},
};
use limiter_core::{Allowed, Decision, FixedWindow, Keyed, Limiter, Nanos, Quota, Rejected, TokenBucket, test};
use std::{fmt::Write as _, time::Duration};

/// A call with all its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// For so many permits,
    pub permits: u64,
    /// at this instant.
    pub now: Nanos,
}

/// Replays a history.
///
/// # Panics
///
/// When an answer of the core is not the oracle's, or does not keep its word, or more was granted than may be. The message
/// tells the quota and everything that happened until then.
pub fn check_history(history: &History) {
    match history.algorithm {
        Algorithm::FixedWindow => check::<FixedWindow>(history),
        Algorithm::TokenBucket => check::<TokenBucket>(history),
    }
}

/// The calls of a history on a state of its own, as far as the operations refer to answers.
#[must_use]
pub fn calls_of<S: Subject>(history: &History) -> Vec<Call> {
    let state = S::UNSEEN;
    let mut calls = Vec::new();
    let mut clock = Clock::new::<S>(&history.quota, history.start);
    for operation in &history.operations {
        if let Some(call) = clock.after(*operation, &history.quota) {
            calls.push(call);
            clock.answered(&self::call::<S>(&state, &history.quota, call.permits, call.now));
        }
    }
    calls
}

/// A decision as a limiter makes it: if the clock has stepped back too far, the state is re-anchored and decides again.
///
/// # Panics
///
/// When re-anchoring has not helped, or the attribute's shorter way would have answered another thing.
pub fn call<S: Subject>(state: &S::State, quota: &Quota, permits: u64, now: Nanos) -> Decision {
    let (twin, before) = (S::copy(state), S::words(state));
    let admitted = S::admit(&twin, quota, permits, now);
    let decision = S::decide(state, quota, permits, now);
    match (admitted, decision) {
        // A limiter would decide now.
        (Err(Decision::Ahead), _) => assert_eq!(S::words(&twin), before, "admitting wrote although it did not know"),
        (Ok(()), Decision::Allowed { .. }) => {
            assert_eq!(S::words(&twin), S::words(state), "admitting took another amount");
        }
        (admitted, decision) => assert_eq!(admitted, Err(decision), "admitting answered another thing than deciding"),
    }
    match decision {
        Decision::Ahead => {
            S::reanchor(state, quota, &|| now);
            let again = S::decide(state, quota, permits, now);
            assert_ne!(again, Decision::Ahead, "a state was ahead after it had been re-anchored");
            again
        }
        decision => decision,
    }
}

/// Where the clock stands, how far it went forward, and what the operations refer to.
pub struct Clock {
    now: Nanos,
    way: u128,
    last: Last,
}

impl Clock {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new<S: Subject>(quota: &Quota, start: Nanos) -> Self {
        let limit = S::Oracle::limit(quota);
        Self { now: start, way: 0, last: Last { limit, permits: 1, remaining: limit, reset_after: 0, retry_after: 0 } }
    }

    /// What it shows.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// How far it has gone forward; steps back take nothing from it.
    #[must_use]
    pub fn way(&self) -> u128 {
        self.way
    }

    /// Moves, or says what is called.
    pub fn after(&mut self, operation: Operation, quota: &Quota) -> Option<Call> {
        if let Some(then) = operation.moves(self.now, quota, &self.last) {
            self.way += u128::from(then.saturating_sub(self.now));
            self.now = then;
        }
        match operation {
            Operation::Take(permits) => {
                self.last.permits = permits.number(&self.last);
                Some(Call { permits: self.last.permits, now: self.now })
            }
            Operation::Forward(_) | Operation::Back(_) | Operation::Set(_) => None,
        }
    }

    /// What later operations refer to.
    pub fn answered(&mut self, answer: &Decision) {
        match *answer {
            Decision::Allowed { remaining, reset_after } => {
                (self.last.remaining, self.last.reset_after) = (remaining, reset_after);
            }
            Decision::Refused { remaining, reset_after, retry_after } => {
                (self.last.remaining, self.last.reset_after) = (remaining, reset_after);
                self.last.retry_after = retry_after.unwrap_or(self.last.retry_after);
            }
            Decision::Ahead => {}
        }
    }
}

/// A bare state beside its oracle.
struct Pair<S: Subject> {
    quota: Quota,
    state: S::State,
    oracle: S::Oracle,
    reanchorings: u64,
}

impl<S: Subject> Pair<S> {
    /// The core's answer to a call, if it is right.
    fn take(&mut self, Call { permits, now }: Call) -> Result<Decision, String> {
        // Once more after the state was re-anchored.
        for _ in 0..2 {
            let expected = self.oracle.expects(permits, now);
            let before = S::words(&self.state);
            let answer = S::decide(&self.state, &self.quota, permits, now);
            if !expected.admits(&answer) {
                return Err(format!("expected {expected:?}\ncame     {answer:?}"));
            }
            let took = permits > 0 && matches!(answer, Decision::Allowed { .. });
            if !took && S::words(&self.state) != before {
                return Err(format!("{answer:?} wrote: {before:?} became {:?}", S::words(&self.state)));
            }
            if took {
                self.oracle.granted(permits, now);
            }
            if answer != Decision::Ahead {
                let call = Call { permits, now };
                let answered = Answered::<S> { state: S::copy(&self.state), quota: self.quota, call, answer };
                answered.keeps_its_word().map_err(|broken| format!("{answer:?}: {broken}"))?;
                return Ok(answer);
            }
            S::reanchor(&self.state, &self.quota, &|| now);
            self.oracle.reanchored(now);
            self.reanchorings += 1;
        }
        Err("the state was ahead after it had been re-anchored".to_owned())
    }
}

fn check<S: Subject>(history: &History) {
    let quota = history.quota;
    let mut pair = Pair::<S> { quota, state: S::UNSEEN, oracle: S::Oracle::new(quota), reanchorings: 0 };
    let mut clock = Clock::new::<S>(&history.quota, history.start);
    let time = test::freeze_at(history.start);
    let limiter = Limiter::<S>::new(quota);
    let keyed = Keyed::<S, 4>::new(quota);
    let mut grants = Vec::new();
    let mut told = format!("{quota:?} by {:?}, burst {}, from {}", S::ALGORITHM, quota.burst_size(), history.start);
    for operation in &history.operations {
        let called = clock.after(*operation, &quota);
        let _ = write!(told, "\n  {operation:?} at {}", clock.now);
        time.set(clock.now);
        let Some(called) = called else { continue };
        let answer = pair.take(called).unwrap_or_else(|wrong| panic!("{told}, {} permits\n{wrong}", called.permits));
        let _ = write!(told, ", {} permits: {answer:?}", called.permits);
        for (face, other) in [
            ("limiter", decision(limiter.try_acquire_n(called.permits))),
            ("keyed limiter", decision(keyed.try_acquire_n("key", called.permits))),
        ] {
            assert_eq!(other, answer, "{told}\nthe {face} answers otherwise");
        }
        clock.answered(&answer);
        if called.permits > 0 && matches!(answer, Decision::Allowed { .. }) {
            grants.push(Grant { way: clock.way(), reanchorings: pair.reanchorings, permits: called.permits });
        }
    }
    keep_the_bound::<S>(&quota, &grants).unwrap_or_else(|broken| panic!("{told}\n{broken}"));
}

/// The decision that a limiter's answer was made of.
#[must_use]
pub fn decision(answer: Result<Allowed, Rejected>) -> Decision {
    let nanos = |wait: Duration| u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
    match answer {
        Ok(allowed) => Decision::Allowed { remaining: allowed.remaining(), reset_after: nanos(allowed.reset_after()) },
        Err(rejected) => Decision::Refused {
            remaining: rejected.remaining(),
            reset_after: nanos(rejected.reset_after()),
            retry_after: rejected.retry_after().map(nanos),
        },
    }
}
