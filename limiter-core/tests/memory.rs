//! A keyed limit takes no memory until keys come, then 16 bytes a slot, and ten million keys more change nothing. The
//! attribute's is no part of the program's file either. Alone in its binary, because it measures the whole process.

use limiter_core::{
    __private::{Chunks, Spec, Table, chunks},
    Keyed, Quota, TokenBucket, registry,
};

const LIVE: u64 = 1_000_000;

const CAPACITY: usize = LIVE as usize * 5 / 4;
/// The slots, and of the attribute's a sixteenth more for what its chunks carry.
const TABLE: u64 = CAPACITY as u64 * 16 * 17 / 16;
/// What a process touches besides: its code, its stack, what it reads its own size into.
const SLACK: u64 = 1 << 20;

const QUOTA: Quota = Quota::per_day(2);

static VALUE: Keyed<TokenBucket, CAPACITY> = Keyed::named("value", QUOTA);

/// What the attribute puts into a static.
type Guard<const CAPACITY: usize, const CHUNKS: usize> = Table<TokenBucket, Chunks<TokenBucket, CAPACITY, CHUNKS>>;

static GUARD: Guard<CAPACITY, { chunks(CAPACITY) }> = Table::UNSEEN;
const SPEC: &Spec = &Spec::new::<TokenBucket>("guard", file!(), line!(), QUOTA);
const IDLE_SPEC: &Spec = &Spec::new::<TokenBucket>("idle", file!(), line!(), QUOTA);

const IDLE_CAPACITY: usize = 4_000_000;
static IDLE: Guard<IDLE_CAPACITY, { chunks(IDLE_CAPACITY) }> = Table::UNSEEN;

/// Resident memory of this process in bytes, where the kernel tells.
fn resident() -> Option<u64> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4_096)
}

/// Counts `LIVE` keys, then `passing` more.
fn measure(name: &str, passing: u64, take: impl Fn(u64) -> bool) {
    const EXHAUSTED: u64 = u64::MAX;
    let at_first = resident().unwrap_or_default();
    assert!(take(EXHAUSTED) && take(EXHAUSTED) && !take(EXHAUSTED));
    for key in 0..LIVE {
        assert!(take(key), "{name} refused a new key");
    }
    let evictions = || registry::limits().find(|limit| limit.name == name).map_or(0, |limit| limit.evictions);
    let live = resident().unwrap_or_default();
    let per_key = (live - at_first) as f64 / LIVE as f64;
    assert!(evictions() < LIVE / 10_000, "{} evictions", evictions());
    assert!(per_key <= 24.0, "{per_key} bytes a key");

    for key in LIVE..LIVE + passing {
        assert!(take(key), "{name} refused a new key");
    }
    let after = resident().unwrap_or_default();
    // The last of the table's own pages, and nothing else.
    assert!(
        after - at_first <= TABLE + SLACK,
        "{} bytes more than before, {TABLE} of them the table",
        after - at_first
    );
    assert!(!take(EXHAUSTED), "a key out of permits outlives those that are not");
    assert!(evictions() > 0);
    println!("{name}: {per_key:.1} bytes a live key, {} KiB more after {passing} others", (after - live) / 1_024);
}

fn main() {
    if resident().is_none() {
        println!("test result: ok. 0 passed; 0 failed; this platform does not tell resident memory");
        return;
    }
    let at_first = resident().unwrap_or_default();
    assert!(IDLE.check(IDLE_SPEC, &0).is_ok());
    assert!(resident().unwrap_or_default() - at_first <= SLACK, "an idle table takes memory");
    // With the value's table, which is a part of it, because the value carries its quota.
    let file = std::env::current_exe().and_then(|file| file.metadata()).map_or(0, |file| file.len());
    assert!(file < IDLE_CAPACITY as u64 * 16, "the program's file is {file} bytes long, with the guards' tables in it");

    VALUE.register();
    measure("value", 1_000_000, |key| VALUE.try_acquire(&key).is_ok());
    measure("guard", 10_000_000, |key| GUARD.check(SPEC, &key).is_ok());
    println!("test result: ok. 1 passed; 0 failed");
}
