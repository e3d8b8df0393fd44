//! A keyed table is one limiter for each key, as long as nothing was evicted; and what evictions can cost is bounded.
//!
//! From the documentation: a key that was evicted starts anew when it returns, so it has at most all its permits once more for
//! each time that it was evicted. Which keys were is not told, only how often it happened in all:
//!
//! ```text
//! granted(key, d) <= bound(d) + limit · evictions(key)                       for each key and every time d
//! sum over keys of ceil((granted(key, d) - bound(d)) / limit) <= evictions()
//! ```
//!
//! A key that has all its permits again loses nothing when it is replaced, and that is not counted. A table of at most 64
//! slots is searched whole.

use limiter_core::{Decision, FixedWindow, Keyed, Nanos, Quota, Strategy, TokenBucket, test};
use limiter_oracle::{
    Clock, Grant, Operation, Oracle, Subject, call, decision, excess,
    generate::{Direction, for_all, operations, quotas, small_quotas},
};
use proptest::collection::vec;
use std::collections::{HashMap, HashSet};

/// Up to this capacity a key finds every slot that there is.
const SEARCHED_WHOLE: usize = 64;

type Events = Vec<(u16, Operation)>;

/// Whether a call can take something, if it is there: only such calls are given a place.
fn can_take<S: Strategy>(quota: &Quota, permits: u64) -> bool {
    (1..=S::limit(quota)).contains(&permits)
}

/// Compares a table with one state for each key until a key was evicted, or was replaced while the clock may step back.
fn compare<S: Subject, const CAPACITY: usize>(quota: Quota, events: &Events, direction: Direction) {
    let time = test::freeze();
    let keyed = Keyed::<S, CAPACITY>::new(quota);
    let mut single: HashMap<u16, S::State> = HashMap::new();
    let mut placed = HashSet::new();
    let mut clock = Clock::new::<S>(&quota, test::START);
    for (nth, (key, operation)) in events.iter().enumerate() {
        let called = clock.after(*operation, &quota);
        time.set(clock.now());
        let Some(called) = called else { continue };
        let answer = decision(keyed.try_acquire_n(key, called.permits));
        if can_take::<S>(&quota, called.permits) {
            placed.insert(*key);
        }
        assert!(keyed.keys() <= placed.len() && keyed.keys() <= CAPACITY);
        if CAPACITY <= SEARCHED_WHOLE && placed.len() <= CAPACITY {
            assert_eq!((keyed.keys(), keyed.evictions()), (placed.len(), 0), "there was room for all");
        }
        // Replaced when it was full, a key is full; but after a step back it would not be.
        let replaced = keyed.keys() < placed.len();
        if keyed.evictions() > 0 || (replaced && direction == Direction::Anywhere) {
            return;
        }
        let state = single.entry(*key).or_insert(S::UNSEEN);
        let alone = call::<S>(state, &quota, called.permits, called.now);
        assert_eq!(answer, alone, "{quota:?}, event {nth} of {events:?}");
        clock.answered(&answer);
    }
}

fn every_key_is_limited_by_itself<S: Subject, const CAPACITY: usize>(direction: Direction) {
    // For a small table three keys to a slot; in a middle one, those that fit.
    let keys = (CAPACITY * 3).min(300) as u16;
    let events = vec((0..keys, operations(direction)), 1..150);
    for_all(150, (quotas(S::ALGORITHM), events), |(quota, events)| compare::<S, CAPACITY>(quota, &events, direction));
}

#[test]
fn every_key_of_a_small_table_is_limited_by_itself_until_one_is_evicted() {
    every_key_is_limited_by_itself::<TokenBucket, 1>(Direction::Forward);
    every_key_is_limited_by_itself::<TokenBucket, 13>(Direction::Forward);
    every_key_is_limited_by_itself::<FixedWindow, 13>(Direction::Forward);
    every_key_is_limited_by_itself::<FixedWindow, 64>(Direction::Forward);
}

#[test]
fn every_key_of_a_middle_table_is_limited_by_itself_until_one_is_evicted() {
    every_key_is_limited_by_itself::<TokenBucket, 1_000>(Direction::Forward);
    every_key_is_limited_by_itself::<FixedWindow, 1_000>(Direction::Forward);
}

#[test]
fn every_key_is_limited_by_itself_wherever_the_clock_goes_until_one_is_replaced() {
    every_key_is_limited_by_itself::<TokenBucket, 13>(Direction::Anywhere);
    every_key_is_limited_by_itself::<TokenBucket, 1_000>(Direction::Anywhere);
    every_key_is_limited_by_itself::<FixedWindow, 13>(Direction::Anywhere);
    every_key_is_limited_by_itself::<FixedWindow, 1_000>(Direction::Anywhere);
}

/// What the keys of a table were granted beyond the bound of one limiter each, in whole limits; and the evictions.
fn extra_fulls<S: Subject, const CAPACITY: usize>(quota: Quota, events: &Events) -> (u128, u64) {
    let time = test::freeze();
    let keyed = Keyed::<S, CAPACITY>::new(quota);
    let mut grants: HashMap<u16, Vec<Grant>> = HashMap::new();
    let mut clock = Clock::new::<S>(&quota, test::START);
    for (key, operation) in events {
        let called = clock.after(*operation, &quota);
        time.set(clock.now());
        let Some(called) = called else { continue };
        let answer = decision(keyed.try_acquire_n(key, called.permits));
        if called.permits > 0 && matches!(answer, Decision::Allowed { .. }) {
            let grant = Grant { way: clock.way(), reanchorings: 0, permits: called.permits };
            grants.entry(*key).or_default().push(grant);
        }
        clock.answered(&answer);
    }
    let limit = u128::from(S::Oracle::limit(&quota));
    (grants.values().map(|grants| excess::<S>(&quota, grants).div_ceil(limit)).sum(), keyed.evictions())
}

fn evictions_bound_what_is_granted_beyond<S: Subject, const CAPACITY: usize>() {
    let events = vec((0..(CAPACITY * 3) as u16, operations(Direction::Forward)), 1..200);
    for_all(250, (small_quotas(S::ALGORITHM), events), |(quota, events)| {
        let (extra, evictions) = extra_fulls::<S, CAPACITY>(quota, &events);
        assert!(extra <= u128::from(evictions), "{extra} of {quota:?} for {evictions} evictions: {events:?}");
    });
}

#[test]
fn no_more_is_granted_than_a_full_limit_for_each_eviction() {
    evictions_bound_what_is_granted_beyond::<TokenBucket, 1>();
    evictions_bound_what_is_granted_beyond::<TokenBucket, 4>();
    evictions_bound_what_is_granted_beyond::<TokenBucket, 13>();
    evictions_bound_what_is_granted_beyond::<FixedWindow, 1>();
    evictions_bound_what_is_granted_beyond::<FixedWindow, 4>();
    evictions_bound_what_is_granted_beyond::<FixedWindow, 13>();
}

/// Two keys in turn in a table of one.
#[test]
fn what_is_granted_for_evictions_is_all_of_that() {
    let both = |_| [0, 1].map(|key| (key, Operation::Take(limiter_oracle::Permits::Limit)));
    let events: Events = (0..50).flat_map(both).collect();
    assert_eq!(extra_fulls::<TokenBucket, 1>(Quota::per_hour(7), &events), (98, 99));
    assert_eq!(extra_fulls::<FixedWindow, 1>(Quota::per_hour(7), &events), (98, 99));
    // With room for both nothing is.
    assert_eq!(extra_fulls::<TokenBucket, 2>(Quota::per_hour(7), &events), (0, 0));
}

/// Keys that are out of permits, and after them newcomers that are not, while no time passes.
fn the_drained_outlive_the_others<S: Subject, const CAPACITY: usize>(most_drained: usize) {
    let sizes = (1..=most_drained, 1..=4 * CAPACITY);
    for_all(60, (small_quotas(S::ALGORITHM), sizes), |(quota, (drained, newcomers))| {
        if S::limit(&quota) < 2 {
            return;
        }
        let _time = test::freeze();
        let keyed = Keyed::<S, CAPACITY>::new(quota);
        for key in 0..drained {
            assert!(keyed.try_acquire_n(&key, S::limit(&quota)).is_ok());
        }
        for newcomer in drained..drained + newcomers {
            let allowed = keyed.try_acquire(&newcomer).unwrap_or_else(|_| panic!("{newcomer} is new"));
            assert_eq!(allowed.remaining() + 1, allowed.limit());
        }
        for key in 0..drained {
            assert!(keyed.try_acquire(&key).is_err(), "{quota:?}: {key} of {drained} was forgotten");
        }
        // Whoever found no empty slot evicted somebody, as all had spent.
        let arrived = drained + newcomers;
        assert_eq!(keyed.evictions(), (arrived - keyed.keys()) as u64);
        if CAPACITY <= SEARCHED_WHOLE {
            assert_eq!(keyed.keys(), arrived.min(CAPACITY));
        }
    });
}

#[test]
fn keys_that_are_out_of_permits_outlive_those_that_are_not() {
    the_drained_outlive_the_others::<TokenBucket, 2>(1);
    the_drained_outlive_the_others::<TokenBucket, 13>(12);
    the_drained_outlive_the_others::<TokenBucket, 64>(63);
    the_drained_outlive_the_others::<FixedWindow, 2>(1);
    the_drained_outlive_the_others::<FixedWindow, 13>(12);
    the_drained_outlive_the_others::<FixedWindow, 64>(63);
    // That all 64 slots of a newcomer are a tenth's has one chance in 10^64.
    the_drained_outlive_the_others::<TokenBucket, 1_000>(100);
}

#[test]
fn a_call_that_can_take_nothing_takes_nobodys_place() {
    let quota = Quota::per_hour(3);
    let _time = test::freeze();
    let keyed = Keyed::<TokenBucket, 8>::new(quota);
    for key in 0..8 {
        assert!(keyed.try_acquire(&key).is_ok());
    }
    for key in 100..200 {
        assert_eq!(keyed.available(&key), 3);
        assert_eq!(keyed.try_acquire_n(&key, 4).map_err(|rejected| rejected.remaining()), Err(3));
    }
    assert_eq!((keyed.keys(), keyed.evictions()), (8, 0));
    assert!((0..8).all(|key| keyed.available(&key) == 2));
}

#[test]
fn a_key_replaced_after_it_was_full_again_loses_nothing_and_is_no_eviction() {
    const HOUR: Nanos = 3_600_000_000_000;
    let time = test::freeze();
    let keyed = Keyed::<TokenBucket, 1>::new(Quota::per_hour(3));
    for (hour, key) in (1..100).zip([0, 1].into_iter().cycle()) {
        assert!(keyed.try_acquire_n(&key, 3).is_ok());
        assert_eq!(keyed.evictions(), 0);
        time.set(test::START + hour * HOUR);
    }
}
