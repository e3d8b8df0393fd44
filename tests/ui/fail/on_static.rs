use limiter::limit;

#[limit(requests = 5, window = "1s")]
static S: u8 = 1;

fn main() {}
