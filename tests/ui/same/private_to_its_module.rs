mod inner {
    #[limiter::limit(requests = 5, window = "1s")]
    fn f() -> Option<u8> {
        Some(1)
    }
}

fn main() {
    inner::f();
}
