use limiter::limit;

const SIZE: u64 = 1_000;

#[limit(requests = 5, window = "1s", key = user, capacity = SIZE)]
fn f(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
