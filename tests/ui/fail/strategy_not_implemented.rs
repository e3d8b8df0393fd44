use limiter::limit;

struct NotOne;

#[limit(strategy = NotOne, requests = 5, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
