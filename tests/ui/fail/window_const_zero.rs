use limiter::limit;
use std::time::Duration;

#[limit(requests = 5, window = Duration::ZERO)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
