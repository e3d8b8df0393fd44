use limiter::limit;
use limiter::limit as throttle;

#[limit(requests = 5, window = "1s")]
#[throttle(requests = 100, window = "1m")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
