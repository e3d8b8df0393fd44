use limiter::limit;

#[limit(requests = 5, window = "1s", key = drop(name))]
fn f(name: String) -> Option<String> {
    Some(name)
}

fn main() {}
