//! A frozen clock and its buckets belong to the test that made them.

use limiter_core::{Limiter, Quota, TokenBucket, registry, test};
use std::{thread, time::Duration};

static SHARED: Limiter<TokenBucket> = Limiter::named("shared", Quota::per_day(1));

#[test]
fn two_scopes_do_not_see_each_others_time_or_permits() {
    let first = test::freeze();
    SHARED.try_acquire().unwrap();
    thread::scope(|threads| {
        threads.spawn(|| {
            let second = test::freeze();
            SHARED.try_acquire().unwrap();
            second.advance(Duration::from_secs(86_400));
            SHARED.try_acquire().unwrap();
        });
    });
    assert!(SHARED.try_acquire().is_err());
    assert_eq!(first.now(), test::START);
}

#[test]
fn a_thread_sees_the_scope_it_enters() {
    let time = test::freeze();
    SHARED.try_acquire().unwrap();
    let handle = time.handle();
    thread::spawn(move || {
        let _time = handle.enter();
        assert!(SHARED.try_acquire().is_err());
        handle.advance(Duration::from_secs(86_400));
    })
    .join()
    .unwrap();
    SHARED.try_acquire().unwrap();
}

#[test]
fn an_inner_scope_hides_the_outer_until_it_ends() {
    let outer = test::freeze();
    SHARED.try_acquire().unwrap();
    {
        let inner = test::freeze_at(7);
        assert_eq!(inner.now(), 7);
        SHARED.try_acquire().unwrap();
    }
    assert!(SHARED.try_acquire().is_err());
    drop(outer);
}

#[test]
fn scopes_may_end_in_any_order() {
    for _ in 0..3 {
        let mut time = test::freeze();
        for _ in 0..3 {
            // The new scope begins before the old one ends.
            time = test::freeze();
            SHARED.try_acquire().unwrap();
            assert!(SHARED.try_acquire().is_err());
            time.advance(Duration::from_secs(86_400));
            SHARED.try_acquire().unwrap();
        }
        drop(time);
        let (first, second) = (test::freeze_at(1), test::freeze_at(2));
        SHARED.try_acquire().unwrap();
        drop(first);
        assert!(SHARED.try_acquire().is_err(), "the second is still there");
        drop(second);
    }
    static OUTSIDE: Limiter = Limiter::named("outside", Quota::per_day(1));
    OUTSIDE.register();
    assert!(registry::limits().any(|limit| limit.name == "outside"), "no scope is left");
}

#[test]
fn nothing_is_left_when_a_scope_ends() {
    for _ in 0..3 {
        let _time = test::freeze();
        SHARED.try_acquire().unwrap();
        assert_eq!(registry::limits().count(), 0, "as in production: not before it is registered");
        SHARED.register();
        assert_eq!(registry::limits().map(|limit| limit.name).collect::<Vec<_>>(), ["shared"]);
    }
}

#[test]
fn a_limiter_keeps_its_state_when_it_is_moved() {
    let _time = test::freeze();
    let limiter = Limiter::<TokenBucket>::new(Quota::per_day(1));
    limiter.try_acquire().unwrap();
    let moved = Box::new(limiter);
    assert!(moved.try_acquire().is_err());
    let another = Limiter::<TokenBucket>::new(Quota::per_day(1));
    another.try_acquire().unwrap();
}

#[test]
fn the_clock_may_step_back() {
    let time = test::freeze();
    let limiter = Limiter::<TokenBucket>::new(Quota::per_second(10));
    limiter.try_acquire_n(10).unwrap();
    time.set(test::START - 3_600_000_000_000);
    let rejected = limiter.try_acquire().unwrap_err();
    assert_eq!(rejected.retry_after(), Some(Duration::from_millis(100)));
    time.advance(Duration::from_millis(100));
    limiter.try_acquire().unwrap();
    assert!(limiter.try_acquire().is_err());
}
