//! `#[async_trait]` expands first and turns an `async fn` into a function that returns a boxed future.

use async_trait::async_trait;
use limiter::{ClientIp, Rejected, limit, test};
use std::net::{IpAddr, SocketAddr};

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

    #[limit(requests = 1, window = "1s")]
    async fn by_default(&self) -> anyhow::Result<u8> {
        Ok(1)
    }

    #[limit(requests = 1, window = "1s", fallback = Box::pin(async {}))]
    async fn nothing(&self) {}
}

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
}

#[async_trait(?Send)]
trait Local {
    #[limit(requests = 1, window = "1s")]
    async fn f(&self) -> Option<std::rc::Rc<u8>> {
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
    one.nothing().await;
    one.nothing().await;
    assert!(one.f().await.is_some());
    assert!(one.f().await.is_none());
}

#[tokio::test]
async fn they_are_charged_when_they_are_called() {
    let _time = test::freeze();
    let server = Server { id: 1 };
    drop(server.by_destructured((1, 2)));
    assert_eq!(server.by_destructured((1, 2)).await, None);
}
