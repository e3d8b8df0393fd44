use limiter::limit;

#[limit(requests = 5, window = "1s", key = ip)]
fn f(_: std::net::IpAddr, list: Vec<u8>) -> Option<Vec<u8>> {
    list.push(1);
    Some(list)
}

fn main() {}
