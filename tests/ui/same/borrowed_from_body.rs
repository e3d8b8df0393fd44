use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f<'a>() -> Option<&'a str> {
    let text = String::from("text");
    Some(&text)
}

fn main() {}
