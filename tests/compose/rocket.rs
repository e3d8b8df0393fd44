//! Rocket's `#[get]` keeps the function and reads the names of its parameters.

use limiter::{Rejected, limit, test};
use rocket::http::{Header, Status};
use rocket::local::asynchronous::Client;
use rocket::{Responder, get, routes};
use std::net::{IpAddr, SocketAddr};

/// An error type of the user's.
#[derive(Responder)]
#[response(status = 429)]
struct TooMany {
    text: String,
    retry_after: Header<'static>,
}

impl From<Rejected> for TooMany {
    fn from(rejected: Rejected) -> Self {
        let wait = rejected.retry_after().map_or(0, |wait| wait.as_secs());
        TooMany { text: rejected.to_string(), retry_after: Header::new("retry-after", wait.to_string()) }
    }
}

#[limit(requests = 1, window = "1m", key = user)]
#[get("/limit-above/<user>")]
fn limit_above(user: u32) -> Result<String, TooMany> {
    Ok(user.to_string())
}

#[get("/limit-below/<user>")]
#[limit(requests = 1, window = "1m", key = user)]
async fn limit_below(user: &str) -> Result<String, TooMany> {
    Ok(user.to_owned())
}

#[limit(requests = 1, window = "1m", fallback = Err((Status::TooManyRequests, rejected.to_string())))]
#[get("/foreign-error")]
async fn foreign_error() -> Result<&'static str, (Status, String)> {
    Ok("foreign")
}

#[get("/by-value")]
#[limit(requests = 1, window = "1m", fallback = (Status::TooManyRequests, rejected.to_string()))]
fn by_value() -> (Status, String) {
    (Status::Ok, "value".to_owned())
}

#[get("/by-address")]
#[limit(requests = 1, window = "1m", key = ip)]
fn by_address(peer: SocketAddr) -> Result<String, TooMany> {
    Ok(peer.ip().to_string())
}

#[limit(requests = 1, window = "1m", key = ip)]
#[get("/by-guard")]
fn by_guard(ip: IpAddr) -> Result<String, TooMany> {
    Ok(ip.to_string())
}

/// Where `None` is "not found", that is what a refused call says.
#[get("/option")]
#[limit(requests = 1, window = "1m")]
fn option() -> Option<&'static str> {
    Some("option")
}

#[tokio::test]
async fn routes_answer_429() {
    let _time = test::freeze();
    let routes = routes![limit_above, limit_below, foreign_error, by_value, by_address, by_guard, option];
    let figment = rocket::Config::figment().merge(("log_level", "off"));
    let client = Client::untracked(rocket::custom(figment).mount("/", routes)).await.expect("a valid rocket");
    let call = async |path: &str, peer: &str| {
        let peer = peer.parse().expect("a literal address");
        let response = client.get(path).remote(peer).dispatch().await;
        let (status, retry_after) = (response.status(), response.headers().get_one("retry-after").map(str::to_owned));
        (status, retry_after, response.into_string().await.unwrap_or_default())
    };
    let (one, two) = ("192.0.2.1:1", "192.0.2.2:2");
    for (path, answer, told) in [
        ("/limit-above/1", "1", Some("60")),
        ("/limit-above/2", "2", Some("60")),
        ("/limit-below/ann", "ann", Some("60")),
        ("/limit-below/bob", "bob", Some("60")),
        ("/foreign-error", "foreign", None),
        ("/by-value", "value", None),
        ("/by-address", "192.0.2.1", Some("60")),
        ("/by-guard", "192.0.2.1", Some("60")),
    ] {
        let (status, _, body) = call(path, one).await;
        assert_eq!((status, body.as_str()), (Status::Ok, answer), "{path}");
        let (status, retry_after, body) = call(path, one).await;
        assert_eq!((status, retry_after.as_deref()), (Status::TooManyRequests, told), "{path}");
        assert!(body.contains("retry in 60s"), "{path}: {body}");
    }
    assert_eq!(call("/by-address", two).await.0, Status::Ok);
    assert_eq!(call("/by-guard", two).await.0, Status::Ok);
    assert_eq!(call("/option", one).await.0, Status::Ok);
    assert_eq!(call("/option", one).await.0, Status::NotFound);
}
