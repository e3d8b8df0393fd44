use limiter::limit;

#[limit(requests = 5, window = "1s")]
pub use std::fmt;

fn main() {}
