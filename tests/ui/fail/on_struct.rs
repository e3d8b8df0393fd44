use limiter::limit;

#[limit(requests = 5, window = "1s")]
struct S {
    field: u8,
}

fn main() {}
