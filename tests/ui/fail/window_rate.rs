use limiter::limit;

#[limit(requests = 5, window = "10/s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
