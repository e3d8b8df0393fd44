use limiter::limit;

#[limit(requests = 100 / s)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
