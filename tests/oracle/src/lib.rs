//! A naive limiter, and histories on which the real one must answer as it does.
//!
//! The oracle keeps a list of what was granted and recomputes everything from it in whole numbers of 128 bits, without
//! rounding. It shares neither code nor idea with `limiter-core`: each is written from what `DESIGN.md` and the
//! documentation promise.
//!
//! Reading order: `oracle` (what a strategy's naive twin can say), `token_bucket` and `fixed_window` (two twins), `history`
//! (what callers and the clock do), `bytes` (the same from a fuzzer's bytes), `replay` (both side by side) with `promises`
//! (what is asked of each answer and of a whole history), `generate` (histories by chance).
//!
//! Another strategy is another file beside `token_bucket`, a variant of [`Algorithm`] and a line in [`check_history`].
//! Another kind of call is a variant of [`Operation`], and a method of [`Oracle`] that says what it does.

mod bytes;
mod fixed_window;
pub mod generate;
mod history;
mod oracle;
mod promises;
mod replay;
mod token_bucket;

pub use history::{Algorithm, History, MOST_OPERATIONS, Operation, Permits, Span};
pub use oracle::{Allowance, Expected, Oracle, Refusal, Subject};
pub use promises::{Answered, Grant, excess, keep_the_bound};
pub use replay::{Call, Clock, call, calls_of, check_history, decision};
