use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn download() -> (impl Future<Output = Option<u8>>, u64) {
    (async { Some(1) }, 0)
}

fn main() {}
