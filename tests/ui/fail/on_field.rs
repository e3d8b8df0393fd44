use limiter::limit;

struct S {
    #[limit(requests = 5, window = "1s")]
    a: u8,
}

fn main() {}
