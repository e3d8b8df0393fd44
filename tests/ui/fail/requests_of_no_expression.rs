use limiter::limit;

#[limit(requests = @, window = "1s")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
