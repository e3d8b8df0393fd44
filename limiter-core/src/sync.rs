//! The door through which every atomic of this crate comes, so that a model checker can stand behind it.
//!
//! | built with | atomics | what for |
//! |---|---|---|
//! | nothing | `core` | users |
//! | `--cfg limiter_loom` | loom's | every interleaving of few threads with few preemptions, and every value that an ordering lets a load see |
//! | `--cfg limiter_shuttle` | shuttle's | random schedules, without such a bound; all orderings count as `SeqCst` |
//!
//! `scenarios` are what runs behind it. `clippy.toml` keeps other doors shut. The types are aliases and not re-exports, because
//! that lint sees through the latter.

#[cfg(not(any(limiter_loom, limiter_shuttle)))]
pub(crate) use self::std_door::*;
#[cfg(any(limiter_loom, limiter_shuttle))]
pub(crate) use model::OnceRef;

#[cfg(limiter_loom)]
mod lazy;
#[cfg(any(limiter_loom, limiter_shuttle))]
mod model;

#[cfg(limiter_loom)]
pub(crate) use self::{lazy::AtomicU64, loom_door::*};
#[cfg(limiter_shuttle)]
pub(crate) use shuttle_door::*;

#[cfg(not(any(limiter_loom, limiter_shuttle)))]
mod std_door {
    pub(crate) use core::sync::atomic::{Ordering, fence};
    pub(crate) use once_cell::race::OnceRef;

    #[expect(clippy::disallowed_types, reason = "this is the door")]
    pub(crate) type AtomicU64 = core::sync::atomic::AtomicU64;

    /// Lets `spins` pass, each as long as the processor thinks right for somebody who waits.
    #[inline]
    pub(crate) fn pause(spins: u32) {
        for _ in 0..spins {
            core::hint::spin_loop();
        }
    }

    pub(crate) use std::thread::yield_now as give_way;
}

#[cfg(limiter_loom)]
mod loom_door {
    pub(crate) use loom::sync::atomic::{Ordering, fence};

    /// Lets another thread go on.
    pub(crate) fn pause(_spins: u32) {
        give_way();
    }

    pub(crate) use loom::thread::yield_now as give_way;
}

#[cfg(limiter_shuttle)]
mod shuttle_door {
    pub(crate) use shuttle::sync::atomic::{AtomicU64, Ordering, fence};

    /// Lets another thread go on.
    pub(crate) fn pause(_spins: u32) {
        give_way();
    }

    pub(crate) use shuttle::thread::yield_now as give_way;
}
