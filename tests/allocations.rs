//! No call allocates, allowed or refused, keyed or not, through the attribute or as a value. Alone in its binary, because it counts for the whole process.

use limiter::{FixedWindow, Keyed, Limiter, Quota, Rejected, TokenBucket, limit};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    net::{IpAddr, Ipv4Addr},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static BUCKET: Limiter<TokenBucket> = Limiter::new(Quota::per_hour(1_000));
static WINDOW: Limiter<FixedWindow> = Limiter::new(Quota::per_day(1_000));
static NUMBERS: Keyed<TokenBucket, 512> = Keyed::new(Quota::per_hour(3));
static PEERS: Keyed<FixedWindow, 512> = Keyed::new(Quota::per_day(3));
static NAMES: Keyed<TokenBucket, 512> = Keyed::new(Quota::per_hour(3));

#[limit(strategy = TokenBucket, requests = 1_000, window = "1h")]
fn method(x: u32) -> Result<u32, Rejected> {
    Ok(x)
}

#[limit(requests = 3, window = "1d", key = (ip, route), capacity = 512)]
fn handler(ip: IpAddr, route: &str) -> Option<usize> {
    Some(route.len() + usize::from(ip.is_ipv4()))
}

#[limit(requests = 3, window = "1d", key = ip, capacity = 512, fallback = rejected.limit())]
fn client(ip: IpAddr) -> u64 {
    if ip.is_ipv4() { 4 } else { 6 }
}

fn call_everything() -> (u64, u64) {
    let (mut allowed, mut refused) = (0, 0);
    for i in 0..10_000_u32 {
        let peer = IpAddr::V4(Ipv4Addr::from(i % 1_000));
        let answers = [
            method(i).is_ok(),
            handler(peer, "/search").is_some(),
            client(peer) == 4,
            BUCKET.try_acquire().is_ok(),
            WINDOW.try_acquire().is_ok(),
            NUMBERS.try_acquire(&u64::from(i % 1_000)).is_ok(),
            PEERS.try_acquire(&peer).is_ok(),
            NAMES.try_acquire(if i % 2 == 0 { "ada" } else { "grace" }).is_ok(),
        ];
        for answer in answers {
            if answer {
                allowed += 1;
            } else {
                refused += 1;
            }
        }
    }
    (allowed, refused)
}

fn main() {
    let before = ALLOCATIONS.load(Relaxed);
    let (allowed, refused) = call_everything();
    let during = ALLOCATIONS.load(Relaxed) - before;
    assert!(allowed > 2_000 && refused > 2_000, "both answers were met: {allowed}, {refused}");
    assert_eq!(during, 0, "allocations in {} calls", allowed + refused);
    drop(Box::new(1));
    assert_eq!(ALLOCATIONS.load(Relaxed) - before, 1, "the allocator counts");
    println!("test result: ok. 1 passed; 0 failed; {} calls allocated nothing", allowed + refused);
}
