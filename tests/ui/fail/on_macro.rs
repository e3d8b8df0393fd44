use limiter::limit;

#[limit(requests = 5, window = "1s")]
macro_rules! m {
    () => {};
}

m!();

fn main() {}
