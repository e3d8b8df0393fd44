//! What one decision costs, here and elsewhere: nanoseconds, and the ratio to governor.
//!
//! All contenders of a table run in turns in one process, so that whatever else the machine does falls on all of them. A
//! figure is the least of its rounds, which is the least disturbed one; a ratio is the median of the rounds' ratios.

use limiter::{FixedWindow, Keyed, Limiter, Quota, Rejected, TokenBucket, limit};
use std::{
    hash::Hash,
    hint::black_box,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    num::NonZeroU32,
    sync::Barrier,
    time::{Duration, Instant},
};

mod table;
use table::{Contender, table};

const ROUNDS: usize = 15;

/// Fast enough that a call every nanosecond is allowed.
const PLENTY: u64 = 1_000_000_000;

/// What each contender does in a call, timed by `$run`. A macro, so that each call is compiled into its own loop, as a user's
/// would be.
macro_rules! contenders {
    ($run:tt; $($name:literal => $call:expr,)*) => {
        vec![$(Contender::new($name, $run($call)),)*]
    };
}

fn governor_plenty() -> governor::Quota {
    governor::Quota::per_second(NonZeroU32::MAX)
}

fn governor_spent() -> governor::Quota {
    governor::Quota::per_hour(NonZeroU32::MIN)
}

// ---- The attribute, as users write it. Whether a function this short is inlined depends on what else is in the program and is worth
// 2 ns, so each is here twice: inlined, as governor's check in a loop is, and called, as governor's check in a function is.

#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s")]
#[inline(always)]
fn bucket_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

/// On the precise clock: a tick would refill the whole burst.
#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s", burst = 1_000_000)]
#[inline(never)]
fn bucket_allowed_precisely(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = FixedWindow, requests = PLENTY, window = "1s")]
#[inline(always)]
fn window_allowed(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = TokenBucket, requests = 1, window = "1h")]
#[inline(always)]
fn bucket_refused(x: u64) -> Option<u64> {
    Some(black_box(x))
}

/// On both clocks: its refusals end within what the coarse one may be behind. One call in a few hundred thousand is allowed.
#[limit(strategy = TokenBucket, requests = 90, window = "1s", burst = 1)]
#[inline(never)]
fn bucket_refused_twice(x: u64) -> Option<u64> {
    Some(black_box(x))
}

#[limit(strategy = FixedWindow, requests = 1, window = "365d")]
#[inline(always)]
fn window_refused(x: u64) -> Option<u64> {
    Some(black_box(x))
}

#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s")]
fn bucket_shared(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = FixedWindow, requests = PLENTY, window = "1s")]
fn window_shared(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = TokenBucket, requests = PLENTY, window = "1s")]
#[inline(never)]
fn bucket_allowed_called(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = FixedWindow, requests = PLENTY, window = "1s")]
#[inline(never)]
fn window_allowed_called(x: u64) -> Result<u64, Rejected> {
    Ok(black_box(x))
}

#[limit(strategy = TokenBucket, requests = 1, window = "1h")]
#[inline(never)]
fn bucket_refused_called(x: u64) -> Option<u64> {
    Some(black_box(x))
}

#[limit(strategy = FixedWindow, requests = 1, window = "365d")]
#[inline(never)]
fn window_refused_called(x: u64) -> Option<u64> {
    Some(black_box(x))
}

// ---- The peers, as their READMEs write them.

/// A function with governor's check at its entry, which is what the attribute's are compared with.
#[inline(never)]
fn governed(limiter: &governor::DefaultDirectRateLimiter, x: u64) -> Result<u64, Refused> {
    limiter.check()?;
    Ok(black_box(x))
}

type Refused = governor::NotUntil<<governor::clock::DefaultClock as governor::clock::Clock>::Instant>;

#[throttle_my_fn::throttle(1_000, Duration::from_micros(1))]
fn throttled_allowed(x: u64) -> u64 {
    black_box(x)
}

#[throttle_my_fn::throttle(1, Duration::from_secs(3_600))]
fn throttled_refused(x: u64) -> u64 {
    black_box(x)
}

fn leaky(refill: usize, interval: Duration) -> leaky_bucket::RateLimiter {
    leaky_bucket::RateLimiter::builder().max(refill).initial(refill).refill(refill).interval(interval).build()
}

fn one_thread() {
    const CALLS: u64 = 500_000;
    // A generic function and not a `dyn` call in the loop: the decisions are to be inlined as they are for users.
    fn run<R>(mut call: impl FnMut(u64) -> R) -> impl FnMut() -> f64 {
        move || {
            let start = Instant::now();
            for x in 0..CALLS {
                black_box(call(x));
            }
            start.elapsed().as_nanos() as f64 / CALLS as f64
        }
    }

    let governor = governor::RateLimiter::direct(governor_plenty());
    static BUCKET: Limiter<TokenBucket> = Limiter::new(Quota::per_second(PLENTY));
    static WINDOW: Limiter<FixedWindow> = Limiter::new(Quota::per_second(PLENTY));
    let ratelimit = ratelimit::Ratelimiter::builder(PLENTY).initial_available(PLENTY).build().unwrap();
    let leaky_plenty = leaky(1_000_000_000, Duration::from_millis(1));
    table(
        "allowed, one thread",
        ROUNDS,
        contenders![run;
            "governor" => |_| governor.check().is_ok(),
            "… in a function" => |x| governed(&governor, x).is_ok(),
            "#[limit] TokenBucket" => |x| bucket_allowed(x).is_ok(),
            "#[limit] FixedWindow" => |x| window_allowed(x).is_ok(),
            "… TokenBucket, called" => |x| bucket_allowed_called(x).is_ok(),
            "… FixedWindow, called" => |x| window_allowed_called(x).is_ok(),
            "… TokenBucket, precise clock" => |x| bucket_allowed_precisely(x).is_ok(),
            "Limiter<TokenBucket>" => |_| BUCKET.try_acquire().is_ok(),
            "Limiter<FixedWindow>" => |_| WINDOW.try_acquire().is_ok(),
            "ratelimit" => |_| ratelimit.try_wait().is_ok(),
            "leaky-bucket" => |_| leaky_plenty.try_acquire(1),
            "throttle_my_fn" => |x| throttled_allowed(x).is_some(),
        ],
    );

    let governor = governor::RateLimiter::direct(governor_spent());
    let _ = governor.check();
    static SPENT_BUCKET: Limiter<TokenBucket> = Limiter::new(Quota::per_hour(1));
    static SPENT_WINDOW: Limiter<FixedWindow> = Limiter::new(Quota::every(Duration::from_secs(365 * 86_400)));
    let ratelimit = ratelimit::Ratelimiter::builder(1).period(Duration::from_secs(3_600)).build().unwrap();
    let leaky_spent = leaky(1, Duration::from_secs(3_600));
    leaky_spent.try_acquire(1);
    table(
        "refused, one thread",
        ROUNDS,
        contenders![run;
            "governor" => |_| governor.check().is_ok(),
            "… in a function" => |x| governed(&governor, x).is_ok(),
            "#[limit] TokenBucket" => |x| bucket_refused(x).is_some(),
            "#[limit] FixedWindow" => |x| window_refused(x).is_some(),
            "… TokenBucket, called" => |x| bucket_refused_called(x).is_some(),
            "… FixedWindow, called" => |x| window_refused_called(x).is_some(),
            "… TokenBucket, both clocks" => |x| bucket_refused_twice(x).is_some(),
            "Limiter<TokenBucket>" => |_| SPENT_BUCKET.try_acquire().is_ok(),
            "Limiter<FixedWindow>" => |_| SPENT_WINDOW.try_acquire().is_ok(),
            "ratelimit" => |_| ratelimit.try_wait().is_ok(),
            "leaky-bucket" => |_| leaky_spent.try_acquire(1),
            "throttle_my_fn" => |x| throttled_refused(x).is_some(),
        ],
    );
}

/// `THREADS` on one bucket.
fn together<const THREADS: usize>(title: &str) {
    const CALLS: u64 = 1_000_000;
    /// Nanoseconds of a call as the slowest of the threads sees it.
    fn run<const THREADS: usize, R>(call: impl Fn(u64) -> R + Sync) -> impl FnMut() -> f64 {
        move || {
            let start = Barrier::new(THREADS);
            let calls = CALLS / THREADS as u64;
            let work = || {
                start.wait();
                let begun = Instant::now();
                for x in 0..calls {
                    black_box(call(x));
                }
                begun.elapsed().as_nanos() as f64 / calls as f64
            };
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..THREADS).map(|_| scope.spawn(work)).collect();
                others.into_iter().map(|other| other.join().unwrap()).fold(work(), f64::max)
            })
        }
    }

    let governor = governor::RateLimiter::direct(governor_plenty());
    static BUCKET: Limiter<TokenBucket> = Limiter::new(Quota::per_second(PLENTY));
    static WINDOW: Limiter<FixedWindow> = Limiter::new(Quota::per_second(PLENTY));
    let ratelimit = ratelimit::Ratelimiter::builder(PLENTY).initial_available(PLENTY).build().unwrap();
    let leaky_plenty = leaky(1_000_000_000, Duration::from_millis(1));
    table(
        title,
        ROUNDS,
        contenders![(run::<THREADS, _>);
            "governor" => |_| governor.check().is_ok(),
            "#[limit] TokenBucket" => |x| bucket_shared(x).is_ok(),
            "#[limit] FixedWindow" => |x| window_shared(x).is_ok(),
            "Limiter<TokenBucket>" => |_| BUCKET.try_acquire().is_ok(),
            "Limiter<FixedWindow>" => |_| WINDOW.try_acquire().is_ok(),
            "ratelimit" => |_| ratelimit.try_wait().is_ok(),
            "leaky-bucket" => |_| leaky_plenty.try_acquire(1),
            "throttle_my_fn" => |x| throttled_allowed(x).is_some(),
        ],
    );
}

/// Numbers in an order that no prefetcher guesses.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 13) % count)
}

fn v4(n: u64) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from(n as u32))
}

fn v6(n: u64) -> IpAddr {
    IpAddr::V6(Ipv6Addr::from(0x2001_0db8_u128 << 96 | u128::from(n)))
}

/// A third of the slots spare, as the documentation advises.
const fn room(keys: usize) -> usize {
    keys * 4 / 3
}

macro_rules! keyed {
    ($keys:literal, $label:literal, $type:ty, $make:expr) => {{
        #[limit(strategy = TokenBucket, requests = PLENTY, window = "1s", key = *key, capacity = room($keys))]
        fn limited(key: &$type) -> Option<()> {
            Some(())
        }
        static BUCKETS: Keyed<TokenBucket, { room($keys) }> = Keyed::new(Quota::per_second(PLENTY));
        static WINDOWS: Keyed<FixedWindow, { room($keys) }> = Keyed::new(Quota::per_second(PLENTY));
        let keys: Vec<$type> = scattered($keys).map($make).collect();
        let governor = governor::RateLimiter::keyed(governor_plenty());
        table(
            concat!("keyed, allowed, ", $label, " keys of type ", stringify!($type)),
            ROUNDS,
            vec![
                Contender::new("governor", visit(&keys, |key| governor.check_key(key).is_ok())),
                Contender::new("#[limit] TokenBucket", visit(&keys, |key| limited(key).is_some())),
                Contender::new("Keyed<TokenBucket>", visit(&keys, |key| BUCKETS.try_acquire(key).is_ok())),
                Contender::new("Keyed<FixedWindow>", visit(&keys, |key| WINDOWS.try_acquire(key).is_ok())),
            ],
        );
    }};
}

/// Calls for one key after the other.
fn visit<'a, K: Hash, R>(keys: &'a [K], mut call: impl FnMut(&K) -> R + 'a) -> impl FnMut() -> f64 + 'a {
    let passes = (300_000 / keys.len()).max(1);
    move || {
        let start = Instant::now();
        for _ in 0..passes {
            for key in keys {
                black_box(call(key));
            }
        }
        start.elapsed().as_nanos() as f64 / (passes * keys.len()) as f64
    }
}

fn main() {
    one_thread();
    together::<2>("allowed, two threads on one bucket, a call of each");
    together::<4>("allowed, four threads on one bucket, a call of each");
    together::<8>("allowed, eight threads on one bucket, a call of each");
    keyed!(1_000, "10^3", u64, |n| n);
    keyed!(100_000, "10^5", u64, |n| n);
    keyed!(1_000_000, "10^6", u64, |n| n);
    keyed!(1_000, "10^3", IpAddr, |n| if n % 2 == 0 { v4(n) } else { v6(n) });
    keyed!(100_000, "10^5", IpAddr, |n| if n % 2 == 0 { v4(n) } else { v6(n) });
    keyed!(1_000_000, "10^6", IpAddr, |n| if n % 2 == 0 { v4(n) } else { v6(n) });
}
