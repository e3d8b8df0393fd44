use limiter::limit;

trait Plan {
    const LIMIT: u64;

    #[limit(requests = Self::LIMIT, window = "1s")]
    fn call(&self) -> Option<u64> {
        Some(Self::LIMIT)
    }
}

struct Closed;

impl Plan for Closed {
    const LIMIT: u64 = 0;
}

fn main() {
    Closed.call();
}
