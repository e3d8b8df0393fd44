//! Everything that may be written in more than one way.

use limiter::limit;
use std::time::Duration;

const WINDOW: Duration = Duration::from_secs(60);

#[limit(window = "1h", requests = 1)]
fn in_another_order() -> Option<()> {
    Some(())
}

#[limit(requests = 1, window = "1h",)]
fn trailing_comma() -> Option<()> {
    Some(())
}

#[limit {
    requests = 1_0u32,
    window = r"1h30m",
}]
fn braces_suffix_and_raw_string() -> Option<()> {
    Some(())
}

#[limit(requests = (0x10), window = WINDOW)]
fn hexadecimal_and_parentheses() -> Option<()> {
    Some(())
}

#[limiter::limit(strategy = limiter::TokenBucket, requests = 5 * 2, window = WINDOW, burst = 1 + 1)]
fn paths_and_expressions() -> Option<()> {
    Some(())
}

#[limit(strategy = <Alias as Of>::Strategy, requests = u64::MAX >> 40, window = "1d1h1m1s1ms1us1ns")]
fn associated_strategy_and_all_units() -> Option<()> {
    Some(())
}

#[limit(requests = 1, window = "1µs", crate = ::limiter)]
fn micro_sign() -> Option<()> {
    Some(())
}

struct Alias;

trait Of {
    type Strategy;
}

impl Of for Alias {
    type Strategy = limiter::FixedWindow;
}

fn main() {
    let all = [
        in_another_order,
        trailing_comma,
        braces_suffix_and_raw_string,
        hexadecimal_and_parentheses,
        paths_and_expressions,
        associated_strategy_and_all_units,
        micro_sign,
    ];
    assert!(all.iter().all(|f| f().is_some()));
}
