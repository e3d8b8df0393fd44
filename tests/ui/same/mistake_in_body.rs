use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> Option<u8> {
    let x: u8 = "one";
    Some(x)
}

fn main() {}
