use limiter::limit;

fn f() -> Option<u8> {
    Some(1)
}

fn main() {
    let x = #[limit(requests = 5, window = "1s")] f();
    let _ = x;
}
