//! How a key that finds all its homes full takes the place of another.
//!
//! The victim is the key in those homes that has spent least. One that is full again loses nothing by it; any other would
//! start full when it returns, so this is counted as an eviction, a sign that the capacity is too small. A key that is out
//! of permits has spent most and goes last.
//!
//! # One slot, whoever brings the key
//!
//! Several threads may bring the same new key and each may find another victim. Only one slot may be settled on, or the key
//! would have its permits twice. Two marks in the fingerprint order this:
//!
//! ```text
//! old               the old key stands here
//! old | LOCKED      one thread has the right to replace it; it still stands here, and its callers find it
//! tag n | OFFERED   the state is cleared; the new key may be settled here; no caller finds it
//! new               the new key stands here
//! OFFERED           an offer that was given up: a victim before any other
//! ```
//!
//! * A slot is locked before its state is cleared, so that nobody else's state can be. If the old key has spent more
//!   meanwhile, the state is left as it is and the slot unlocked: nothing has happened.
//! * It is offered after its state was cleared, so that nobody can settle on what the old key has spent.
//! * An offer carries a tag of the new key, 24 bits of its hash, and a number of its own. So a thread that looked at
//!   it and slept cannot take a later offer for the one it looked at. Another key with the same tag may settle on
//!   it, which is as good as an offer given up.
//! * [`settle`](Slots::settle) turns the offers made to a key into one settlement. It looks through all homes: a settlement
//!   ends the matter, and offers beside it are given up. Of the offers, the first in the key's order is the candidate; the
//!   others are given up, by exchanging the mark, which fails if one was settled meanwhile. Then the candidate's mark is
//!   exchanged. Whoever is in between makes the others look again. Any thread can finish what another began.
//! * A slot that is the new key's own, under any mark, is nobody's victim for that key.
//! * Who gives up leaves no offer behind: nobody might come for it.
//!
//! Two cannot both settle. Each exchanged an offer that had been there since before it looked at the other's slot, by its number.
//! The later of the two offers was made after the first thread's look, or that would have given it up; so its settler
//! looked later still, and found the earlier offer, or what it had become.
//!
//! A thread that is interrupted in between holds up nobody: a locked slot still serves its old key and is passed over by
//! those who look for a victim, and an offer is settled by the next who brings the key.
//!
//! # Orderings
//!
//! Scenarios are in `scenarios/table.rs` and `scenarios/replace.rs`, and fail under loom without the ordering they are named for.
//!
//! * One `SeqCst` fence, which everybody passes between what it wrote or chose and its look at the rivals. Of two threads that
//!   both write and then look, at least one sees the other's write (store buffering), whoever reads them in between:
//!   `a_newcomer_has_its_permit_once`. What was read before it is acquired by it, so the reads of `settle` need no
//!   ordering of their own.
//! * An offer is stored with `Release`, after its state was cleared; exchanges that follow continue its release sequence,
//!   so who finds the key, by `Acquire` in `table.rs`, finds the cleared state: `who_finds_a_key_finds_its_own_state`.
//! * An unlocking store ends that sequence and must carry on what it published: it is `Release`, and the exchange that
//!   locked is `Acquire`: `who_finds_a_key_that_was_let_stand_finds_its_own_state`.
//! * All else is `Relaxed`: it looks for a candidate, or moves a mark by an exchange that fails if another was faster.
//!
//! # What a racing caller may see
//!
//! `scenarios/table.rs: a_call_of_a_key_that_is_being_replaced_is_counted_once` lists it. A call of the old key that has not
//! seen the slot change hands, between the clearing and its own decision, is counted in the bucket of the new key. That
//! one has those permits less until they are there again, as if it had spent them, and if none was left a call of its is
//! refused; the old key has got them beyond its own. That lasts for nanoseconds, or as long as a thread is interrupted
//! between the clearing and the offer.
//!
//! When all slots of a key are in the hands of threads that were interrupted there, which takes as many threads as slots, 64 or
//! the capacity, the call lets those go on first. After [`ATTEMPTS`] tries it takes from the bucket of one of them: what the old
//! key there has left, of which it is that much poorer.

use crate::{
    clock,
    spec::Spec,
    storage::{Slot, View},
    strategy::Strategy,
    sync::{
        Ordering::{Acquire, Relaxed, Release, SeqCst},
        fence, give_way,
    },
    table::{LOCKED, OFFERED, Slots},
};

/// The bits of a fingerprint that are none of the hash.
const MARKS: u64 = LOCKED | OFFERED;

/// The part of an offer that tells for whom it is.
const TAG: u64 = !0 << 40;

/// How many numbers offers have before they come round: hours, in which a thread would have to sleep, of nothing else.
const NUMBERS: u64 = (!TAG >> 2) - 1;

/// Whether the key stands here, or did until it was locked.
fn stands(found: u64, fingerprint: u64) -> bool {
    found & !LOCKED == fingerprint
}

/// Whether the key may be settled here.
fn offers(found: u64, fingerprint: u64) -> bool {
    found & MARKS == OFFERED && found != OFFERED && found & TAG == fingerprint & TAG
}

/// Whom to replace, the least first: nobody, where the key itself is; an offer that was given up; who has spent least.
const OWN: u64 = 0;
const IN_OTHER_HANDS: u64 = u64::MAX;

/// How often replacing a key is tried when other threads keep changing its homes, before the call shares a bucket.
const ATTEMPTS: u32 = 64;

/// What became of the offers made to a key.
pub(crate) enum Settling<'a, S: Strategy> {
    /// The key stands here.
    Settled(&'a Slot<S>),
    /// Another thread was in between: look again.
    Contended,
    /// Nobody has brought this key.
    NoOffer,
}

/// Whom a key was to replace, and the offer that was made of it, if nobody was faster.
pub(crate) struct Victim<'a, S: Strategy> {
    slot: &'a Slot<S>,
    offer: Option<u64>,
}

impl<'a, S: Strategy, V: View<'a, Strategy = S>> Slots<'a, V> {
    /// The slot of a key that was in none of its homes when they were all full; if it was tried [`ATTEMPTS`] times in vain, that
    /// of another. `None` only for a table without slots, which cannot be made.
    #[cold]
    pub(crate) fn replace(&self, spec: &Spec, first: usize, fingerprint: u64) -> Option<&'a Slot<S>> {
        let mut victim = None;
        for _ in 0..ATTEMPTS {
            match self.settle(first, fingerprint) {
                Settling::Settled(slot) => return Some(slot),
                Settling::Contended => give_way(),
                Settling::NoOffer => victim = Some(self.offer(spec, first, fingerprint)?),
            }
        }
        if let Settling::Settled(slot) = self.settle(first, fingerprint) {
            return Some(slot);
        }
        if let Some(Victim { slot, offer: Some(offer) }) = victim {
            // If this fails, somebody has settled on it or given it up.
            let _ = slot.fingerprint.compare_exchange(offer, OFFERED, Relaxed, Relaxed);
        }
        victim.map(|victim| victim.slot).or_else(|| self.places(first, fingerprint).next())
    }

    /// Offers the key the slot of the one that has spent least, if nobody is faster.
    pub(crate) fn offer(&self, spec: &Spec, first: usize, fingerprint: u64) -> Option<Victim<'a, S>> {
        let now = clock::precise();
        let (slot, found, spent, rank) = self
            .places(first, fingerprint)
            .map(|slot| {
                let found = slot.fingerprint.load(Relaxed);
                let spent = S::spent(&slot.state, &spec.quota, now);
                let rank = match found {
                    // Brought by another thread since: it is looked at again before any slot is taken.
                    _ if stands(found, fingerprint) || offers(found, fingerprint) => OWN,
                    OFFERED => OWN + 1,
                    _ if found & MARKS != 0 => IN_OTHER_HANDS,
                    _ => spent.saturating_add(OWN + 2).min(IN_OTHER_HANDS - 1),
                };
                (slot, found, spent, rank)
            })
            .min_by_key(|(.., rank)| *rank)?;
        if rank == IN_OTHER_HANDS {
            give_way();
        }
        if rank == IN_OTHER_HANDS
            || rank == OWN
            || slot.fingerprint.compare_exchange(found, found | LOCKED, Acquire, Relaxed).is_err()
        {
            return Some(Victim { slot, offer: None });
        }
        // From here to the offer nobody else writes the fingerprint.
        if !S::forget(&slot.state, &spec.quota, now, spent) {
            slot.fingerprint.store(found, Release);
            return Some(Victim { slot, offer: None });
        }
        let number = self.node.offers.fetch_add(1, Relaxed) % NUMBERS + 1;
        let offer = fingerprint & TAG | number << 2 | OFFERED;
        slot.fingerprint.store(offer, Release);
        if spent > 0 && found != OFFERED {
            self.node.evictions.fetch_add(1, Relaxed);
        }
        Some(Victim { slot, offer: Some(offer) })
    }

    /// Turns the offers made to a key into one settlement.
    pub(crate) fn settle(&self, first: usize, fingerprint: u64) -> Settling<'a, S> {
        let mut settled = None;
        let mut candidate = None;
        for slot in self.places(first, fingerprint) {
            let found = slot.fingerprint.load(Relaxed);
            if stands(found, fingerprint) {
                settled = settled.or(Some((slot, found)));
            } else if offers(found, fingerprint) {
                candidate = candidate.or(Some((slot, found)));
            }
        }
        let Some((candidate, offer)) = settled.or(candidate) else { return Settling::NoOffer };
        fence(SeqCst);
        for rival in self.places(first, fingerprint).filter(|slot| !core::ptr::eq(*slot, candidate)) {
            let found = rival.fingerprint.load(Relaxed);
            let given_up = !offers(found, fingerprint)
                || rival.fingerprint.compare_exchange(found, OFFERED, Relaxed, Relaxed).is_ok();
            if settled.is_none() && (stands(found, fingerprint) || !given_up) {
                return Settling::Contended;
            }
        }
        if settled.is_some() || candidate.fingerprint.compare_exchange(offer, fingerprint, Relaxed, Relaxed).is_ok() {
            Settling::Settled(candidate)
        } else {
            Settling::Contended
        }
    }
}

// Real threads, whole rounds of calls; the races of single calls are in `scenarios/replace.rs`.
#[cfg(all(test, not(any(limiter_loom, limiter_shuttle))))]
mod tests {
    use super::{LOCKED, OFFERED, Slot, Slots};
    use crate::{
        clock::Nanos,
        quota::Quota,
        registry::Node,
        spec::Spec,
        strategy::{Decision, Strategy},
        sync::{AtomicU64, Ordering::Relaxed},
        token_bucket::TokenBucket,
    };
    use std::{collections::HashSet, thread};

    /// A token bucket that gives the processor away wherever another thread could come in between.
    struct Yielding;

    impl Strategy for Yielding {
        type State = AtomicU64;
        const UNSEEN: AtomicU64 = AtomicU64::new(0);

        fn decide(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
            TokenBucket::decide(state, quota, permits, now)
        }

        fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
            thread::yield_now();
            TokenBucket::spent(state, quota, now)
        }

        fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
            thread::yield_now();
            let forgotten = TokenBucket::forget(state, quota, now, at_most);
            thread::yield_now();
            forgotten
        }
    }

    const SPEC: Spec = Spec::new::<Yielding>("", "", 0, Quota::per_day(20));

    fn table(capacity: usize) -> (Vec<Slot<Yielding>>, Node) {
        ((0..capacity).map(|_| Slot::unseen()).collect(), Node::unseen())
    }

    /// A key of which the high bits matter as those of a hash do.
    fn key(n: u64) -> u64 {
        (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[track_caller]
    fn every_key_stands_once(slots: &[Slot<Yielding>]) {
        let mut seen = HashSet::new();
        for slot in slots {
            let found = slot.fingerprint.load(Relaxed);
            assert_eq!(found & LOCKED, 0, "a lock was left");
            assert!(found & OFFERED == 0 || found == OFFERED, "an offer was left");
            assert!(found == OFFERED || seen.insert(found), "a key stands twice");
        }
    }

    /// Four threads bring the same new key, round after round, over keys that have spent `before` of 20.
    fn newcomers(capacity: usize, before: u64, rounds: u64) {
        let (slots, node) = table(capacity);
        let view = Slots { slots: slots.as_slice(), node: &node };
        for old in 0..capacity as u64 {
            view.take::<()>(&SPEC, key(old), before).unwrap();
        }
        for round in 0..rounds {
            let new = key(1_000 + round);
            let allowed = AtomicU64::new(0);
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let view = Slots { slots: slots.as_slice(), node: &node };
                        let mine = (0..10).filter(|_| view.take::<()>(&SPEC, new, 1).is_ok()).count();
                        allowed.fetch_add(mine as u64, Relaxed);
                    });
                }
            });
            assert_eq!(allowed.into_inner(), 20, "capacity {capacity}, round {round}");
        }
        every_key_stands_once(&slots);
    }

    #[test]
    fn a_newcomer_has_its_permits_once_whatever_it_replaces() {
        newcomers(8, 10, 1_000);
        newcomers(8, 20, 1_000);
        newcomers(64, 10, 300);
        newcomers(1, 20, 300);
    }

    #[test]
    fn after_a_storm_of_keys_each_stands_once() {
        let (slots, node) = table(16);
        thread::scope(|scope| {
            for thread in 0..4 {
                let (slots, node) = (slots.as_slice(), &node);
                scope.spawn(move || {
                    let view = Slots { slots, node };
                    for i in 0..5_000_u64 {
                        let _ = view.take::<()>(&SPEC, key((i * (thread + 1)) % 40), 1);
                    }
                });
            }
        });
        every_key_stands_once(&slots);
    }

    /// Or a thread that slept could take the second for the first, see `scenarios/interrupted.rs`.
    #[test]
    fn two_offers_of_a_slot_to_a_key_are_not_alike() {
        let (slots, node) = table(1);
        let view = Slots { slots: slots.as_slice(), node: &node };
        view.take::<()>(&SPEC, key(0), 1).unwrap();
        let offered = |_| {
            view.offer(&SPEC, 0, key(1) & !super::MARKS).unwrap();
            let offer = slots[0].fingerprint.load(Relaxed);
            slots[0].fingerprint.store(OFFERED, Relaxed);
            offer
        };
        let [first, second] = [0, 1].map(offered);
        assert!(super::offers(first, key(1)) && super::offers(second, key(1)));
        assert_ne!(first, second);
    }

    /// A thread sleeps with the only slot locked, and wakes in the middle of the last attempt of another.
    #[test]
    fn who_gives_up_leaves_no_mark() {
        use crate::sync::Ordering::Release;

        static LOOKS: AtomicU64 = AtomicU64::new(0);
        static SLOTS: [Slot<Sleeping>; 1] = [const { Slot::unseen() }; 1];
        static NODE: Node = Node::unseen();

        struct Sleeping;

        impl Strategy for Sleeping {
            type State = AtomicU64;
            const UNSEEN: AtomicU64 = AtomicU64::new(0);

            fn decide(state: &AtomicU64, quota: &Quota, permits: u64, now: Nanos) -> Decision {
                TokenBucket::decide(state, quota, permits, now)
            }

            fn spent(state: &AtomicU64, quota: &Quota, now: Nanos) -> u64 {
                if LOOKS.fetch_add(1, Relaxed) == u64::from(super::ATTEMPTS) - 2 {
                    SLOTS[0].fingerprint.store(key(0) & !super::MARKS, Release);
                }
                TokenBucket::spent(state, quota, now)
            }

            fn forget(state: &AtomicU64, quota: &Quota, now: Nanos, at_most: u64) -> bool {
                TokenBucket::forget(state, quota, now, at_most)
            }
        }

        let spec = Spec::new::<Sleeping>("", "", 0, Quota::per_day(20));
        let view = Slots { slots: SLOTS.as_slice(), node: &NODE };
        view.take::<()>(&spec, key(0), 1).unwrap();
        SLOTS[0].fingerprint.fetch_or(LOCKED, Relaxed);
        view.take::<()>(&spec, key(1), 1).unwrap();
        let found = SLOTS[0].fingerprint.load(Relaxed);
        assert!(found == OFFERED || found & super::MARKS == 0, "{found:x}");
        view.take::<()>(&spec, key(2), 1).unwrap();
        assert_eq!(SLOTS[0].fingerprint.load(Relaxed), key(2) & !super::MARKS);
    }
}
