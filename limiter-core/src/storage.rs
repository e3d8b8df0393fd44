//! Where the slots of a keyed limit stand: in the `static` itself, in one piece or in chunks.
//!
//! The compiler evaluates a static, and then looks at each value in it whether it is one of its type: at 65 536 slots that took
//! it 40 ms, for every annotated function, with each `cargo check`. What may be uninitialised it does not look at, and 3 ms are
//! left, for a megabyte that is copied. So the attribute's tables are chunks that are filled with empty slots when the first key
//! comes to them, in their place in the static: nothing is allocated, and memory is as fixed as before. The price is a second
//! look at each call, at whether the chunk is filled, which the look at the slot does not wait for; and of the threads that
//! come to a new chunk together, one fills it and the others wait, once per chunk.
//!
//! A chunk that is not filled is all zeros, so that it is no part of the program's file: `tests/memory.rs` holds that.
//!
//! [`Keyed`](crate::Keyed) has its table in one piece: its type names the capacity, and cannot compute from it how many
//! chunks that is.

use crate::{
    strategy::Strategy,
    sync::AtomicU64,
    table::{EMPTY, SET},
};
use core::ops::Range;
use once_cell::sync::OnceCell;

/// A place for one key.
pub struct Slot<S: Strategy> {
    pub(crate) fingerprint: AtomicU64,
    pub(crate) state: S::State,
}

impl<S: Strategy> Slot<S> {
    pub(crate) const fn unseen() -> Self {
        Self { fingerprint: AtomicU64::new(EMPTY), state: S::UNSEEN }
    }
}

/// Where slots are kept.
pub trait Storage<S: Strategy>: 'static {
    /// How many slots there are.
    const CAPACITY: usize;
    /// Before the first key.
    const UNSEEN: Self;
    /// How they are seen, whatever their number: what a table does is compiled once per strategy.
    type View<'a>: View<'a, Strategy = S>;

    /// All the slots.
    fn view(&self) -> Self::View<'_>;
}

/// So many slots.
pub trait View<'a>: Copy {
    /// Whose.
    type Strategy: Strategy;

    /// How many.
    fn len(self) -> usize;

    /// Some of those of one set, in their order.
    fn get(self, range: Range<usize>) -> Option<&'a [Slot<Self::Strategy>]>;
}

impl<'a, S: Strategy> View<'a> for &'a [Slot<S>] {
    type Strategy = S;

    #[inline(always)]
    fn len(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn get(self, range: Range<usize>) -> Option<&'a [Slot<S>]> {
        <[_]>::get(self, range)
    }
}

/// Slots in one piece.
#[repr(align(128))]
pub(crate) struct Flat<S: Strategy, const CAPACITY: usize>([Slot<S>; CAPACITY]);

impl<S: Strategy, const CAPACITY: usize> Storage<S> for Flat<S, CAPACITY> {
    const CAPACITY: usize = {
        assert!(CAPACITY > 0, "`capacity` is 0, which can hold no key; it must be at least 1");
        CAPACITY
    };
    const UNSEEN: Self = Self([const { Slot::unseen() }; CAPACITY]);
    type View<'a> = &'a [Slot<S>];

    #[inline(always)]
    fn view(&self) -> &[Slot<S>] {
        &self.0
    }
}

/// Slots in a chunk: of the built-in strategies 4 KiB, a page. A whole number of sets, so that none stands in two.
const CHUNK: usize = 32 * SET;

/// How many chunks hold `capacity` slots.
#[must_use]
pub const fn chunks(capacity: usize) -> usize {
    capacity.div_ceil(CHUNK)
}

#[repr(align(128))]
struct Chunk<S: Strategy>([Slot<S>; CHUNK]);

/// Slots in chunks, each filled when the first key comes to it. Of the last one only as many are used as the capacity says.
pub struct Chunks<S: Strategy, const CAPACITY: usize, const CHUNKS: usize>([OnceCell<Chunk<S>>; CHUNKS]);

impl<S: Strategy, const CAPACITY: usize, const CHUNKS: usize> Storage<S> for Chunks<S, CAPACITY, CHUNKS> {
    const CAPACITY: usize = {
        assert!(chunks(CAPACITY) == CHUNKS, "the chunks must hold the capacity");
        CAPACITY
    };
    const UNSEEN: Self = Self([const { OnceCell::new() }; CHUNKS]);
    type View<'a> = InChunks<'a, S>;

    #[inline(always)]
    fn view(&self) -> InChunks<'_, S> {
        InChunks { chunks: &self.0, len: Self::CAPACITY }
    }
}

/// Slots seen in chunks.
pub struct InChunks<'a, S: Strategy> {
    chunks: &'a [OnceCell<Chunk<S>>],
    len: usize,
}

impl<S: Strategy> Clone for InChunks<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Strategy> Copy for InChunks<'_, S> {}

impl<'a, S: Strategy> View<'a> for InChunks<'a, S> {
    type Strategy = S;

    #[inline(always)]
    fn len(self) -> usize {
        self.len
    }

    #[inline(always)]
    fn get(self, range: Range<usize>) -> Option<&'a [Slot<S>]> {
        let chunk = self.chunks.get(range.start / CHUNK)?;
        let chunk = match chunk.get() {
            Some(chunk) => chunk,
            None => fill(chunk),
        };
        let start = range.start % CHUNK;
        chunk.0.get(start..start + range.len())
    }
}

#[cold]
#[inline(never)]
fn fill<S: Strategy>(chunk: &OnceCell<Chunk<S>>) -> &Chunk<S> {
    chunk.get_or_init(|| Chunk([const { Slot::unseen() }; CHUNK]))
}

#[cfg(all(test, not(any(limiter_loom, limiter_shuttle))))]
mod tests {
    use super::{CHUNK, Chunks, Slot, Storage, View, chunks};
    use crate::{
        quota::Quota,
        registry::Node,
        spec::Spec,
        table::{SET, Slots},
        token_bucket::TokenBucket,
    };
    use std::{collections::HashSet, sync::Barrier, thread};

    const CAPACITY: usize = 2 * CHUNK + SET + 3;
    type InThree = Chunks<TokenBucket, CAPACITY, { chunks(CAPACITY) }>;

    #[test]
    fn the_sets_in_chunks_are_all_the_slots_each_once() {
        let storage = InThree::UNSEEN;
        let view = storage.view();
        assert_eq!((chunks(CAPACITY), view.len()), (3, CAPACITY));
        let mut seen = HashSet::new();
        for start in (0..CAPACITY).step_by(SET) {
            let set = view.get(start..CAPACITY.min(start + SET)).unwrap();
            seen.extend(set.iter().map(core::ptr::from_ref::<Slot<TokenBucket>>));
        }
        assert_eq!(seen.len(), CAPACITY);
        assert!(view.get(3 * CHUNK..3 * CHUNK + 1).is_none());
    }

    #[test]
    fn a_line_of_a_set_is_a_line_of_the_cache() {
        let storage = InThree::UNSEEN;
        for start in (0..CAPACITY - SET).step_by(SET) {
            let set = storage.view().get(start..start + SET).unwrap();
            assert_eq!(set.as_ptr().addr() % 128, 0);
        }
    }

    /// All threads come to the new chunks together.
    #[test]
    fn threads_that_come_to_a_new_chunk_together_find_one() {
        const SPEC: Spec = Spec::new::<TokenBucket>("", "", 0, Quota::per_day(1));
        const THREADS: usize = 4;
        for _ in 0..50 {
            let (storage, node) = (Box::new(InThree::UNSEEN), Node::unseen());
            let start = Barrier::new(THREADS);
            let keys = || (1..=CAPACITY as u64 / 2).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) & !3);
            let allowed: usize = thread::scope(|scope| {
                let work = || {
                    let view = Slots { slots: storage.view(), node: &node };
                    start.wait();
                    keys().filter(|key| view.take::<()>(&SPEC, *key, 1).is_ok()).count()
                };
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(allowed, keys().count());
        }
    }
}
