use axum::response::{IntoResponse, Response};
use limiter::limit;

#[limit(requests = 1, window = "1h")]
async fn hidden() -> impl IntoResponse {
    "hello"
}

#[limit(requests = 1, window = "1h")]
fn named() -> Response {
    "hello".into_response()
}

fn main() {
    drop(hidden());
    assert_eq!(named().status(), 200);
    assert_eq!(named().status(), 429);
}
