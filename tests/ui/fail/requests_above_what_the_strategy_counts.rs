use limiter::{Decision, Nanos, Quota, limit};
use std::sync::atomic::AtomicU64;

struct Few;

impl limiter::Strategy for Few {
    type State = AtomicU64;
    const UNSEEN: AtomicU64 = AtomicU64::new(0);
    const MAX_REQUESTS: u64 = 10;
    const HAS_BURST: bool = false;

    fn decide(_: &AtomicU64, _: &Quota, _: u64, _: Nanos) -> Decision {
        Decision::Allowed { remaining: 0, reset_after: 0 }
    }
    fn spent(_: &AtomicU64, _: &Quota, _: Nanos) -> u64 {
        0
    }
    fn forget(_: &AtomicU64, _: &Quota, _: Nanos, _: u64) -> bool {
        true
    }
}

#[limit(strategy = Few, requests = 11, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
