use limiter::limit;

#[limit(requests = 5, window = "1s", key = (route, ip))]
fn f(route: &str) -> Option<u8> {
    Some(1)
}

fn main() {}
