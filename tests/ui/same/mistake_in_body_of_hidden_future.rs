use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> impl Future<Output = Option<u8>> {
    let x: u8 = "one";
    async move { Some(x) }
}

fn main() {}
