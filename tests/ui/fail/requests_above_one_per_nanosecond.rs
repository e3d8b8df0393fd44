use limiter::limit;

#[limit(requests = 1_001, window = "1us")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
