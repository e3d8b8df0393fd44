use limiter::limit;

#[limit(requests = 5, window = "1s")]
mod m {}

fn main() {}
