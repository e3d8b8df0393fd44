use limiter::limit;

#[limit(strategy = limiter::TokenBucket, requests = 5, window = "1s", burst = 7.5)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
