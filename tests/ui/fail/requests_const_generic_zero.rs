use limiter::limit;

struct Pool<const SIZE: u64>;

impl<const SIZE: u64> Pool<SIZE> {
    #[limit(requests = SIZE, window = "1s")]
    fn connect(&self) -> Option<u64> {
        Some(SIZE)
    }
}

fn main() {
    Pool::<0>.connect();
}
