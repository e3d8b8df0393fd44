use limiter::limit;

#[limit(requests = 5, window = "1s")]
#[cfg_attr(all(), limit(requests = 100, window = "1m"))]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
