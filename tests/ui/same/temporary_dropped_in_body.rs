use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> Option<usize> {
    let text: &str = String::from("text").as_str();
    Some(text.len())
}

fn main() {}
