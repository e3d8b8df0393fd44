use limiter::limit;

const NONE: u64 = 0;

#[limit(strategy = limiter::TokenBucket, requests = 5, window = "1s", burst = NONE)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
