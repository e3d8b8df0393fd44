use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = async { "none" })]
fn f() -> impl Future<Output = u8> {
    async { 1 }
}

fn main() {}
