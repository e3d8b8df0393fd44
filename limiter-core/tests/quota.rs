//! What a quota refuses to be, and in which words.

use limiter_core::{MAX_WINDOW, Quota, QuotaError};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

#[track_caller]
fn refused(quota: Result<Quota, QuotaError>, why: &str) {
    assert_eq!(quota.unwrap_err().to_string(), why);
}

#[test]
fn each_number_out_of_range_is_named_with_its_range() {
    refused(Quota::try_new(0, SECOND), "requests is 0, which would refuse every call; it must be at least 1");
    refused(Quota::try_new(1, Duration::ZERO), "the window is 0 ns long; it must be at least 1 ns");
    refused(
        Quota::try_new(1, MAX_WINDOW + Duration::from_nanos(1)),
        "the window is 31536000.000000001s long; it can be at most 365 days, 31536000s",
    );
    refused(
        Quota::try_new(1_000_000_001, SECOND),
        "1000000001 requests are more than one per nanosecond; a window of this length can have 1000000000",
    );
    refused(Quota::per_second(1).try_burst(0), "burst is 0, which would refuse every call; it must be at least 1");
    refused(
        Quota::per_second(1).try_burst(4_611_686_019),
        "a burst of 4611686019 would take more than 146 years to fill; at this rate it can be at most 4611686018",
    );
}

#[test]
fn the_ends_of_every_range_are_inside() {
    for quota in [
        Quota::try_new(1, Duration::from_nanos(1)),
        Quota::try_new(1, MAX_WINDOW),
        Quota::try_new(MAX_WINDOW.as_nanos() as u64, MAX_WINDOW),
        Quota::try_new(1_000_000_000, SECOND),
        Quota::per_second(1).try_burst(1),
        Quota::per_second(1).try_burst(4_611_686_018),
        Quota::per_second(1_000_000_000).try_burst(1 << 62),
    ] {
        quota.unwrap();
    }
}

#[test]
fn durations_beyond_64_bits_of_nanoseconds_are_too_long() {
    assert!(matches!(Quota::try_new(1, Duration::MAX), Err(QuotaError::WindowTooLong { .. })));
    assert!(matches!(Quota::try_new(u64::MAX, MAX_WINDOW), Err(QuotaError::RateTooHigh { .. })));
}

#[test]
fn the_short_forms_mean_what_they_read() {
    assert_eq!(Quota::per_second(5), Quota::new(5, SECOND));
    assert_eq!(Quota::per_minute(5), Quota::new(5, 60 * SECOND));
    assert_eq!(Quota::per_hour(5), Quota::new(5, 3_600 * SECOND));
    assert_eq!(Quota::per_day(5), Quota::new(5, 86_400 * SECOND));
    assert_eq!(Quota::every(20 * SECOND), Quota::new(1, 20 * SECOND));
    assert_eq!(format!("{:?}", Quota::per_minute(5)), "5 per 1m");
    assert_eq!(format!("{:?}", Quota::per_minute(5).burst(2)), "5 per 1m, burst 2");
    assert_eq!(format!("{:?}", Quota::new(5, MAX_WINDOW)), "5 per 365d");
    assert_eq!(format!("{:?}", Quota::new(5, Duration::new(90_061, 1_002_003))), "5 per 1d1h1m1s1ms2us3ns");
}

#[test]
#[should_panic(expected = "`requests` is 0")]
fn new_panics_where_try_new_answers() {
    let _ = Quota::per_second(0);
}
