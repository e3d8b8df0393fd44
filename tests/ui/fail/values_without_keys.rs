use limiter::limit;

#[limit(5, "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
