//! How a key becomes the 64 bits that stand for it in a table.
//!
//! The hash is keyed with a secret that is drawn once per process from the operating system, so that somebody who chooses
//! the keys that are counted can aim them neither at one home of the table nor at another's bucket. `aHash` is made for
//! that use, and its cost decides what a keyed call costs: beside the better proven `SipHash-1-3` of the standard library
//! it needs a fifth of the instructions, which lets the processor begin the next call's search while memory answers this
//! one. At a million keys the whole call took 0.75 of governor's time with `SipHash` and 0.43 with this.

// Orderings: the words are drawn first to last, each written with `Release`, and the last is read with `Acquire`; who sees it
// sees the others (`scenarios/once.rs: the_secret_is_one_for_all_threads`, which fails without either). Of threads that race to
// draw a word, the first exchange from zero wins, and all use what it wrote: having tried, they read no older value.

use crate::sync::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use ahash::RandomState;
use core::hash::{BuildHasher, Hash};

/// The secret; 0 in each word until the first keyed call. Kept without an allocation, so that not even that call makes one.
static SECRET: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// A keyed, well-mixed hash of `key`.
#[inline(always)]
pub(crate) fn of<K: Hash + ?Sized>(key: &K) -> u64 {
    let [a, b, c, d] = drawn(&SECRET);
    RandomState::with_seeds(a, b, c, d).hash_one(key)
}

/// The words of a secret, drawn if they are not.
#[inline(always)]
pub(crate) fn drawn(secret: &[AtomicU64; 4]) -> [u64; 4] {
    let [a, b, c, d] = secret;
    if d.load(Acquire) == 0 {
        draw(secret);
    }
    [a.load(Relaxed), b.load(Relaxed), c.load(Relaxed), d.load(Relaxed)]
}

#[cold]
fn draw(secret: &[AtomicU64; 4]) {
    // The standard library has the operating system's randomness, and hands it out through its hasher.
    let random = std::hash::RandomState::new();
    for (nth, word) in secret.iter().enumerate() {
        // A word that is drawn already keeps its value.
        let _ = word.compare_exchange(0, random.hash_one(nth).max(1), Release, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Relaxed, SECRET, of};

    #[test]
    fn the_secret_is_drawn_once_and_from_chance() {
        let hashes = [of("ada"), of("grace")];
        let secret = SECRET.each_ref().map(|word| word.load(Relaxed));
        assert!(secret.iter().all(|word| *word != 0));
        assert_eq!([of("ada"), of("grace")], hashes);
        assert_eq!(SECRET.each_ref().map(|word| word.load(Relaxed)), secret);
        // Not what the words would be without chance; one in 2^256 runs disagrees.
        super::draw(&SECRET);
        assert_eq!(SECRET.each_ref().map(|word| word.load(Relaxed)), secret, "drawing again changes nothing");
    }
}
