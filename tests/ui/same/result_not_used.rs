#![deny(unused_must_use)]

use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = Err(1))]
fn f() -> Result<(), u8> {
    Ok(())
}

fn main() {
    f();
}
