//! Each number of an answer by itself, whatever the oracle says: `remaining`, `reset_after` and `retry_after` are true to the
//! permit and to the nanosecond, and a refusal writes nothing.

use limiter_core::{Decision, FixedWindow, TokenBucket};
use limiter_oracle::{
    Answered, Call, Subject, call, calls_of,
    generate::{Direction, for_all, histories},
};

/// Checks every answer of many histories.
fn every_answer<S: Subject>(check: fn(&Answered<S>) -> Result<(), String>) {
    for_all(400, histories(S::ALGORITHM, Direction::Anywhere), |history| {
        let (state, quota) = (S::UNSEEN, &history.quota);
        for Call { permits, now } in calls_of::<S>(&history) {
            let answer = call::<S>(&state, quota, permits, now);
            let answered = Answered { state: S::copy(&state), quota: *quota, call: Call { permits, now }, answer };
            check(&answered).unwrap_or_else(|broken| panic!("{permits} permits at {now}, {answer:?}: {broken}"));
        }
    });
}

#[test]
fn exactly_the_remaining_permits_of_a_token_bucket_can_be_taken() {
    every_answer::<TokenBucket>(Answered::remaining_is_exact);
}

#[test]
fn exactly_the_remaining_permits_of_a_fixed_window_can_be_taken() {
    every_answer::<FixedWindow>(Answered::remaining_is_exact);
}

#[test]
fn a_token_bucket_is_full_after_reset_after_and_not_before() {
    every_answer::<TokenBucket>(Answered::reset_after_is_exact);
}

#[test]
fn a_fixed_window_is_full_after_reset_after_and_not_before() {
    every_answer::<FixedWindow>(Answered::reset_after_is_exact);
}

#[test]
fn a_token_bucket_grants_after_retry_after_and_not_before() {
    every_answer::<TokenBucket>(Answered::retry_after_is_exact);
}

#[test]
fn a_fixed_window_grants_after_retry_after_and_not_before() {
    every_answer::<FixedWindow>(Answered::retry_after_is_exact);
}

fn only_a_grant_writes<S: Subject>() {
    for_all(400, histories(S::ALGORITHM, Direction::Anywhere), |history| {
        let (state, quota) = (S::UNSEEN, &history.quota);
        for Call { permits, now } in calls_of::<S>(&history) {
            let before = S::words(&state);
            let answer = S::decide(&state, quota, permits, now);
            if permits == 0 || !matches!(answer, Decision::Allowed { .. }) {
                assert_eq!(S::words(&state), before, "{permits} permits at {now}, {answer:?}");
            }
            if answer == Decision::Ahead {
                S::reanchor(&state, quota, &|| now);
            }
        }
    });
}

#[test]
fn only_a_grant_writes_to_a_token_bucket() {
    only_a_grant_writes::<TokenBucket>();
}

#[test]
fn only_a_grant_writes_to_a_fixed_window() {
    only_a_grant_writes::<FixedWindow>();
}
