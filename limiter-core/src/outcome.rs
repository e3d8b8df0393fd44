//! What a limit answers: [`Allowed`] or [`Rejected`], and how long until what.

use core::{error::Error, fmt, time::Duration};

/// No wait helps. As an instant it lies in the year 2554, so no real wait is that long.
pub(crate) const NEVER: u64 = u64::MAX;

/// A call was permitted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) reset_after: u64,
}

impl Allowed {
    /// The most permits there can be at once: the burst, or the requests of one window.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Permits left after this call.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// How long until all permits are there again, if nobody takes one meanwhile. Of a fixed window it is how long until the
    /// window ends, even when all are there.
    #[must_use]
    pub const fn reset_after(&self) -> Duration {
        Duration::from_nanos(self.reset_after)
    }
}

impl fmt::Debug for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allowed")
            .field("limit", &self.limit)
            .field("remaining", &self.remaining)
            .field("reset_after", &self.reset_after())
            .finish()
    }
}

/// A call was refused: nothing was taken.
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::{Limiter, Quota, TokenBucket};
///
/// static EXPORTS: Limiter<TokenBucket> = Limiter::named("exports", Quota::per_hour(1));
/// EXPORTS.try_acquire().unwrap();
/// let rejected = EXPORTS.try_acquire().unwrap_err();
/// assert_eq!(rejected.name(), "exports");
/// assert!(rejected.retry_after().unwrap().as_secs() <= 3_600);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rejected {
    name: &'static str,
    limit: u64,
    remaining: u64,
    reset_after: u64,
    retry_after: u64,
}

impl Rejected {
    #[inline]
    pub(crate) const fn new(
        name: &'static str,
        limit: u64,
        remaining: u64,
        reset_after: u64,
        retry_after: u64,
    ) -> Self {
        Self { name, limit, remaining, reset_after, retry_after }
    }

    /// The limit that refused: `module::path::function`, or the name it was given.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The most permits there can be at once: the burst, or the requests of one window.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Permits that are there. Not enough for this call; 0 unless the call asked for several.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// How long until all permits are there again, if nobody takes one meanwhile. Of a fixed window it is how long until the
    /// window ends, even when all are there.
    #[must_use]
    pub const fn reset_after(&self) -> Duration {
        Duration::from_nanos(self.reset_after)
    }

    /// After this long the same call is permitted, if nobody takes a permit meanwhile.
    ///
    /// `None` when waiting never helps, as when the call asked for more than the limit can ever hold.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        if self.retry_after == NEVER { None } else { Some(Duration::from_nanos(self.retry_after)) }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rate limit `{}` exceeded: ", self.name)?;
        match self.retry_after() {
            Some(wait) => write!(f, "retry in {:?}", rounded_up(wait)),
            None => write!(f, "no wait helps with a limit of {}", self.limit),
        }
    }
}

/// A wait as a person reads it: in whole milliseconds, or seconds from ten seconds on. Rounded up, so that it stays enough.
fn rounded_up(wait: Duration) -> Duration {
    let unit = match wait.as_secs() {
        0 if wait < Duration::from_millis(1) => Duration::from_nanos(1),
        0..10 => Duration::from_millis(1),
        _ => Duration::from_secs(1),
    };
    let units = wait.as_nanos().div_ceil(unit.as_nanos());
    unit.saturating_mul(u32::try_from(units).unwrap_or(u32::MAX))
}

impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("name", &self.name)
            .field("limit", &self.limit)
            .field("remaining", &self.remaining)
            .field("reset_after", &self.reset_after())
            .field("retry_after", &self.retry_after())
            .finish()
    }
}

impl Error for Rejected {}

/// Of the kind [`QuotaExceeded`](std::io::ErrorKind::QuotaExceeded), with the refusal inside.
impl From<Rejected> for std::io::Error {
    fn from(rejected: Rejected) -> Self {
        Self::new(std::io::ErrorKind::QuotaExceeded, rejected)
    }
}

#[cfg(test)]
mod tests {
    use super::{NEVER, Rejected};

    #[test]
    fn a_refusal_says_which_limit_and_how_long() {
        let rejected = Rejected::new("shop::search", 100, 0, 1_000_000_000, 10_000_000);
        assert_eq!(rejected.to_string(), "rate limit `shop::search` exceeded: retry in 10ms");
        for (wait, shown) in [
            (0, "0ns"),
            (999_999, "999.999µs"),
            (10_000_001, "11ms"),
            (9_999_000_001, "10s"),
            (90_000_000_001, "91s"),
            (31_536_000_000_000_000, "31536000s"),
        ] {
            let rejected = Rejected::new("l", 100, 0, wait, wait);
            assert_eq!(rejected.to_string(), format!("rate limit `l` exceeded: retry in {shown}"));
        }
        let rejected = Rejected::new("shop::search", 100, 0, 1_000_000_000, NEVER);
        assert_eq!(rejected.to_string(), "rate limit `shop::search` exceeded: no wait helps with a limit of 100");
    }

    #[test]
    fn a_refusal_is_an_io_error_that_holds_it() {
        let rejected = Rejected::new("shop::search", 100, 0, 1, 1);
        let error = std::io::Error::from(rejected);
        assert_eq!(error.kind(), std::io::ErrorKind::QuotaExceeded);
        assert_eq!(error.get_ref().and_then(|inner| inner.downcast_ref()), Some(&rejected));
    }

    #[test]
    fn a_refusal_travels_wherever_an_error_must() {
        fn travels<T: std::error::Error + Copy + Send + Sync + 'static>() {}
        travels::<Rejected>();
    }
}
