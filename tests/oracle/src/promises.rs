//! What every answer promises, tried on a copy of the state, and what a whole history promises: no more than the bound.

use crate::{
    oracle::{Oracle, Subject},
    replay::{Call, call},
};
use limiter_core::{Decision, Nanos, Quota};
use std::iter;

/// How many single permits are taken one by one; more are taken together.
const SINGLES: u64 = 24;

/// An answer as it came: to whom, when and what.
pub struct Answered<S: Subject> {
    /// A copy of the state after the answer.
    pub state: S::State,
    /// Its quota.
    pub quota: Quota,
    /// The call.
    pub call: Call,
    /// The answer, not [`Decision::Ahead`].
    pub answer: Decision,
}

impl<S: Subject> Answered<S> {
    /// All of the promises below.
    ///
    /// # Errors
    ///
    /// Says which one is broken.
    pub fn keeps_its_word(&self) -> Result<(), String> {
        self.remaining_is_exact()?;
        self.reset_after_is_exact()?;
        self.retry_after_is_exact()
    }

    /// So many permits can be taken now, one by one, and no more.
    ///
    /// # Errors
    ///
    /// Says how many could be taken.
    pub fn remaining_is_exact(&self) -> Result<(), String> {
        let (remaining, _) = self.left();
        let (state, now) = (S::copy(&self.state), self.call.now);
        let together = remaining.saturating_sub(SINGLES);
        for (nth, permits) in iter::once(together).chain((together..remaining).map(|_| 1)).enumerate() {
            if !matches!(call::<S>(&state, &self.quota, permits, now), Decision::Allowed { .. }) {
                return Err(format!("{remaining} were left, and only {} could be taken", together + nth as u64));
            }
        }
        match call::<S>(&state, &self.quota, 1, now) {
            Decision::Refused { remaining: 0, .. } => Ok(()),
            other => Err(format!("{remaining} were left, and one more was answered {other:?}")),
        }
    }

    /// After `reset_after` all permits are there. If some are missing now, they are not all there a nanosecond earlier.
    ///
    /// # Errors
    ///
    /// Says which of it is not so.
    pub fn reset_after_is_exact(&self) -> Result<(), String> {
        let limit = S::Oracle::limit(&self.quota);
        let (remaining, wait) = self.left();
        let Some(then) = self.reached(wait) else { return Ok(()) };
        let left_at = |now| match self.try_again(0, now) {
            Decision::Allowed { remaining, .. } => Ok(remaining),
            other => Err(format!("looking at {now} was answered {other:?}")),
        };
        if left_at(then)? != limit {
            return Err(format!("only {} of {limit} are there after reset_after", left_at(then)?));
        }
        if remaining < limit && (wait == 0 || left_at(then - 1)? == limit) {
            return Err("all were there a nanosecond before reset_after".to_owned());
        }
        Ok(())
    }

    /// After `retry_after` the same call is granted, and not a nanosecond earlier.
    ///
    /// # Errors
    ///
    /// Says which of it is not so.
    pub fn retry_after_is_exact(&self) -> Result<(), String> {
        let Call { permits, now } = self.call;
        match self.answer {
            Decision::Refused { retry_after: Some(wait), .. } => {
                let Some(then) = self.reached(wait) else { return Ok(()) };
                let on_time = self.try_again(permits, then);
                if !matches!(on_time, Decision::Allowed { .. }) {
                    return Err(format!("retry_after was not enough: {on_time:?}"));
                }
                if wait == 0 || !matches!(self.try_again(permits, then - 1), Decision::Refused { .. }) {
                    return Err("the call was granted a nanosecond before retry_after".to_owned());
                }
                Ok(())
            }
            Decision::Refused { retry_after: None, .. }
                if permits <= S::Oracle::limit(&self.quota) && now < S::Oracle::last_instant(&self.quota) =>
            {
                Err("a call that the limit can hold was told never to retry".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// `remaining` and `reset_after`.
    fn left(&self) -> (u64, Nanos) {
        match self.answer {
            Decision::Allowed { remaining, reset_after } | Decision::Refused { remaining, reset_after, .. } => {
                (remaining, reset_after)
            }
            Decision::Ahead => (0, Nanos::MAX),
        }
    }

    /// The instant after a wait. Past the strategy's last instant nothing comes back, whatever was told.
    fn reached(&self, wait: Nanos) -> Option<Nanos> {
        self.call.now.checked_add(wait).filter(|then| *then <= S::Oracle::last_instant(&self.quota))
    }

    /// What a call would be answered.
    fn try_again(&self, permits: u64, now: Nanos) -> Decision {
        call::<S>(&S::copy(&self.state), &self.quota, permits, now)
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

/// Between any two grants, both included, there are no more permits than the strategy's bound.
///
/// # Errors
///
/// Says which grants and what the bound is.
pub fn keep_the_bound<S: Subject>(quota: &Quota, grants: &[Grant]) -> Result<(), String> {
    match excess::<S>(quota, grants) {
        0 => Ok(()),
        excess => Err(format!("{excess} permits above the bound: {grants:?}")),
    }
}

/// By how much the permits between some two grants, both included, are above the bound; 0 if they are nowhere.
#[must_use]
pub fn excess<S: Subject>(quota: &Quota, grants: &[Grant]) -> u128 {
    let mut excess = 0;
    for (first, from) in grants.iter().enumerate() {
        let mut sum = 0_u128;
        for to in grants.iter().skip(first) {
            sum += u128::from(to.permits);
            let most = S::Oracle::most(quota, to.way - from.way, to.reanchorings - from.reanchorings);
            excess = excess.max(sum.saturating_sub(most));
        }
    }
    excess
}
