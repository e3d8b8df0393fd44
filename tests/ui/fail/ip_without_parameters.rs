use limiter::limit;

#[limit(requests = 5, window = "1s", key = ip)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
