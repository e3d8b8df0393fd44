//! What a refused call returns: decided by the return type, never by its name, so that aliases work.

use std::future::Future;
use std::pin::Pin;

use limiter_core::Rejected;

/// A return type that can say "this call was refused".
///
/// It is implemented for
///
/// * `Result<T, E>` where `E: From<Rejected>`: the refusal is the error. [`ErrorFromRejected`] lists the types that
///   qualify as they are;
/// * `Option<T>`: the refusal is `None`;
/// * `Pin<Box<dyn Future<Output = T>>>`, also `+ Send` or `+ Send + Sync`, where `T` is one of these: a future that is ready at
///   once. This is what `#[async_trait]` makes of an `async fn`;
/// * with the feature `axum`, `axum::response::Response`: 429 with `Retry-After`.
///
/// For an error type of your own, `impl From<Rejected>`. For somebody else's type, say `fallback = …`. For a reply type
/// of your own, implement this trait:
///
/// ```
/// use limiter::{FromRejected, Rejected};
///
/// enum Reply {
///     Found(String),
///     Busy,
/// }
///
/// impl FromRejected for Reply {
///     fn from_rejected(_: Rejected) -> Self {
///         Reply::Busy
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[limit]` cannot make a `{Self}` of a refused call",
    label = "a refused call has to return this",
    note = "say what it returns: `#[limit(…, fallback = …)]`",
    note = "or return one of `Result<_, E>` with `E: From<Rejected>`, `Option<_>`, a boxed future of these, axum's `Response` or `impl IntoResponse` (with the feature `axum` of `limiter-rs`), or a type that implements `limiter::FromRejected`"
)]
pub trait FromRejected {
    /// The value that a refused call returns.
    fn from_rejected(rejected: Rejected) -> Self;
}

/// An error type that can hold a refused call: every one that implements `From<Rejected>`.
///
/// These do as they are:
///
/// * [`Rejected`] itself;
/// * `Box<dyn Error>`, also `+ Send + Sync`, and `anyhow::Error`, because `Rejected` is an `Error + Send + Sync`;
/// * [`std::io::Error`], of the kind [`QuotaExceeded`](std::io::ErrorKind::QuotaExceeded);
/// * with the feature `axum`, axum's `Response`, which is 429 with `Retry-After`, and its `StatusCode`, which is 429 and
///   has no room for `Retry-After`.
///
/// For an error type of your own write `impl From<Rejected>`, never this trait: it only exists to say so where that is
/// missing. For somebody else's type, such as `String` or `(StatusCode, String)`, neither is possible: say
/// `fallback = Err(…)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold a refused call: it does not implement `From<Rejected>`",
    label = "the error type here is `{Self}`",
    note = "say what a refused call returns: `#[limit(…, fallback = Err(…))]`",
    note = "or take `limiter::Rejected` for the error, or an error type of your own with `impl From<limiter::Rejected>`"
)]
#[cfg_attr(
    not(feature = "axum"),
    diagnostic::on_unimplemented(
        note = "axum's `Response` and `StatusCode` can hold one, with the feature `axum` of `limiter-rs`"
    )
)]
pub trait ErrorFromRejected {
    /// The error that a refused call returns.
    #[doc(hidden)]
    fn error_from_rejected(rejected: Rejected) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Rejected>> ErrorFromRejected for E {
    #[inline]
    fn error_from_rejected(rejected: Rejected) -> Self {
        Self::from(rejected)
    }
}

impl<T, E: ErrorFromRejected> FromRejected for Result<T, E> {
    #[inline]
    fn from_rejected(rejected: Rejected) -> Self {
        Err(E::error_from_rejected(rejected))
    }
}

impl<T> FromRejected for Option<T> {
    #[inline]
    fn from_rejected(_: Rejected) -> Self {
        None
    }
}

// The output is made when the future is polled, so it need not be `Send` to live in a future that is.
impl<'a, T: FromRejected + 'a> FromRejected for Pin<Box<dyn Future<Output = T> + 'a>> {
    fn from_rejected(rejected: Rejected) -> Self {
        Box::pin(async move { T::from_rejected(rejected) })
    }
}

impl<'a, T: FromRejected + 'a> FromRejected for Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    fn from_rejected(rejected: Rejected) -> Self {
        Box::pin(async move { T::from_rejected(rejected) })
    }
}

impl<'a, T: FromRejected + 'a> FromRejected for Pin<Box<dyn Future<Output = T> + Send + Sync + 'a>> {
    fn from_rejected(rejected: Rejected) -> Self {
        Box::pin(async move { T::from_rejected(rejected) })
    }
}
