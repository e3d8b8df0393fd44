use limiter::limit;

#[limit(requests = 5, window = 1.5)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
