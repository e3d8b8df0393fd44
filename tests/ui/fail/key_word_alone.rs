use limiter::limit;

#[limit(requests = 5, window = "1s", ip)]
fn f(ip: std::net::IpAddr) -> Option<u8> {
    ip.is_ipv4().then_some(1)
}

fn main() {}
