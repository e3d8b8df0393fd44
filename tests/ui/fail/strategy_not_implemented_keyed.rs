use limiter::limit;

struct NotOne;

#[limit(strategy = NotOne, requests = 5, window = "1s", key = user)]
fn f(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
