use limiter::limit;

#[limit(rps = 5)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
