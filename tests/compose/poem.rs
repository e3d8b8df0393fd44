//! poem's `#[handler]` moves the function into a struct, and `#[OpenApi]` stands on an impl block whose methods are limited.

use limiter::{Rejected, limit, test};
use poem::error::ResponseError;
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use poem_openapi::payload::PlainText;
use poem_openapi::{OpenApi, OpenApiService};
use std::fmt;

/// An error type of the user's.
#[derive(Debug)]
struct Problem(Rejected);

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        Problem(rejected)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        StatusCode::TOO_MANY_REQUESTS
    }
}

#[limit(requests = 1, window = "1m", key = user)]
#[handler]
async fn limit_above(Path(user): Path<String>) -> Result<String, Problem> {
    Ok(user)
}

#[handler]
#[limit(requests = 1, window = "1m", key = user)]
fn limit_below(Path(user): Path<u32>) -> Result<String, Problem> {
    Ok(user.to_string())
}

#[handler]
#[limit(requests = 1, window = "1m", fallback = Err(Problem(*rejected).into()))]
async fn foreign_error() -> poem::Result<&'static str> {
    Ok("foreign")
}

#[limit(requests = 1, window = "1m", fallback = Problem(*rejected).as_response())]
#[handler]
fn foreign_answer() -> Response {
    "answer".into_response()
}

struct Api;

#[OpenApi]
impl Api {
    /// A documented method.
    #[oai(path = "/limit-below", method = "get")]
    #[limit(requests = 1, window = "1m")]
    async fn limit_below(&self) -> Result<PlainText<String>, TooMany> {
        Ok(PlainText("api below".to_owned()))
    }

    #[limit(requests = 1, window = "1m", key = id.0)]
    #[oai(path = "/limit-above/:id", method = "get")]
    async fn limit_above(&self, id: poem_openapi::param::Path<u32>) -> Result<PlainText<String>, TooMany> {
        Ok(PlainText(format!("api {}", id.0)))
    }
}

/// A documented answer.
#[derive(poem_openapi::ApiResponse)]
enum TooMany {
    #[oai(status = 429)]
    TooMany(PlainText<String>),
}

impl From<Rejected> for TooMany {
    fn from(rejected: Rejected) -> Self {
        TooMany::TooMany(PlainText(rejected.to_string()))
    }
}

#[tokio::test]
async fn endpoints_answer_429() {
    let _time = test::freeze();
    let service = OpenApiService::new(Api, "api", "1");
    let spec = service.spec();
    let app = Route::new()
        .at("/limit-above/:user", get(limit_above))
        .at("/limit-below/:user", get(limit_below))
        .at("/foreign-error", get(foreign_error))
        .at("/foreign-answer", get(foreign_answer))
        .nest("/api", service)
        .map_to_response();
    let call = async |path: &str| {
        let uri = path.parse().expect("a literal path");
        let response = app.get_response(Request::builder().uri(uri).finish()).await;
        let status = response.status();
        (status, response.into_body().into_string().await.expect("text"))
    };
    for (path, answer) in [
        ("/limit-above/ann", "ann"),
        ("/limit-above/bob", "bob"),
        ("/limit-below/1", "1"),
        ("/limit-below/2", "2"),
        ("/foreign-error", "foreign"),
        ("/foreign-answer", "answer"),
        ("/api/limit-below", "api below"),
        ("/api/limit-above/1", "api 1"),
        ("/api/limit-above/2", "api 2"),
    ] {
        let (status, body) = call(path).await;
        assert_eq!((status, body.as_str()), (StatusCode::OK, answer), "{path}");
        let (status, body) = call(path).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{path}");
        assert!(body.contains("retry in 60s"), "{path}: {body}");
    }
    assert!(spec.contains("A documented method.") && spec.contains("429"), "{spec}");
}
