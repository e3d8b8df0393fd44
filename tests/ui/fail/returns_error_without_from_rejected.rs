use limiter::limit;

struct MyError;

#[limit(requests = 5, window = "1s")]
fn f() -> Result<u8, MyError> {
    Err(MyError)
}

fn main() {}
