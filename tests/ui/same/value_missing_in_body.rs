use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f(x: u8) -> Option<u8> {
    let _next = x + 1;
}

fn main() {}
