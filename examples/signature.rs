//! Two uses of one limit: thinning out pointer events, and threads that share two calls a second.
//!
//! A signature pad delivers thousands of points while somebody signs. A smooth line needs some sixty of them a second, so
//! each point asks a limit, and those that are refused are dropped. Then six threads ask another limit at the same time,
//! and the demo checks what a limit promises: never more than `burst + rate · elapsed`.

use limiter::{Decision, Limiter, Quota, Strategy, TokenBucket};
use std::{
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

fn main() -> ExitCode {
    if sign() && share() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

const POINTS: u64 = 5_000;
const SIGNING: Duration = Duration::from_secs(4);

/// A point every 60th of a second. With a burst of 1 they are evenly spaced; the default would keep the first 60 at once.
const SAMPLES: Quota = Quota::per_second(60).burst(1);

/// Samples a stroke on its own time: a strategy needs no clock, only an instant.
fn sign() -> bool {
    let bucket = TokenBucket::UNSEEN;
    let mut all = Canvas::BLANK;
    let mut kept = Canvas::BLANK;
    for number in 0..POINTS {
        let now = SIGNING.mul_f64(number as f64 / POINTS as f64);
        let point = pen(now);
        all.draw(point);
        if let Decision::Allowed { .. } = TokenBucket::decide(&bucket, &SAMPLES, 1, now.as_nanos() as u64) {
            kept.draw(point);
        }
    }
    println!("{} points in {SIGNING:?}:\n{}", all.points, all.show());
    println!("{} of them kept, at {SAMPLES:?}:\n{}", kept.points, kept.show());
    keeps_promise(kept.points, SAMPLES, SIGNING)
}

/// Where the pen is: loops that drift to the right and calm down.
fn pen(now: Duration) -> (f64, f64) {
    let t = now.as_secs_f64() / SIGNING.as_secs_f64();
    let (turn, size) = (t * 45.0, 1.0 - 0.7 * t);
    (0.08 + 0.84 * t + 0.07 * size * turn.cos(), 0.5 + 0.45 * size * (turn + 2.0 * t).sin())
}

/// A picture in characters, and how many points it has.
struct Canvas {
    dots: [[bool; 72]; 12],
    points: u64,
}

impl Canvas {
    const BLANK: Self = Self { dots: [[false; 72]; 12], points: 0 };

    /// Both coordinates are from 0 to 1.
    fn draw(&mut self, (x, y): (f64, f64)) {
        self.dots[(y * 11.0).round() as usize][(x * 71.0).round() as usize] = true;
        self.points += 1;
    }

    fn show(&self) -> String {
        let line = |dots: &[bool; 72]| dots.map(|dot| if dot { '•' } else { ' ' }).iter().collect::<String>() + "\n";
        self.dots.iter().map(line).collect()
    }
}

/// The limit that the threads share: two at once, then one each half second.
static SHARED: Limiter<TokenBucket> = Limiter::named("shared", Quota::per_second(2));

/// Six threads make 40 calls each, one each 50 ms, and say which of them the limit let through.
fn share() -> bool {
    println!("six threads share {:?} and make 40 calls each; these were let through:", SHARED.quota());
    let start = Instant::now();
    let calls = |name: usize| {
        let mut passed = 0;
        for call in 1..=40 {
            thread::sleep(Duration::from_millis(50));
            let speak = |verb| {
                println!("  {:.2} s  thread {name}, call {call:>2} of 40, by {verb}", start.elapsed().as_secs_f64());
            };
            // Two ways to ask: run a closure only if permitted, or take a permit and go on.
            let is_permitted = if name % 2 == 0 {
                SHARED.throttle(|| speak("throttle")).is_ok()
            } else {
                SHARED.try_acquire().inspect(|_| speak("try_acquire")).is_ok()
            };
            passed += u64::from(is_permitted);
        }
        passed
    };
    let passed = thread::scope(|scope| {
        let threads: Vec<_> = (1..=6).map(|name| scope.spawn(move || calls(name))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that only counts")).sum()
    });
    println!("{passed} of 240 calls in {:.1?}", start.elapsed());
    keeps_promise(passed, SHARED.quota(), start.elapsed())
}

/// Whether `passed` is at most what the quota allows in this time, and at least its burst.
fn keeps_promise(passed: u64, quota: Quota, elapsed: Duration) -> bool {
    let refill = quota.requests() as f64 * elapsed.as_secs_f64() / quota.window().as_secs_f64();
    let most = quota.burst_size() + refill.floor() as u64;
    let is_kept = (quota.burst_size()..=most).contains(&passed);
    println!("at most {most} were allowed: {}\n", if is_kept { "kept" } else { "BROKEN" });
    is_kept
}
