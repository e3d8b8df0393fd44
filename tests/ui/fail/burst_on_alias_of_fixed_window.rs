use limiter::{FixedWindow as Window, limit};

#[limit(strategy = Window, requests = 5, window = "1s", burst = 10)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
