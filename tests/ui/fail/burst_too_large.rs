use limiter::limit;

#[limit(strategy = limiter::TokenBucket, requests = 1, window = "365d", burst = 147)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
