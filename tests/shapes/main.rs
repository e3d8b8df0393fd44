//! Every shape of function keeps its meaning under a limit, and is limited.

mod attributes;
mod bodies;
mod generics;
mod macros;
mod methods;
mod signatures;

use limiter::{Rejected, TokenBucket, limit, registry, test};
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// The output of a future that has nothing to wait for.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something"),
    }
}

#[test]
fn a_function_is_limited_and_recovers() {
    #[limit(requests = 2, window = "1s")]
    fn f(x: u8) -> Result<u8, Rejected> {
        Ok(x)
    }

    let time = test::freeze();
    assert_eq!(f(1), Ok(1));
    assert_eq!(f(2), Ok(2));
    let rejected = f(3).unwrap_err();
    assert_eq!(rejected.name(), concat!(module_path!(), "::f"));
    assert_eq!(rejected.retry_after(), Some(Duration::from_secs(1)));
    time.advance(Duration::from_secs(1));
    assert_eq!(f(4), Ok(4));
}

#[test]
fn the_strategy_and_its_burst_reach_the_limit() {
    #[limit(strategy = TokenBucket, requests = 10, window = "1s", burst = 3)]
    fn f() -> Option<()> {
        Some(())
    }

    let time = test::freeze();
    assert_eq!((f(), f(), f(), f()), (Some(()), Some(()), Some(()), None));
    time.advance(Duration::from_millis(100));
    assert_eq!((f(), f()), (Some(()), None));
}

#[test]
fn a_refused_body_does_not_run() {
    #[limit(requests = 1, window = "1s")]
    fn f(runs: &Cell<u32>) -> Option<()> {
        runs.set(runs.get() + 1);
        Some(())
    }

    let _time = test::freeze();
    let runs = Cell::new(0);
    f(&runs);
    f(&runs);
    assert_eq!(runs.get(), 1);
}

#[test]
fn each_function_has_its_own_limit() {
    mod a {
        #[limiter::limit(requests = 1, window = "1s")]
        pub(super) fn f() -> Option<()> {
            Some(())
        }
    }
    mod b {
        #[limiter::limit(requests = 1, window = "1s")]
        pub(crate) fn f() -> Option<()> {
            Some(())
        }
    }

    let _time = test::freeze();
    assert_eq!((a::f(), b::f()), (Some(()), Some(())));
    assert_eq!((a::f(), b::f()), (None, None));
}

#[test]
fn raw_identifiers() {
    #[limit(requests = 1, window = "1s", key = r#type)]
    fn r#match(r#type: u8) -> Result<u8, Rejected> {
        Ok(r#type)
    }

    let _time = test::freeze();
    assert_eq!(r#match(1), Ok(1));
    assert_eq!(r#match(1).unwrap_err().name(), concat!(module_path!(), "::match"));
}

#[test]
fn recursion_takes_a_permit_per_level() {
    #[limit(requests = 3, window = "1s")]
    fn factorial(n: u64) -> Option<u64> {
        if n <= 1 { Some(1) } else { Some(factorial(n - 1)? * n) }
    }

    let time = test::freeze();
    assert_eq!(factorial(3), Some(6));
    time.advance(Duration::from_secs(1));
    assert_eq!(factorial(4), None);
}

/// The only thing that notices when another macro loses the attribute of a function that it rewrites.
#[test]
fn a_test_can_ask_which_functions_are_limited() {
    macro_rules! without_attributes {
        ($(#[$lost:meta])* fn $($rest:tt)*) => {
            fn $($rest)*
        };
    }

    #[limit(requests = 1, window = "1s")]
    fn kept() -> Option<()> {
        Some(())
    }

    without_attributes! {
        #[limit(requests = 1, window = "1s")]
        fn lost() -> Option<()> {
            Some(())
        }
    }

    assert_eq!((kept(), lost()), (Some(()), Some(())));
    let is_limited = |name: &str| {
        let name = format!("{}::{name}", module_path!());
        registry::limits().any(|limit| limit.name == name && limit.file == file!())
    };
    assert!(is_limited("kept"));
    assert!(!is_limited("lost"));
}
