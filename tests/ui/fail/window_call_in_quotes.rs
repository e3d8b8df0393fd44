use limiter::limit;

#[limit(requests = 5, window = "Duration::from_secs(1)")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
