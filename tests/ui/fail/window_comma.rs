use limiter::limit;

#[limit(requests = 5, window = "1h, 30m")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
