use limiter::limit;

#[limit]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
