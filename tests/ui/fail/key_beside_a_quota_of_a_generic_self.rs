use limiter::limit;

trait Plan {
    const LIMIT: u64;

    #[limit(requests = Self::LIMIT, window = "1s", key = user)]
    fn f(&self, user: u32) -> Option<u32> {
        Some(user)
    }
}

fn main() {}
