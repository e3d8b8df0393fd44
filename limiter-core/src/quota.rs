//! How much is allowed: so many requests per window, and how many at once.
//!
//! A quota is checked when it is made, in a `const` where it can be, and keeps beside what the user said the numbers that
//! the strategies decide with, so that deciding divides by nothing.
//!
//! # The token line
//!
//! `requests` per `window` is one permit every `window / requests` nanoseconds, and that is seldom a whole number: 7 per
//! second is one every 142 857 142.857… ns. Rounding the period loses or mints permits forever. Instead the *line* on
//! which token buckets live is stretched until a permit is a whole number of its units:
//!
//! ```text
//! C / U = window / requests in lowest terms: U permits every C nanoseconds
//! P = floor(C / U)                            units per permit
//! D = C - U·P                                 what rounding P down leaves of C, 0 <= D < U
//! units(now) = floor(now · (C - D) / C)       C nanoseconds are C - D = U·P units: U permits, exactly
//! nanos(t)   = ceil(t · C / (C - D))          the first nanosecond that has reached unit t
//! ```
//!
//! When `window / requests` is whole, D is 0 and a unit is a nanosecond. Otherwise a unit is longer than 1 ns and shorter
//! than 2 ns, and no error adds up, because every instant is scaled from the epoch and not from the one before it.
//!
//! Both divisions are by constants, and become multiplications in `ratio.rs`.

use crate::{
    clock::{Nanos, TICK},
    ratio::{Divisor, Ratio},
};
use core::{
    fmt,
    hash::{Hash, Hasher},
    time::Duration,
};

/// So many requests per window, and at most so many at once.
///
/// Its `Debug` form writes windows as the attribute does: `100 per 1m30s, burst 20`.
///
/// | | range |
/// |---|---|
/// | requests | 1 ..= 2⁶⁴−1 |
/// | window | 1 ns ..= 365 days |
/// | requests per window | at most one per nanosecond, 10⁹ per second |
/// | burst | 1 .. such that an empty bucket fills within 2⁶² ns, 146 years |
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::Quota;
/// use std::time::Duration;
///
/// const PLAN: Quota = Quota::new(100, Duration::from_secs(60)).burst(20);
/// assert_eq!((PLAN.requests(), PLAN.burst_size()), (100, 20));
/// assert!(Quota::try_new(0, Duration::from_secs(60)).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    requests: u64,
    window: Nanos,
    burst: u64,
    /// P, units per permit.
    pub(crate) permit: u64,
    /// burst · P: what a full bucket holds.
    pub(crate) capacity: u64,
    /// `units(now) = now - ceil(now · to_units)`
    to_units: Ratio,
    /// `nanos(t) = t + ceil(t · to_nanos)`
    to_nanos: Ratio,
    /// The number of the wall-clock window that `now` is in.
    to_window: Divisor,
    /// The bits in which a fixed window counts.
    pub(crate) count_bits: u32,
    /// The last instant of which the window can be numbered in the other bits.
    last_numbered: Nanos,
    /// A tick late moves a token bucket by less than a permit or by at most 1 % of its burst.
    pub(crate) bucket_tolerates_tick: bool,
}

/// The longest window: 365 days.
pub const MAX_WINDOW: Duration = Duration::from_secs(365 * 86_400);

/// The longest time an empty bucket may take to fill. It keeps every sum of an instant and a fill inside 64 bits.
pub(crate) const MAX_FILL: Nanos = 1 << 62;

/// Instants after this one (in the year 2408) count as this one.
pub(crate) const LAST_INSTANT: Nanos = u64::MAX - MAX_FILL;

/// What the user said; the rest follows from it.
impl Hash for Quota {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.requests, self.window, self.burst).hash(state);
    }
}

impl Quota {
    /// `requests` per `window`; the burst is `requests`.
    ///
    /// # Panics
    ///
    /// When a number is out of range. In a `const` or a `static` that is a compile error.
    /// [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub const fn new(requests: u64, window: Duration) -> Self {
        match Self::try_new(requests, window) {
            Ok(quota) => quota,
            Err(error) => error.raise(),
        }
    }

    /// `requests` per `window`; the burst is `requests`.
    ///
    /// # Errors
    ///
    /// Says which number is out of range and what the range is.
    pub const fn try_new(requests: u64, window: Duration) -> Result<Self, QuotaError> {
        if requests == 0 {
            return Err(QuotaError::NoRequests);
        }
        let nanos = window.as_nanos();
        if nanos == 0 {
            return Err(QuotaError::EmptyWindow);
        }
        if nanos > MAX_WINDOW.as_nanos() {
            return Err(QuotaError::WindowTooLong { window });
        }
        let window = nanos as u64;
        if requests > window {
            return Err(QuotaError::RateTooHigh { requests, ceiling: window });
        }

        let common = greatest_common_divisor(requests, window);
        let (cycle, per_cycle) = (window / common, requests / common);
        let permit = cycle / per_cycle;
        let drift = cycle - per_cycle * permit;
        let count_bits = 64 - requests.leading_zeros();
        // A window is at least `requests` nanoseconds long, so this is never before 2262, where `Divisor` ends.
        let numbered = (window as u128) << (64 - count_bits);
        let last_numbered = if numbered > 1 << 63 { (1 << 63) - 1 } else { numbered as u64 - 1 };
        let quota = Self {
            requests,
            window,
            burst: 0,
            permit,
            capacity: 0,
            to_units: Ratio::new(drift, cycle),
            to_nanos: Ratio::new(drift, cycle - drift),
            to_window: Divisor::new(window),
            count_bits,
            last_numbered,
            bucket_tolerates_tick: false,
        };
        quota.try_burst(requests)
    }

    /// `requests` per second.
    ///
    /// # Panics
    ///
    /// When `requests` is 0 or above 10⁹.
    #[must_use]
    #[track_caller]
    pub const fn per_second(requests: u64) -> Self {
        Self::new(requests, Duration::from_secs(1))
    }

    /// `requests` per minute.
    ///
    /// # Panics
    ///
    /// When `requests` is 0 or above 6·10¹⁰.
    #[must_use]
    #[track_caller]
    pub const fn per_minute(requests: u64) -> Self {
        Self::new(requests, Duration::from_secs(60))
    }

    /// `requests` per hour.
    ///
    /// # Panics
    ///
    /// When `requests` is 0 or above 3.6·10¹².
    #[must_use]
    #[track_caller]
    pub const fn per_hour(requests: u64) -> Self {
        Self::new(requests, Duration::from_secs(3_600))
    }

    /// `requests` per day of 86 400 seconds.
    ///
    /// # Panics
    ///
    /// When `requests` is 0 or above 8.64·10¹³.
    #[must_use]
    #[track_caller]
    pub const fn per_day(requests: u64) -> Self {
        Self::new(requests, Duration::from_secs(86_400))
    }

    /// One request every `period`, with a burst of 1.
    ///
    /// # Panics
    ///
    /// When `period` is zero or above 365 days.
    #[must_use]
    #[track_caller]
    pub const fn every(period: Duration) -> Self {
        Self::new(1, period)
    }

    /// The same rate with room for `permits` at once, for strategies that have a burst.
    ///
    /// # Panics
    ///
    /// When `permits` is 0, or so large that an empty bucket would take longer than 2⁶² ns (146 years) to fill.
    #[must_use]
    #[track_caller]
    pub const fn burst(self, permits: u64) -> Self {
        match self.try_burst(permits) {
            Ok(quota) => quota,
            Err(error) => error.raise(),
        }
    }

    /// [`burst`](Self::burst), returning the error.
    ///
    /// # Errors
    ///
    /// When `permits` is 0, or so large that an empty bucket would take longer than 2⁶² ns (146 years) to fill.
    pub const fn try_burst(mut self, permits: u64) -> Result<Self, QuotaError> {
        if permits == 0 {
            return Err(QuotaError::NoBurst);
        }
        let ceiling = MAX_FILL as u128 * self.requests as u128 / self.window as u128;
        if permits as u128 > ceiling {
            return Err(QuotaError::BurstTooLarge { burst: permits, ceiling: ceiling as u64 });
        }
        self.burst = permits;
        // At most MAX_FILL: a unit is never shorter than a nanosecond.
        self.capacity = permits * self.permit;
        let tick_is_under_a_permit = self.permit > TICK;
        let tick_is_under_a_hundredth = self.capacity >= 100 * TICK;
        self.bucket_tolerates_tick = tick_is_under_a_permit || tick_is_under_a_hundredth;
        Ok(self)
    }

    /// Requests per window.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// The window.
    #[must_use]
    pub const fn window(&self) -> Duration {
        Duration::from_nanos(self.window)
    }

    /// The most that can be taken at once by a strategy that has a burst: the `requests` of one window unless
    /// [`burst`](Self::burst) said otherwise.
    #[must_use]
    pub const fn burst_size(&self) -> u64 {
        self.burst
    }

    #[inline(always)]
    pub(crate) const fn window_nanos(&self) -> Nanos {
        self.window
    }

    /// The number of the wall-clock window that `now` is in; instants after the last that can be numbered are in its window.
    #[inline(always)]
    pub(crate) const fn window_number(&self, now: Nanos) -> u64 {
        self.to_window.divide(if now < self.last_numbered { now } else { self.last_numbered })
    }

    /// Where `now` stands on the token line, rounded down.
    #[inline(always)]
    pub(crate) const fn units(&self, now: Nanos) -> u64 {
        // The ratio is below 1, so its ceiling is at most `now`.
        now - self.to_units.ceil(now)
    }

    /// The first nanosecond that has reached `unit`.
    #[inline(always)]
    pub(crate) const fn nanos(&self, unit: u64) -> Nanos {
        unit.saturating_add(self.to_nanos.ceil(unit))
    }
}

impl fmt::Debug for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(Nanos, &str); 7] = [
            (86_400_000_000_000, "d"),
            (3_600_000_000_000, "h"),
            (60_000_000_000, "m"),
            (1_000_000_000, "s"),
            (1_000_000, "ms"),
            (1_000, "us"),
            (1, "ns"),
        ];
        write!(f, "{} per ", self.requests)?;
        let mut rest = self.window;
        for (nanos, unit) in UNITS {
            if rest >= nanos {
                write!(f, "{}{unit}", rest / nanos)?;
                rest %= nanos;
            }
        }
        if self.burst == self.requests { Ok(()) } else { write!(f, ", burst {}", self.burst) }
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Why a quota cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuotaError {
    /// `requests` is 0, which would refuse every call.
    NoRequests,
    /// The window is 0 ns long.
    EmptyWindow,
    /// The window is longer than 365 days.
    WindowTooLong {
        /// The window that was asked for.
        window: Duration,
    },
    /// More than one request per nanosecond.
    RateTooHigh {
        /// The requests that were asked for.
        requests: u64,
        /// The most that this window can have.
        ceiling: u64,
    },
    /// The burst is 0, which would refuse every call.
    NoBurst,
    /// An empty bucket of this size would take longer than 2⁶² ns, 146 years, to fill.
    BurstTooLarge {
        /// The burst that was asked for.
        burst: u64,
        /// The largest burst at this rate.
        ceiling: u64,
    },
}

impl QuotaError {
    /// Panics in words that a compile error can show: const evaluation formats nothing.
    #[track_caller]
    pub(crate) const fn raise(self) -> ! {
        match self {
            Self::NoRequests => panic!("`requests` is 0, which would refuse every call; it must be at least 1"),
            Self::EmptyWindow => panic!("the window is 0 ns long; it must be at least 1 ns"),
            Self::WindowTooLong { .. } => panic!("the window is longer than 365 days"),
            Self::RateTooHigh { .. } => {
                panic!("more than one request per nanosecond; lower `requests` or lengthen the window")
            }
            Self::NoBurst => panic!("`burst` is 0, which would refuse every call; it must be at least 1"),
            Self::BurstTooLarge { .. } => {
                panic!("`burst` is so large that an empty bucket would take more than 146 years to fill")
            }
        }
    }
}

impl fmt::Display for QuotaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRequests => f.write_str("requests is 0, which would refuse every call; it must be at least 1"),
            Self::EmptyWindow => f.write_str("the window is 0 ns long; it must be at least 1 ns"),
            Self::WindowTooLong { window } => {
                write!(f, "the window is {window:?} long; it can be at most 365 days, 31536000s")
            }
            Self::RateTooHigh { requests, ceiling } => write!(
                f,
                "{requests} requests are more than one per nanosecond; a window of this length can have {ceiling}"
            ),
            Self::NoBurst => f.write_str("burst is 0, which would refuse every call; it must be at least 1"),
            Self::BurstTooLarge { burst, ceiling } => write!(
                f,
                "a burst of {burst} would take more than 146 years to fill; at this rate it can be at most {ceiling}"
            ),
        }
    }
}

impl core::error::Error for QuotaError {}
