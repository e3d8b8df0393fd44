//! What has a name of this crate's, and is another's.

use limiter::limit;

mod other {
    pub use core::prelude::v1::test as limit;

    /// Not this crate's, and with a burst.
    pub type FixedWindow = limiter::TokenBucket;
}

#[limit(strategy = other::FixedWindow, requests = 1, window = "1h", burst = 2)]
fn f() -> Option<()> {
    Some(())
}

#[limit(requests = 1, window = "1h")]
#[other::limit]
fn under_an_attribute_of_that_name() -> Result<(), limiter::Rejected> {
    Ok(())
}

fn main() {
    assert_eq!((f(), f(), f()), (Some(()), Some(()), None));
}
