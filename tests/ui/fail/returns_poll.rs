use limiter::limit;
use std::task::Poll;

#[limit(requests = 5, window = "1s")]
fn poll() -> Poll<u8> {
    Poll::Ready(1)
}

fn main() {}
