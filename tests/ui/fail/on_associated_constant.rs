use limiter::limit;

struct S;

impl S {
    #[limit(requests = 5, window = "1s")]
    const MAX: u8 = 1;
}

fn main() {}
