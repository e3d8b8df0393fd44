//! A minute of real time on the real clocks: many threads, many keys, quotas of every kind, and for every bucket the promise
//! that README and design make, checked from outside.
//!
//! A thread reads the clock before and after each call and notes both for a call that was allowed. The decision fell in
//! between. So the calls that lie between a reading `from` before the first of them and a reading `to` after the last were
//! decided within at most `to - from`, and may be at most
//!
//! ```text
//! burst + rate · (to - from + lag)     of a token bucket, where lag is what the clock it may use is behind
//! requests                             of a fixed window, in each window; which one a call counts in, it says itself
//! ```
//!
//! A bound from outside can only be too wide, never too narrow: whatever is above it is a fault. A call in which the thread
//! lost the processor would make it wide, and is not counted.
//!
//! The threads call in rounds and keep what they note only until a round has been checked. What earlier rounds mean for
//! later ones is one number for each bucket, the level of a leaky bucket.

#![expect(clippy::disallowed_types, reason = "a test's own counters are no part of what a model checks")]

use limiter_core::{Allowed, FixedWindow, Keyed, Limiter, Quota, Strategy, TokenBucket};
use std::{
    sync::{
        Barrier, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

const THREADS: u64 = 6;
/// Keys that come again, the first of them most often.
const KEYS: u64 = 10_000;
/// How long a key lasts that never comes again. By time and not by calls, so that a fast machine does not overfill a table
/// that is ample: there are 25 000 such keys in the longest window of a limit by key.
const MOMENT: i64 = 20_000;
const ROUND: i64 = 200_000_000;
/// What a thread can note in a round. One that has noted so much waits for the next.
const NOTES: usize = 1 << 17;
/// By how much the design expects the coarse clock to be behind at most.
const LAG: i64 = 50_000_000;
/// A call that took longer was interrupted.
const INTERRUPTED: i64 = 1_000_000;
/// Where a permit is no whole number of nanoseconds, its instant may lie so much beside the exact one.
const ROUNDING: i64 = 2;

#[expect(clippy::disallowed_methods, reason = "measures the limits from outside, by a clock that is not theirs")]
fn now() -> Instant {
    Instant::now()
}

/// How permits come.
enum Kind {
    Flowing,
    ByWindow,
}

impl Kind {
    /// Whether the design lets a quota be decided on the coarse clock: not asked of the strategy, which could be wrong.
    fn may_be_late(&self, quota: &Quota) -> bool {
        const TICK: Duration = Duration::from_millis(10);
        let window = quota.window();
        match self {
            Self::Flowing => {
                let permits_in = |time: Duration| time.as_nanos() * u128::from(quota.requests()) / window.as_nanos();
                permits_in(TICK) < 1 || permits_in(100 * TICK) <= u128::from(quota.burst_size())
            }
            Self::ByWindow => window >= 100 * TICK,
        }
    }
}

/// A limit under test.
struct Subject {
    name: &'static str,
    kind: Kind,
    quota: Quota,
    /// What the clock it decides by may be behind.
    lag: i64,
    call: Box<dyn Fn(u64) -> Option<Allowed> + Sync>,
    /// `None` for a limit without keys.
    evictions: Option<Box<dyn Fn() -> u64 + Sync>>,
    allowed: AtomicU64,
    refused: AtomicU64,
}

impl Subject {
    fn new<S: Strategy>(
        name: &'static str,
        quota: Quota,
        call: impl Fn(u64) -> Option<Allowed> + Sync + 'static,
    ) -> Self {
        let kind = if S::HAS_BURST { Kind::Flowing } else { Kind::ByWindow };
        let lag = if kind.may_be_late(&quota) { LAG } else { 0 };
        let (allowed, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { name, kind, quota, lag, call: Box::new(call), evictions: None, allowed, refused }
    }

    fn single<S: Strategy>(name: &'static str, limit: &'static Limiter<S>) -> Self {
        Self::new::<S>(name, limit.quota(), |_| limit.try_acquire().ok())
    }

    fn keyed<S: Strategy, const CAPACITY: usize>(name: &'static str, limit: &'static Keyed<S, CAPACITY>) -> Self {
        let evictions = move || {
            assert!(limit.keys() <= CAPACITY);
            limit.evictions()
        };
        let subject = Self::new::<S>(name, limit.quota(), |key| limit.try_acquire(&key).ok());
        Self { evictions: Some(Box::new(evictions)), ..subject }
    }

    fn window(&self) -> i64 {
        self.quota.window().as_nanos() as i64
    }

    fn requests(&self) -> i64 {
        self.quota.requests() as i64
    }
}

fn subjects() -> Vec<Subject> {
    static SLOW: Limiter<TokenBucket> = Limiter::new(Quota::per_second(10).burst(5));
    static FAST: Limiter<TokenBucket> = Limiter::new(Quota::per_second(100_000));
    // A tick is a thousand permits, twenty times the burst: decided on the precise clock.
    static SHALLOW: Limiter<TokenBucket> = Limiter::new(Quota::per_second(100_000).burst(50));
    // A tick is a hundredth of the burst and ten permits: the steepest that is decided on the coarse clock.
    static STEEP: Limiter<TokenBucket> = Limiter::new(Quota::per_second(1_000));
    // A permit is no whole number of nanoseconds.
    static ODD: Limiter<TokenBucket> = Limiter::new(Quota::per_second(7).burst(3));
    static SECONDS: Limiter<FixedWindow> = Limiter::new(Quota::per_second(20_000));
    // Two ticks long.
    static TICKS: Limiter<FixedWindow> = Limiter::new(Quota::new(5, Duration::from_millis(20)));
    static AMPLE: Keyed<TokenBucket, 131_072> = Keyed::new(Quota::per_second(10).burst(5));
    static AMPLE_WINDOWS: Keyed<FixedWindow, 131_072> = Keyed::new(Quota::new(20, Duration::from_millis(500)));
    // Room for a tenth of the keys that come again, not to speak of the others.
    static CROWDED: Keyed<TokenBucket, 1_000> = Keyed::new(Quota::per_second(10).burst(5));
    vec![
        Subject::single("slow", &SLOW),
        Subject::single("fast", &FAST),
        Subject::single("shallow", &SHALLOW),
        Subject::single("steep", &STEEP),
        Subject::single("odd", &ODD),
        Subject::single("seconds", &SECONDS),
        Subject::single("ticks", &TICKS),
        Subject::keyed("ample", &AMPLE),
        Subject::keyed("ample windows", &AMPLE_WINDOWS),
        Subject::keyed("crowded", &CROWDED),
    ]
}

/// An allowed call: readings of the clock, in nanoseconds since the soak began.
struct Note {
    before: i64,
    after: i64,
    subject: usize,
    key: u64,
    reset_after: i64,
}

/// What was seen of one bucket. One permit is `window` units and one nanosecond `requests`, so that nothing is rounded.
#[derive(Clone, Default)]
struct Bucket {
    /// Flowing: the most, over all earlier instants, of what came since then, counted on the line of time.
    level: i64,
    /// Flowing: the latest reading after a call.
    to: i64,
    /// By window: the number of the last window, and the calls in it and in the one before.
    window: i64,
    calls: i64,
    calls_before: i64,
}

impl Bucket {
    /// Counts a call of a token bucket. Says by how many units more than the burst, at no lag, the worst interval that ends
    /// with it has had.
    fn flows(&mut self, subject: &Subject, note: &Note) -> i64 {
        let rate = subject.requests();
        self.level = self.level.max(note.before * rate) + subject.window();
        self.to = self.to.max(note.after);
        self.level - (self.to + ROUNDING) * rate - subject.quota.burst_size() as i64 * subject.window()
    }

    /// Begins anew with this call: the bucket was full again.
    fn begin(&mut self, subject: &Subject, note: &Note) {
        self.level = note.before * subject.requests() + subject.window();
        (self.calls, self.calls_before) = (1, 1);
    }

    /// Counts a call in the `nth` window. Says by how many calls it has more than it may.
    fn in_window(&mut self, subject: &Subject, nth: i64) -> i64 {
        match nth - self.window {
            0 => self.calls += 1,
            // Another thread was faster into the next.
            -1 => self.calls_before += 1,
            1 => (self.calls_before, self.calls) = (self.calls, 1),
            _ => (self.calls_before, self.calls) = (0, 1),
        }
        self.window = self.window.max(nth);
        self.calls.max(self.calls_before) - subject.requests()
    }
}

/// What was seen of all buckets of a limit.
struct Seen {
    buckets: Vec<Bucket>,
    /// By window: where one of them ends, and how far from that line the end of another was said to be at worst.
    boundary: Option<i64>,
    beside: i64,
    /// Flowing: units; by window: calls.
    worst: i64,
    /// How often a bucket had more than the promise, and was taken for a new one.
    over: u64,
    interrupted: u64,
}

impl Seen {
    fn new(subject: &Subject) -> Self {
        let buckets = if subject.evictions.is_some() { KEYS as usize } else { 1 };
        let buckets = vec![Bucket::default(); buckets];
        Self { buckets, boundary: None, beside: 0, worst: i64::MIN, over: 0, interrupted: 0 }
    }

    fn check(&mut self, subject: &Subject, note: &Note) {
        if note.after - note.before > INTERRUPTED {
            self.interrupted += 1;
            return;
        }
        // The key of a moment: there to crowd the table.
        let Some(bucket) = self.buckets.get_mut(note.key as usize) else { return };
        let (excess, permitted) = match subject.kind {
            Kind::Flowing => (bucket.flows(subject, note), subject.lag * subject.requests()),
            Kind::ByWindow => {
                let ends = note.before + note.reset_after;
                let boundary = *self.boundary.get_or_insert(ends);
                let nth = (ends - boundary + subject.window() / 2).div_euclid(subject.window());
                self.beside = self.beside.max((ends - boundary - nth * subject.window()).abs());
                (bucket.in_window(subject, nth), 0)
            }
        };
        if excess > permitted {
            self.over += 1;
            bucket.begin(subject, note);
        }
        self.worst = self.worst.max(excess);
    }
}

/// Numbers without order: `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// One in four is the key of its moment. Of the others the nth comes about half as often as the (nth / 2)th.
    fn key(&mut self, time: i64) -> u64 {
        if self.next() % 4 == 0 {
            return KEYS + (time / MOMENT) as u64;
        }
        let fraction = self.next() as f64 / 2_f64.powi(64);
        (KEYS as f64).powf(fraction) as u64 - 1
    }
}

/// What the threads share.
struct Soak {
    subjects: Vec<Subject>,
    began: Instant,
    length: i64,
    round: Barrier,
    rounds: AtomicU64,
    ends: AtomicU64,
    done: AtomicBool,
    notes: Mutex<Vec<Note>>,
    seen: Mutex<Vec<Seen>>,
}

impl Soak {
    fn new(length: Duration) -> Self {
        let subjects = subjects();
        let seen = subjects.iter().map(Seen::new).collect();
        Self {
            subjects,
            began: now(),
            length: length.as_nanos() as i64,
            round: Barrier::new(THREADS as usize),
            rounds: AtomicU64::new(0),
            ends: AtomicU64::new(ROUND as u64),
            done: AtomicBool::new(false),
            notes: Mutex::default(),
            seen: Mutex::new(seen),
        }
    }

    fn time(&self) -> i64 {
        now().duration_since(self.began).as_nanos() as i64
    }

    /// Calls at random until the soak is over.
    fn call(&self, thread: u64) {
        let mut random = Random(thread << 32);
        let mut notes = Vec::with_capacity(NOTES);
        while !self.done.load(Relaxed) {
            self.call_for_a_round(&mut random, &mut notes);
            self.notes.lock().unwrap().append(&mut notes);
            if self.round.wait().is_leader() {
                self.check();
            }
            self.round.wait();
        }
    }

    fn call_for_a_round(&self, random: &mut Random, notes: &mut Vec<Note>) {
        let ends = self.ends.load(Relaxed) as i64;
        // A limit that rests for six rounds in a row fills up, and begins with a burst.
        let stretch = self.rounds.load(Relaxed) / 6;
        let rests = |nth: &usize| Random(stretch << 8 | *nth as u64).below(4) == 0;
        let awake: Vec<_> = (0..self.subjects.len()).filter(|nth| !rests(nth)).collect();
        let mut refused = vec![0; self.subjects.len()];
        while let Some(nth) = awake.get(random.below(awake.len())) {
            let subject = &self.subjects[*nth];
            let before = self.time();
            let key = if subject.evictions.is_some() { random.key(before) } else { 0 };
            if before >= ends || notes.len() == NOTES {
                break;
            }
            match (subject.call)(key) {
                Some(allowed) => {
                    let (after, reset_after) = (self.time(), allowed.reset_after().as_nanos() as i64);
                    notes.push(Note { before, after, subject: *nth, key, reset_after });
                }
                None => refused[*nth] += 1,
            }
        }
        for (subject, refused) in self.subjects.iter().zip(refused) {
            subject.refused.fetch_add(refused, Relaxed);
        }
    }

    /// What one thread does while the others wait. It must not panic, or they would wait for ever.
    fn check(&self) {
        let (Ok(mut notes), Ok(mut seen)) = (self.notes.lock(), self.seen.lock()) else { return };
        notes.sort_unstable_by_key(|note| note.before);
        for note in notes.drain(..) {
            if let (Some(subject), Some(seen)) = (self.subjects.get(note.subject), seen.get_mut(note.subject)) {
                subject.allowed.fetch_add(1, Relaxed);
                seen.check(subject, &note);
            }
        }
        let time = self.time();
        self.rounds.fetch_add(1, Relaxed);
        self.ends.store((time + ROUND) as u64, Relaxed);
        self.done.store(time >= self.length, Relaxed);
    }
}

#[test]
#[ignore = "60 s of real time; run by `./ci.sh soak`"]
fn in_any_real_time_no_bucket_gives_more_than_it_promised() {
    let seconds = std::env::var("LIMITER_SOAK_SECONDS").map_or(60, |seconds| seconds.parse().unwrap());
    let soak = Soak::new(Duration::from_secs(seconds));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let soak = &soak;
            scope.spawn(move || soak.call(thread));
        }
    });

    let (rounds, seen) = (soak.rounds.into_inner(), soak.seen.into_inner().unwrap());
    println!("{seconds} s, {THREADS} threads, {rounds} rounds");
    println!("worst: permits beyond the promise without lag, in brackets the lag that they are worth");
    let mut faults = Vec::new();
    for (subject, seen) in soak.subjects.iter().zip(seen) {
        let name = subject.name;
        let (allowed, refused) = (subject.allowed.load(Relaxed), subject.refused.load(Relaxed));
        let worst = match subject.kind {
            Kind::Flowing => {
                let permits = seen.worst as f64 / subject.window() as f64;
                format!("{permits:.3} ({:.3} ms)", seen.worst as f64 / subject.requests() as f64 / 1e6)
            }
            Kind::ByWindow => format!("{} (ends within {:.3} ms)", seen.worst, seen.beside as f64 / 1e6),
        };
        let evictions = subject.evictions.as_ref().map_or(0, |evictions| evictions());
        println!(
            "{name:>13}: {:?}: {} calls, {allowed} allowed, {refused} refused, worst {worst}, {} begun anew, \
             {evictions} evictions, {} interrupted calls left out",
            subject.quota,
            allowed + refused,
            seen.over,
            seen.interrupted
        );
        if allowed == 0 || refused == 0 {
            faults.push(format!("{name} was not put to the test"));
        }
        if seen.over > evictions {
            faults.push(format!("{name} gave more than it promised, {} times", seen.over));
        }
        if seen.beside > subject.lag + 2 * INTERRUPTED {
            faults.push(format!("{name} said of a window that it ends {} ns beside the others", seen.beside));
        }
        if evictions > 0 && name != "crowded" {
            faults.push(format!("{name} has room and evicted {evictions} keys"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
