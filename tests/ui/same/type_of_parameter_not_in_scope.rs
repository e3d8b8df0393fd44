use limiter::limit;

#[limit(requests = 5, window = "1s", key = user)]
fn f(user: Nobody) -> Option<u8> {
    Some(1)
}

fn main() {}
