use limiter::limit;

const NONE: u64 = 0;

#[limit(requests = NONE, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
