use limiter::limit;

#[limit(requests = 5, window = "1S")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
