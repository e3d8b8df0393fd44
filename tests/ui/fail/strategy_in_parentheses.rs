use limiter::limit;

#[limit(strategy = (5), requests = 5, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
