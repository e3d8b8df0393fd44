//! A keyed limit takes no memory until keys come, then 16 bytes a slot, and ten million keys more change nothing. Alone in
//! its binary, because it measures the whole process.

use limiter_core::{Keyed, Quota, TokenBucket};

const LIVE: u64 = 1_000_000;
const PASSING: u64 = 10_000_000;

const CAPACITY: usize = LIVE as usize * 5 / 4;
const TABLE: u64 = CAPACITY as u64 * 16;
/// What a process touches besides: its code, its stack, what it reads its own size into.
const SLACK: u64 = 1 << 20;

static LIMIT: Keyed<TokenBucket, CAPACITY> = Keyed::new(Quota::per_day(2));
static IDLE: Keyed<TokenBucket, 4_000_000> = Keyed::new(Quota::per_day(2));

/// Resident memory of this process in bytes, where the kernel tells.
fn resident() -> Option<u64> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4_096)
}

fn main() {
    let Some(at_first) = resident() else {
        println!("test result: ok. 0 passed; 0 failed; this platform does not tell resident memory");
        return;
    };
    assert!(IDLE.try_acquire(&0).is_ok());

    LIMIT.try_acquire_n("exhausted", 2).unwrap();
    for key in 0..LIVE {
        LIMIT.try_acquire(&key).unwrap();
    }
    let live = resident().unwrap();
    let per_key = (live - at_first) as f64 / LIVE as f64;
    assert!(LIMIT.evictions() < LIVE / 10_000, "{} evictions", LIMIT.evictions());
    assert!(per_key <= 24.0, "{per_key} bytes a key");

    for key in LIVE..LIVE + PASSING {
        LIMIT.try_acquire(&key).unwrap();
    }
    let after = resident().unwrap();
    // The last of the table's own pages, and nothing else.
    assert!(
        after - at_first <= TABLE + SLACK,
        "{} bytes more than before, {TABLE} of them the table",
        after - at_first
    );
    assert!(LIMIT.try_acquire("exhausted").is_err(), "a key out of permits outlives those that are not");
    assert!(LIMIT.evictions() > 0);

    println!(
        "test result: ok. 1 passed; 0 failed; {per_key:.1} bytes a live key, {} KiB more after {PASSING} others",
        (after - live) / 1_024
    );
}
