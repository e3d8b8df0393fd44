//! How a key becomes the 64 bits that stand for it in a table.
//!
//! `SipHash-1-3` (Aumasson and Bernstein, "`SipHash`: a fast short-input PRF", 2012) under a key drawn once per process
//! from the operating system: somebody who chooses the keys that are counted cannot aim them at one set of the table, nor
//! at another's bucket.

use core::hash::{BuildHasher, Hash};
use once_cell::race::OnceBox;
use std::hash::RandomState;

/// Drawn by the first keyed call. Of threads that race for it one wins; the others use what it drew.
static SEED: OnceBox<RandomState> = OnceBox::new();

/// A keyed, well-mixed hash of `key`.
#[inline]
pub(crate) fn of<K: Hash + ?Sized>(key: &K) -> u64 {
    SEED.get_or_init(|| Box::new(RandomState::new())).hash_one(key)
}
