use limiter::limit;

const MANY: u32 = 5;

#[limit(requests = MANY, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
