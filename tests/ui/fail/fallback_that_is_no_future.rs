use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = 0)]
fn f() -> impl Future<Output = u8> {
    async { 1 }
}

fn main() {}
