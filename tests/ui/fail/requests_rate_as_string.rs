use limiter::limit;

#[limit(requests = "10/min")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
