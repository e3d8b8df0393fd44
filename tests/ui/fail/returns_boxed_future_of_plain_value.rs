use limiter::limit;
use std::pin::Pin;

#[limit(requests = 5, window = "1s")]
fn f() -> Pin<Box<dyn Future<Output = u8> + Send>> {
    Box::pin(async { 1 })
}

fn main() {}
