use limiter::limit;

const MANY: u64 = 147;

#[limit(strategy = limiter::TokenBucket, requests = 1, window = "365d", burst = MANY)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
