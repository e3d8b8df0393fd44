//! The oracle itself, on numbers that can be worked out by hand, and the same few histories on every run.

use limiter_core::{Decision, FixedWindow, Nanos, Quota, Strategy, TokenBucket, test};
use limiter_oracle::{
    Algorithm, Expected, History, Operation, Oracle, Permits, Span, Subject, call, calls_of, check_history,
    generate::{Direction, for_all, histories},
};
use std::{cell::Cell, time::Duration};

const SECOND: Nanos = 1_000_000_000;
const NOW: Nanos = test::START;

type Bucket = <TokenBucket as Subject>::Oracle;
type Windows = <FixedWindow as Subject>::Oracle;

/// What is expected, as the one decision that it admits.
#[track_caller]
fn only(expected: &Expected, decision: Decision) {
    assert!(expected.is_exact() && expected.admits(&decision), "{expected:?} is not {decision:?}");
}

fn allowed(remaining: u64, reset_after: Nanos) -> Decision {
    Decision::Allowed { remaining, reset_after }
}

fn refused(remaining: u64, reset_after: Nanos, retry_after: impl Into<Option<Nanos>>) -> Decision {
    Decision::Refused { remaining, reset_after, retry_after: retry_after.into() }
}

#[test]
fn a_bucket_by_hand() {
    let mut bucket = Bucket::new(Quota::per_second(10).burst(5));
    only(&bucket.expects(6, NOW), refused(5, 0, None));
    only(&bucket.expects(2, NOW), allowed(3, SECOND / 5));
    bucket.granted(2, NOW);
    bucket.granted(3, NOW);
    only(&bucket.expects(0, NOW), allowed(0, SECOND / 2));
    only(&bucket.expects(1, NOW), refused(0, SECOND / 2, SECOND / 10));
    // One and a half have come back.
    let later = NOW + SECOND * 15 / 100;
    only(&bucket.expects(1, later), allowed(0, SECOND * 45 / 100));
    only(&bucket.expects(2, later), refused(1, SECOND * 35 / 100, SECOND / 20));
    // Never more than the burst.
    only(&bucket.expects(5, NOW + SECOND), allowed(0, SECOND / 2));
    only(&bucket.expects(0, u64::MAX), allowed(5, 0));
}

#[test]
fn a_bucket_by_hand_when_the_clock_steps_back() {
    let mut bucket = Bucket::new(Quota::per_second(10).burst(5));
    bucket.granted(3, NOW);
    only(&bucket.expects(0, NOW - SECOND / 10), allowed(1, SECOND * 4 / 10));
    only(&bucket.expects(0, NOW - SECOND / 5), allowed(0, SECOND / 2));
    only(&bucket.expects(0, NOW - SECOND / 5 - 1), Decision::Ahead);
    only(&bucket.expects(6, NOW - SECOND), refused(0, SECOND * 13 / 10, None));
    bucket.reanchored(NOW - SECOND);
    only(&bucket.expects(1, NOW - SECOND), refused(0, SECOND / 2, SECOND / 10));
    only(&bucket.expects(5, NOW - SECOND / 2), allowed(0, SECOND / 2));
}

#[test]
fn a_step_back_makes_a_bucket_emptier_by_as_much_less_as_it_has_been_full_for() {
    let quota = Quota::per_second(10).burst(5);
    let (state, mut bucket) = (TokenBucket::UNSEEN, Bucket::new(quota));
    assert_eq!(call::<TokenBucket>(&state, &quota, 1, NOW), allowed(4, SECOND / 10));
    bucket.granted(1, NOW);
    // It is full for 0.2 s at this instant.
    let then = NOW + SECOND * 3 / 10;
    let steps = [(0, allowed(5, 0)), (SECOND / 5, allowed(5, 0)), (SECOND / 4, allowed(4, SECOND / 20))];
    for (back, expected) in steps {
        only(&bucket.expects(0, then - back), expected);
        assert_eq!(call::<TokenBucket>(&state, &quota, 0, then - back), expected);
    }
}

#[test]
fn windows_by_hand() {
    let mut windows = Windows::new(Quota::per_second(5));
    let now = NOW + SECOND / 4;
    only(&windows.expects(6, now), refused(5, SECOND * 3 / 4, None));
    only(&windows.expects(5, now), allowed(0, SECOND * 3 / 4));
    windows.granted(4, now);
    only(&windows.expects(2, now), refused(1, SECOND * 3 / 4, SECOND * 3 / 4));
    only(&windows.expects(5, NOW + SECOND), allowed(0, SECOND));
    // A step back by a window counts in the window that is open, one by two does not.
    only(&windows.expects(1, NOW - 1), allowed(0, SECOND + 1));
    only(&windows.expects(1, NOW - SECOND - 1), Decision::Ahead);
    windows.reanchored(NOW - SECOND - 1);
    only(&windows.expects(1, NOW - SECOND - 1), refused(0, 1, 1));
    only(&windows.expects(5, NOW - SECOND), allowed(0, SECOND));
}

#[test]
fn the_bounds_by_hand() {
    let quota = Quota::per_second(10).burst(25);
    let window = u128::from(SECOND);
    assert_eq!([0, 1, window / 10, window].map(|apart| Bucket::most(&quota, apart, 0)), [25, 25, 26, 35]);
    let quota = Quota::per_second(10);
    assert_eq!([0, 1, window, window + 1].map(|apart| Windows::most(&quota, apart, 0)), [10, 20, 20, 30]);
}

/// 2 per 3 ns: a permit comes back after 1.5 ns, which is one part of the core's clock. It begins parts at 0, 1.5, 3, 4.5.
#[test]
fn where_a_permit_is_no_whole_number_of_nanoseconds_the_core_is_early_by_less_than_a_part_and_never_late() {
    let quota = Quota::new(2, Duration::from_nanos(3)).burst(1);
    for (granted, expected) in [(0, 2), (1, 2), (2, 3), (3, 5), (4, 5), (5, 6)] {
        let state = TokenBucket::UNSEEN;
        assert_eq!(call::<TokenBucket>(&state, &quota, 1, granted), allowed(0, expected - granted));
        let exact_in_halves = 2 * granted + 3;
        assert!(2 * expected < exact_in_halves + 2, "late, for whole nanoseconds");
        assert!(2 * expected > exact_in_halves - 3, "early by a part");
        let mut bucket = Bucket::new(quota);
        bucket.granted(1, granted);
        for now in granted..=expected + 1 {
            let answer = call::<TokenBucket>(&TokenBucket::copy(&state), &quota, 1, now);
            assert!(bucket.expects(1, now).admits(&answer), "{granted}, {now}: {answer:?}");
            let surely = 2 * now >= exact_in_halves;
            assert_eq!(bucket.expects(1, now).refused.is_none(), surely);
        }
    }
}

#[test]
fn the_oracle_leaves_no_choice_where_a_permit_is_whole_nanoseconds_and_less_than_two_nanoseconds_elsewhere() {
    let seen = [const { Cell::new(0) }; 2];
    for_all(500, histories(Algorithm::TokenBucket, Direction::Anywhere), |history| {
        let quota = history.quota;
        let whole = quota.window().as_nanos() % u128::from(quota.requests()) == 0;
        let mut bucket = Bucket::new(quota);
        for it in calls_of::<TokenBucket>(&history) {
            let expected = bucket.expects(it.permits, it.now);
            seen[usize::from(whole)].set(seen[usize::from(whole)].get() + 1);
            assert!(expected.is_exact() || !whole, "{quota:?}: {expected:?}");
            let width = |range: &std::ops::RangeInclusive<u64>| range.end() - range.start();
            if let Some(allowed) = &expected.allowed {
                assert!(width(&allowed.remaining) <= 1 && width(&allowed.reset_after) <= 2, "{quota:?}: {expected:?}");
            }
            if let Some(refused) = &expected.refused {
                assert!(width(&refused.remaining) <= 1 && width(&refused.reset_after) <= 2, "{quota:?}: {expected:?}");
                assert!(refused.retry_after.as_ref().is_none_or(|wait| width(wait) <= 2), "{quota:?}: {expected:?}");
            }
            if expected.ahead {
                bucket.reanchored(it.now);
            } else if expected.allowed.is_some() && it.permits > 0 {
                bucket.granted(it.permits, it.now);
            }
        }
    });
    assert!(seen.iter().all(|seen| seen.get() > 1_000), "{seen:?}");
}

#[test]
fn histories_by_chance_meet_every_kind_of_answer() {
    for algorithm in [Algorithm::TokenBucket, Algorithm::FixedWindow] {
        match algorithm {
            Algorithm::TokenBucket => every_kind_is_met::<TokenBucket>(),
            Algorithm::FixedWindow => every_kind_is_met::<FixedWindow>(),
        }
    }
}

fn every_kind_is_met<S: Subject>() {
    const KINDS: [&str; 8] =
        ["grant", "all at once", "look", "refusal", "never", "granted after a wait", "ahead", "past the last instant"];
    let met = [const { Cell::new(0) }; KINDS.len()];
    for_all(600, histories(S::ALGORITHM, Direction::Anywhere), |history| {
        let (state, quota) = (S::UNSEEN, history.quota);
        let limit = S::Oracle::limit(&quota);
        let mut waited_until = None;
        for it in calls_of::<S>(&history) {
            let ahead = S::decide(&S::copy(&state), &quota, it.permits, it.now) == Decision::Ahead;
            let answer = call::<S>(&state, &quota, it.permits, it.now);
            let granted = it.permits > 0 && matches!(answer, Decision::Allowed { .. });
            let kinds = [
                granted,
                granted && it.permits == limit,
                it.permits == 0,
                matches!(answer, Decision::Refused { retry_after: Some(_), .. }),
                matches!(answer, Decision::Refused { retry_after: None, .. }),
                granted && waited_until == Some(it.now),
                ahead,
                it.now > S::Oracle::last_instant(&quota),
            ];
            for (met, is_it) in met.iter().zip(kinds) {
                met.set(met.get() + u32::from(is_it));
            }
            if let Decision::Refused { retry_after: Some(wait), .. } = answer {
                waited_until = it.now.checked_add(wait);
            }
        }
    });
    for (kind, met) in KINDS.iter().zip(&met) {
        assert!(met.get() >= 50, "{kind}: {} times by {:?}", met.get(), S::ALGORITHM);
    }
}

/// Operations that meet every edge in turn.
fn edges() -> Vec<Operation> {
    use Operation::{Back, Forward, Set, Take};
    let mut edges = vec![
        Take(Permits::Exactly(0)),
        Take(Permits::Exactly(1)),
        Take(Permits::Above(0)),
        Take(Permits::Above(u64::MAX)),
        Take(Permits::OneTooMany),
        Take(Permits::Remaining),
        Take(Permits::Exactly(1)),
    ];
    for span in [Span::AlmostRetry, Span::Nanos(1), Span::AlmostReset, Span::Nanos(1), Span::Windows(1), Span::Years(1)]
    {
        edges.extend([Forward(span), Take(Permits::Exactly(1)), Take(Permits::Limit), Take(Permits::Remaining)]);
        edges.push(Take(Permits::OneTooMany));
    }
    for span in [Span::Nanos(1), Span::Periods(2), Span::Windows(1), Span::Windows(2), Span::Years(1)] {
        edges.extend([Back(span), Take(Permits::Exactly(0)), Take(Permits::Above(0)), Take(Permits::Exactly(1))]);
        edges.extend([Forward(span), Take(Permits::Remaining), Take(Permits::Exactly(1))]);
    }
    for instant in [0, 1, u64::MAX - (1 << 62), (1 << 63) - 1, u64::MAX - 1, u64::MAX, NOW] {
        edges.extend([Set(instant), Take(Permits::Limit), Take(Permits::Exactly(1)), Forward(Span::Retry)]);
        edges.push(Take(Permits::Exactly(1)));
    }
    edges
}

#[test]
fn every_edge_by_every_kind_of_quota() {
    let seconds = Duration::from_secs;
    let quotas = [
        Quota::per_second(1),
        Quota::per_second(7),
        Quota::per_second(1_000_000_000),
        Quota::per_second(999_999_999),
        Quota::per_day(86_400_000_000_000),
        Quota::new(1, Duration::from_nanos(1)),
        Quota::new(2, Duration::from_nanos(3)),
        Quota::new(3, Duration::from_micros(10)),
        Quota::new(1, seconds(365 * 86_400)),
        Quota::new(365 * 86_400 * SECOND, seconds(365 * 86_400)),
        Quota::new(365 * 86_400 * SECOND - 1, seconds(365 * 86_400)),
        Quota::new(10_000_000_000_037, seconds(365 * 86_400)),
    ];
    for quota in quotas {
        let fill = (u128::from(quota.requests()) << 62) / quota.window().as_nanos();
        for start in [NOW, 0, NOW + 123_456_789, u64::MAX] {
            let operations = edges();
            check_history(&History { algorithm: Algorithm::FixedWindow, quota, start, operations });
            for burst in [1, 2, quota.requests(), fill as u64] {
                let quota = quota.burst(burst.min(fill as u64));
                check_history(&History { algorithm: Algorithm::TokenBucket, quota, start, operations: edges() });
            }
        }
    }
}

/// Known, and left as it is: nobody's clock goes there.
#[test]
fn at_the_end_of_time_a_refusal_names_a_wait_that_does_not_help() {
    let quota = Quota::per_second(1);
    let state = TokenBucket::UNSEEN;
    let last = Bucket::last_instant(&quota);
    assert_eq!(call::<TokenBucket>(&state, &quota, 1, last), allowed(0, SECOND));
    assert_eq!(call::<TokenBucket>(&state, &quota, 1, last), refused(0, SECOND, SECOND));
    assert_eq!(call::<TokenBucket>(&state, &quota, 1, last + SECOND), refused(0, 0, 0));
    let state = FixedWindow::UNSEEN;
    let last = Windows::last_instant(&quota);
    let rest = SECOND - last % SECOND;
    assert_eq!(call::<FixedWindow>(&state, &quota, 1, last), allowed(0, rest));
    assert_eq!(call::<FixedWindow>(&state, &quota, 1, last), refused(0, rest, rest));
    assert_eq!(call::<FixedWindow>(&state, &quota, 1, last + rest), refused(0, 0, None));
}
