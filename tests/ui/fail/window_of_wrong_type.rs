use limiter::limit;

const SECONDS: u64 = 60;

#[limit(requests = 5, window = SECONDS)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
