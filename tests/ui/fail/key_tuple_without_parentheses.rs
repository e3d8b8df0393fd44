use limiter::limit;

#[limit(requests = 5, window = "1s", key = user, route)]
fn f(user: u32, route: &str) -> Option<u32> {
    Some(user).filter(|_| !route.is_empty())
}

fn main() {}
