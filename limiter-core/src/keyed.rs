//! `Keyed`: a limit for each key, as a value.

use crate::{
    fixed_window::FixedWindow,
    outcome::{Allowed, Rejected},
    quota::Quota,
    spec::Spec,
    storage::Flat,
    strategy::Strategy,
    table::Table,
};
use core::hash::Hash;

/// One limit for each key, with room for about `CAPACITY` keys at once.
///
/// It belongs into a `static`: the value itself is the table, 16 bytes a slot for the built-in strategies and
/// `CAPACITY` slots, and on its way through a stack it can overflow it (1 MiB with the default capacity). In a `static`
/// it takes memory page by page as keys come; but as it carries its quota, the table is a part of the program's file, which
/// the attribute's is not. Nobody has to sweep it: when a key needs room, one that has all its
/// permits again makes it, and only when there is none, the one that has spent least.
/// [`Limit::evictions`](crate::registry::Limit::evictions) counts the latter.
///
/// Keys find room by their hash, and the last of the slots are found by few: with three quarters of the capacity full of
/// keys that have spent, one new key in 200 000 evicts another; with nine tenths, one in 1 000. Choose `CAPACITY` a third
/// above the keys that you expect within one window.
///
/// A key is anything that implements [`Hash`]. It is not kept: a hash under a secret of this process stands for it.
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::{Keyed, Quota, TokenBucket};
///
/// static LOGINS: Keyed<TokenBucket, 10_000> = Keyed::named("logins", Quota::per_hour(2));
///
/// assert!(LOGINS.try_acquire("ada").is_ok());
/// assert!(LOGINS.try_acquire("ada").is_ok());
/// assert!(LOGINS.try_acquire("ada").is_err());
/// assert!(LOGINS.try_acquire("grace").is_ok());
/// ```
///
/// # Consistency
///
/// As for [`Limiter`](crate::Limiter), for each key by itself. A key that was evicted starts anew when it returns.
pub struct Keyed<S: Strategy = FixedWindow, const CAPACITY: usize = 65_536> {
    table: Table<S, Flat<S, CAPACITY>>,
    spec: Spec,
}

impl<S: Strategy, const CAPACITY: usize> Keyed<S, CAPACITY> {
    /// A limit without a name; [`Rejected::name`] says `unnamed`.
    ///
    /// # Panics
    ///
    /// When `quota` has more requests than `S` can count, or a burst and `S` has none. In a `static` that is a compile
    /// error.
    #[must_use]
    #[track_caller]
    pub const fn new(quota: Quota) -> Self {
        Self { table: Table::new(), spec: Spec::here::<S>("unnamed", quota) }
    }

    /// A limit with the name that refusals and the registry show. No other limit with another quota may have it: see
    /// [`registry::check_names`](crate::registry::check_names).
    ///
    /// # Panics
    ///
    /// When `quota` has more requests than `S` can count, or a burst and `S` has none. In a `static` that is a compile
    /// error.
    #[must_use]
    #[track_caller]
    pub const fn named(name: &'static str, quota: Quota) -> Self {
        Self { table: Table::new(), spec: Spec::here::<S>(name, quota).named() }
    }

    /// Takes one permit of `key`, or refuses at once.
    ///
    /// # Errors
    ///
    /// When the key has no permit. Nothing was taken.
    #[inline]
    pub fn try_acquire<K: Hash + ?Sized>(&self, key: &K) -> Result<Allowed, Rejected> {
        self.table.take(&self.spec, key, 1)
    }

    /// Takes `permits` permits of `key` together, or none; 0 only looks.
    ///
    /// # Errors
    ///
    /// When the key has fewer. Nothing was taken. If `permits` is above what the limit can ever hold,
    /// [`Rejected::retry_after`] is `None`.
    #[inline]
    pub fn try_acquire_n<K: Hash + ?Sized>(&self, key: &K, permits: u64) -> Result<Allowed, Rejected> {
        self.table.take(&self.spec, key, permits)
    }

    /// Runs `call` if `key` has a permit for it.
    ///
    /// # Errors
    ///
    /// When the key has no permit. `call` was not run.
    #[inline]
    pub fn throttle<K: Hash + ?Sized, R>(&self, key: &K, call: impl FnOnce() -> R) -> Result<R, Rejected> {
        self.try_acquire(key).map(|_| call())
    }

    /// How many permits `key` has now. Another thread may have taken them by the time this returns.
    #[must_use]
    pub fn available<K: Hash + ?Sized>(&self, key: &K) -> u64 {
        self.try_acquire_n(key, 0).map_or(0, |allowed| allowed.remaining())
    }

    /// What this limit allows each key.
    #[must_use]
    pub const fn quota(&self) -> Quota {
        self.spec.quota
    }

    /// How many keys are held. It never falls: a key leaves only for another.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.table.held(&self.spec)
    }

    /// How often a key was replaced before it had all its permits again. Above 0, `CAPACITY` is too small.
    #[must_use]
    pub fn evictions(&self) -> u64 {
        self.table.evictions(&self.spec)
    }

    /// Lists this limit in the [registry](crate::registry).
    pub fn register(&'static self) {
        self.table.register(&self.spec);
    }
}
