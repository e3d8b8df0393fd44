//! What many threads get from one limit while time runs: what it promises, not a permit more and none less, whoever moves
//! the clock and however late it is read.

#![expect(clippy::disallowed_types, reason = "a test's own counters are no part of what a model checks")]

use limiter_core::{
    Allowed,
    Decision::{self, Refused},
    FixedWindow, Keyed, Limiter, Nanos, Quota, Rejected, Strategy, TokenBucket,
    test::{self, START},
};
use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

const THREADS: u64 = 16;
const MILLISECOND: Nanos = 1_000_000;
/// As far behind as the coarse clock is expected to be at most.
const LATEST: Nanos = 50 * MILLISECOND;

/// A strategy's promise, in numbers.
struct Promise {
    /// How many permits there are from one instant to another, both included, if each is taken as soon as it is there.
    most: fn(&Quota, Nanos, Nanos) -> u64,
    /// The instant as of which a permit counts that was taken at `now`.
    counts_at: fn(&Quota, now: Nanos, reset_after: Nanos) -> Nanos,
}

/// Runs a test of any strategy for every strategy. A new one is a line here.
macro_rules! for_every_strategy {
    ($test:ident $(, $argument:expr)*) => {
        $test::<TokenBucket>(&FLOWING $(, $argument)*);
        $test::<FixedWindow>(&BY_WINDOW $(, $argument)*);
    };
}

const FLOWING: Promise = Promise {
    most: |quota, from, to| quota.burst_size() + (quota.requests() * (to - from)) / nanos(quota.window()),
    counts_at: |_, now, _| now,
};

const BY_WINDOW: Promise = Promise {
    most: |quota, from, to| {
        let number = |instant| instant / nanos(quota.window());
        quota.requests() * (number(to) - number(from) + 1)
    },
    // Called late, when the next window was opened already, it counts at the beginning of that one.
    counts_at: |quota, now, reset_after| now.max((now + reset_after).saturating_sub(nanos(quota.window()))),
};

/// One whose permit is a whole number of nanoseconds, and one whose is not. Both have whole permits on every millisecond.
const QUOTAS: [Quota; 2] = [Quota::per_second(1_000), Quota::new(300, Duration::from_millis(100))];

const fn nanos(duration: Duration) -> Nanos {
    duration.as_nanos() as Nanos
}

/// A state, and the clock by which it is decided on.
struct Shared<'a, S: Strategy> {
    state: S::State,
    quota: Quota,
    promise: &'a Promise,
    clock: AtomicU64,
    taken: AtomicU64,
    /// How many permits too many there have been at worst. Kept for the end, because a thread that panics leaves others
    /// waiting for it.
    over: AtomicU64,
}

impl<'a, S: Strategy> Shared<'a, S> {
    fn new(promise: &'a Promise, quota: Quota) -> Self {
        let (taken, over) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { state: S::UNSEEN, quota, promise, clock: AtomicU64::new(START), taken, over }
    }

    fn most(&self, from: Nanos, to: Nanos) -> u64 {
        (self.promise.most)(&self.quota, from, to)
    }

    /// Asks for one permit with a clock that stood at `now`, and notes as of when it counts.
    fn call(&self, now: Nanos, log: &mut Vec<Nanos>) -> Decision {
        let decision = S::decide(&self.state, &self.quota, 1, now);
        match decision {
            Decision::Allowed { reset_after, .. } => {
                log.push((self.promise.counts_at)(&self.quota, now, reset_after));
                // Whoever is counted has read a clock that has not been moved back since.
                let taken = self.taken.fetch_add(1, SeqCst) + 1;
                let most = self.most(START, self.clock.load(SeqCst));
                self.over.fetch_max(taken.saturating_sub(most), SeqCst);
            }
            // So it looks to who is late. The clock itself has not stepped back, so this must change nothing.
            Decision::Ahead => S::reanchor(&self.state, &self.quota, &|| self.clock.load(SeqCst)),
            Refused { .. } => {}
        }
        decision
    }

    /// Whether there is still something to find out.
    fn holds(&self) -> bool {
        self.over.load(SeqCst) == 0
    }

    fn drain(&self, now: Nanos, log: &mut Vec<Nanos>) {
        while self.holds() && !matches!(self.call(now, log), Refused { .. }) {}
    }

    /// What all threads log, in order.
    fn by_all_threads(&self, thread: impl Fn(u64, &mut Vec<Nanos>) + Sync) -> Vec<Nanos> {
        let start = Barrier::new(THREADS as usize);
        let run = |nth| {
            let mut log = Vec::new();
            start.wait();
            thread(nth, &mut log);
            log
        };
        let mut log = thread::scope(|scope| {
            let run = &run;
            let threads: Vec<_> = (0..THREADS).map(|nth| scope.spawn(move || run(nth))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        log.sort_unstable();
        log
    }

    /// No interval between two of these instants has more permits than are promised for one of its length.
    #[track_caller]
    fn holds_between_any_two(&self, log: &[Nanos], instants: impl Iterator<Item = Nanos>) {
        let up_to: Vec<_> = instants
            .map(|at| (at, log.partition_point(|taken| *taken < at), log.partition_point(|taken| *taken <= at)))
            .collect();
        for (i, (from, before, _)) in up_to.iter().enumerate() {
            for (to, _, until) in &up_to[i..] {
                let (taken, most) = ((until - before) as u64, self.most(*from, *to));
                assert!(taken <= most, "{:?}: {taken} of {most} from {from} to {to}", self.quota);
            }
        }
    }
}

/// Every fourth thread reads its clock late.
fn is_late(thread: u64) -> bool {
    thread % 4 == 0
}

/// How late the `nth` reading of the clock is: any number of steps of 10 ms.
fn lateness(nth: u64) -> Nanos {
    nth.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 6 * (LATEST / 5)
}

/// A thread that is refused moves the clock, if nobody has meanwhile. So all permits of an instant are taken before the
/// next begins, and at each of them exactly what is promised has been taken.
#[test]
fn at_every_instant_exactly_what_is_promised_has_been_taken() {
    fn of<S: Strategy>(promise: &Promise, quota: Quota) {
        const END: Nanos = START + 4_000 * MILLISECOND;
        // From a tenth of a window to seven, so that those who are late are sometimes in the past and sometimes not.
        let next = |at: Nanos| END.min(at + (1 + at / (10 * MILLISECOND) % 7) * 10 * MILLISECOND);
        let shared = Shared::<S>::new(promise, quota);
        let mut log = shared.by_all_threads(|thread, log| {
            for nth in 0.. {
                let at = shared.clock.load(SeqCst);
                if at == END || !shared.holds() {
                    break;
                }
                let late = if is_late(thread) { lateness(nth) } else { 0 };
                let decision = shared.call(START.max(at - late), log);
                if late == 0 && matches!(decision, Refused { .. }) {
                    let _ = shared.clock.compare_exchange(at, next(at), SeqCst, SeqCst);
                }
            }
        });
        shared.drain(END, &mut log);
        log.sort_unstable();

        assert_eq!(shared.over.load(SeqCst), 0, "{quota:?}: more than there were at that time");
        let mut at = START;
        loop {
            let taken = log.partition_point(|taken| *taken <= at) as u64;
            assert_eq!(taken, shared.most(START, at), "{quota:?} at {at}");
            if at == END {
                break;
            }
            at = next(at);
        }
        shared.holds_between_any_two(&log, (START..=END).step_by(10 * MILLISECOND as usize));
    }
    for quota in QUOTAS.repeat(8) {
        for_every_strategy!(of, quota);
    }
}

/// The same with jumps in which more comes than there is room for.
#[test]
fn after_a_long_time_there_is_exactly_one_limit_full() {
    fn of<S: Strategy>(promise: &Promise, quota: Quota) {
        let window = nanos(quota.window());
        let end = START + 300 * window;
        let next = |at: Nanos| at + (1 + at / window % 3) * window;
        let shared = Shared::<S>::new(promise, quota);
        let log = shared.by_all_threads(|_, log| {
            loop {
                let at = shared.clock.load(SeqCst);
                if at >= end || !shared.holds() {
                    break;
                }
                if matches!(shared.call(at, log), Refused { .. }) {
                    let _ = shared.clock.compare_exchange(at, next(at), SeqCst, SeqCst);
                }
            }
        });
        let mut at = START;
        for taken in log.chunk_by(|a, b| a == b) {
            assert_eq!((taken[0], taken.len() as u64), (at, S::limit(&quota)), "{quota:?}");
            at = next(at);
        }
        assert!(at >= end, "{quota:?}: none at {at}");
    }
    for quota in QUOTAS {
        for_every_strategy!(of, quota);
    }
}

/// Each call moves the clock by a quarter of a permit, so that nobody waits for anybody and demand is four times supply.
/// Those who are late leave permits of up to 50 ms lying, for others.
#[test]
fn nothing_is_lost_when_each_call_moves_the_clock() {
    fn of<S: Strategy>(promise: &Promise, quota: Quota) {
        let window = nanos(quota.window());
        let end = START + 40 * window;
        let step = window / (4 * quota.requests()) / 1_000 * 1_000;
        let tick = |at: u64| (at < end).then_some(end.min(at + step));
        let shared = Shared::<S>::new(promise, quota);
        // A full bucket would lose what flows in before the first calls.
        let mut at_first = Vec::new();
        shared.drain(START, &mut at_first);

        let mut log = shared.by_all_threads(|thread, log| {
            for nth in 0.. {
                let Ok(before) = shared.clock.fetch_update(SeqCst, SeqCst, tick) else { break };
                let late = if is_late(thread) { lateness(nth) } else { 0 };
                shared.call(START.max(before + step - late), log);
            }
        });
        log.append(&mut at_first);
        shared.drain(end, &mut log);
        log.sort_unstable();

        assert_eq!(shared.over.load(SeqCst), 0, "{quota:?}: more than there were at that time");
        assert_eq!(log.len() as u64, shared.most(START, end), "{quota:?}");
        shared.holds_between_any_two(&log, (START..=end).step_by(window as usize / 40));
    }
    for quota in QUOTAS {
        for_every_strategy!(of, quota);
    }
}

/// Callers that know no clock, and one thread that is told how long to wait and makes that time pass, or a little more.
#[test]
fn callers_get_what_is_promised_while_one_thread_makes_each_wait_pass() {
    fn of(promise: &Promise, quota: Quota, acquire: impl Fn() -> Result<Allowed, Rejected> + Sync) {
        let window = nanos(quota.window());
        let end = START + 100 * window;
        let time = test::freeze().handle();
        let (taken, over, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let call = || {
            let answer = acquire();
            if answer.is_ok() {
                let taken = taken.fetch_add(1, SeqCst) + 1;
                let most = (promise.most)(&quota, START, time.now());
                over.fetch_max(taken.saturating_sub(most), SeqCst);
            }
            answer
        };
        let wait = || {
            let refused = (0..=2 * quota.requests()).find_map(|_| call().err());
            refused.and_then(|refused| refused.retry_after()).map(nanos)
        };
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| {
                    let _time = time.enter();
                    while !done.load(SeqCst) {
                        let _ = call();
                    }
                });
            }
            let _time = time.enter();
            for more in [0, window / 100, window / 10].into_iter().cycle() {
                let wait = wait();
                let Some(wait) = wait.filter(|_| time.now() < end) else { break };
                time.set(end.min(time.now() + wait + more));
            }
            done.store(true, SeqCst);
        });
        assert_eq!(over.into_inner(), 0, "{quota:?}: more than there were at that time");
        assert_eq!(time.now(), end, "{quota:?}: no wait was named");
        assert_eq!(taken.into_inner(), (promise.most)(&quota, START, end), "{quota:?}");
    }
    fn alone_and_by_key<S: Strategy>(promise: &Promise, quota: Quota) {
        let limiter = Limiter::<S>::new(quota);
        of(promise, quota, || limiter.try_acquire());
        let keyed = Keyed::<S, 64>::new(quota);
        of(promise, quota, || keyed.try_acquire("key"));
    }
    for quota in QUOTAS {
        for_every_strategy!(alone_and_by_key, quota);
    }
}
