//! One decision of a limit that is in use: which clock it is made on, and what happens when the clock stepped back.
//!
//! Most of a decision's price is its clock, so it is made on the coarse one where the quota tolerates a tick. The coarse
//! clock is a lower bound of the time. An allowance on it is therefore never early. A refusal may be, by less than a tick:
//! if it ends within one, the precise clock is asked and decides.

use crate::{
    clock,
    outcome::{Allowed, NEVER, Rejected},
    spec::Spec,
    strategy::{Decision, Strategy},
};

/// How often a decision is tried anew after the clock stepped back. One time is enough for every strategy that re-anchors,
/// unless other threads write in between; the bound is for one that does not.
const REANCHORINGS: u32 = 16;

/// Takes `permits` from `state` now.
#[inline(always)]
pub(crate) fn take<S: Strategy>(state: &S::State, spec: &Spec, permits: u64) -> Result<Allowed, Rejected> {
    let quota = &spec.quota;
    if !S::tolerates_tick(quota) {
        return match answer::<S>(spec, S::decide(state, quota, permits, clock::precise())) {
            Some(answer) => answer,
            None => take_precisely::<S>(state, spec, permits),
        };
    }
    let decision = S::decide(state, quota, permits, clock::coarse());
    match decision {
        Decision::Refused { retry_after: Some(wait), .. } if wait <= clock::tick() => {
            take_precisely::<S>(state, spec, permits)
        }
        _ => match answer::<S>(spec, decision) {
            Some(answer) => answer,
            None => take_precisely::<S>(state, spec, permits),
        },
    }
}

/// Takes `permits` on the precise clock, after an answer that might have been another on it.
#[cold]
fn take_precisely<S: Strategy>(state: &S::State, spec: &Spec, permits: u64) -> Result<Allowed, Rejected> {
    for _ in 0..REANCHORINGS {
        if let Some(answer) = answer::<S>(spec, S::decide(state, &spec.quota, permits, clock::precise())) {
            return answer;
        }
        S::reanchor(state, &spec.quota, &clock::precise);
    }
    let window = spec.quota.window_nanos();
    Err(Rejected::new(spec.name, S::limit(&spec.quota), 0, window, window))
}

/// The answer to a caller; `None` if the clock stepped back.
#[inline(always)]
fn answer<S: Strategy>(spec: &Spec, decision: Decision) -> Option<Result<Allowed, Rejected>> {
    let limit = S::limit(&spec.quota);
    match decision {
        Decision::Allowed { remaining, reset_after } => Some(Ok(Allowed { limit, remaining, reset_after })),
        Decision::Refused { remaining, reset_after, retry_after } => {
            let retry_after = match retry_after {
                Some(wait) => wait,
                None => NEVER,
            };
            Some(Err(Rejected::new(spec.name, limit, remaining, reset_after, retry_after)))
        }
        Decision::Ahead => None,
    }
}
