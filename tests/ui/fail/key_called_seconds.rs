use limiter::limit;

#[limit(requests = 5, seconds = 60)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
