use limiter::limit;

fn f(#[limit(requests = 5, window = "1s")] a: u8) -> Option<u8> {
    Some(a)
}

fn main() {}
