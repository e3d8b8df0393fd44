//! Races for the slots of a keyed table: of new keys for one slot, and of a key with the one that takes its place.

use super::explore::{Act, act, explore, together};
use crate::{
    fixed_window::FixedWindow,
    outcome::Allowed,
    quota::{MAX_WINDOW, Quota},
    registry::Node,
    replace::Settling,
    spec::Spec,
    storage::Slot,
    strategy::Strategy,
    sync::{AtomicU64, Ordering::Relaxed},
    table::{LOCKED, OFFERED, Slots},
    take::take,
    token_bucket::TokenBucket,
};
use std::{collections::HashSet, sync::Arc};

/// Hashes of keys, of which the high bits matter, as those of a hash do.
pub(super) const OLD: [u64; 4] = [1 << 62, 1 << 61, 1 << 60, 1 << 59];
pub(super) const NEW: u64 = 3 << 62;
pub(super) const OTHER: u64 = 7 << 61;

const fn permits<S: Strategy>(permits: u64) -> Spec {
    Spec::new::<S>("", "", 0, Quota::new(permits, MAX_WINDOW))
}

/// The slots of a table that several threads use, and what it permits each key: some permits, which do not come back
/// in the time of a scenario.
pub(super) struct Shared<S: Strategy> {
    table: Arc<(Vec<Slot<S>>, Node)>,
    spec: &'static Spec,
}

impl<S: Strategy> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), spec: self.spec }
    }
}

impl<S: Strategy<State = AtomicU64>> Shared<S> {
    pub(super) fn of_one(capacity: usize) -> Self {
        Self::new(capacity, const { &permits::<S>(1) })
    }

    pub(super) fn of_two(capacity: usize) -> Self {
        Self::new(capacity, const { &permits::<S>(2) })
    }

    fn of_four(capacity: usize) -> Self {
        Self::new(capacity, const { &permits::<S>(4) })
    }

    fn new(capacity: usize, spec: &'static Spec) -> Self {
        let slots: Vec<Slot<S>> = (0..capacity).map(|_| Slot::unseen()).collect();
        let node = Node::unseen();
        #[cfg(limiter_loom)]
        {
            for slot in &slots {
                slot.fingerprint.touch();
                slot.state.touch();
            }
            node.touch();
        }
        Self { table: Arc::new((slots, node)), spec }
    }

    /// The table filled with old keys, each of which has spent `permits`.
    pub(super) fn filled(self, permits: u64) -> Self {
        for key in OLD.iter().take(self.table.0.len()) {
            assert!(self.take(*key, permits).is_some());
        }
        self
    }

    fn slots(&self) -> Slots<'_, &[Slot<S>]> {
        let (slots, node) = &*self.table;
        Slots { slots, node }
    }

    /// The parts of a call, in a table of one slot: taking it if it is empty, settling an offer, deciding on its state.
    fn claim(&self, key: u64) -> bool {
        self.slots().claim(&self.table.0[0], key)
    }

    fn settles(&self, key: u64) -> bool {
        matches!(self.slots().settle(0, key), Settling::Settled(_))
    }

    fn decide(&self, permits: u64) -> bool {
        take::<S, ()>(&self.table.0[0].state, self.spec, permits).is_ok()
    }

    /// What is left to the key after `permits` were taken, if they were there.
    pub(super) fn take(&self, key: u64, permits: u64) -> Option<u64> {
        self.slots().take(self.spec, key, permits).ok().map(|allowed: Allowed| allowed.remaining())
    }

    pub(super) fn taking(&self, key: u64) -> Act<Option<u64>> {
        let shared = self.clone();
        act(move || shared.take(key, 1))
    }

    /// How many single permits the key has.
    pub(super) fn left(&self, key: u64) -> usize {
        (0..3).filter(|_| self.take(key, 1).is_some()).count()
    }

    fn held(&self) -> u64 {
        self.table.1.held.load(Relaxed)
    }

    pub(super) fn evictions(&self) -> u64 {
        self.table.1.evictions.load(Relaxed)
    }

    /// Whether the key stands in the table. Checks that each key stands once and that no mark but a given up offer is left.
    pub(super) fn stands(&self, key: u64) -> bool {
        let found: Vec<_> = self.table.0.iter().map(|slot| slot.fingerprint.load(Relaxed)).collect();
        assert!(found.iter().all(|found| found & LOCKED == 0), "a lock was left");
        assert!(found.iter().all(|found| found & OFFERED == 0 || *found == OFFERED), "an offer was left");
        let keys: Vec<_> = found.iter().filter(|found| ![0, OFFERED].contains(*found)).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "a key stands twice");
        keys.contains(&&key)
    }
}

#[test]
fn of_two_new_keys_each_gets_a_slot() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2);
        assert_eq!(together([shared.taking(NEW), shared.taking(OTHER)]), [Some(0), Some(0)]);
        assert!(shared.stands(NEW) && shared.stands(OTHER));
        assert_eq!((shared.left(NEW), shared.left(OTHER), shared.held()), (0, 0, 2));
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

#[test]
fn a_new_key_that_two_threads_bring_stands_once() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_one(2);
        let [one, other] = together([shared.taking(NEW), shared.taking(NEW)]);
        assert!(one.is_some() ^ other.is_some());
        assert!(shared.stands(NEW));
        assert_eq!(shared.held(), 1);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// The old key has spent all. Who finds the new key in its place must find the cleared state too, or be refused for what
/// another key has spent: so the fingerprint is published with release and read with acquire.
#[test]
fn who_finds_a_key_finds_its_own_state() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(1).filled(2);
        let allowed = together([shared.taking(NEW), shared.taking(NEW)]);
        assert!(allowed.iter().all(Option::is_some));
        assert_eq!(shared.left(NEW), 0);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// The same for a key that is found where it was put first, by the search that looks at a whole cache line.
#[test]
fn who_hits_a_key_at_once_finds_its_own_state() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(4).filled(2);
        let allowed = together([shared.taking(NEW), shared.taking(NEW)]);
        assert!(allowed.iter().all(Option::is_some));
        assert_eq!(shared.left(NEW), 0);
    }
    explore(2, race::<TokenBucket>);
    explore(2, race::<FixedWindow>);
}

/// The same for a call that takes nothing and is told what is left: never what the old key had left.
#[test]
fn who_looks_at_a_key_sees_its_own_state() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(1).filled(2);
        let looking = shared.clone();
        let [_, seen] = together([shared.taking(NEW), act(move || looking.take(NEW, 0))]);
        assert!(seen >= Some(1));
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// The same for a caller that found the slot empty and comes too late to take it: another key had it, spent all and was
/// replaced in the meantime.
#[test]
fn who_comes_late_for_an_empty_slot_finds_its_own_state() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(1);
        let (first, late) = (shared.clone(), shared.clone());
        let [_, allowed] = together([
            act(move || first.claim(OLD[0]) && first.decide(2) && first.take(NEW, 1).is_some()),
            act(move || !late.claim(NEW) || late.decide(1)),
        ]);
        assert!(allowed);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// The same for a key that a third thread had meant to replace, and let stand because it had spent meanwhile: that thread
/// passes on what it has seen.
#[test]
fn who_finds_a_key_that_was_let_stand_finds_its_own_state() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_four(1).filled(2);
        let (first, second, third) = (shared.clone(), shared.clone(), shared);
        let allowed = together([
            act(move || {
                // The old key's last permits, and the new key in its place with the first of its own.
                let spent = first.decide(2);
                first.slots().offer(first.spec, 0, NEW);
                spent && first.settles(NEW) && first.decide(1)
            }),
            act(move || {
                second.slots().offer(second.spec, 0, OTHER);
                true
            }),
            act(move || third.slots().look(0, NEW).is_none() || third.decide(1)),
        ]);
        assert!(allowed[2]);
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}

/// A key is replaced while one of its callers is on the way. That call finds its key, and is counted there or, if the key
/// is replaced in between, in the bucket of the new one, which has that one permit less until it has refilled. Or it comes
/// late and replaces the new key again. Nobody gets more than its own permits and what its call took from the other.
#[test]
fn a_call_of_a_key_that_is_being_replaced_is_counted_once() {
    fn race<S: Strategy<State = AtomicU64>>() {
        let shared = Shared::<S>::of_two(1).filled(1);
        let [new, old] = together([shared.taking(NEW), shared.taking(OLD[0])]);
        assert!(new.is_some() && old.is_some());
        match (shared.stands(NEW), shared.evictions()) {
            // The old key's call was counted where its key stood, or in the bucket of the new one.
            (true, 1) => assert!(shared.left(NEW) <= 1),
            // It came back and began anew.
            (false, 2) => assert_eq!(shared.left(OLD[0]), 1),
            // It came back before the new key had taken a permit, which took it here then.
            (false, 1) => assert_eq!(shared.left(OLD[0]), 0),
            state => panic!("{state:?}"),
        }
    }
    explore(3, race::<TokenBucket>);
    explore(3, race::<FixedWindow>);
}
