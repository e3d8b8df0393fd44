use limiter::limit;

#[limit(strategy = S, requests = 5, window = "1s")]
fn f<S: limiter::Strategy>() -> Option<u8> {
    Some(1)
}

fn main() {}
