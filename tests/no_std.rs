//! A crate without `std`: the expansion names nothing of it, and none of its prelude.
#![no_std]

use core::future::Future;
use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use limiter::{Rejected, TokenBucket, limit, test};

#[limit(strategy = TokenBucket, requests = 1, window = "1s", burst = 1)]
fn plain() -> Result<(), Rejected> {
    Ok(())
}

#[limit(requests = 1, window = "1s", key = (name, 1), capacity = 16)]
fn keyed(name: &str) -> Option<&str> {
    Some(name)
}

#[limit(requests = 1, window = "1s", key = ip)]
fn by_ip(ip: IpAddr) -> Option<IpAddr> {
    Some(ip)
}

#[limit(requests = 1, window = "1s", key = ip)]
fn probed(_: u8, peer: SocketAddr) -> Option<u16> {
    Some(peer.port())
}

#[limit(requests = 1, window = "1s", fallback = rejected.name().len())]
fn with_fallback() -> usize {
    0
}

#[limit(requests = 1, window = "1s", fallback = ())]
fn nothing(runs: &mut u8) {
    *runs += 1;
}

#[limit(requests = 1, window = "1s", fallback = panic!("refused"))]
fn never() -> ! {
    panic!("ran")
}

#[limit(requests = 1, window = "1s")]
fn future() -> impl Future<Output = Option<()>> {
    async { Some(()) }
}

#[limit(requests = 1, window = "1s", fallback = core::future::ready(1))]
fn future_by_fallback() -> impl Future<Output = u8> {
    async { 0 }
}

#[limit(requests = 1, window = "1s")]
async fn asynchronous() -> Option<()> {
    Some(())
}

#[test]
fn functions_are_limited() {
    let _time = test::freeze();
    let address = Ipv4Addr::LOCALHOST.into();
    let peer = SocketAddr::new(address, 443);
    assert_eq!((plain().is_ok(), plain().is_ok()), (true, false));
    assert_eq!((keyed("a"), keyed("a"), keyed("b")), (Some("a"), None, Some("b")));
    assert_eq!((by_ip(address), by_ip(address)), (Some(address), None));
    assert_eq!((probed(1, peer), probed(2, peer)), (Some(443), None));
    assert_eq!((with_fallback(), with_fallback()), (0, concat!(module_path!(), "::with_fallback").len()));
    let mut runs = 0;
    nothing(&mut runs);
    nothing(&mut runs);
    assert_eq!(runs, 1);
    drop((future(), future_by_fallback(), asynchronous()));
    if runs > 1 {
        never();
    }
}
