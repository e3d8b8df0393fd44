//! `Limiter`: a limit as a value, for callers who want verbs instead of an attribute.

use crate::{
    bucket::Bucket,
    fixed_window::FixedWindow,
    outcome::{Allowed, Rejected},
    quota::Quota,
    spec::Spec,
    strategy::Strategy,
};

/// One limit for all callers.
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::{Limiter, Quota, TokenBucket};
///
/// static OUTBOX: Limiter<TokenBucket> = Limiter::new(Quota::per_second(100));
///
/// match OUTBOX.try_acquire() {
///     Ok(allowed) => println!("{} left", allowed.remaining()),
///     Err(rejected) => println!("{rejected}"),
/// }
/// ```
///
/// # Consistency
///
/// Decisions on one limiter happen one after the other, in an order on which all threads agree. A caller may be refused
/// for a permit that another thread took an instant earlier; no permit is taken twice, and none is lost.
pub struct Limiter<S: Strategy = FixedWindow> {
    bucket: Bucket<S>,
    spec: Spec,
}

impl<S: Strategy> Limiter<S> {
    /// A limit without a name; [`Rejected::name`] says `unnamed`.
    ///
    /// # Panics
    ///
    /// When `quota` has more requests than `S` can count, or a burst and `S` has none. In a `static` that is a compile
    /// error.
    #[must_use]
    #[track_caller]
    pub const fn new(quota: Quota) -> Self {
        Self { bucket: Bucket::new(), spec: Spec::here::<S>("unnamed", quota) }
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
        Self { bucket: Bucket::new(), spec: Spec::here::<S>(name, quota).named() }
    }

    /// Takes one permit, or refuses at once.
    ///
    /// # Errors
    ///
    /// When there is no permit. Nothing was taken.
    #[inline(always)]
    pub fn try_acquire(&self) -> Result<Allowed, Rejected> {
        self.bucket.take(&self.spec, 1)
    }

    /// Takes `permits` permits together, or none; 0 only looks.
    ///
    /// # Errors
    ///
    /// When there are fewer. Nothing was taken. If `permits` is above what the limit can ever hold,
    /// [`Rejected::retry_after`] is `None`.
    #[inline(always)]
    pub fn try_acquire_n(&self, permits: u64) -> Result<Allowed, Rejected> {
        self.bucket.take(&self.spec, permits)
    }

    /// Runs `call` if there is a permit for it.
    ///
    /// ```
    /// # extern crate limiter_core as limiter;
    /// # use limiter::{Limiter, Quota, TokenBucket};
    /// static SAMPLES: Limiter<TokenBucket> = Limiter::new(Quota::per_hour(1));
    /// assert_eq!(SAMPLES.throttle(|| "sampled").ok(), Some("sampled"));
    /// assert_eq!(SAMPLES.throttle(|| "sampled").ok(), None);
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no permit. `call` was not run.
    #[inline(always)]
    pub fn throttle<R>(&self, call: impl FnOnce() -> R) -> Result<R, Rejected> {
        self.try_acquire().map(|_| call())
    }

    /// How many permits there are now. Another thread may have taken them by the time this returns.
    #[must_use]
    pub fn available(&self) -> u64 {
        self.try_acquire_n(0).map_or(0, |allowed| allowed.remaining())
    }

    /// What this limit allows.
    #[must_use]
    pub const fn quota(&self) -> Quota {
        self.spec.quota
    }

    /// Lists this limit in the [registry](crate::registry).
    pub fn register(&'static self) {
        self.bucket.register(&self.spec);
    }
}
