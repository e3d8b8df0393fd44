//! A rate limit on any function.
#![forbid(unsafe_code)]

#[doc(inline)]
pub use limiter_core::*;
