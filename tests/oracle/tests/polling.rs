//! Polling faster changes nothing: calls that are refused or take nothing can be put anywhere into a history, and it is
//! granted the same at the same instants.

use limiter_core::{Decision, FixedWindow, Nanos, Quota, Strategy, TokenBucket};
use limiter_oracle::{
    Call, Subject, call, calls_of,
    generate::{Direction, for_all, histories},
};
use proptest::{arbitrary::any, collection::vec, sample::Index};

/// The grants of some calls.
fn grants<S: Subject>(quota: &Quota, calls: &[Call]) -> Vec<(u64, Nanos)> {
    let state = S::UNSEEN;
    let allowed = |it: &&Call| granted(call::<S>(&state, quota, it.permits, it.now)) && it.permits > 0;
    calls.iter().filter(allowed).map(|call| (call.permits, call.now)).collect()
}

fn granted(answer: Decision) -> bool {
    matches!(answer, Decision::Allowed { .. })
}

/// Puts polls between the calls of a history, at any instants between theirs.
fn polls_change_nothing<S: Subject>() {
    let polls = vec((any::<Index>(), any::<u64>(), 0..5_u64), 1..200);
    for_all(1_000, (histories(S::ALGORITHM, Direction::Forward), polls), |(history, polls)| {
        let quota = &history.quota;
        let calls = calls_of::<S>(&history);
        let state = S::UNSEEN;
        let mut found = Vec::new();
        let mut last = history.start;
        for (nth, next) in calls.iter().enumerate() {
            let here = polls.iter().filter(|(at, ..)| at.index(calls.len()) == nth);
            let mut here: Vec<_> = here
                .map(|(_, at, permits)| (last + at % (next.now - last).saturating_add(1).max(1), *permits))
                .collect();
            here.sort_unstable();
            for (now, permits) in here {
                // A poll that would be granted is none. 4 stands for more than there can be.
                let permits = if permits == 4 { u64::MAX } else { permits };
                if permits == 0 || !granted(call::<S>(&S::copy(&state), quota, permits, now)) {
                    call::<S>(&state, quota, permits, now);
                }
            }
            if granted(call::<S>(&state, quota, next.permits, next.now)) && next.permits > 0 {
                found.push((next.permits, next.now));
            }
            last = next.now;
        }
        assert_eq!(found, grants::<S>(quota, &calls), "{history:?}");
    });
}

#[test]
fn polling_a_token_bucket_changes_none_of_its_grants() {
    polls_change_nothing::<TokenBucket>();
}

#[test]
fn polling_a_fixed_window_changes_none_of_its_grants() {
    polls_change_nothing::<FixedWindow>();
}

/// When the clock steps back the first call that could be decided may re-anchor; those after it find that done.
fn repeating_refusals_changes_nothing<S: Subject>() {
    for_all(1_000, (histories(S::ALGORITHM, Direction::Anywhere), 1..4_usize), |(history, times)| {
        let quota = &history.quota;
        let calls = calls_of::<S>(&history);
        let state = S::UNSEEN;
        let mut found = Vec::new();
        for next in &calls {
            if granted(call::<S>(&state, quota, next.permits, next.now)) {
                found.extend((next.permits > 0).then_some((next.permits, next.now)));
            } else {
                for _ in 0..times {
                    assert!(!granted(call::<S>(&state, quota, next.permits, next.now)), "{next:?} in {history:?}");
                }
            }
        }
        assert_eq!(found, grants::<S>(quota, &calls), "{history:?}");
    });
}

#[test]
fn asking_a_token_bucket_again_at_once_changes_none_of_its_grants_wherever_the_clock_goes() {
    repeating_refusals_changes_nothing::<TokenBucket>();
}

#[test]
fn asking_a_fixed_window_again_at_once_changes_none_of_its_grants_wherever_the_clock_goes() {
    repeating_refusals_changes_nothing::<FixedWindow>();
}

#[test]
fn a_look_after_a_step_back_reanchors_and_so_can_change_what_is_granted_later() {
    const SECOND: Nanos = 1_000_000_000;
    let quota = Quota::per_second(10);
    for looks in [false, true] {
        let state = TokenBucket::UNSEEN;
        let now = 1_000_000 * SECOND;
        assert!(granted(call::<TokenBucket>(&state, &quota, 10, now)));
        if looks {
            assert!(granted(call::<TokenBucket>(&state, &quota, 0, now - SECOND)));
        }
        // The second that passes again refills only a bucket that was put to the present when it began.
        assert_eq!(granted(call::<TokenBucket>(&state, &quota, 10, now)), looks);
    }
}
