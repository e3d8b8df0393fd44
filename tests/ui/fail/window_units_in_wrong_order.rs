use limiter::limit;

#[limit(requests = 5, window = "30m1h")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
