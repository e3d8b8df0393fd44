//! Functions that macros write.

use limiter::{TokenBucket, limit, test};

macro_rules! limited {
    ($(#[$attribute:meta])* $name:ident($parameter:ident: $ty:ty) -> $ret:ty, $requests:expr, $window:literal, $key:expr, $body:block) => {
        $(#[$attribute])*
        #[limit(requests = $requests, window = $window, key = $key)]
        fn $name($parameter: $ty) -> $ret $body
    };
    (strategy $strategy:path, $vis:vis $name:ident) => {
        #[limit(strategy = $strategy, requests = 1, window = "1s")]
        $vis fn $name() -> Option<()> {
            Some(())
        }
    };
    ($item:item) => {
        #[limit(requests = 1, window = "1s")]
        $item
    };
}

#[test]
fn functions_that_macros_write() {
    limited!(
        /// Documented.
        by_parts(user: u8) -> Option<u8>, 1, "1s", user, { Some(user) }
    );
    limited! {
        fn whole() -> Option<()> {
            Some(())
        }
    }
    limited!(strategy TokenBucket, by_path);
    limited!(strategy limiter::FixedWindow, pub(crate) by_longer_path);

    let _time = test::freeze();
    assert_eq!((by_parts(1), by_parts(1), by_parts(2)), (Some(1), None, Some(2)));
    assert_eq!((whole(), whole()), (Some(()), None));
    assert_eq!((by_path(), by_path()), (Some(()), None));
    assert_eq!((by_longer_path(), by_longer_path()), (Some(()), None));
}
