//! Never more than the bound, in any window of any start, and the bound is not a loose one.
//!
//! Every history that is replayed elsewhere is measured too, along the way that the clock went. Here it is measured in what
//! the clock showed, and by callers who take all they can.

use limiter_core::{Decision, FixedWindow, Nanos, Quota, Strategy, TokenBucket};
use limiter_oracle::{
    Grant, Oracle, Subject, call, calls_of,
    generate::{Direction, for_all, histories, small_quotas},
    keep_the_bound,
};
use proptest::collection::vec;
use std::collections::HashMap;

fn nanos(quota: &Quota) -> u128 {
    quota.window().as_nanos()
}

/// What a history is granted and when, up to where its clock steps back too far.
fn grants_before_reanchoring<S: Subject>(quota: &Quota, calls: &[limiter_oracle::Call]) -> Vec<(Nanos, u64)> {
    let state = S::UNSEEN;
    let mut grants = Vec::new();
    for call in calls {
        match S::decide(&state, quota, call.permits, call.now) {
            Decision::Allowed { .. } => grants.push((call.now, call.permits)),
            Decision::Refused { .. } => {}
            Decision::Ahead => break,
        }
    }
    grants
}

/// Whatever the order in which the clock showed them, the grants between any two instants are at most
/// `burst + requests · d / window`.
#[test]
fn a_token_bucket_grants_no_more_between_two_instants_however_often_the_clock_shows_them() {
    for_all(1_000, histories(TokenBucket::ALGORITHM, Direction::Anywhere), |history| {
        let quota = &history.quota;
        let mut grants = grants_before_reanchoring::<TokenBucket>(quota, &calls_of::<TokenBucket>(&history));
        grants.sort_unstable();
        let grants: Vec<_> =
            grants.into_iter().map(|(now, permits)| Grant { way: u128::from(now), reanchorings: 0, permits }).collect();
        keep_the_bound::<TokenBucket>(quota, &grants).unwrap_or_else(|broken| panic!("{history:?}: {broken}"));
    });
}

#[test]
fn a_fixed_window_grants_its_requests_in_each_aligned_window() {
    for_all(1_000, histories(FixedWindow::ALGORITHM, Direction::Forward), |history| {
        let quota = &history.quota;
        let mut windows: HashMap<u128, u128> = HashMap::new();
        for (now, permits) in grants_before_reanchoring::<FixedWindow>(quota, &calls_of::<FixedWindow>(&history)) {
            let now = u128::from(now.min(<FixedWindow as Subject>::Oracle::last_instant(quota)));
            *windows.entry(now / nanos(quota)).or_default() += u128::from(permits);
        }
        assert!(windows.values().all(|permits| *permits <= u128::from(quota.requests())), "{history:?}: {windows:?}");
    });
}

/// A caller who takes whatever is there, at instants that others chose.
fn greedy<S: Subject>(quota: &Quota, start: Nanos, steps: &[Nanos]) -> Vec<Grant> {
    let state = S::UNSEEN;
    let mut grants = Vec::new();
    let mut now = start;
    for step in steps {
        now += step;
        // More than there can be at once, so that one who is given too many comes to an end.
        for _ in 0..=2 * S::limit(quota) {
            if !matches!(call::<S>(&state, quota, 1, now), Decision::Allowed { .. }) {
                break;
            }
            grants.push(Grant { way: u128::from(now), reanchorings: 0, permits: 1 });
        }
    }
    grants
}

fn greed_gets_no_more_than_the_bound<S: Subject>() {
    let steps = vec((0..=3_u8, 0..=1_000_u64), 1..30);
    for_all(1_000, (small_quotas(S::ALGORITHM), 0..1_u64 << 60, steps), |(quota, start, steps)| {
        let window = nanos(&quota) as u64;
        let period = window / quota.requests();
        let steps: Vec<_> = steps
            .into_iter()
            .map(|(kind, thousandths)| match kind {
                0 => period,
                1 => window,
                2 => thousandths,
                _ => (u128::from(window) * u128::from(thousandths) / 1_000) as u64,
            })
            .collect();
        let grants = greedy::<S>(&quota, start, &steps);
        keep_the_bound::<S>(&quota, &grants).unwrap_or_else(|broken| panic!("{quota:?} {steps:?}: {broken}"));
    });
}

#[test]
fn greed_gets_no_more_than_the_bound_from_a_token_bucket() {
    greed_gets_no_more_than_the_bound::<TokenBucket>();
}

#[test]
fn greed_gets_no_more_than_the_bound_from_a_fixed_window() {
    greed_gets_no_more_than_the_bound::<FixedWindow>();
}

#[test]
fn greed_gets_all_of_the_bound_from_a_token_bucket() {
    for_all(400, (small_quotas(TokenBucket::ALGORITHM), 0..1_u64 << 60), |(quota, start)| {
        let window = nanos(&quota);
        let grants = greedy::<TokenBucket>(&quota, start, &[0, window as u64]).len() as u128;
        let (burst, requests) = (u128::from(quota.burst_size()), u128::from(quota.requests()));
        // What does not fit into the burst is lost to a caller who comes once in a window.
        assert_eq!(grants, burst + requests.min(burst), "{quota:?}");
        if requests <= burst {
            assert_eq!(grants, <TokenBucket as Subject>::Oracle::most(&quota, window, 0), "{quota:?}");
        }
    });
}

#[test]
fn greed_gets_all_of_the_bound_from_a_fixed_window() {
    for_all(400, (small_quotas(FixedWindow::ALGORITHM), 1..1_u64 << 30), |(quota, nth)| {
        let boundary =
            (nanos(&quota) as u64).saturating_mul(nth).min(1 << 62) / nanos(&quota) as u64 * nanos(&quota) as u64;
        let grants = greedy::<FixedWindow>(&quota, boundary - 1, &[0, 1]);
        assert_eq!(grants.len() as u128, <FixedWindow as Subject>::Oracle::most(&quota, 1, 0), "{quota:?}");
        assert_eq!(grants.len() as u64, 2 * FixedWindow::limit(&quota));
    });
}
