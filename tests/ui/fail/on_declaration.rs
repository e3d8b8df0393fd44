use limiter::limit;

trait T {
    #[limit(requests = 5, window = "1s")]
    fn f(&self) -> Option<u8>;
}

fn main() {}
