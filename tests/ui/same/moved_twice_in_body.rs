use limiter::limit;

#[limit(requests = 5, window = "1s", key = name)]
fn f(name: String) -> Option<String> {
    drop(name);
    Some(name)
}

fn main() {}
