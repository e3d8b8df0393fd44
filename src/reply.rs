//! The types behind `-> impl Future` and `-> impl IntoResponse`.
//!
//! Every `return` of such a function must have the same hidden type, which nobody can name, so a refusal cannot be made of
//! it. The attribute returns one of these types instead, and it implements what the hidden type implements.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use limiter_core::Rejected;

use crate::FromRejected;

pin_project_lite::pin_project! {
    /// What an admitted call returned, or the refusal.
    // Hidden, because `pin_project!` takes no documentation on the fields.
    #[doc(hidden)]
    #[project = Projection]
    pub enum Reply<T> {
        /// The call ran.
        Admitted { #[pin] reply: T },
        /// It did not.
        Rejected { rejected: Rejected },
    }
}

impl<T> Reply<T> {
    /// An admitted call's value.
    #[inline]
    #[must_use]
    pub fn admitted(reply: T) -> Self {
        Reply::Admitted { reply }
    }

    /// A refused call.
    #[inline]
    #[must_use]
    pub fn rejected(rejected: Rejected) -> Self {
        Reply::Rejected { rejected }
    }
}

impl<F> Future for Reply<F>
where
    F: Future,
    F::Output: FromRejected,
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        match self.project() {
            Projection::Admitted { reply } => reply.poll(context),
            Projection::Rejected { rejected } => Poll::Ready(F::Output::from_rejected(*rejected)),
        }
    }
}

/// Calls a closure that gives its captures away: passed here, it is inferred to be `FnOnce`.
#[inline]
pub fn call_once<T>(body: impl FnOnce() -> T) -> T {
    body()
}

pin_project_lite::pin_project! {
    /// What an admitted call returned, or the fallback of a refused one.
    // Hidden, because `pin_project!` takes no documentation on the fields.
    #[doc(hidden)]
    #[project = EitherProjection]
    pub enum Either<A, B> {
        /// The call ran.
        Admitted { #[pin] reply: A },
        /// It did not.
        Fallback { #[pin] reply: B },
    }
}

impl<A, B> Either<A, B> {
    /// An admitted call's value.
    #[inline]
    #[must_use]
    pub fn admitted(reply: A) -> Self {
        Either::Admitted { reply }
    }
}

impl<A, B: Future> Either<A, B> {
    /// What a refused call returns instead of a future.
    #[inline]
    #[must_use]
    pub fn future(reply: B) -> Self {
        Either::Fallback { reply }
    }
}

#[cfg(feature = "axum")]
impl<A, B: axum::response::IntoResponse> Either<A, B> {
    /// What a refused call returns instead of a response.
    #[inline]
    #[must_use]
    pub fn response(reply: B) -> Self {
        Either::Fallback { reply }
    }
}

// The body's output is asked for first, so that a fallback with another one is what is reported.
impl<T, A: Future<Output = T>, B: Future<Output = T>> Future for Either<A, B> {
    type Output = T;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        match self.project() {
            EitherProjection::Admitted { reply } => reply.poll(context),
            EitherProjection::Fallback { reply } => reply.poll(context),
        }
    }
}

/// The constructors for `-> impl Future`: of [`Reply`], or with a fallback of [`Either`].
#[doc(hidden)]
#[macro_export]
macro_rules! __limit_future {
    (body) => {
        $crate::__private::Either::admitted
    };
    (fallback) => {
        $crate::__private::Either::future
    };
    ($constructor:ident) => {
        $crate::__private::Reply::$constructor
    };
}

/// The constructors for `-> impl IntoResponse`: of [`Reply`], or with a fallback of [`Either`].
#[cfg(feature = "axum")]
#[doc(hidden)]
#[macro_export]
macro_rules! __limit_into_response {
    (body) => {
        $crate::__private::Either::admitted
    };
    (fallback) => {
        $crate::__private::Either::response
    };
    ($constructor:ident) => {
        $crate::__private::Reply::$constructor
    };
}

/// Without the feature, `Reply` is no response, and this says so before the compiler does. A fallback may still be of the
/// body's own type.
#[cfg(not(feature = "axum"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __limit_into_response {
    (body) => {
        $crate::__private::same
    };
    (fallback) => {
        $crate::__private::same
    };
    ($constructor:ident) => {
        compile_error!(
            "`#[limit]` on a function that returns `impl IntoResponse` needs the feature `axum` of `limiter-rs`: \
             limiter-rs = { version = \"0.1\", features = [\"axum\"] }"
        )
    };
}
