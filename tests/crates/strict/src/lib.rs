//! A library of a user's with every lint against it. Some are about what others can reach, and say nothing in a test.
#![forbid(unsafe_code, unused, missing_docs, unreachable_pub, unreachable_code, unused_qualifications, unused_results)]
#![forbid(rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, future_incompatible, keyword_idents)]
#![forbid(missing_debug_implementations, let_underscore, refining_impl_trait)]
#![forbid(single_use_lifetimes, redundant_lifetimes, elided_lifetimes_in_paths, unused_lifetimes, non_ascii_idents)]
#![forbid(trivial_casts, trivial_numeric_casts, unit_bindings, variant_size_differences, macro_use_extern_crate)]
#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]

use core::fmt::{self, Display};
use core::future::Future;
use core::net::SocketAddr;
use core::time::Duration;
use limiter::{Rejected, TokenBucket, limit};

/// The window of the limits that have no literal.
pub const WINDOW: Duration = Duration::from_secs(1);

/// What may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A call too many.
    Busy,
}

impl From<Rejected> for Problem {
    fn from(_: Rejected) -> Self {
        Self::Busy
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("busy")
    }
}

impl core::error::Error for Problem {}

/// Searches.
///
/// # Errors
///
/// When there were too many searches.
#[limit(strategy = TokenBucket, requests = 1, window = WINDOW, burst = 1, key = (query, page), capacity = 64)]
pub fn search(query: &str, page: usize) -> Result<usize, Problem> {
    let length = query.chars().count();
    Ok(length.wrapping_add(page))
}

/// Answers one client.
#[must_use]
#[limit(requests = 1, window = "1s", key = ip)]
pub fn answer(_: u8, peer: SocketAddr) -> Option<u16> {
    Some(peer.port())
}

/// Says it.
#[must_use]
#[limit(requests = 1, window = "1s", fallback = rejected.to_string(), name = "speech")]
pub fn speech() -> String {
    String::from("ladies and gentlemen")
}

/// Waits for it.
///
/// # Errors
///
/// When there were too many.
#[limit(requests = 1, window = "1s", key = name)]
pub async fn wait(name: &str) -> Result<usize, Problem> {
    core::future::ready(()).await;
    Ok(name.len())
}

/// Will know later.
#[limit(requests = 1, window = "1s")]
pub fn later() -> impl Future<Output = Option<u8>> + Send {
    core::future::ready(Some(1))
}

/// Knows now or later.
#[limit(requests = 1, window = "1s", fallback = async { 0 })]
pub fn sooner_or_later() -> impl Future<Output = u8> + Send {
    core::future::ready(1)
}

/// Counts.
#[derive(Debug, Default)]
pub struct Counter {
    id: u32,
    counted: u64,
}

impl Counter {
    /// A counter with a number of its own.
    #[must_use]
    pub const fn new(id: u32) -> Self {
        Self { id, counted: 0 }
    }

    /// How many were counted.
    #[limit(requests = 2, window = "1s", key = self.id, fallback = ())]
    pub fn count(&mut self) {
        self.counted = self.counted.saturating_add(1);
    }

    /// Gives up what was counted.
    #[must_use]
    #[limit(requests = 1, window = "1s", key = (self.id, "into"))]
    pub fn into_counted(self) -> Option<u64> {
        Some(self.counted)
    }
}

/// Greets.
pub trait Greet {
    /// Whom.
    fn name(&self) -> &str;

    /// The words.
    #[limit(requests = 1, window = "1s", key = self.name())]
    fn greet(&self) -> Option<String> {
        Some(format!("hello, {}", self.name()))
    }
}

impl Greet for str {
    fn name(&self) -> &str {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_limited() {
        let _time = limiter::test::freeze();
        let peer = SocketAddr::from(([192, 0, 2, 1], 443));
        assert_eq!((search("abc", 1), search("abc", 1)), (Ok(4), Err(Problem::Busy)));
        assert_eq!((answer(1, peer), answer(2, peer)), (Some(443), None));
        assert_eq!((speech().len(), speech().starts_with("rate limit `speech`")), (20, true));
        drop((wait("a"), later(), sooner_or_later()));
        let mut counter = Counter::new(7);
        (0..5).for_each(|_| counter.count());
        assert_eq!((counter.into_counted(), Counter::new(7).into_counted()), (Some(2), None));
        assert_eq!(("you".greet().as_deref(), "you".greet()), (Some("hello, you"), None));
    }
}
