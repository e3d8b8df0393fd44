use limiter::limit;

#[limit(requests = 5, window = "1s", key = ip)]
fn f(name: &str) -> Option<&str> {
    Some(name)
}

fn main() {}
