//! Every atomic of this crate comes through here, so that a model checker can be put in its place.

#[cfg(feature = "test-util")]
pub(crate) use core::sync::atomic::AtomicBool;
pub(crate) use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
