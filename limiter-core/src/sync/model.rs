//! `once_cell::race::OnceRef` as a model checker can see it.
//!
//! The original exchanges a pointer, and no pointer can be made of a checked atomic without `unsafe`. This one exchanges the
//! place of the reference in a list that all keep. The list is behind a lock of which the checkers know nothing, so that it orders
//! nothing in the model that the original would not order. The orderings are those that the original documents.

use super::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, PoisonError};

pub(crate) struct OnceRef<'a, T> {
    /// 1 + the place of the reference; 0 until it is set.
    place: AtomicU64,
    offered: Mutex<Vec<&'a T>>,
}

impl<'a, T> OnceRef<'a, T> {
    pub(crate) const fn new() -> Self {
        Self { place: AtomicU64::new(0), offered: Mutex::new(Vec::new()) }
    }

    pub(crate) fn get(&self) -> Option<&'a T> {
        let place = self.place.load(Acquire).checked_sub(1)?;
        self.offered.lock().unwrap_or_else(PoisonError::into_inner).get(place as usize).copied()
    }

    pub(crate) fn set(&self, value: &'a T) -> Result<(), ()> {
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        offered.push(value);
        let place = offered.len() as u64;
        drop(offered);
        self.place.compare_exchange(0, place, Release, Acquire).map(drop).map_err(drop)
    }

    #[cfg(limiter_loom)]
    pub(crate) fn touch(&self) {
        self.place.touch();
    }
}
