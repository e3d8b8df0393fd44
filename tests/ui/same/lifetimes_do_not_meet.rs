use limiter::limit;

#[limit(requests = 5, window = "1s", key = a)]
fn f<'a, 'b>(a: &'a str, b: &'b str) -> Option<&'a str> {
    Some(if a.is_empty() { b } else { a })
}

fn main() {}
