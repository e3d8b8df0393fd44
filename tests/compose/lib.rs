//! Nothing but what does not compile; each test file is about one foreign crate.
//!
//! `impl IntoResponse` is taken for axum's, as the attribute sees no more than the name. Under poem's it does not compile,
//! with a fallback or without:
//!
//! ```compile_fail,E0277
//! #[poem::handler]
//! #[limiter::limit(requests = 1, window = "1m", fallback = "later")]
//! fn hidden() -> impl poem::IntoResponse {
//!     "now"
//! }
//! ```
//!
//! Under axum's it does, and with poem's type:
//!
//! ```
//! #[limiter::limit(requests = 1, window = "1m", fallback = "later")]
//! fn hidden() -> impl axum::response::IntoResponse {
//!     "now"
//! }
//!
//! #[poem::handler]
//! #[limiter::limit(requests = 1, window = "1m", fallback = "later")]
//! fn named() -> &'static str {
//!     "now"
//! }
//! ```
