//! What every answer promises, tried on a copy of the state, and what a whole history promises: no more than the bound.

use crate::{
    oracle::{Oracle, Subject},
    replay::call,
};
use limiter_core::{Decision, Nanos, Quota};

/// How many single permits are taken one by one; more are taken together.
const SINGLES: u64 = 24;

/// An answer's numbers hold: so many permits can be taken now and not one more, all are there after `reset_after` and not a
/// nanosecond earlier, the same call is granted after `retry_after` and not a nanosecond earlier.
pub(crate) fn hold<S: Subject>(
    state: &S::State,
    quota: &Quota,
    permits: u64,
    now: Nanos,
    answer: &Decision,
) -> Result<(), String> {
    let limit = S::Oracle::limit(quota);
    let try_at = |permits, now| call::<S>(&S::copy(state), quota, permits, now);
    let left_at = |now| match try_at(0, now) {
        Decision::Allowed { remaining, .. } => Ok(remaining),
        other => Err(format!("looking at {now} was answered {other:?}")),
    };
    let (Decision::Allowed { remaining, reset_after } | Decision::Refused { remaining, reset_after, .. }) = *answer
    else {
        return Ok(());
    };
    if remaining > limit {
        return Err(format!("{remaining} permits are left of {limit}"));
    }
    exactly_so_many::<S>(&S::copy(state), quota, remaining, now)?;
    // Past the last instant nothing comes back, whatever was told.
    let reached = |wait: Nanos| now.checked_add(wait).filter(|then| *then <= S::Oracle::last_instant(quota));
    if let Some(then) = reached(reset_after) {
        if left_at(then)? != limit {
            return Err(format!("{} of {limit} are there after reset_after", left_at(then)?));
        }
        if remaining < limit && (reset_after == 0 || left_at(then - 1)? == limit) {
            return Err("all were there a nanosecond before reset_after".to_owned());
        }
    }
    match *answer {
        Decision::Refused { retry_after: Some(wait), .. } => {
            let Some(then) = reached(wait) else { return Ok(()) };
            if !matches!(try_at(permits, then), Decision::Allowed { .. }) {
                return Err(format!("retry_after was not enough: {:?}", try_at(permits, then)));
            }
            if wait == 0 || !matches!(try_at(permits, then - 1), Decision::Refused { .. }) {
                return Err("the call was granted a nanosecond before retry_after".to_owned());
            }
        }
        Decision::Refused { retry_after: None, .. } if permits <= limit && now < S::Oracle::last_instant(quota) => {
            return Err("a call that the limit can hold was told never to retry".to_owned());
        }
        _ => {}
    }
    Ok(())
}

/// `remaining` permits can be taken from the state now, one by one, and no more.
fn exactly_so_many<S: Subject>(state: &S::State, quota: &Quota, remaining: u64, now: Nanos) -> Result<(), String> {
    let together = remaining.saturating_sub(SINGLES);
    for (nth, permits) in std::iter::once(together).chain((together..remaining).map(|_| 1)).enumerate() {
        if !matches!(call::<S>(state, quota, permits, now), Decision::Allowed { .. }) {
            return Err(format!("{remaining} were left, and only {} could be taken", together + nth as u64));
        }
    }
    match call::<S>(state, quota, 1, now) {
        Decision::Refused { remaining: 0, .. } => Ok(()),
        other => Err(format!("{remaining} were left, and one more was answered {other:?}")),
    }
}

/// Permits that were granted: where the clock stood on its way forward, and how often the state had been re-anchored.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    /// How far the clock has gone forward since the beginning; steps back take nothing from it.
    pub way: u128,
    /// How often the state had been re-anchored.
    pub reanchorings: u64,
    /// How many were granted.
    pub permits: u64,
}

/// Between any two grants, both included, there are no more permits than the strategy's bound and `extra`.
///
/// # Errors
///
/// Says which grants and what the bound is.
pub fn keep_the_bound<S: Subject>(quota: &Quota, grants: &[Grant], extra: u128) -> Result<(), String> {
    for (first, from) in grants.iter().enumerate() {
        let mut sum = 0_u128;
        for (last, to) in grants.iter().enumerate().skip(first) {
            sum += u128::from(to.permits);
            let apart = to.way - from.way;
            let most = S::Oracle::most(quota, apart, to.reanchorings - from.reanchorings).saturating_add(extra);
            if sum > most {
                return Err(format!("{sum} permits within {apart} ns, grants {first} to {last}; at most {most}"));
            }
        }
    }
    Ok(())
}
