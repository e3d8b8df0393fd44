use limiter::limit;

#[limit(request = 5, window = "1s")]
struct S;

fn main() {}
