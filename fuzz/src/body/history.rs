//! Whatever happens to a limit, the core answers as the oracle does, keeps the word it gave and grants no more than the bound.

use crate::Outcome;
use limiter_core::{Decision, FixedWindow, TokenBucket};
use limiter_oracle::{Algorithm, History, Subject, call, calls_of, check_history};

/// About as many bytes as the operations of a history can have; what follows means nothing.
const LONGEST_INPUT: usize = 1024;

/// The promise for the history that these bytes mean. It counts as refused if one of its calls is.
///
/// # Panics
///
/// If it does not hold. The message tells what happened until then.
#[must_use]
pub fn run(data: &[u8]) -> Outcome {
    if data.len() > LONGEST_INPUT {
        return Outcome::Skipped;
    }
    let history = History::from_bytes(data);
    check_history(&history);
    match history.algorithm {
        Algorithm::FixedWindow => outcome::<FixedWindow>(&history),
        Algorithm::TokenBucket => outcome::<TokenBucket>(&history),
    }
}

fn outcome<S: Subject>(history: &History) -> Outcome {
    let (state, calls) = (S::UNSEEN, calls_of::<S>(history));
    let is_refused = |answer| matches!(answer, Decision::Refused { .. });
    if calls.is_empty() {
        Outcome::Skipped
    } else if calls.iter().any(|it| is_refused(call::<S>(&state, &history.quota, it.permits, it.now))) {
        Outcome::Refused
    } else {
        Outcome::Accepted
    }
}
