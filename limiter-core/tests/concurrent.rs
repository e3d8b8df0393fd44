//! What many threads get from one limit: exactly what it has.
#![expect(clippy::disallowed_types, reason = "a test's own counters are no part of what a model checks")]

use limiter_core::{Decision, FixedWindow, Keyed, Limiter, Quota, Strategy, TokenBucket, test};
use std::{
    hash::Hash,
    sync::{
        Barrier,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

const THREADS: u64 = 16;
const CALLS: u64 = 10_000;
const PERMITS: u64 = 1_000;

/// How many of `THREADS` x `CALLS` calls are allowed while time stands still.
fn allowed(call: impl Fn(u64) -> bool + Sync) -> u64 {
    let time = test::freeze();
    let allowed = AtomicU64::new(0);
    let start = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let handle = time.handle();
            let (call, allowed, start) = (&call, &allowed, &start);
            scope.spawn(move || {
                let _time = handle.enter();
                start.wait();
                let mine = (0..CALLS).filter(|i| call(*i)).count() as u64;
                allowed.fetch_add(mine, Relaxed);
            });
        }
    });
    allowed.into_inner()
}

#[test]
fn sixteen_threads_share_exactly_the_permits() {
    fn of<S: Strategy>() {
        let limiter = Limiter::<S>::new(Quota::per_hour(PERMITS));
        assert_eq!(allowed(|_| limiter.try_acquire().is_ok()), PERMITS);
    }
    of::<TokenBucket>();
    of::<FixedWindow>();
}

#[test]
fn sixteen_threads_share_exactly_the_permits_of_a_key() {
    fn of<S: Strategy>() {
        let limiter = Keyed::<S, 64>::new(Quota::per_hour(PERMITS));
        assert_eq!(allowed(|_| limiter.try_acquire("key").is_ok()), PERMITS);
    }
    of::<TokenBucket>();
    of::<FixedWindow>();
}

#[test]
fn sixteen_threads_share_exactly_the_permits_of_each_of_many_keys() {
    // All threads bring the same keys in the same order, so that they race to insert every one of them.
    let limiter = Keyed::<TokenBucket, 16_384>::new(Quota::per_hour(3));
    assert_eq!(allowed(|i| limiter.try_acquire(&i).is_ok()), 3 * CALLS);
}

#[test]
fn millions_of_permits_are_shared_as_exactly() {
    fn of<S: Strategy>() {
        const AMPLE: u64 = 5_000_000;
        let (state, quota) = (S::UNSEEN, Quota::per_day(AMPLE));
        let allowed = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    let tries = 0..2 * AMPLE / THREADS;
                    let decide = |_: &u64| S::decide(&state, &quota, 1, test::START);
                    let mine = tries.filter(|i| matches!(decide(i), Decision::Allowed { .. })).count() as u64;
                    allowed.fetch_add(mine, Relaxed);
                });
            }
        });
        assert_eq!(allowed.into_inner(), AMPLE);
    }
    of::<TokenBucket>();
    of::<FixedWindow>();
}

/// One thread takes single permits, the other all that are there.
#[test]
fn what_is_taken_one_by_one_and_all_at_once_adds_up() {
    fn of<S: Strategy>() {
        // All ones in binary: one too many would be a carry into the window's number.
        const PERMITS: u64 = (1 << 24) - 1;
        let quota = Quota::per_day(PERMITS);
        let states: Vec<_> = (0..20_000).map(|_| S::UNSEEN).collect();
        let take = |state, permits| match S::decide(state, &quota, permits, test::START) {
            Decision::Allowed { remaining, .. } => (permits, remaining),
            Decision::Refused { remaining, .. } => (0, remaining),
            Decision::Ahead => panic!("no clock has stepped back"),
        };
        let take_all = |state| {
            let (mut sum, (_, mut left)) = (0, take(state, 0));
            while left > 0 {
                let (taken, remaining) = take(state, left);
                (sum, left) = (sum + taken, remaining);
            }
            sum
        };
        let start = Barrier::new(2);
        let (singles, rest) = thread::scope(|scope| {
            let singles = scope.spawn(|| {
                let of_one = |state| {
                    start.wait();
                    (0..20).map(|_| take(state, 1).0).sum::<u64>()
                };
                states.iter().map(of_one).collect::<Vec<_>>()
            });
            let at_once = |state| {
                start.wait();
                take_all(state)
            };
            let rest: Vec<_> = states.iter().map(at_once).collect();
            (singles.join().unwrap(), rest)
        });
        for ((singles, rest), state) in singles.iter().zip(rest).zip(&states) {
            assert_eq!(singles + rest + take_all(state), PERMITS);
        }
    }
    of::<TokenBucket>();
    of::<FixedWindow>();
}

#[test]
fn permits_taken_several_at_once_add_up() {
    let limiter = Limiter::<TokenBucket>::new(Quota::per_hour(PERMITS));
    assert_eq!(allowed(|_| limiter.try_acquire_n(10).is_ok()), PERMITS / 10);
}

/// Rounds of one key brought by all threads at once into a full table: whatever each replaces, the key gets its permits
/// once.
#[test]
fn a_key_that_replaces_another_is_one_key_for_all_threads() {
    fn allowed_to<K: Hash + Sync>(limiter: &Keyed<TokenBucket, 16>, time: &test::Scope, key: &K) -> u64 {
        let allowed = AtomicU64::new(0);
        let start = Barrier::new(4);
        thread::scope(|scope| {
            for _ in 0..4 {
                let handle = time.handle();
                let (allowed, start) = (&allowed, &start);
                scope.spawn(move || {
                    let _time = handle.enter();
                    start.wait();
                    for _ in 0..20 {
                        allowed.fetch_add(u64::from(limiter.try_acquire(key).is_ok()), Relaxed);
                    }
                });
            }
        });
        allowed.into_inner()
    }

    let time = test::freeze();
    let limiter = Keyed::<TokenBucket, 16>::new(Quota::per_hour(10));
    for round in 0..5_000_u64 {
        assert_eq!(allowed_to(&limiter, &time, &round), 10, "round {round}");
        // All full again: replacing costs nobody anything.
        time.advance(Duration::from_secs(3_600));
    }
    assert_eq!(limiter.evictions(), 0);
    assert_eq!(limiter.keys(), 16);
}
