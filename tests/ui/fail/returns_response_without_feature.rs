use limiter::limit;

/// As axum's.
struct Response;

#[limit(requests = 5, window = "1s")]
async fn handler() -> Response {
    Response
}

fn main() {}
