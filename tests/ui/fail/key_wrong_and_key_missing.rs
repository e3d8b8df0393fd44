use limiter::limit;

#[limit(request = 5)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
