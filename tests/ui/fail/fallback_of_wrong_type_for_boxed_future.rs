use std::future::Future;
use std::pin::Pin;

use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = "none")]
fn f() -> Pin<Box<dyn Future<Output = u8> + Send>> {
    Box::pin(async { 1 })
}

fn main() {}
