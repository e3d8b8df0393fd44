use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = nothing)]
fn f() -> u8 {
    1
}

fn main() {}
