use limiter::limit;

struct S;

#[limit(requests = 5, window = "1s")]
impl S {
    fn f(&self) -> Option<u8> {
        Some(1)
    }
}

fn main() {}
