//! The numbers that `FixedWindow` promises, each on injected time.

mod support;

use limiter_core::{
    Decision::{self, Allowed, Refused},
    FixedWindow, Quota, Strategy,
};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};
use support::{DAY, NOW, One, SECOND};

type Window = One<FixedWindow>;

#[test]
fn exactly_n_at_one_instant_and_the_next_is_refused_until_the_boundary() {
    for n in [1, 2, 3, 7, 100, 1_000] {
        let window = Window::new(Quota::per_second(n));
        let now = NOW + 250_000_000;
        assert_eq!(window.drain(now, n + 5), n);
        assert_eq!(window.refused_for(1, now), 750_000_000);
        assert_eq!(window.drain(NOW + SECOND, n + 5), n);
    }
}

#[test]
fn windows_open_on_the_wall_clock() {
    let window = Window::new(Quota::per_day(1));
    assert!(window.allows(NOW + DAY - 1), "a nanosecond before midnight");
    assert!(window.allows(NOW + DAY), "midnight");
    assert!(!window.allows(NOW + DAY));
    assert_eq!(window.refused_for(1, NOW + DAY), DAY);
}

#[test]
fn the_most_in_one_window_is_twice_the_requests_at_a_boundary() {
    let window = Window::new(Quota::per_second(10));
    assert_eq!(window.drain(NOW + SECOND - 1, 20), 10);
    assert_eq!(window.drain(NOW + SECOND, 20), 10);
    assert_eq!(window.drain(NOW + 2 * SECOND - 2, 20), 0);
}

#[test]
fn allowances_tell_what_is_left_and_when_all_is_back() {
    let window = Window::new(Quota::per_second(10));
    let now = NOW + SECOND / 4;
    assert_eq!(window.take(1, now), Allowed { remaining: 9, reset_after: SECOND * 3 / 4 });
    assert_eq!(window.take(4, now), Allowed { remaining: 5, reset_after: SECOND * 3 / 4 });
    assert_eq!(window.take(0, now), Allowed { remaining: 5, reset_after: SECOND * 3 / 4 });
    let wait = SECOND * 3 / 4;
    assert_eq!(window.take(6, now), Refused { remaining: 5, reset_after: wait, retry_after: Some(wait) });
    assert_eq!(window.take(11, now), Refused { remaining: 5, reset_after: wait, retry_after: None });
    assert_eq!(window.take(5, now), Allowed { remaining: 0, reset_after: wait });
}

#[test]
fn looking_writes_nothing() {
    let window = Window::new(Quota::per_second(10));
    assert!(matches!(window.take(0, NOW), Allowed { remaining: 10, .. }));
    assert_eq!(window.word.load(Relaxed), 0);
}

#[test]
fn three_per_ten_microseconds() {
    let window = Window::new(Quota::new(3, Duration::from_micros(10)));
    let granted = (NOW..NOW + 10_000_000).filter(|now| window.allows(*now)).count();
    assert_eq!(granted, 3_000);
}

#[test]
fn seven_per_second_polled_each_millisecond_for_a_million_seconds() {
    let window = Window::new(Quota::per_second(7));
    let mut granted = 0;
    for millisecond in 0..1_000_000_000_u64 {
        granted += u64::from(window.allows(NOW + millisecond * 1_000_000));
        if millisecond % 1_000_000 == 999_999 {
            assert_eq!(granted, (millisecond + 1) / 1_000 * 7, "after {millisecond} ms");
        }
    }
}

#[test]
fn the_fastest_quotas_count_exactly() {
    for n in [600_000_000, 999_999_999, 1_000_000_000] {
        let window = Window::new(Quota::per_second(n));
        assert!(matches!(window.take(n - 3, NOW), Allowed { remaining: 3, .. }));
        assert_eq!(window.drain(NOW + SECOND - 1, 10), 3);
        assert_eq!(window.refused_for(1, NOW), SECOND);
        assert!(matches!(window.take(n, NOW + SECOND), Allowed { remaining: 0, .. }));
    }
    // 2^32 and more in one window: no count of 32 bits could hold it.
    let window = Window::new(Quota::per_day(86_400_000_000_000));
    assert!(matches!(window.take(86_400_000_000_000, NOW), Allowed { remaining: 0, .. }));
    assert_eq!(window.refused_for(1, NOW), DAY);
    let window = Window::new(Quota::new(1, Duration::from_nanos(1)));
    assert!((NOW..NOW + 1_000).all(|now| window.drain(now, 3) == 1));
}

#[test]
fn no_idle_time_makes_an_old_count_look_new() {
    let idle = [1 << 32, (1 << 32) * 1_000_000, 1 << 53, u64::MAX / 2];
    let quotas = [
        Quota::per_second(7),
        Quota::per_day(1),
        Quota::new(1, Duration::from_millis(1)),
        Quota::new(1_000, Duration::from_millis(1)),
        Quota::new(3, Duration::from_micros(10)),
        Quota::new(1, Duration::from_nanos(1)),
        Quota::per_second(1_000_000_000),
    ];
    for quota in quotas {
        for idle in idle {
            if u128::from(idle) < quota.window().as_nanos() {
                continue;
            }
            let window = Window::new(quota);
            let n = quota.requests();
            assert!(matches!(window.take(n, NOW), Allowed { remaining: 0, .. }));
            assert!(!window.allows(NOW));
            assert!(matches!(window.take(n, NOW + idle), Allowed { remaining: 0, .. }), "{quota:?} after {idle}");
            assert!(!window.allows(NOW + idle), "{quota:?} after {idle}");
        }
    }
}

#[test]
fn a_clock_one_window_behind_counts_in_the_window_that_is_open() {
    let window = Window::new(Quota::per_second(10));
    assert_eq!(window.drain(NOW, 8), 8);
    // A tick behind the caller that opened the window.
    assert_eq!(window.drain(NOW - 1, 5), 2);
    assert_eq!(window.refused_for(1, NOW - 1), SECOND + 1);
}

#[test]
fn a_longer_step_back_gives_no_permit_and_locks_nobody_out() {
    let window = Window::new(Quota::per_second(10));
    assert_eq!(window.drain(NOW, 3), 3);
    let back = NOW - 3_600 * SECOND;
    assert_eq!(window.take(1, back), Decision::Ahead);
    FixedWindow::reanchor(&window.word, &window.quota, &|| back);
    assert_eq!(window.drain(back, 20), 0, "no credit");
    assert_eq!(window.refused_for(1, back), SECOND);
    assert_eq!(window.drain(back + SECOND, 20), 10);
}

#[test]
fn asking_for_more_than_the_requests_after_a_step_back_tells_what_can_be_taken() {
    let window = Window::new(Quota::per_second(10));
    assert_eq!(window.drain(NOW, 3), 3);
    // One window behind, calls count in the window that is open, and it ends when that one ends.
    let wait = SECOND + 1;
    assert_eq!(window.take(11, NOW - 1), Refused { remaining: 7, reset_after: wait, retry_after: None });
    // Further back there is nothing to be taken.
    let wait = 5 * SECOND;
    assert_eq!(window.take(11, NOW - 4 * SECOND), Refused { remaining: 0, reset_after: wait, retry_after: None });
}

#[test]
fn reanchoring_is_refused_to_a_thread_that_only_slept() {
    let window = Window::new(Quota::per_second(10));
    assert_eq!(window.drain(NOW, 3), 3);
    let word = window.word.load(Relaxed);
    assert_eq!(window.take(1, NOW - 5 * SECOND), Decision::Ahead);
    FixedWindow::reanchor(&window.word, &window.quota, &|| NOW);
    assert_eq!(window.word.load(Relaxed), word);
}

#[test]
fn a_time_at_either_end_of_the_clock_decides_like_any_other() {
    for quota in [Quota::per_second(7), Quota::per_day(1), Quota::new(1, Duration::from_nanos(1))] {
        for now in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
            let window = Window::new(quota);
            assert_eq!(window.drain(now, 20), quota.requests(), "{quota:?} at {now}");
        }
    }
}
