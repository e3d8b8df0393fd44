//! What time it is: nanoseconds on one line that two clocks of different price read.
//!
//! The line is the kernel's monotonic time plus an offset that is taken once, when the process first asks, so that it
//! begins at the Unix epoch. Windows therefore open on wall-clock boundaries, and a later change of the wall clock moves
//! nothing.
//!
//! * [`precise`] is the monotonic clock.
//! * [`coarse`] is the same clock as of the kernel's last tick, at a fifth of the price: a lower bound of the time, behind by
//!   a tick, or by as long as the kernel was kept from ticking. It stands on the same line, so an instant read from one may be
//!   compared with one read from the other.
//!
//! Platforms without a coarse clock answer both from [`std::time::Instant`].
//!
//! # Orderings
//!
//! The offset is one word that carries its whole meaning; nothing else is published through it, so `Relaxed` does. Of threads
//! that race to set it only one exchanges it from zero, and all use what that one wrote (`scenarios/once.rs: the_clocks_offset_is_one_for_all_threads`).

#[cfg(any(target_os = "linux", target_os = "android"))]
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// Nanoseconds: an instant, since the Unix epoch, or a length of time.
pub type Nanos = u64;

/// The longest tick of a kernel: 10 ms, `CONFIG_HZ=100`. By it a quota chooses its clock, at compile time, when the
/// kernel is not known.
pub(crate) const TICK: Nanos = 10_000_000;

/// How far [`coarse`] may be behind and still be noticed. Kernels that are kept from ticking, as guests of a busy host are,
/// fall behind by several ticks: with a tick of 4 ms, 16 ms were seen.
pub(crate) const LAG: Nanos = 5 * TICK;

/// The time as of the kernel's last tick: never ahead of [`precise`].
#[inline(always)]
#[must_use]
pub(crate) fn coarse() -> Nanos {
    #[cfg(feature = "test-util")]
    if let Some(now) = crate::test::now() {
        return now;
    }
    clocks::coarse()
}

/// The time.
#[inline(always)]
#[must_use]
pub(crate) fn precise() -> Nanos {
    #[cfg(feature = "test-util")]
    if let Some(now) = crate::test::now() {
        return now;
    }
    clocks::precise()
}

#[cfg(not(any(limiter_loom, limiter_shuttle)))]
use platform as clocks;

/// A model has one instant. What happens at several is written out with the strategies, which are told the time.
#[cfg(any(limiter_loom, limiter_shuttle))]
mod clocks {
    pub(super) fn coarse() -> super::Nanos {
        1_767_225_600_000_000_000
    }

    pub(super) use coarse as precise;
}

/// What the word was set to first: now, or before.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn set_once(word: &AtomicU64, value: u64) -> u64 {
    match word.compare_exchange(0, value, Relaxed, Relaxed) {
        Ok(_) => value,
        Err(first) => first,
    }
}

/// The wall clock's reading; 0 for one that stands before 1970.
fn wall() -> Nanos {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(0)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod platform {
    use super::{Nanos, set_once, wall};
    use crate::sync::{AtomicU64, Ordering::Relaxed};

    /// What the monotonic clock lacks to the Unix epoch; 0 until the first call.
    static OFFSET: AtomicU64 = AtomicU64::new(0);

    #[inline(always)]
    pub(super) fn coarse() -> Nanos {
        // The sum is the wall clock's time but for its later changes: it wraps in the year 2554.
        read(libc::CLOCK_MONOTONIC_COARSE).wrapping_add(offset())
    }

    #[inline(always)]
    pub(super) fn precise() -> Nanos {
        read(libc::CLOCK_MONOTONIC).wrapping_add(offset())
    }

    #[inline(always)]
    fn offset() -> Nanos {
        match OFFSET.load(Relaxed) {
            0 => take_offset(),
            offset => offset,
        }
    }

    #[cold]
    fn take_offset() -> Nanos {
        set_once(&OFFSET, wall().saturating_sub(read(libc::CLOCK_MONOTONIC)).max(1))
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "the one exception of this workspace: std offers no coarse clock")]
    fn read(clock: libc::clockid_t) -> Nanos {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `clock_gettime` writes one `timespec` through the pointer and keeps nothing; `now` is one, initialised,
        // alive and borrowed by no one else. For the two clocks asked here the call cannot fail on a kernel that Rust
        // supports; were it to, `now` stays zero, which is a time like any other.
        unsafe { libc::clock_gettime(clock, &raw mut now) };
        // Neither part is ever negative on these clocks.
        (now.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(now.tv_nsec as u64)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
use portable as platform;

// Built for the tests of every platform, so that the fallback cannot rot.
#[cfg(any(test, not(any(target_os = "linux", target_os = "android"))))]
mod portable {
    use super::{Nanos, wall};
    use std::{sync::OnceLock, time::Instant};

    /// The instant of the first call, and the wall clock's reading at it. The first call makes the others wait for it, which
    /// no call on Linux ever does; an `Instant` has no zero that an atomic could tell from unset.
    static ORIGIN: OnceLock<(Instant, Nanos)> = OnceLock::new();

    pub(super) fn coarse() -> Nanos {
        precise()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the module that the others are sent to")]
    pub(super) fn precise() -> Nanos {
        let (origin, wall) = ORIGIN.get_or_init(|| (Instant::now(), wall()));
        u64::try_from(origin.elapsed().as_nanos()).map_or(u64::MAX, |elapsed| wall.saturating_add(elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::{platform, portable, wall};

    /// A year is enough to tell "since 1970" from "since boot" without asking how fast this machine is.
    const YEAR: u64 = 365 * 86_400 * 1_000_000_000;

    #[test]
    fn both_clocks_stand_on_the_epoch_line() {
        assert!(wall().abs_diff(platform::precise()) < YEAR);
        assert!(wall().abs_diff(platform::coarse()) < YEAR);
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    #[test]
    fn the_first_offset_stays() {
        let word = crate::sync::AtomicU64::new(0);
        assert_eq!(super::set_once(&word, 7), 7);
        assert_eq!(super::set_once(&word, 8), 7);
    }

    #[test]
    fn coarse_is_a_lower_bound() {
        for _ in 0..1_000 {
            let coarse = platform::coarse();
            assert!(coarse <= platform::precise());
        }
    }

    #[test]
    fn the_fallback_stands_on_the_same_line_and_never_steps_back() {
        let mut last = portable::coarse();
        assert!(wall().abs_diff(last) < YEAR);
        for _ in 0..1_000 {
            let now = portable::precise();
            assert!(now >= last);
            last = now;
        }
    }
}
