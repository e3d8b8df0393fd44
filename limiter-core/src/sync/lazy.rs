//! loom's atomic with a constant constructor.
//!
//! Users' limits are statics, so everything down to the atomics is made in constants; loom's atomics belong to one
//! execution of a model and cannot be. This one is made at its first use. loom takes the making for a plain write, which must
//! happen before all other uses: a scenario [`touch`](AtomicU64::touch)es what it made before it starts threads.

use super::Ordering;
use std::sync::OnceLock;

#[derive(Debug)]
pub struct AtomicU64 {
    first: u64,
    made: OnceLock<loom::sync::atomic::AtomicU64>,
}

impl AtomicU64 {
    pub const fn new(first: u64) -> Self {
        Self { first, made: OnceLock::new() }
    }

    pub fn touch(&self) -> &loom::sync::atomic::AtomicU64 {
        self.made.get_or_init(|| loom::sync::atomic::AtomicU64::new(self.first))
    }

    #[track_caller]
    pub fn load(&self, order: Ordering) -> u64 {
        self.touch().load(order)
    }

    #[track_caller]
    pub fn store(&self, value: u64, order: Ordering) {
        self.touch().store(value, order);
    }

    #[track_caller]
    pub fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.touch().fetch_add(value, order)
    }

    #[track_caller]
    pub fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.touch().compare_exchange(current, new, success, failure)
    }

    #[track_caller]
    pub fn fetch_update(
        &self,
        set: Ordering,
        fetch: Ordering,
        update: impl FnMut(u64) -> Option<u64>,
    ) -> Result<u64, u64> {
        self.touch().fetch_update(set, fetch, update)
    }
}
