//! The numbers that `TokenBucket` promises, each on injected time.

mod support;

use limiter_core::{
    Decision::{self, Allowed, Refused},
    Quota, Strategy, TokenBucket,
};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};
use support::{DAY, NOW, One, SECOND};

type Bucket = One<TokenBucket>;

#[test]
fn exactly_n_at_one_instant_and_the_next_is_refused_for_one_period() {
    for n in [1, 2, 3, 7, 100, 1_000] {
        let bucket = Bucket::new(Quota::per_second(n));
        assert_eq!(bucket.drain(NOW, n + 5), n);
        let wait = bucket.refused_for(1, NOW);
        // The phase within a unit of the token line may add one nanosecond; never take one.
        assert!((SECOND.div_ceil(n)..=SECOND.div_ceil(n) + 1).contains(&wait), "{n}: {wait}");
        if SECOND % n == 0 {
            assert_eq!(wait, SECOND / n);
        }
    }
}

#[test]
fn allowances_tell_what_is_left_and_when_all_is_back() {
    let bucket = Bucket::new(Quota::per_second(10));
    assert_eq!(bucket.take(1, NOW), Allowed { remaining: 9, reset_after: SECOND / 10 });
    assert_eq!(bucket.take(4, NOW), Allowed { remaining: 5, reset_after: SECOND / 2 });
    assert_eq!(bucket.take(0, NOW), Allowed { remaining: 5, reset_after: SECOND / 2 });
    assert_eq!(bucket.take(7, NOW), Refused { remaining: 5, reset_after: SECOND / 2, retry_after: Some(SECOND / 5) });
    assert_eq!(bucket.take(0, NOW + SECOND), Allowed { remaining: 10, reset_after: 0 });
}

#[test]
fn asking_for_more_than_the_burst_is_refused_for_ever_and_takes_nothing() {
    let bucket = Bucket::new(Quota::per_second(10).burst(4));
    assert_eq!(bucket.take(5, NOW), Refused { remaining: 4, reset_after: 0, retry_after: None });
    assert_eq!(bucket.take(u64::MAX, NOW), Refused { remaining: 4, reset_after: 0, retry_after: None });
    assert_eq!(bucket.drain(NOW, 10), 4);
}

#[test]
fn looking_writes_nothing() {
    let bucket = Bucket::new(Quota::per_second(10));
    assert_eq!(bucket.take(0, NOW), Allowed { remaining: 10, reset_after: 0 });
    assert_eq!(bucket.word.load(Relaxed), 0);
}

#[test]
fn one_per_day() {
    let bucket = Bucket::new(Quota::per_day(1));
    assert!(bucket.allows(NOW));
    assert_eq!(bucket.refused_for(1, NOW), DAY);
    assert!(!bucket.allows(NOW + DAY - 1));
    assert!(bucket.allows(NOW + DAY));
    assert!(!bucket.allows(NOW + DAY));
}

#[test]
fn one_per_hour_is_not_one_per_second() {
    let bucket = Bucket::new(Quota::per_hour(1));
    let allowed = (0..36_000).filter(|tenth| bucket.allows(NOW + tenth * SECOND / 10)).count();
    assert_eq!(allowed, 1);
    assert!(bucket.allows(NOW + 3_600 * SECOND));
}

#[test]
fn one_per_365_days() {
    let bucket = Bucket::new(Quota::new(1, Duration::from_secs(365 * 86_400)));
    assert!(bucket.allows(NOW));
    assert_eq!(bucket.refused_for(1, NOW), 365 * DAY);
}

#[test]
fn three_per_ten_microseconds() {
    let bucket = Bucket::new(Quota::new(3, Duration::from_micros(10)));
    assert_eq!(bucket.drain(NOW, 10), 3);
    // 10 000 / 3 is no whole number: one permit in each third, rounded up, and all three after the whole.
    assert_eq!(bucket.refused_for(1, NOW), 3_334);
    let granted = (NOW..NOW + 10_000_000).filter(|now| bucket.allows(*now)).count();
    assert_eq!(granted, 2_999, "3 per 10 us for 10 ms, the last one due at its end");
    assert!(bucket.allows(NOW + 10_000_000));
}

#[test]
fn seven_per_second_polled_each_millisecond_for_a_million_seconds() {
    let bucket = Bucket::new(Quota::per_second(7));
    assert_eq!(bucket.drain(NOW, 10), 7);
    let mut granted = 0;
    for millisecond in 1..=1_000_000_000_u64 {
        granted += u64::from(bucket.allows(NOW + millisecond * 1_000_000));
        if millisecond % 1_000_000 == 0 {
            assert_eq!(granted, millisecond / 1_000 * 7, "after {millisecond} ms");
        }
    }
}

#[test]
fn six_hundred_million_per_second() {
    let quota = Quota::new(600_000_000, Duration::from_secs(1)).burst(1);
    let bucket = Bucket::new(quota);
    let granted = (0..5_000_000).filter(|nanosecond| bucket.allows(NOW + nanosecond)).count();
    assert_eq!(granted, 3_000_000, "six in ten nanoseconds");
}

#[test]
fn a_thousand_million_per_second() {
    let bucket = Bucket::new(Quota::per_second(1_000_000_000).burst(3));
    assert_eq!(bucket.drain(NOW, 10), 3);
    assert_eq!(bucket.refused_for(1, NOW), 1);
    for nanosecond in 1..100_000 {
        assert_eq!(bucket.drain(NOW + nanosecond, 2), 1);
    }
}

#[test]
fn a_burst_above_the_requests_comes_once() {
    let bucket = Bucket::new(Quota::per_second(10).burst(25));
    assert_eq!(bucket.drain(NOW, 100), 25);
    assert_eq!(bucket.drain(NOW + SECOND, 100), 10);
    assert_eq!(bucket.drain(NOW + 60 * SECOND, 100), 25);
}

#[test]
fn the_most_in_one_window_is_burst_and_requests() {
    // Greedy from a full bucket, at every nanosecond of a short window.
    let bucket = Bucket::new(Quota::new(40, Duration::from_micros(100)).burst(15));
    let granted: u64 = (0..100_000).map(|nanosecond| bucket.drain(NOW + nanosecond, 100)).sum();
    assert_eq!(granted, 15 + 39, "the 40th is due when the window ends");
    assert_eq!(bucket.drain(NOW + 100_000, 100), 1);
}

#[test]
fn no_idle_time_gives_more_than_a_full_bucket() {
    let idle = [1 << 32, (1 << 32) * 1_000_000, 1 << 53, u64::MAX / 2, u64::MAX - NOW];
    let quotas = [
        Quota::per_second(7),
        Quota::per_day(1),
        Quota::per_second(1_000_000_000),
        Quota::new(3, Duration::from_micros(10)),
        Quota::new(600_000_000, Duration::from_secs(1)).burst(50),
    ];
    for quota in quotas {
        for idle in idle {
            let size = quota.burst_size();
            if u128::from(idle) < quota.window().as_nanos() * u128::from(size) / u128::from(quota.requests()) {
                continue;
            }
            let bucket = Bucket::new(quota);
            let full = size.min(1_000);
            assert!(matches!(bucket.take(size, NOW), Allowed { remaining: 0, .. }));
            let rest = bucket.take(size - full, NOW + idle);
            assert!(matches!(rest, Allowed { .. }), "{quota:?} after {idle}: {rest:?}");
            assert_eq!(bucket.drain(NOW + idle, full + 5), full, "{quota:?} after {idle}");
        }
    }
}

#[test]
fn a_step_back_gives_no_permit_and_locks_nobody_out() {
    let bucket = Bucket::new(Quota::per_second(10));
    assert_eq!(bucket.drain(NOW, 20), 10);
    // A step back from an empty bucket is further ahead than the strategy can have put it.
    let back = NOW - 3_600 * SECOND;
    assert_eq!(bucket.take(1, back), Decision::Ahead);
    TokenBucket::reanchor(&bucket.word, &bucket.quota, &|| back);
    assert_eq!(bucket.drain(back, 20), 0, "no credit");
    assert_eq!(bucket.refused_for(1, back), SECOND / 10, "elapsed 0");
    assert_eq!(bucket.drain(back + SECOND, 20), 10);
}

#[test]
fn a_step_back_within_the_bucket_only_delays() {
    let bucket = Bucket::new(Quota::per_second(10));
    assert_eq!(bucket.drain(NOW, 5), 5);
    assert_eq!(bucket.drain(NOW - SECOND / 10, 20), 4, "what a tenth of a second refills, less");
    assert_eq!(bucket.drain(NOW, 20), 1);
}

#[test]
fn reanchoring_is_refused_to_a_thread_that_only_slept() {
    let bucket = Bucket::new(Quota::per_second(10));
    assert_eq!(bucket.drain(NOW, 20), 10);
    let word = bucket.word.load(Relaxed);
    // It decided on an old reading and finds itself behind; the clock it reads now says otherwise.
    assert_eq!(bucket.take(1, NOW - SECOND), Decision::Ahead);
    TokenBucket::reanchor(&bucket.word, &bucket.quota, &|| NOW);
    assert_eq!(bucket.word.load(Relaxed), word);
}

#[test]
fn a_time_at_either_end_of_the_clock_decides_like_any_other() {
    for quota in [Quota::per_second(7), Quota::per_day(1), Quota::per_second(1_000_000_000)] {
        let quota = quota.burst(quota.requests().min(10));
        for now in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
            let bucket = Bucket::new(quota);
            assert_eq!(bucket.drain(now, 20), quota.burst_size(), "{quota:?} at {now}");
        }
    }
}

#[test]
fn long_fills_fit_the_word() {
    // 146 windows of 365 days are the longest fill.
    let year = Duration::from_secs(365 * 86_400);
    let quota = Quota::new(1, year).burst(146);
    let bucket = Bucket::new(quota);
    assert_eq!(bucket.drain(NOW, 200), 146);
    assert_eq!(bucket.refused_for(1, NOW), 365 * DAY);
    assert!(Quota::new(1, year).try_burst(147).is_err());
}
