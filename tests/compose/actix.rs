//! actix-web's `#[get]` turns a function into a struct that registers it; the limit stays with the function.

use actix_web::body::to_bytes;
use actix_web::error::ErrorTooManyRequests;
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::{Path, get as route};
use actix_web::{App, Either, HttpRequest, HttpResponse, Responder, ResponseError, get};
use limiter::{Client, Rejected, limit, test};
use std::fmt;
use std::time::Duration;

/// What a refused call answers where the handler's type says nothing about it.
fn too_many(rejected: &Rejected) -> HttpResponse {
    let wait = rejected.retry_after().map_or(0, |wait| wait.as_secs());
    HttpResponse::TooManyRequests().insert_header((RETRY_AFTER, wait)).body(rejected.to_string())
}

#[limit(requests = 1, window = "1m", fallback = too_many(rejected))]
#[get("/limit-above")]
async fn limit_above() -> HttpResponse {
    HttpResponse::Ok().body("above")
}

#[get("/limit-below")]
#[limit(requests = 1, window = "1m", fallback = too_many(rejected))]
async fn limit_below() -> HttpResponse {
    HttpResponse::Ok().body("below")
}

/// The hidden type is that of the body, so the fallback has it, too.
#[get("/responder")]
#[limit(requests = 1, window = "1m", fallback = too_many(rejected))]
async fn responder() -> impl Responder {
    HttpResponse::Ok().body("responder")
}

/// A body of another type is made one with the fallback by actix's own `Either`.
#[limit(requests = 1, window = "1m", fallback = Either::Right(too_many(rejected)))]
#[get("/either")]
async fn either() -> impl Responder {
    Either::Left("either")
}

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

impl ResponseError for Problem {
    fn error_response(&self) -> HttpResponse {
        too_many(&self.0)
    }
}

#[get("/own-error/{user}")]
#[limit(requests = 1, window = "1m", key = user.as_str())]
async fn own_error(user: Path<String>) -> Result<String, Problem> {
    Ok(user.into_inner())
}

#[limit(requests = 1, window = "1m", key = *id)]
#[get("/own-error-above/{id}")]
async fn own_error_above(id: Path<u32>) -> Result<String, Problem> {
    Ok(id.to_string())
}

#[get("/foreign-error")]
#[limit(requests = 1, window = "1m", fallback = Err(ErrorTooManyRequests(rejected.to_string())))]
async fn foreign_error() -> actix_web::Result<&'static str> {
    Ok("foreign")
}

#[limit(requests = 1, window = "1m", key = Client::of(&request.peer_addr()), fallback = too_many(rejected))]
#[get("/by-address")]
async fn by_address(request: HttpRequest) -> HttpResponse {
    HttpResponse::Ok().body(request.path().to_owned())
}

/// Not registered by an attribute.
#[limit(requests = 1, window = "1m", fallback = too_many(rejected))]
async fn by_hand() -> impl Responder {
    HttpResponse::Ok().body("by hand")
}

#[actix_web::test]
async fn handlers_answer_429() {
    let time = test::freeze();
    let app = App::new()
        .service((limit_above, limit_below, responder, either))
        .service((own_error, own_error_above, foreign_error, by_address))
        .route("/by-hand", route().to(by_hand));
    let app = init_service(app).await;
    let call = async |path: &str, peer: &str| {
        let request = TestRequest::get().uri(path).peer_addr(peer.parse().expect("a literal address")).to_request();
        let response = call_service(&app, request).await;
        let (status, retry_after) = (response.status(), response.headers().get(RETRY_AFTER).cloned());
        let body = to_bytes(response.into_body()).await.expect("a body in memory");
        (status, retry_after, String::from_utf8(body.to_vec()).expect("text"))
    };
    let (one, two) = ("192.0.2.1:1", "192.0.2.2:2");
    for (path, answer) in [
        ("/limit-above", "above"),
        ("/limit-below", "below"),
        ("/responder", "responder"),
        ("/either", "either"),
        ("/own-error/ann", "ann"),
        ("/own-error/bob", "bob"),
        ("/own-error-above/1", "1"),
        ("/own-error-above/2", "2"),
        ("/foreign-error", "foreign"),
        ("/by-address", "/by-address"),
        ("/by-hand", "by hand"),
    ] {
        let (status, _, body) = call(path, one).await;
        assert_eq!((status, body.as_str()), (StatusCode::OK, answer), "{path}");
        let (status, retry_after, body) = call(path, one).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{path}");
        assert!(body.contains("retry in 60s"), "{path}: {body}");
        // actix's own error type has no room for a header.
        let told = retry_after.map(|value| value.to_str().expect("digits").to_owned());
        assert_eq!(told.as_deref(), (path != "/foreign-error").then_some("60"), "{path}");
    }
    assert_eq!(call("/by-address", two).await.0, StatusCode::OK);
    time.advance(Duration::from_secs(60));
    assert_eq!(call("/limit-above", one).await.0, StatusCode::OK);
}
