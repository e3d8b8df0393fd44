use limiter::limit;

#[limit(requests = 5, window = "1s", key = ip)]
fn f(_: std::net::IpAddr, _: u8) -> Option<u8> {
    Some(1)
}

fn main() {
    f(1);
}
