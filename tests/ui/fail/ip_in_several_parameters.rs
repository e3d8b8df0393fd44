use limiter::limit;
use std::net::SocketAddr;

#[limit(requests = 5, window = "1s", key = ip)]
fn f(peer: SocketAddr, local: SocketAddr) -> Option<u16> {
    Some(peer.port() + local.port())
}

fn main() {}
