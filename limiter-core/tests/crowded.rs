//! What a keyed limit promises when ten times as many keys come as it can hold, from many threads.
//!
//! A key that is replaced before it has all its permits again is counted as an eviction and starts anew when it returns.
//! Hence a law of conservation, over all keys: what is given beyond the permits of as many keys as are held was paid for by
//! evictions. And a key that is out of permits is replaced only when all the keys in its newcomer's homes are. A table of
//! no more than 71 slots is home to every key; in a larger one a key's homes are 64 slots.

#![expect(clippy::disallowed_types, reason = "a test's own counters are no part of what a model checks")]

use limiter_core::{FixedWindow, Keyed, Quota, Strategy, TokenBucket, test};
use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

const THREADS: u64 = 8;
/// A caller that found its key in the instant before it was replaced takes a permit from the newcomer's bucket. It takes a
/// thread that sleeps just there, so one permit for each thread is more than will be seen.
const ASLEEP: u64 = THREADS;

/// Runs a test of any strategy for every strategy. A new one is a line here.
macro_rules! for_every_strategy {
    ($test:ident $(, $argument:expr)*) => {
        $test::<TokenBucket>($($argument),*);
        $test::<FixedWindow>($($argument),*);
    };
}

fn in_threads(time: &test::Scope, thread: impl Fn(u64) + Sync) {
    let start = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for nth in 0..THREADS {
            let (handle, start, thread) = (time.handle(), &start, &thread);
            scope.spawn(move || {
                let _time = handle.enter();
                start.wait();
                thread(nth);
            });
        }
    });
}

/// The `nth` of numbers without order (Knuth's multiplicative spread), from `0..below`.
fn scattered(nth: u64, below: u64) -> u64 {
    ((u128::from(nth.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * u128::from(below)) >> 64) as u64
}

/// All threads bring all keys, again and again. Meanwhile one of them moves the clock `steps` times by a tenth of a window.
fn crowd<S: Strategy>(permits: u64, steps: u64) {
    const CAPACITY: usize = 256;
    const KEYS: u64 = 10 * CAPACITY as u64;
    const CALLS: u64 = 15_000;
    let time = test::freeze();
    let handle = time.handle();
    let limit = Keyed::<S, CAPACITY>::new(Quota::per_second(permits));
    let allowed: Vec<_> = (0..KEYS).map(|_| AtomicU64::new(0)).collect();
    in_threads(&time, |thread| {
        let mut held = 0;
        for call in 0..CALLS {
            let key = scattered(call * THREADS + thread, KEYS);
            allowed[key as usize].fetch_add(u64::from(limit.try_acquire(&key).is_ok()), SeqCst);
            if call % 100 == 0 {
                let before = held;
                held = limit.keys();
                assert!((before..=CAPACITY).contains(&held), "{held} keys after {before}");
            }
            if thread == 0 && call * steps / CALLS < (call + 1) * steps / CALLS {
                handle.advance(Duration::from_millis(100));
            }
        }
    });

    let (held, evictions) = (limit.keys() as u64, limit.evictions());
    assert_eq!(held, CAPACITY as u64);
    let of_each: Vec<_> = allowed.into_iter().map(AtomicU64::into_inner).collect();
    let total: u64 = of_each.iter().sum();
    // One key's permits over the whole time, of either strategy: it starts full, and a window brings as many again.
    let of_one = permits + permits * steps / 10;
    let paid_for = held * of_one + permits * evictions;
    assert!(total <= paid_for + ASLEEP, "{total} allowed, {paid_for} there were");
    if (permits, steps) == (1, 0) {
        assert!(paid_for <= total + ASLEEP, "{total} allowed, {paid_for} there were");
    }
    let anew: u64 = of_each.iter().map(|allowed| allowed.div_ceil(of_one).saturating_sub(1)).sum();
    assert!(anew <= evictions + ASLEEP, "{anew} keys had their permits again after {evictions} evictions");
    // Nothing else is called an eviction: whoever was evicted had taken a permit.
    assert!(evictions <= total, "{evictions} evictions of keys with {total} permits");
    assert!(evictions > 0);
}

#[test]
fn permits_beyond_those_of_the_keys_held_are_paid_for_by_evictions() {
    // With one permit each, every key that stands has spent it, and the books balance.
    for_every_strategy!(crowd, 1, 0);
    for_every_strategy!(crowd, 3, 0);
}

#[test]
fn so_they_are_while_time_runs() {
    for_every_strategy!(crowd, 1, 50);
    for_every_strategy!(crowd, 3, 50);
}

/// Floods a table with keys that keep most of their permits, beside `exhausted` ones that have none.
///
/// They keep so many because a caller that found its key just before it was replaced takes a permit of the newcomer: keys
/// that kept one only were out of permits now and then, and outlived the others from then on.
fn flood<S: Strategy, const CAPACITY: usize>(exhausted: u64, threads: u64) {
    const PERMITS: u64 = 16;
    let newcomers = 10 * CAPACITY as u64;
    let time = test::freeze();
    let limit = Keyed::<S, CAPACITY>::new(Quota::per_hour(PERMITS));
    for key in 0..exhausted {
        limit.try_acquire_n(&(true, key), PERMITS).unwrap();
    }
    let returned = AtomicU64::new(0);
    in_threads(&time, |thread| {
        for newcomer in 0..newcomers * u64::from(thread < threads) {
            let key = (false, newcomer * THREADS + thread);
            for _ in 0..1 + newcomer % 3 {
                let _ = limit.try_acquire(&key);
            }
            let exhausted = (true, scattered(newcomer, exhausted));
            returned.fetch_add(u64::from(limit.try_acquire(&exhausted).is_ok()), SeqCst);
        }
    });
    assert!(limit.evictions() > 0);
    assert_eq!(limit.keys(), CAPACITY);
    assert!((0..newcomers * THREADS).all(|key| limit.available(&(false, key)) > 0), "they were to keep a permit");
    assert!((0..exhausted).all(|key| limit.try_acquire(&(true, key)).is_err()));
    assert_eq!(returned.into_inner(), 0, "calls of keys that were out of permits");
}

/// Alone, a thread finds the one key that is not. Several threads may each have one in their hands at a time, so it takes
/// more such keys than threads.
#[test]
fn a_key_out_of_permits_outlives_every_key_that_is_not() {
    fn of<S: Strategy>() {
        flood::<S, 64>(63, 1);
        flood::<S, 64>(64 - 2 * THREADS, THREADS);
        flood::<S, 71>(71 - 2 * THREADS, THREADS);
        // A key's homes are 64 slots of these, and without a key that is not out of permits once in 2^64.
        flood::<S, 1_024>(512, THREADS);
    }
    for_every_strategy!(of);
}

/// Keys that are asked for all the time, in a flood, while time runs: each has exactly what it is promised.
///
/// A token bucket that is kept near empty is never a victim. A fixed window is full at its beginning: the key loses nothing
/// by being replaced then, but for the permits of calls that were just on their way.
#[test]
fn keys_that_are_kept_busy_get_their_own_while_others_come_and_go() {
    fn of<S: Strategy>(astray: u64) {
        const BUSY: u64 = 8;
        const STEPS: u64 = 300;
        let time = test::freeze();
        let handle = time.handle();
        let limit = Keyed::<S, 64>::new(Quota::per_second(4));
        let done = AtomicBool::new(false);
        let allowed: Vec<_> = (0..BUSY).map(|_| AtomicU64::new(0)).collect();
        let take_all = |key: u64| {
            while limit.try_acquire(&(true, key)).is_ok() {
                allowed[key as usize].fetch_add(1, SeqCst);
            }
        };
        (0..BUSY).for_each(take_all);
        in_threads(&time, |thread| {
            for newcomer in 0.. {
                let _ = limit.try_acquire(&(false, newcomer * THREADS + thread));
                take_all(scattered(newcomer, BUSY));
                if thread == 0 && newcomer % 20 == 0 {
                    handle.advance(Duration::from_millis(100));
                    (0..BUSY).for_each(take_all);
                }
                if thread == 0 && newcomer == 20 * (STEPS - 1) {
                    done.store(true, SeqCst);
                }
                if done.load(SeqCst) {
                    break;
                }
            }
        });
        for allowed in allowed {
            let (allowed, promised) = (allowed.into_inner(), 4 + 4 * STEPS / 10);
            assert!(allowed.abs_diff(promised) <= astray, "{allowed} of {promised}");
        }
        assert_eq!(limit.keys(), 64);
        assert!(limit.evictions() > 0);
    }
    of::<TokenBucket>(0);
    of::<FixedWindow>(ASLEEP);
}
