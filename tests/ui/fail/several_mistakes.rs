use limiter::limit;

#[limit(strategy = limiter::TokenBucket, request = 5, window = "1 s", burst = 0, key = user, capacity = -1, name = "")]
fn f(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
