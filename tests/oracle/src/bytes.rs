//! A history from any bytes, for a fuzzer: it changes bytes, and every change must mean something.
//!
//! Bytes that are missing are 0, and numbers that are out of a quota's range are folded into it. A number is written as a
//! byte that says how wide it is and then so many bytes: small ones are as easily found as large ones.

use crate::history::{Algorithm, History, MOST_OPERATIONS, Operation, Permits, Span};
use limiter_core::{MAX_WINDOW, Nanos, Quota, test};
use std::time::Duration;

impl History {
    /// The history that these bytes mean. All bytes mean one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut bytes = Bytes { rest: bytes };
        let algorithm = match bytes.byte() % 2 {
            0 => Algorithm::TokenBucket,
            _ => Algorithm::FixedWindow,
        };
        let window = folded(bytes.number(), longest_window());
        let requests = folded(bytes.number(), window);
        let burst = bytes.number();
        let start = match bytes.byte() % 4 {
            0 => test::START,
            1 => bytes.number(),
            2 => test::START.saturating_sub(bytes.number()),
            _ => u64::MAX - bytes.number(),
        };
        let mut operations = Vec::new();
        while !bytes.rest.is_empty() && operations.len() < MOST_OPERATIONS {
            operations.push(bytes.operation());
        }
        Self { algorithm, quota: quota(algorithm, requests, window, burst), start, operations }
    }
}

/// A quota out of any numbers.
///
/// # Panics
///
/// When `limiter-core` refuses numbers that are in the range which it documents.
#[must_use]
pub(crate) fn quota(algorithm: Algorithm, requests: u64, window: Nanos, burst: u64) -> Quota {
    let window = folded(window, longest_window());
    let requests = folded(requests, window);
    let quota = Quota::try_new(requests, Duration::from_nanos(window)).expect("numbers that are in range");
    match algorithm {
        Algorithm::FixedWindow => quota,
        Algorithm::TokenBucket => {
            // What flows in within 2^62 ns.
            let ceiling = (u128::from(requests) << 62) / u128::from(window);
            let burst = folded(burst, u64::try_from(ceiling).unwrap_or(u64::MAX));
            quota.try_burst(burst).expect("a burst that is in range")
        }
    }
}

fn longest_window() -> Nanos {
    u64::try_from(MAX_WINDOW.as_nanos()).unwrap_or(u64::MAX)
}

/// The number itself if it is from 1 to `most`, else another that is.
fn folded(number: u64, most: u64) -> u64 {
    match number {
        0 => 1,
        number if number <= most => number,
        number => number % most + 1,
    }
}

struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    fn number(&mut self) -> u64 {
        let width = self.byte() % 9;
        (0..width).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    fn operation(&mut self) -> Operation {
        match self.byte() % 16 {
            0..8 => Operation::Take(self.permits()),
            8..12 => Operation::Forward(self.span()),
            12..15 => Operation::Back(self.span()),
            _ => Operation::Set(self.number()),
        }
    }

    fn permits(&mut self) -> Permits {
        match self.byte() % 16 {
            0..6 => Permits::Exactly(1),
            6 | 7 => Permits::Again,
            8 => Permits::Exactly(0),
            9 => Permits::Exactly(u64::from(self.byte())),
            10 => Permits::Exactly(self.number()),
            11 | 12 => Permits::Limit,
            13 => Permits::Remaining,
            14 => Permits::OneTooMany,
            _ => Permits::Above(self.number()),
        }
    }

    fn span(&mut self) -> Span {
        match self.byte() % 10 {
            0 => Span::Nanos(1),
            1 => Span::Nanos(u64::from(self.byte())),
            2 => Span::Nanos(self.number()),
            3 => Span::Windows(u64::from(self.byte() % 4)),
            4 => Span::Periods(u64::from(self.byte())),
            5 => Span::Retry,
            6 => Span::AlmostRetry,
            7 => Span::Reset,
            8 => Span::AlmostReset,
            _ => Span::Years(u64::from(self.byte())),
        }
    }
}
