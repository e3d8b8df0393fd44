//! What a limit is, apart from what it counts: its name, where it stands in the source, its strategy and its quota.

use crate::{quota::Quota, strategy::Strategy};
use core::{any::type_name, panic::Location};

/// The part of a limit that never changes.
#[derive(Clone, Copy)]
pub struct Spec {
    pub(crate) name: &'static str,
    /// Whether the name was given, and not made of the function's path: then it is nobody else's.
    pub(crate) is_named: bool,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    /// A function, because a type has no name yet while constants are evaluated.
    strategy: fn() -> &'static str,
    pub(crate) quota: Quota,
}

impl Spec {
    /// A limit that decides by `S`.
    ///
    /// # Panics
    ///
    /// When `quota` has more requests per window than `S` can count, or a burst that `S` would ignore.
    #[must_use]
    #[track_caller]
    pub const fn new<S: Strategy>(name: &'static str, file: &'static str, line: u32, quota: Quota) -> Self {
        assert!(quota.requests() <= S::MAX_REQUESTS, "the strategy cannot count that many requests per window");
        assert!(
            S::HAS_BURST || quota.burst_size() == quota.requests(),
            "the strategy has no burst and would ignore this one; leave it out, or use `TokenBucket`"
        );
        Self { name, is_named: false, file, line, strategy: type_name::<S>, quota }
    }

    /// The same with a name that was given to it.
    #[must_use]
    pub const fn named(mut self) -> Self {
        self.is_named = true;
        self
    }

    /// The spec of a limit that is made where its caller stands.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[must_use]
    #[track_caller]
    pub const fn here<S: Strategy>(name: &'static str, quota: Quota) -> Self {
        let place = Location::caller();
        Self::new::<S>(name, place.file(), place.line(), quota)
    }

    /// The strategy's type without the path to it.
    pub(crate) fn strategy(&self) -> &'static str {
        let path = (self.strategy)();
        let generics = path.find('<').unwrap_or(path.len());
        path.get(..generics).and_then(|path| path.rfind(':')).and_then(|colon| path.get(colon + 1..)).unwrap_or(path)
    }
}
