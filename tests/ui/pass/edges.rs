//! What the attribute accepts as a literal, the runtime accepts as a value, up to the last one.

use limiter::{FixedWindow, TokenBucket, limit};

#[limit(requests = 1_000_000_000, window = "1s")]
fn one_per_nanosecond() -> Option<()> {
    Some(())
}

#[limit(strategy = TokenBucket, requests = 1, window = "1ns")]
fn shortest_window() -> Option<()> {
    Some(())
}

#[limit(strategy = FixedWindow, requests = 31_536_000_000_000_000, window = "365d")]
fn most_requests() -> Option<()> {
    Some(())
}

#[limit(strategy = TokenBucket, requests = 1, window = "365d", burst = 146)]
fn largest_burst() -> Option<()> {
    Some(())
}

#[limit(requests = 1, window = "1h", key = None::<u8>, capacity = 1)]
fn one_key() -> Option<()> {
    Some(())
}

fn main() {
    let all = [one_per_nanosecond, shortest_window, most_requests, largest_burst, one_key];
    assert!(all.iter().all(|f| f().is_some()));
}
