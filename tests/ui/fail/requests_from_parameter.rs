use limiter::limit;

#[limit(requests = n, window = "1s")]
fn f(n: u64) -> Option<u64> {
    Some(n)
}

fn main() {}
