use limiter::limit;

#[limit(window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
