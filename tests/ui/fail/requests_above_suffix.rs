use limiter::limit;

#[limit(requests = 300u8, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
