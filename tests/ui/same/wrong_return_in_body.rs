use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> Option<u8> {
    return 1;
}

fn main() {}
