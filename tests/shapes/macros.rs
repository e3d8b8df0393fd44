//! Functions that macros write, from fragments of every kind: those reach the attribute inside invisible groups.

use crate::ready;
use limiter::{Rejected, TokenBucket, limit, test};
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

macro_rules! limited {
    (
        $(#[$attribute:meta])* $name:ident($parameter:ident: $ty:ty) -> $ret:ty,
        $requests:expr, $window:literal, $key:expr, $body:block
    ) => {
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

#[test]
fn every_kind_of_fragment_in_the_signature() {
    macro_rules! f {
        (
            $vis:vis $name:ident<$life:lifetime>($pat:pat_param, $any:pat => $ty:ty) -> $ret:ty {
                $($statement:stmt;)*
            } $last:expr
        ) => {
            #[limit(requests = 1, window = "1s")]
            $vis fn $name<$life>($pat: $ty, $any: &$life $ty) -> $ret {
                $($statement;)*
                $last
            }
        };
        (tt $($part:tt)*) => {
            #[limit(requests = 1, window = "1s")]
            $($part)*
        };
        (body $body:tt) => {
            #[limit(requests = 1, window = "1s")]
            fn by_tree() -> Option<u8> $body
        };
        (meta $(#[$meta:meta])+) => {
            $(#[$meta])+
            fn by_meta() -> Option<u8> {
                Some(1)
            }
        };
    }
    f!(pub(crate) by_parts<'a>((a, _), (_, b) => (u8, &'a str)) -> Option<&'a str> {
        let start = usize::from(a);
        let rest = &b[start..];
    } Some(rest));
    f!(tt async fn by_trees<T>(x: T) -> Option<T> where T: Display { Some(x) });
    f!(body { Some(1) });
    f!(meta #[limit(requests = 1, window = "1s")] #[inline]);

    let _time = test::freeze();
    assert_eq!(by_parts((1, ""), &(0, "abc")), Some("bc"));
    assert_eq!(by_parts((1, ""), &(0, "abc")), None);
    assert_eq!((ready(by_trees(1)), ready(by_trees(1))), (Some(1), None));
    assert_eq!((by_tree(), by_tree()), (Some(1), None));
    assert_eq!((by_meta(), by_meta()), (Some(1), None));
}

#[test]
fn every_kind_of_fragment_in_the_arguments() {
    const WINDOW: Duration = Duration::from_secs(1);

    macro_rules! f {
        (
            $strategy:ty, $requests:literal, $window:ident, $burst:block, $user:ident, $list:tt, $capacity:expr,
            $fallback:expr, $name:literal, $krate:path
        ) => {
            #[limit(
                strategy = $strategy,
                requests = $requests,
                window = $window,
                burst = $burst,
                key = ($user, $list[0]),
                capacity = $capacity,
                fallback = $fallback,
                name = $name,
                crate = $krate,
            )]
            fn by_kind($user: u8, $list: &[u8]) -> String {
                format!("{}{}", $user, $list.len())
            }
        };
        ($user:ident: $($key:ident = $value:expr),*) => {
            #[limit($($key = $value),*)]
            fn by_pair($user: u8) -> Option<u8> {
                Some($user)
            }
        };
        ($user:ident; $($arguments:tt)*) => {
            #[limit($($arguments)*)]
            fn by_trees($user: u8) -> Option<u8> {
                Some($user)
            }
        };
    }
    f!(TokenBucket, 10, WINDOW, { 1 + 1 }, user, list, 64, rejected.name().to_owned(), "kinds", ::limiter);
    f!(user: requests = 1 + 1, window = "1s", key = (user, 7));
    f!(user; strategy = TokenBucket, requests = 1, window = "1s", key = user);

    let time = test::freeze();
    let call = || by_kind(1, &[2]);
    assert_eq!((call(), call(), call()), ("11".to_owned(), "11".to_owned(), "kinds".to_owned()));
    time.advance(Duration::from_millis(100));
    assert_eq!((call(), call()), ("11".to_owned(), "kinds".to_owned()));
    assert_eq!((by_pair(1), by_pair(1), by_pair(1), by_pair(2)), (Some(1), Some(1), None, Some(2)));
    assert_eq!((by_trees(1), by_trees(1), by_trees(2)), (Some(1), None, Some(2)));
}

#[test]
fn a_return_type_that_a_macro_was_given() {
    macro_rules! f {
        ($name:ident, $ret:ty, $body:expr $(, $fallback:expr)?) => {
            #[limit(requests = 1, window = "1s" $(, fallback = $fallback)?)]
            fn $name() -> $ret {
                $body
            }
        };
        (again $name:ident, $ret:ty, $body:expr) => {
            f!($name, $ret, $body);
        };
    }
    f!(future, impl Future<Output = Option<u8>>, async { Some(1) });
    f!(again future_through_two, impl Future<Output = Option<u8>> + Send, async { Some(1) });
    f!(never, !, panic!("ran"), panic!("refused"));
    f!(nothing, (), {}, ());
    f!(hidden, impl Display, 1, 2);
    f!(nested, Result<impl Display, Rejected>, Ok(1));

    let _time = test::freeze();
    assert_eq!((ready(future()), ready(future())), (Some(1), None));
    assert_eq!((ready(future_through_two()), ready(future_through_two())), (Some(1), None));
    let message = || {
        let panic = std::panic::catch_unwind(|| never()).unwrap_err();
        panic.downcast_ref::<&str>().copied()
    };
    assert_eq!((message(), message()), (Some("ran"), Some("refused")));
    nothing();
    nothing();
    assert_eq!((hidden().to_string(), hidden().to_string()), ("1".to_owned(), "2".to_owned()));
    assert_eq!((nested().is_ok(), nested().is_ok()), (true, false));
}

#[test]
fn a_name_from_the_caller_is_the_callers_parameter() {
    macro_rules! by {
        ($name:ident, $parameter:ident, $key:expr) => {
            #[limit(requests = 1, window = "1s", key = $key)]
            fn $name($parameter: u32) -> Option<u32> {
                Some($parameter)
            }
        };
        (inside $name:ident) => {
            #[limit(requests = 1, window = "1s", key = id)]
            fn $name(id: u32) -> Option<u32> {
                Some(id)
            }
        };
        ($self:ident => $key:expr) => {
            #[limit(requests = 1, window = "1s", key = $key)]
            fn by_self(&$self) -> Option<u32> {
                Some($self.id)
            }
        };
    }
    by!(outside, id, id / 10);
    by!(inside inside);

    struct Service {
        id: u32,
    }

    impl Service {
        by!(self => self.id);
    }

    let _time = test::freeze();
    assert_eq!((outside(10), outside(11), outside(20)), (Some(10), None, Some(20)));
    assert_eq!((inside(1), inside(1), inside(2)), (Some(1), None, Some(2)));
    let (one, two) = (Service { id: 1 }, Service { id: 2 });
    assert_eq!((one.by_self(), one.by_self(), two.by_self()), (Some(1), None, Some(2)));
}

#[test]
fn a_body_that_a_macro_writes_twice_is_two_functions() {
    macro_rules! twice {
        ($(#[$meta:meta])* $vis:vis fn $($rest:tt)*) => {
            mod first {
                $(#[$meta])*
                $vis fn $($rest)*
            }
            mod second {
                $(#[$meta])*
                $vis fn $($rest)*
            }
        };
    }
    twice! {
        #[limiter::limit(requests = 1, window = "1s")]
        pub(super) fn f() -> Result<u8, limiter::Rejected> {
            Ok(1)
        }
    }

    let _time = test::freeze();
    assert_eq!((first::f(), second::f()), (Ok(1), Ok(1)));
    let names = [first::f(), second::f()].map(|refused| refused.unwrap_err().name());
    assert_eq!(names, [concat!(module_path!(), "::first::f"), concat!(module_path!(), "::second::f")]);
}
