//! Races for the places of other keys: one new key that several threads bring, and two new keys.

use super::{
    explore::{act, explore, together},
    table::{NEW, OLD, OTHER, Shared},
};
use crate::{fixed_window::FixedWindow, strategy::Strategy, sync::AtomicU64, token_bucket::TokenBucket};

/// One permit, two threads that may each find another victim: without the protocol both would get one.
#[test]
fn a_newcomer_has_its_permit_once() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2).filled(1);
        let [one, other] = together([shared.taking(NEW), shared.taking(NEW)]);
        assert!(one.is_some() ^ other.is_some());
        assert!(shared.stands(NEW));
        assert_eq!(shared.left(NEW), 0);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

#[test]
#[cfg_attr(limiter_loom, ignore = "does not end; the orderings need two threads, and shuttle runs three")]
fn a_newcomer_that_three_threads_bring_has_its_permit_once() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2).filled(1);
        let allowed = together([shared.taking(NEW), shared.taking(NEW), shared.taking(NEW)]);
        assert_eq!(allowed.iter().filter(|allowed| allowed.is_some()).count(), 1);
        assert!(shared.stands(NEW));
    }
    explore(2, race::<TokenBucket>);
    explore(2, race::<FixedWindow>);
}

/// A newcomer that finds room in one of its homes while another thread has already begun to replace a key for it.
#[test]
fn two_newcomers_leave_each_key_once_and_no_mark() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2).filled(1);
        let allowed = together([shared.taking(NEW), shared.taking(OTHER)]);
        // One can replace the other before that has taken its permit, and the call is then counted in the other's bucket.
        assert!(allowed.iter().any(Option::is_some));
        assert!(shared.stands(NEW) || shared.stands(OTHER));
        assert!(shared.evictions() >= 1);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// The victim spends between the look at it and the clearing: it keeps what it has spent, and its place.
#[test]
fn a_victim_that_spends_meanwhile_is_not_cleared() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(2).filled(1);
        let [new, old] = together([shared.taking(NEW), shared.taking(OLD[0])]);
        assert!(new.is_some() && old.is_some());
        match (shared.stands(OLD[0]), shared.evictions()) {
            // Its call fell into the bucket of the new key, and was not forgotten with its own.
            (false, 1) => assert_eq!(shared.left(NEW), 0),
            // It kept its place, and all that it has spent.
            (true, 1) => assert_eq!(shared.left(OLD[0]), 0),
            // It came back after it was replaced.
            (true, 2) => assert_eq!(shared.left(OLD[0]), 1),
            state => panic!("{state:?}"),
        }
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// Four threads bring eight keys to two slots, each key twice. Long schedules, for shuttle.
#[test]
#[cfg_attr(limiter_loom, ignore = "too many interleavings; shuttle takes a sample")]
fn after_a_storm_of_keys_each_stands_once_and_no_mark_is_left() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2);
        let storm = [0, 1, 2, 3].map(|thread: u64| {
            let shared = shared.clone();
            act(move || {
                let keys = (0..4).map(|call| (1 + (3 * thread + call) % 8) << 60);
                keys.filter(|key| shared.take(*key, 1).is_some()).count()
            })
        });
        assert!(together(storm).iter().sum::<usize>() > 0);
        for key in (1..=8).map(|key| key << 60) {
            shared.stands(key);
        }
    }
    explore(0, race::<TokenBucket>);
    explore(0, race::<FixedWindow>);
}
