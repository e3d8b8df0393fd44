use limiter::limit;

#[limit(requests = 5, window = 1 min)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
