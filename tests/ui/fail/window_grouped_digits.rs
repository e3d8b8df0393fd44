use limiter::limit;

#[limit(requests = 5, window = "1_000ms")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
