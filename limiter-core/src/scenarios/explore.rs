//! How a scenario is run: on threads, or under one of two model checkers.

use std::sync::{Arc, Mutex};

/// Something that a thread of a scenario does.
pub(super) type Act<R> = Box<dyn FnOnce() -> R + Send>;

pub(super) fn act<R>(act: impl FnOnce() -> R + Send + 'static) -> Act<R> {
    Box::new(act)
}

/// Runs `scenario` in every way that this build knows, with at most `preemptions` of a running thread if that is loom.
/// Prints how many runs that were.
#[track_caller]
pub(super) fn explore(preemptions: usize, scenario: impl Fn() + Send + Sync + 'static) {
    // Not an atomic: those of this crate belong to the model.
    let runs = Arc::new(Mutex::new(0_u64));
    let counted = {
        let runs = runs.clone();
        move || {
            *runs.lock().unwrap() += 1;
            scenario();
        }
    };
    run(preemptions, counted);
    println!("{} executions", *runs.lock().unwrap());
}

#[cfg(not(any(limiter_loom, limiter_shuttle)))]
fn run(_preemptions: usize, scenario: impl Fn() + Send + Sync + 'static) {
    for _ in 0..300 {
        scenario();
    }
}

#[cfg(limiter_loom)]
fn run(preemptions: usize, scenario: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = model.preemption_bound.or(Some(preemptions));
    model.max_branches = 20_000;
    model.check(scenario);
}

#[cfg(limiter_shuttle)]
fn run(_preemptions: usize, scenario: impl Fn() + Send + Sync + 'static) {
    let iterations = std::env::var("SHUTTLE_ITERATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let scenario = Arc::new(scenario);
    let again = scenario.clone();
    shuttle::check_random(move || again(), iterations);
    shuttle::check_pct(move || scenario(), iterations, 3);
}

#[cfg(limiter_loom)]
pub(super) use loom::thread::{ThreadId, current};
#[cfg(limiter_shuttle)]
pub(super) use shuttle::thread::{ThreadId, current};
#[cfg(not(any(limiter_loom, limiter_shuttle)))]
pub(super) use std::thread::{ThreadId, current};

/// Runs the acts at the same time, each on a thread of its own, and returns what they did, in their order.
pub(super) fn together<R: Send + 'static, const N: usize>(acts: [Act<R>; N]) -> [R; N] {
    #[cfg(limiter_loom)]
    use loom::thread::spawn;
    #[cfg(limiter_shuttle)]
    use shuttle::thread::spawn;
    #[cfg(not(any(limiter_loom, limiter_shuttle)))]
    use std::thread::spawn;

    acts.map(spawn).map(|thread| thread.join().unwrap())
}
