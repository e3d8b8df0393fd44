//! axum: a refused handler answers 429, and `ConnectInfo` carries the client's address.
//!
//! The response itself is made in `limiter-core`, beside `Rejected`, where the orphan rule allows it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use limiter_core::Rejected;

use crate::reply::{Either, Reply};
use crate::{ClientIp, FromRejected};

impl FromRejected for Response {
    fn from_rejected(rejected: Rejected) -> Self {
        rejected.into_response()
    }
}

impl<T: IntoResponse> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        match self {
            Reply::Admitted { reply } => reply.into_response(),
            Reply::Rejected { rejected } => rejected.into_response(),
        }
    }
}

impl<A: IntoResponse, B: IntoResponse> IntoResponse for Either<A, B> {
    fn into_response(self) -> Response {
        match self {
            Either::Admitted { reply } => reply.into_response(),
            Either::Fallback { reply } => reply.into_response(),
        }
    }
}

impl ClientIp for ConnectInfo<SocketAddr> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(self.0.ip())
    }
}
