use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = rejected.to_string())]
fn f() -> u8 {
    1
}

fn main() {}
