use limiter::limit;

#[limit(requests = 5, window = "1s", crate = [limiter])]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
