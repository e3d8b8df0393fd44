use limiter::limit;
use std::fmt;

#[limit(requests = 5, window = "1s")]
async fn f() -> fmt::Result {
    Ok(())
}

fn main() {}
