//! The runtime of limiter.
