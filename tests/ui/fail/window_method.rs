use limiter::limit;

#[limit(requests = 5, window = 5.seconds())]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
