//! Races, written once and run three ways: by real threads, by loom and by shuttle.
//!
//! Each scenario is a function that makes what the threads share, runs some threads, mostly two or three, on it and asserts what must hold
//! whoever was faster. [`explore`] runs it:
//!
//! * in an ordinary test a few hundred times, on real threads;
//! * with `--cfg limiter_loom` once for each interleaving and each value that the orderings allow a load to see,
//!   with at most as many preemptions as `LOOM_MAX_PREEMPTIONS` says, or as the scenario does;
//! * with `--cfg limiter_shuttle` for thousands of random schedules, half of them by PCT (Burckhardt et al., "A randomized
//!   scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010).
//!
//! `./ci.sh loom` and `./ci.sh shuttle` do the latter. A header that claims an ordering names the scenario that fails
//! without it; each was seen to.

mod explore;
mod interrupted;
mod once;
mod replace;
mod table;
mod word;
