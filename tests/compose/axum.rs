//! Handlers: what they return, where they find the client, and `#[debug_handler]` on either side.

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Path, Request};
use axum::http::{HeaderMap, StatusCode, header::RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use limiter::{Rejected, limit, test};
use std::net::SocketAddr;
use tower::ServiceExt;

#[limit(requests = 1, window = "1m")]
async fn hidden() -> impl IntoResponse {
    if std::env::args().count() == 0 {
        return (StatusCode::CREATED, "created").into_response();
    }
    "hidden".into_response()
}

#[axum::debug_handler]
#[limit(requests = 1, window = "1m", key = user)]
async fn above(Path(user): Path<u32>) -> impl IntoResponse {
    Json(user)
}

#[limit(requests = 1, window = "1m")]
#[axum::debug_handler]
async fn below() -> Result<&'static str, Rejected> {
    Ok("below")
}

#[limit(requests = 1, window = "1m", key = ip)]
async fn by_address(_: HeaderMap, ConnectInfo(peer): ConnectInfo<SocketAddr>, body: String) -> Response {
    (peer.to_string() + &body).into_response()
}

#[limit(requests = 1, window = "1m", key = ip)]
async fn by_ignored_address(_: ConnectInfo<SocketAddr>, _: Request) -> Response {
    StatusCode::OK.into_response()
}

#[axum::debug_handler]
#[limit(requests = 1, window = "1m", key = ip)]
async fn debugged_above(_: ConnectInfo<SocketAddr>, _: HeaderMap) -> Result<Response, Rejected> {
    Ok(StatusCode::OK.into_response())
}

#[limit(requests = 1, window = "1m", key = ip)]
#[axum::debug_handler]
async fn debugged_below(_: ConnectInfo<SocketAddr>, _: HeaderMap) -> Result<Response, Response> {
    Ok(StatusCode::OK.into_response())
}

#[limit(requests = 1, window = "1m", fallback = (StatusCode::SERVICE_UNAVAILABLE, format!("{rejected}")))]
async fn own_answer() -> impl IntoResponse {
    "a type of its own"
}

#[limit(requests = 1, window = "1m")]
fn not_async() -> impl IntoResponse {
    StatusCode::OK
}

async fn call(router: &Router, path: &str, peer: &str) -> (StatusCode, Option<String>, String) {
    let mut request = Request::get(path).body(Body::empty()).expect("a valid request");
    let peer: SocketAddr = peer.parse().expect("a literal address");
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = router.clone().oneshot(request).await.expect("infallible");
    let retry_after = response.headers().get(RETRY_AFTER).map(|value| value.to_str().expect("ASCII").to_owned());
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body in memory");
    (status, retry_after, String::from_utf8(body.to_vec()).expect("text"))
}

#[tokio::test]
async fn handlers_answer_429() {
    let _time = test::freeze();
    let router = Router::new()
        .route("/hidden", get(hidden))
        .route("/above/{user}", get(above))
        .route("/below", get(below))
        .route("/by-address", get(by_address))
        .route("/by-ignored-address", get(by_ignored_address))
        .route("/debugged-above", get(debugged_above))
        .route("/debugged-below", get(debugged_below))
        .route("/own-answer", get(own_answer))
        .route("/not-async", get(|| async { not_async() }));
    let (one, two) = ("192.0.2.1:1", "192.0.2.2:2");
    let mut admitted = Vec::new();
    let mut refused = Vec::new();
    for path in [
        "/hidden",
        "/above/1",
        "/above/2",
        "/below",
        "/by-address",
        "/by-ignored-address",
        "/not-async",
        "/debugged-above",
        "/debugged-below",
    ] {
        admitted.push(call(&router, path, one).await);
        refused.push(call(&router, path, one).await);
    }
    let bodies: Vec<&str> = admitted.iter().map(|(.., body)| body.as_str()).collect();
    assert_eq!(bodies, ["hidden", "1", "2", "below", "192.0.2.1:1", "", "", "", ""]);
    assert!(admitted.iter().all(|(status, ..)| *status == StatusCode::OK));
    for (status, retry_after, _) in refused {
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(retry_after.as_deref(), Some("60"));
    }
    assert_eq!(call(&router, "/debugged-above", two).await.0, StatusCode::OK);
    assert_eq!(call(&router, "/debugged-below", two).await.0, StatusCode::OK);
    assert_eq!(call(&router, "/by-address", two).await.0, StatusCode::OK);
    assert_eq!(call(&router, "/own-answer", one).await.0, StatusCode::OK);
    assert_eq!(call(&router, "/own-answer", one).await.0, StatusCode::SERVICE_UNAVAILABLE);
}
