use limiter::limit;

#[limit(requests = 5, window = "PT1M")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
