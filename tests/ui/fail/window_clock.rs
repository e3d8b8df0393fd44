use limiter::limit;

#[limit(requests = 5, window = "00:01:00")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
