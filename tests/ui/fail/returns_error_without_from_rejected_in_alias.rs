use limiter::limit;
use std::io;

#[limit(requests = 5, window = "1s")]
async fn f() -> io::Result<u8> {
    Ok(1)
}

fn main() {}
