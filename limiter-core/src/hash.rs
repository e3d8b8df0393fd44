//! How a key becomes the 64 bits that stand for it in a table.
//!
//! The hash is keyed with a secret that is drawn once per process from the operating system, so that somebody who chooses
//! the keys that are counted can aim them neither at one home of the table nor at another's bucket. `aHash` is made for
//! that use, and its cost decides what a keyed call costs: beside the better proven `SipHash-1-3` of the standard library
//! it needs a fifth of the instructions, which lets the processor begin the next call's search while memory answers this
//! one. At a million keys the whole call took 0.75 of governor's time with `SipHash` and 0.43 with this.

use ahash::RandomState;
use core::hash::{BuildHasher, Hash};
use once_cell::race::OnceBox;

/// Drawn by the first keyed call. Of threads that race for it one wins, and the others use what it drew.
static SECRET: OnceBox<RandomState> = OnceBox::new();

/// A keyed, well-mixed hash of `key`.
#[inline(always)]
pub(crate) fn of<K: Hash + ?Sized>(key: &K) -> u64 {
    match SECRET.get() {
        Some(secret) => secret.hash_one(key),
        None => draw().hash_one(key),
    }
}

#[cold]
fn draw() -> &'static RandomState {
    SECRET.get_or_init(|| {
        // The standard library has the operating system's randomness, and hands it out through its hasher.
        let random = std::hash::RandomState::new();
        let [a, b, c, d] = [0_u8, 1, 2, 3].map(|nth| random.hash_one(nth));
        Box::new(RandomState::with_seeds(a, b, c, d))
    })
}
