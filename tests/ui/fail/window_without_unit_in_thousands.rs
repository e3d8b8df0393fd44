use limiter::limit;

#[limit(requests = 5, window = "60_000")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
