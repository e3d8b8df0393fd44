//! A framework that knows the limiter as `rl`, limits functions of its own, and lets its users limit theirs.
//!
//! They do not depend on the limiter: the attribute finds it where `crate = …` says.

use rl::{Rejected, limit};

/// What the framework hands on, deep inside.
pub mod rate {
    pub use rl as limiter;
    pub use rl::limit;
}

/// A function of the framework's own, by the new name of the dependency.
///
/// # Errors
///
/// When it is called too often.
#[limit(requests = 1, window = "1s", crate = ::rl)]
pub fn own() -> Result<u8, Rejected> {
    Ok(1)
}

/// The same, by a path of this crate.
#[must_use]
#[limit(strategy = rl::TokenBucket, requests = 1, window = "1s", key = ip, crate = crate::rate::limiter)]
pub fn own_by_path(_: core::net::IpAddr) -> Option<u8> {
    Some(1)
}

/// Writes a limited function into a crate that may not depend on the limiter at all.
#[macro_export]
macro_rules! endpoint {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($parameter:ident: $ty:ty),*) -> $ret:ty $body:block) => {
        $(#[$meta])*
        #[$crate::rate::limit(requests = 1, window = "1s", crate = $crate::rate::limiter)]
        $vis fn $name($($parameter: $ty),*) -> $ret $body
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_dependency_is_found() {
        let _time = rl::test::freeze();
        assert_eq!((own().is_ok(), own().is_ok()), (true, false));
        let address = core::net::Ipv4Addr::LOCALHOST.into();
        assert_eq!((own_by_path(address), own_by_path(address)), (Some(1), None));
    }
}
