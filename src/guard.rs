//! What the guard in front of a body calls: the core's own functions, with the strategy in their types.
//!
//! They are inlined into each guarded function where that is optimised, and the quota then is a constant there. In a build for
//! debugging they are compiled once per strategy, as in each function they would only take the compiler's time: two thirds of
//! it, and more with a key.
//!
//! The expansion writes the strategy once, in the type of its static, and inference carries it from there to the spec and
//! the quota. A path that is no strategy is then one error, not one for each time it is named.

use std::hash::Hash;
use std::marker::PhantomData;
use std::time::Duration;

use limiter_core::__private as runtime;
use limiter_core::__private::{Bucket, Buckets, Chunks};
use limiter_core::{Rejected, Strategy};

/// The table of a keyed limit: `CAPACITY` slots in `CHUNKS` chunks.
pub type Table<S, const CAPACITY: usize, const CHUNKS: usize> = runtime::Table<S, Chunks<S, CAPACITY, CHUNKS>>;

/// A quota that was checked against what `S` can count.
pub struct Quota<S> {
    quota: runtime::Quota,
    strategy: PhantomData<fn() -> S>,
}

/// `window = …`, in nanoseconds, as the macro writes it where it is a literal.
#[track_caller]
#[must_use]
pub const fn window(window: Duration) -> u64 {
    // At most 365 days, when the check is passed.
    runtime::window(window).as_nanos() as u64
}

/// The most keys a limit can hold. The compiler holds the whole table several times over to find that it is all zeros: at 2²⁴
/// keys that takes it 1.3 GB, and somewhere above it runs out of memory without a word.
const MAX_CAPACITY: usize = 1 << 24;

/// `capacity = …`
///
/// # Panics
///
/// When it is 0 or too large: in the expansion, a compile error.
#[track_caller]
#[must_use]
pub const fn capacity(capacity: usize) -> usize {
    assert!(capacity <= MAX_CAPACITY, "`capacity` is at most 16777216 keys");
    runtime::capacity(capacity)
}

/// `requests` and `window` together, once `S` can count it.
///
/// # Panics
///
/// When they do not go together: in the expansion, a compile error.
#[track_caller]
#[must_use]
pub const fn quota<S: Strategy>(requests: u64, nanos: u64) -> Quota<S> {
    let quota = runtime::quota::<S>(requests, Duration::from_nanos(nanos), None);
    Quota { quota, strategy: PhantomData }
}

/// The same with a burst, checked apart so that what only the burst has wrong is reported at the burst.
///
/// # Panics
///
/// When the quota cannot have it: in the expansion, a compile error.
#[track_caller]
#[must_use]
pub const fn quota_with_burst<S: Strategy>(quota: Quota<S>, burst: u64) -> Quota<S> {
    let (requests, window) = (quota.quota.requests(), quota.quota.window());
    Quota { quota: runtime::quota::<S>(requests, window, Some(burst)), strategy: PhantomData }
}

/// `requests` and `window` of a limit with a key, in one number. It is a generic argument, which can be nothing generic: a table
/// has one quota, by which it also judges whose place a new key takes. `cargo check` evaluates it, too.
///
/// # Panics
///
/// When they do not go together: in the expansion, a compile error.
#[track_caller]
#[must_use]
pub const fn rate(requests: u64, nanos: u64) -> u128 {
    let _ = limiter_core::Quota::new(requests, Duration::from_nanos(nanos));
    (requests as u128) << 64 | nanos as u128
}

/// The quota of a [`rate`], once `S` can count it.
#[track_caller]
#[must_use]
pub const fn quota_of<S: Strategy, const RATE: u128>() -> Quota<S> {
    quota((RATE >> 64) as u64, RATE as u64)
}

/// [`quota_with_burst`] for a limit with a key.
#[track_caller]
#[must_use]
pub const fn quota_of_with_burst<S: Strategy, const BURST: u64>(quota: Quota<S>) -> Quota<S> {
    quota_with_burst(quota, BURST)
}

/// The spec of a limit that decides by `S`.
pub struct Spec<S> {
    spec: runtime::Spec,
    strategy: PhantomData<fn() -> S>,
}

impl<S: Strategy> Spec<S> {
    /// See [`runtime::Spec::here`]: of a limit that stands where the attribute does.
    #[track_caller]
    #[must_use]
    pub const fn new(name: &'static str, quota: Quota<S>) -> Self {
        Spec { spec: runtime::Spec::here::<S>(name, quota.quota), strategy: PhantomData }
    }
}

impl<S> Spec<S> {
    /// See [`runtime::Spec::named`].
    #[must_use]
    pub const fn named(self) -> Self {
        Spec { spec: self.spec.named(), strategy: PhantomData }
    }
}

/// Takes a permit for this call.
///
/// # Errors
///
/// When there is none.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn check<S: Strategy>(bucket: &'static Bucket<S>, spec: &'static Spec<S>) -> Result<(), Rejected> {
    bucket.check(&spec.spec)
}

/// Takes a permit for this call of the bucket of its quota, where the instances of a function may differ in theirs.
///
/// # Errors
///
/// When there is none.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn check_by_quota<S: Strategy>(buckets: &'static Buckets<S>, spec: &'static Spec<S>) -> Result<(), Rejected> {
    buckets.check(&spec.spec)
}

/// Takes a permit of this key's for this call.
///
/// # Errors
///
/// When there is none.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn check_key<S: Strategy, const CAPACITY: usize, const CHUNKS: usize, K: Hash + ?Sized>(
    table: &'static Table<S, CAPACITY, CHUNKS>,
    spec: &'static Spec<S>,
    key: &K,
) -> Result<(), Rejected> {
    table.check(&spec.spec, key)
}

/// The return type of a function pointer. Applied to `fn() -> !` it is a name for `!`, which has none in type position.
pub trait Returns {
    /// The type.
    type Value;
}

impl<T> Returns for fn() -> T {
    type Value = T;
}

/// The type of an expression that does not return.
pub type Never = <fn() -> ! as Returns>::Value;

/// The other branch beside a fallback that may not return: with it, what follows the fallback can be reached as far as the
/// compiler is concerned, and is not reported when it cannot.
#[must_use]
pub fn impossible<T>() -> T {
    unreachable!("the expansion never takes this branch")
}
