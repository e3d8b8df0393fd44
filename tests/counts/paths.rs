//! Takes one path through a limit a number of times: `limiter-counts <path> <calls>`. `tests/counts.rs` counts the
//! instructions.
//!
//! The functions do nothing, so that what they execute is the guard's. `unguarded` and `unguarded-ip` are the same functions
//! without an attribute.

use limiter::{FixedWindow, Rejected, TokenBucket, limit};
use std::{
    hint::black_box,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    process::ExitCode,
};

/// What a literal says in the other functions, which is fast enough that every call is allowed.
const PLENTY: u64 = 1_000_000_000;

fn unguarded(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = 1_000_000_000, window = "1s")]
fn bucket_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s")]
fn constant_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s", key = x)]
fn constant_number_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = 1, window = "1h")]
fn bucket_refused(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = FixedWindow, requests = 1_000_000_000, window = "1s")]
fn window_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = FixedWindow, requests = 1, window = "365d")]
fn window_refused(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = 1_000_000_000, window = "1s", key = x)]
fn number_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

#[limit(strategy = TokenBucket, requests = 1, window = "1h", key = x)]
fn number_refused(x: u64) -> Result<u64, Rejected> {
    Ok(x)
}

fn unguarded_ip(_peer: IpAddr) -> Result<u64, Rejected> {
    Ok(0)
}

#[limit(strategy = TokenBucket, requests = 1_000_000_000, window = "1s", key = ip)]
fn ip_allowed(_peer: IpAddr) -> Result<u64, Rejected> {
    Ok(0)
}

#[limit(strategy = TokenBucket, requests = 1, window = "1h", key = ip)]
fn ip_refused(_peer: IpAddr) -> Result<u64, Rejected> {
    Ok(0)
}

/// Calls through a pointer that the compiler knows nothing of, so that the loop is the same around every function.
fn repeat<A: Copy>(calls: u64, argument: A, call: fn(A) -> Result<u64, Rejected>) {
    let call = black_box(call);
    for _ in 0..calls {
        let _ = black_box(call(argument));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, calls] = arguments.as_slice() else {
        eprintln!("usage: limiter-counts <path> <calls>");
        return ExitCode::FAILURE;
    };
    let Ok(calls) = calls.parse() else {
        eprintln!("`{calls}` is no number of calls");
        return ExitCode::FAILURE;
    };
    let v4 = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    let v6 = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 1, 2, 3, 4, 5, 6));
    match path.as_str() {
        "unguarded" => repeat(calls, 7, unguarded),
        "bucket-allowed" => repeat(calls, 7, bucket_allowed),
        "bucket-refused" => repeat(calls, 7, bucket_refused),
        "window-allowed" => repeat(calls, 7, window_allowed),
        "window-refused" => repeat(calls, 7, window_refused),
        "number-allowed" => repeat(calls, 7, number_allowed),
        "number-refused" => repeat(calls, 7, number_refused),
        "constant-allowed" => repeat(calls, 7, constant_allowed),
        "constant-number-allowed" => repeat(calls, 7, constant_number_allowed),
        "unguarded-ip" => repeat(calls, v4, unguarded_ip),
        "ipv4-allowed" => repeat(calls, v4, ip_allowed),
        "ipv4-refused" => repeat(calls, v4, ip_refused),
        "ipv6-allowed" => repeat(calls, v6, ip_allowed),
        _ => {
            eprintln!("no path is called `{path}`");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
