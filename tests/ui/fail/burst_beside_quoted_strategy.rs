use limiter::limit;

#[limit(strategy = "TokenBucket", requests = 5, window = "1s", burst = 10)]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
