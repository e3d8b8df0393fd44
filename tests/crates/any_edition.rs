// What every edition can say, compiled in each. Not documentation, because it is included in other files.

use limiter::{limit, test, Rejected, TokenBucket};
use std::net::SocketAddr;
use std::time::Duration;

const WINDOW: Duration = Duration::from_secs(1);

#[limit(strategy = TokenBucket, requests = 1, window = WINDOW, burst = 1, name = "named")]
fn named() -> Result<(), Rejected> {
    Ok(())
}

#[limit(requests = 1, window = "1s", key = (name, 1), capacity = 16)]
fn keyed(name: &str) -> Option<&str> {
    Some(name)
}

#[limit(requests = 1, window = "1s", key = ip)]
fn probed(_: u8, peer: SocketAddr) -> Option<u16> {
    Some(peer.port())
}

#[limit(requests = 1, window = "1s", fallback = format!("{}", rejected))]
fn text() -> String {
    String::new()
}

#[limit(requests = 1, window = "1s", fallback = ())]
fn nothing(runs: &mut u8) {
    *runs += 1;
}

#[limit(requests = 1, window = "1s", fallback = panic!("refused"))]
fn value() -> u8 {
    1
}

#[limit(requests = 1, window = "1s", fallback = None.into_iter())]
fn hidden() -> impl Iterator<Item = u8> {
    Some(1).into_iter()
}

#[limit(requests = 1, window = "1s", fallback = 0)]
extern "C" fn foreign(r#where: u8) -> u8 {
    r#where
}

trait Greet {
    #[limit(requests = 1, window = "1s")]
    fn greet(&self) -> Option<u8> {
        Some(1)
    }
}

impl Greet for u8 {}

macro_rules! written {
    ($name:ident, $key:expr, $ty:ty, $body:block) => {
        #[limit(requests = 1, window = "1s", key = $key)]
        fn $name(_user: $ty) -> Option<$ty> $body
    };
}

const EVERYBODY: u8 = 0;
written!(written, EVERYBODY, u8, { Some(1) });

#[test]
fn functions_are_limited() {
    let _time = test::freeze();
    assert_eq!(named(), Ok(()));
    assert_eq!(named().unwrap_err().name(), "named");
    assert_eq!((keyed("a"), keyed("a"), keyed("b")), (Some("a"), None, Some("b")));
    let peer = SocketAddr::from(([192, 0, 2, 1], 443));
    assert_eq!((probed(1, peer), probed(2, peer)), (Some(443), None));
    assert_eq!(text(), "");
    assert!(text().starts_with("rate limit"));
    let mut runs = 0;
    nothing(&mut runs);
    nothing(&mut runs);
    assert_eq!(runs, 1);
    assert_eq!(value(), 1);
    assert!(std::panic::catch_unwind(value).is_err());
    assert_eq!((hidden().count(), hidden().count()), (1, 0));
    assert_eq!((foreign(2), foreign(2)), (2, 0));
    assert_eq!((1u8.greet(), 2u8.greet()), (Some(1), None));
    assert_eq!((written(1), written(2)), (Some(1), None));
}
