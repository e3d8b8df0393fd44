//! `fallback` where the return type is a boxed future, as `#[async_trait]` makes it of an `async fn`.
//!
//! Who writes the fallback sees the `async fn`, and says `Err(…)`; who boxes by hand says `Box::pin(…)`. The type decides.

use std::future::{Future, ready};
use std::pin::Pin;

/// The fallback is a future.
pub struct Polled;
/// The fallback is what the future of the function is about to return.
pub struct Returned;

/// A fallback that can be made the boxed future `B`. `As` is inferred: no type is both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither the future that this function returns nor the output of it",
    label = "a refused call cannot return this",
    note = "the function returns `{B}`"
)]
pub trait Boxed<B, As> {
    /// The future of a refused call.
    fn boxed(self) -> B;
}

macro_rules! boxed {
    ($future:ty $(, $auto:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'a, T, F: Future<Output = T> $(+ $auto)* + 'a> Boxed<Pin<Box<$future>>, Polled> for F {
            fn boxed(self) -> Pin<Box<$future>> {
                Box::pin(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, T: 'a $(+ $auto)*> Boxed<Pin<Box<$future>>, Returned> for T {
            fn boxed(self) -> Pin<Box<$future>> {
                Box::pin(ready(self))
            }
        }
    };
}

boxed!(dyn Future<Output = T> + 'a);
boxed!(dyn Future<Output = T> + Send + 'a, Send);
boxed!(dyn Future<Output = T> + Send + Sync + 'a, Send, Sync);

/// `Boxed::boxed` as a function, because the user's scope does not have the trait.
pub fn boxed<B, As, T: Boxed<B, As>>(fallback: T) -> B {
    fallback.boxed()
}
