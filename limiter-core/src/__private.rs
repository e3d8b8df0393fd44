//! What the expansion of `#[limit]` names: the statics it makes and the checks it runs while constants are evaluated.
//!
//! Each check is called where the user's expression stands, so that its panic, a compile error there, underlines that
//! expression and nothing else.

pub use crate::{
    bucket::{Bucket, Buckets},
    fixed_window::FixedWindow,
    outcome::Rejected,
    quota::Quota,
    spec::Spec,
    storage::{Chunks, chunks},
    table::Table,
};
pub use core::{
    concat, module_path,
    option::Option::{self, None, Some},
    primitive::usize,
    result::Result::{self, Err, Ok},
    stringify,
    time::Duration,
};

use crate::{quota::QuotaError, strategy::Strategy};

/// `requests = …`
#[track_caller]
#[must_use]
pub const fn requests(requests: u64) -> u64 {
    if requests == 0 {
        QuotaError::NoRequests.raise();
    }
    requests
}

/// `window = …`
#[track_caller]
#[must_use]
pub const fn window(window: Duration) -> Duration {
    if let Err(error) = Quota::try_new(1, window) {
        error.raise();
    }
    window
}

/// `burst = …`
#[track_caller]
#[must_use]
pub const fn burst(burst: u64) -> u64 {
    if burst == 0 {
        QuotaError::NoBurst.raise();
    }
    burst
}

/// `capacity = …`
#[track_caller]
#[must_use]
pub const fn capacity(capacity: usize) -> usize {
    assert!(capacity > 0, "`capacity` is 0, which can hold no key; it must be at least 1");
    capacity
}

/// The three together.
#[track_caller]
#[must_use]
pub const fn quota<S: Strategy>(requests: u64, window: Duration, burst: Option<u64>) -> Quota {
    let quota = Quota::new(requests, window);
    let quota = match burst {
        Some(burst) => {
            assert!(
                S::HAS_BURST,
                "this strategy has no burst and would ignore it; remove `burst`, or use `TokenBucket`"
            );
            quota.burst(burst)
        }
        None => quota,
    };
    assert!(requests <= S::MAX_REQUESTS, "this strategy cannot count that many requests per window");
    quota
}
