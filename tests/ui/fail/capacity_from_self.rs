use limiter::limit;

struct Pool;

impl Pool {
    const SIZE: usize = 100;

    #[limit(requests = 5, window = "1s", key = id, capacity = Self::SIZE)]
    fn take(&self, id: u32) -> Option<u32> {
        Some(id)
    }
}

fn main() {}
