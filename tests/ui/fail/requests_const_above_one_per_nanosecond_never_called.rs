use limiter::limit;

const MANY: u64 = 1 << 40;

pub struct Pool<T>(pub T);

impl<T> Pool<T> {
    #[limit(requests = MANY, window = "1s")]
    pub fn take(&self) -> Option<&T> {
        Some(&self.0)
    }
}

fn main() {}
