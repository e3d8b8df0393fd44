use limiter::limit;

#[limit(requests = 5, window = "1 hour and 30 minutes")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
