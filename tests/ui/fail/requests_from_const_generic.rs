use limiter::limit;

#[limit(requests = N, window = "1s")]
fn f<const N: u64>() -> Option<u64> {
    Some(N)
}

fn main() {}
