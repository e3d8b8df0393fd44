//! A program that has the limiter from a framework only.

use framework::rate::limiter::{Rejected, TokenBucket, test};
use framework::rate::{limit, limiter};
use std::future::Future;
use std::net::SocketAddr;

#[limit(strategy = TokenBucket, requests = 1, window = "1s", burst = 1, crate = ::framework::rate::limiter)]
fn by_path() -> Result<u8, Rejected> {
    Ok(1)
}

#[limit(requests = 1, window = "1s", key = (ip, 1), crate = ::framework::rate::limiter)]
fn probed(peer: SocketAddr) -> Option<u16> {
    Some(peer.port())
}

#[limit(requests = 1, window = "1s", fallback = std::process::abort(), crate = crate::limiter)]
fn by_import() -> u8 {
    1
}

#[limit(requests = 1, window = "1s", crate = ::framework::rate::limiter)]
fn future() -> impl Future<Output = Option<u8>> {
    async { Some(1) }
}

#[limit(requests = 1, window = "1s", fallback = async { 0 }, crate = ::framework::rate::limiter)]
fn future_by_fallback() -> impl Future<Output = u8> {
    async { 1 }
}

framework::endpoint! {
    /// Written by a macro of the framework's.
    pub(crate) fn endpoint(user: u8) -> Result<u8, Rejected> {
        Ok(user)
    }
}

mod deep {
    framework::endpoint! {
        pub(super) fn endpoint() -> Option<u8> {
            Some(1)
        }
    }
}

#[test]
fn what_a_framework_hands_on_is_found() {
    let _time = test::freeze();
    let peer = SocketAddr::from(([192, 0, 2, 1], 443));
    assert_eq!((by_path().is_ok(), by_path().is_ok()), (true, false));
    assert_eq!((probed(peer), probed(peer)), (Some(443), None));
    assert_eq!(by_import(), 1);
    drop((future(), future_by_fallback()));
    assert_eq!((endpoint(2), endpoint(2).is_ok()), (Ok(2), false));
    assert_eq!((deep::endpoint(), deep::endpoint()), (Some(1), None));
}
