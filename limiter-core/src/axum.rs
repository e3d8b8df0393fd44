//! `Rejected` as an HTTP answer of axum: 429, with `Retry-After` where there is room for it.
//!
//! It stands here because of the orphan rule: `Rejected` is this crate's, and neither the traits nor the
//! other types are the facade's.

use crate::outcome::Rejected;
use axum_core::response::{IntoResponse, Response};
use core::time::Duration;
use http::{HeaderValue, StatusCode, header::RETRY_AFTER};

/// 429 Too Many Requests, with the refusal as text.
///
/// `Retry-After` is in whole seconds, rounded up and at least 1 (RFC 9110, 10.2.3). It is left out when no wait helps.
impl IntoResponse for Rejected {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::TOO_MANY_REQUESTS, self.to_string()).into_response();
        if let Some(wait) = self.retry_after() {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds_rounded_up(wait)));
        }
        response
    }
}

/// The same response, for handlers that return `Result<_, Response>`.
impl From<Rejected> for Response {
    fn from(rejected: Rejected) -> Self {
        rejected.into_response()
    }
}

/// 429 Too Many Requests alone, for handlers that return `Result<_, StatusCode>`: it has no room for `Retry-After`.
impl From<Rejected> for StatusCode {
    fn from(_: Rejected) -> Self {
        Self::TOO_MANY_REQUESTS
    }
}

/// A client that came back a fraction of a second early would be refused again.
fn seconds_rounded_up(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

#[cfg(test)]
mod tests {
    use super::{IntoResponse, Rejected, Response, StatusCode};
    use crate::outcome::NEVER;

    fn retry_after(nanos: u64) -> Option<String> {
        let response = Rejected::new("limit", 1, 0, nanos, nanos).into_response();
        assert_eq!(response.status(), 429);
        response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn retry_after_is_rounded_up_and_never_zero() {
        assert_eq!(retry_after(0).as_deref(), Some("1"));
        assert_eq!(retry_after(1).as_deref(), Some("1"));
        assert_eq!(retry_after(1_000_000_000).as_deref(), Some("1"));
        assert_eq!(retry_after(1_000_000_001).as_deref(), Some("2"));
        assert_eq!(retry_after(59_999_999_999).as_deref(), Some("60"));
    }

    #[test]
    fn question_marks_turn_a_refusal_into_what_a_handler_returns() {
        fn status(rejected: Rejected) -> Result<(), StatusCode> {
            Err(rejected)?
        }
        let rejected = Rejected::new("limit", 1, 0, 1, 1);
        assert_eq!(Response::from(rejected).status(), 429);
        assert_eq!(status(rejected).unwrap_err(), 429);
    }

    #[test]
    fn retry_after_is_absent_when_no_wait_helps() {
        assert_eq!(retry_after(NEVER), None);
    }
}
