#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "axum")]
mod axum;
mod boxed;
mod client_ip;
mod from_rejected;
mod guard;
mod probe;
mod reply;

pub use client_ip::{Client, ClientIp};
pub use from_rejected::{ErrorFromRejected, FromRejected};
#[cfg(feature = "test-util")]
pub use limiter_core::test;
pub use limiter_core::{
    Allowed, Decision, FixedWindow, Keyed, Limiter, MAX_WINDOW, Nanos, Quota, QuotaError, Rejected, Strategy,
    TokenBucket, registry,
};
#[doc = include_str!("limit.md")]
pub use limiter_macros::limit;

/// What the attribute's expansion names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {

    pub use crate::boxed::boxed;
    pub use crate::from_rejected::FromRejected;
    pub use crate::guard::{
        Never, Spec, Table, capacity, check, check_by_quota, check_key, impossible, quota, quota_of,
        quota_of_with_burst, quota_with_burst, rate, window,
    };
    pub use crate::probe::{IpBinding, NoClientIp, Probe, or, the_ip};
    pub use crate::reply::{Either, Reply, call_once};
    pub use crate::{__limit_future as future, __limit_into_response as into_response};
    pub use limiter_core::__private::*;
    #[cfg(not(feature = "axum"))]
    pub use std::convert::identity as same;
}
