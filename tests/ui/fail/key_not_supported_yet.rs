use limiter::limit;

#[limit(requests = 5, window = "1s", cost = bytes, when = bytes > 0)]
fn f(bytes: u64) -> Option<u64> {
    Some(bytes)
}

fn main() {}
