//! Races of three threads that a model would not reach, or not in time: one is interrupted at a certain place, and what the
//! third does is put there, into the strategy, which is called from the middle of a replacement.

use super::{
    explore::{ThreadId, act, current, explore, together},
    table::{NEW, OLD, OTHER},
};
use crate::{
    clock::Nanos,
    quota::Quota,
    registry::Node,
    replace::Settling,
    spec::Spec,
    storage::Slot,
    strategy::{Decision, Strategy},
    sync::{AtomicU64, Ordering::Relaxed},
    table::{LOCKED, Slots},
    token_bucket::TokenBucket,
};
use std::sync::{Arc, Mutex};

/// A token bucket with something to do for the thread that looks next at how much was spent, or clears it next.
struct Interrupted;

struct State {
    word: AtomicU64,
    at_look: Interruption,
    at_clearing: Interruption,
}

type Interruption = Mutex<Option<(ThreadId, Box<dyn FnOnce() + Send>)>>;

/// Does what is to be done, if it is this thread that is to be interrupted.
fn interrupt(place: &Interruption) {
    let mut planned = place.lock().unwrap();
    let act = planned.take_if(|(thread, _)| *thread == current().id());
    drop(planned);
    if let Some((_, act)) = act {
        act();
    }
}

impl Strategy for Interrupted {
    type State = State;
    const UNSEEN: State = State { word: AtomicU64::new(0), at_look: Mutex::new(None), at_clearing: Mutex::new(None) };

    fn decide(state: &State, quota: &Quota, permits: u64, now: Nanos) -> Decision {
        TokenBucket::decide(&state.word, quota, permits, now)
    }

    fn spent(state: &State, quota: &Quota, now: Nanos) -> u64 {
        interrupt(&state.at_look);
        TokenBucket::spent(&state.word, quota, now)
    }

    fn forget(state: &State, quota: &Quota, now: Nanos, at_most: u64) -> bool {
        interrupt(&state.at_clearing);
        TokenBucket::forget(&state.word, quota, now, at_most)
    }
}

const ONE: Spec = Spec::new::<Interrupted>("", "", 0, Quota::per_day(1));
const TWO: Spec = Spec::new::<Interrupted>("", "", 0, Quota::per_day(2));

#[derive(Clone)]
struct Shared {
    table: Arc<(Vec<Slot<Interrupted>>, Node)>,
    spec: &'static Spec,
}

impl Shared {
    fn new(capacity: usize, spec: &'static Spec) -> Self {
        let slots: Vec<Slot<Interrupted>> = (0..capacity).map(|_| Slot::unseen()).collect();
        let node = Node::unseen();
        #[cfg(limiter_loom)]
        {
            for slot in &slots {
                slot.fingerprint.touch();
                slot.state.word.touch();
            }
            node.touch();
        }
        Self { table: Arc::new((slots, node)), spec }
    }

    fn slots(&self) -> Slots<'_, &[Slot<Interrupted>]> {
        Slots { slots: self.table.0.as_slice(), node: &self.table.1 }
    }

    /// How many of `calls` single permits the key gets.
    fn take(&self, key: u64, calls: usize) -> usize {
        (0..calls).filter(|_| self.slots().take::<()>(self.spec, key, 1).is_ok()).count()
    }

    /// In how many slots the key stands.
    fn standing(&self, key: u64) -> usize {
        self.table.0.iter().filter(|slot| slot.fingerprint.load(Relaxed) & !LOCKED == key).count()
    }

    fn state(&self, slot: usize) -> &State {
        &self.table.0[slot].state
    }
}

/// Does `act` when this thread comes to `place`.
fn plan(place: &Interruption, act: impl FnOnce() + Send + 'static) {
    *place.lock().unwrap() = Some((current().id(), Box::new(act)));
}

/// The first two threads bring the new key and the third does the same in the middle of the second's look for a victim: it gives
/// up an offer that the first has looked at, and the second offers the same slot again. Without numbers, the first would settle
/// on that, beside the slot on which the third has settled. It takes three preemptions to see that: `./ci.sh loom-long`.
#[test]
fn an_offer_is_not_taken_for_a_later_one() {
    explore(2, || {
        let shared = Shared::new(2, &ONE);
        assert_eq!(OLD[..2].iter().map(|key| shared.take(*key, 1)).sum::<usize>(), 2);
        let (first, second, third) = (shared.clone(), shared.clone(), shared.clone());
        let allowed = together([
            act(move || first.take(NEW, 1)),
            act(move || {
                let inside = Arc::new(Mutex::new(0));
                let found = inside.clone();
                plan(&second.state(0).at_look, move || *found.lock().unwrap() = third.take(NEW, 1));
                let outside = second.take(NEW, 1);
                // If it never looked, there is nothing left to do.
                second.state(0).at_look.lock().unwrap().take();
                outside + *inside.lock().unwrap()
            }),
        ]);
        assert!(shared.standing(NEW) < 2, "the key stands twice");
        assert_eq!(allowed.iter().sum::<usize>(), 1);
    });
}

/// A thread found a slot empty and comes late for it: another has put the key there, and a third has locked it for a key of its own.
/// The key stands there nevertheless, and must not go into the next empty slot too.
#[test]
fn who_comes_late_for_an_empty_slot_finds_its_key_under_a_lock() {
    explore(3, || {
        let shared = Shared::new(1, &TWO);
        let (late, early) = (shared.clone(), shared);
        let [found, _] = together([
            act(move || late.slots().claim(&late.table.0[0], NEW)),
            act(move || {
                let claimed = early.slots().claim(&early.table.0[0], NEW);
                // The third lets it stand, because it spends at this moment.
                let spending = early.clone();
                plan(&early.state(0).at_clearing, move || assert_eq!(spending.take(NEW, 1), 1));
                early.slots().offer(early.spec, 0, OTHER);
                claimed
            }),
        ]);
        assert!(found);
    });
}

/// A key that is brought while it stands under a lock is settled already.
#[test]
fn a_key_under_a_lock_is_settled() {
    explore(3, || {
        let shared = Shared::new(1, &TWO);
        assert!(shared.slots().claim(&shared.table.0[0], NEW));
        let (replacing, bringing, calling) = (shared.clone(), shared.clone(), shared);
        let [tried, allowed] = together([
            act(move || {
                plan(&replacing.state(0).at_clearing, move || {
                    assert!(matches!(bringing.slots().settle(0, NEW), Settling::Settled(_)));
                });
                replacing.slots().offer(replacing.spec, 0, OTHER);
                replacing.state(0).at_clearing.lock().unwrap().is_none()
            }),
            act(move || calling.take(NEW, 1) == 1),
        ]);
        assert!(tried && allowed);
    });
}
