use limiter::limit;

#[limit(requests = 5, window = "1s", key = a)]
fn f(a: &str, b: &str) -> Option<&str> {
    Some(if a.is_empty() { b } else { a })
}

fn main() {}
