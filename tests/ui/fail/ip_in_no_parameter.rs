use limiter::limit;
use std::net::SocketAddr;

/// As axum's, whose implementation of `ClientIp` comes with a feature.
struct ConnectInfo<T>(T);

#[limit(requests = 5, window = "1s", key = ip)]
fn f(name: &str) -> Option<&str> {
    Some(name)
}

#[limit(requests = 5, window = "1s", key = ip)]
fn g(ConnectInfo(peer): ConnectInfo<SocketAddr>) -> Option<SocketAddr> {
    Some(peer)
}

fn main() {}
