use limiter::limit;

#[limit(requests = 5, window = "1s", key = user, capacity = "10k")]
fn f(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
