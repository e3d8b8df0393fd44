use limiter::limit;

#[limit(requests = 5, window = "1s")]
trait T {
    fn f(&self) -> Option<u8> {
        Some(1)
    }
}

fn main() {}
