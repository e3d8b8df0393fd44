use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> Option<u8> {
    let x = ;
    Some(x)
}

fn main() {}
