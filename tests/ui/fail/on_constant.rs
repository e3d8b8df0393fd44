use limiter::limit;

#[limit(requests = 5, window = "1s")]
const C: u8 = 1;

fn main() {}
