#![deny(unused_variables)]

use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f(x: u8) -> Option<u8> {
    Some(1)
}

fn main() {
    f(1);
}
