use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> Vec<u8> {
    vec![1]
}

fn main() {}
