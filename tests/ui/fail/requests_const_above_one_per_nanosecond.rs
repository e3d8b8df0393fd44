use limiter::limit;

const MANY: u64 = 1 << 40;

#[limit(requests = MANY, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
