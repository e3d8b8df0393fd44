//! The runtime of [`limiter`](https://docs.rs/limiter-rs): what a limit is, how it decides, and where it keeps its state.
//!
//! Users depend on `limiter-rs`, which re-exports all of this beside the attribute. Reading order: `quota` (the numbers),
//! `strategy` (the extension point), `fixed_window` and `token_bucket` (two decisions) with `word` (the exchange around
//! them), `take` (one decision in use), then `bucket` and `table` with `replace` (where states are kept), and `limiter` and
//! `keyed` (their public faces).

#[cfg(feature = "axum")]
mod axum;
mod bucket;
mod clock;
mod fixed_window;
mod hash;
mod keyed;
mod limiter;
mod names;
mod outcome;
mod quota;
mod ratio;
pub mod registry;
mod replace;
#[cfg(test)]
mod scenarios;
mod spec;
mod storage;
mod strategy;
mod sync;
mod table;
mod take;
#[cfg(feature = "test-util")]
pub mod test;
mod token_bucket;
mod word;

pub use clock::Nanos;
pub use fixed_window::FixedWindow;
pub use keyed::Keyed;
pub use limiter::Limiter;
pub use outcome::{Allowed, Rejected};
pub use quota::{MAX_WINDOW, Quota, QuotaError};
pub use strategy::{Decision, Strategy};
pub use token_bucket::TokenBucket;

/// What the attribute's expansion names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private;
