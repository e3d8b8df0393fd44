//! The web server of `quickstart` and `server`: two handlers with a limit for each client address.

use axum::{
    Router,
    extract::{ConnectInfo, Query},
    response::Response,
    routing::{get, post},
};
use limiter::{Rejected, TokenBucket, limit};
use std::{collections::HashMap, future::Future, io, net::SocketAddr};
use tokio::net::TcpListener;

/// 100 at once for each client, refilled at 100 a minute. A refused call is answered with 429 and `Retry-After`.
#[limit(strategy = TokenBucket, requests = 100, window = "1m", key = ip)]
async fn search(
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<String, Rejected> {
    let words = query.get("q").map_or("nothing", String::as_str);
    Ok(format!("{peer} searched for {words}\n"))
}

/// 5 in each minute of the wall clock for each client.
#[limit(requests = 5, window = "1m", key = ip)]
async fn sign_up(_: ConnectInfo<SocketAddr>) -> Response {
    Response::new("welcome\n".into())
}

/// Serves both until `stop` ends.
pub(crate) async fn serve(listener: TcpListener, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let app = Router::new().route("/search", get(search)).route("/sign-up", post(sign_up));
    axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>()).with_graceful_shutdown(stop).await
}
