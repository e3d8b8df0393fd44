use limiter::limit;

trait Plan {
    const LIMIT: u64;

    #[limit(requests = Self::LIMIT, window = "1s")]
    fn f(&self) -> Option<u64> {
        Some(Self::LIMIT)
    }
}

fn main() {}
