use limiter::limit;

const NONE: usize = 0;

#[limit(requests = 5, window = "1s", key = user, capacity = NONE)]
fn f(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
