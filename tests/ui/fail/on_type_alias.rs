use limiter::limit;

#[limit(requests = 5, window = "1s")]
type T = u8;

fn main() {}
