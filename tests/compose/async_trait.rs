//! `#[async_trait]` expands first and turns an `async fn` into a function that returns a boxed future.

use async_trait::async_trait;
use limiter::{ClientIp, Rejected, limit, test};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Debug, PartialEq)]
struct Problem(Rejected);

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        Problem(rejected)
    }
}

#[async_trait]
trait Api: Sync {
    async fn by_self(&self, name: String) -> Result<String, Problem>;
    async fn by_destructured(&self, pair: (u8, u8)) -> Option<u8>;
    async fn by_address(&self, from: Connected) -> Option<u16>;
    async fn by_ignored_address(&self, _: Connected) -> Option<u8>;
    async fn by_element(&self, pair: (u8, u8)) -> Option<u8>;

    #[limit(requests = 1, window = "1s")]
    async fn by_default(&self) -> anyhow::Result<u8> {
        Ok(1)
    }

    #[limit(requests = 1, window = "1s", fallback = ())]
    async fn nothing(&self, calls: &Calls) {
        calls.0.fetch_add(1, Relaxed);
    }

    #[limit(requests = 1, window = "1s", fallback = Err(rejected.to_string()))]
    async fn foreign_error(&self) -> Result<u8, String> {
        Ok(1)
    }

    #[limit(requests = 1, window = "1s", fallback = std::process::exit(1))]
    async fn last(&self) -> u8 {
        1
    }
}

/// Which calls did their work.
#[derive(Default)]
struct Calls(AtomicU32);

struct Connected(SocketAddr);

impl ClientIp for Connected {
    fn client_ip(&self) -> Option<IpAddr> {
        self.0.client_ip()
    }
}

struct Server {
    id: u32,
}

#[async_trait]
impl Api for Server {
    #[limit(requests = 1, window = "1s", key = (self.id, name))]
    async fn by_self(&self, name: String) -> Result<String, Problem> {
        Ok(name)
    }

    #[limit(requests = 1, window = "1s")]
    async fn by_destructured(&self, (a, b): (u8, u8)) -> Option<u8> {
        Some(a + b)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    async fn by_address(&self, Connected(address): Connected) -> Option<u16> {
        Some(address.port())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    async fn by_ignored_address(&self, _: Connected) -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s", key = (pair.0, self.id))]
    async fn by_element(&self, pair: (u8, u8)) -> Option<u8> {
        Some(pair.1)
    }
}

#[async_trait(?Send)]
trait Local {
    #[limit(requests = 1, window = "1s")]
    async fn f(&self) -> Option<std::rc::Rc<u8>> {
        Some(std::rc::Rc::new(1))
    }

    #[limit(requests = 1, window = "1s", fallback = Some(std::rc::Rc::new(2)))]
    async fn g(&self) -> Option<std::rc::Rc<u8>> {
        Some(std::rc::Rc::new(1))
    }
}

impl Local for Server {}

#[tokio::test]
async fn methods_are_limited() {
    let _time = test::freeze();
    let (one, two) = (Server { id: 1 }, Server { id: 2 });
    assert_eq!(one.by_self("a".into()).await, Ok("a".to_owned()));
    assert!(one.by_self("a".into()).await.is_err());
    assert!(one.by_self("b".into()).await.is_ok());
    assert!(two.by_self("a".into()).await.is_ok());
    assert_eq!((one.by_destructured((1, 2)).await, one.by_destructured((1, 2)).await), (Some(3), None));
    let from = |text: &str| Connected(text.parse().expect("a literal address"));
    assert_eq!(one.by_address(from("192.0.2.1:1")).await, Some(1));
    assert_eq!(one.by_address(from("192.0.2.1:2")).await, None);
    assert_eq!(one.by_address(from("192.0.2.2:3")).await, Some(3));
    assert_eq!(one.by_default().await.ok(), Some(1));
    assert!(two.by_default().await.unwrap_err().is::<Rejected>());
    assert_eq!(one.by_ignored_address(from("192.0.2.1:1")).await, Some(1));
    assert_eq!(one.by_ignored_address(from("192.0.2.1:2")).await, None);
    assert_eq!(one.by_ignored_address(from("192.0.2.2:3")).await, Some(1));
    assert_eq!((one.by_element((1, 2)).await, one.by_element((1, 3)).await), (Some(2), None));
    assert_eq!((one.by_element((2, 4)).await, two.by_element((1, 5)).await), (Some(4), Some(5)));
    assert!(one.f().await.is_some());
    assert!(one.f().await.is_none());
}

#[tokio::test]
async fn a_fallback_is_what_the_async_fn_returns() {
    let _time = test::freeze();
    let server = Server { id: 1 };
    let calls = Calls::default();
    server.nothing(&calls).await;
    server.nothing(&calls).await;
    assert_eq!(calls.0.into_inner(), 1);
    assert_eq!(server.foreign_error().await, Ok(1));
    assert!(server.foreign_error().await.is_err_and(|text| text.contains("retry in 1s")));
    assert_eq!(server.g().await.as_deref(), Some(&1));
    assert_eq!(server.g().await.as_deref(), Some(&2));
    assert_eq!(server.last().await, 1);
}

#[tokio::test]
async fn their_futures_are_send() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let _time = test::freeze();
    let server = Server { id: 1 };
    // Admitted and refused: it is one type.
    assert_eq!(sent(server.by_self("a".into())).await, Ok("a".to_owned()));
    assert!(sent(server.by_self("a".into())).await.is_err());
    assert_eq!(sent(server.foreign_error()).await, Ok(1));
    assert!(sent(server.foreign_error()).await.is_err());
}

#[tokio::test]
async fn they_are_charged_when_they_are_called() {
    let _time = test::freeze();
    let server = Server { id: 1 };
    drop(server.by_destructured((1, 2)));
    assert_eq!(server.by_destructured((1, 2)).await, None);
}
