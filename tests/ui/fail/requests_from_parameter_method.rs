use limiter::limit;

struct Api {
    n: u64,
}

impl Api {
    #[limit(requests = self.n, window = "1s")]
    fn f(&self) -> Option<u64> {
        Some(self.n)
    }
}

fn main() {}
