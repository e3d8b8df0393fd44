//! Every shape of function keeps its meaning under a limit, and is limited.
#![allow(clippy::boxed_local, clippy::toplevel_ref_arg, reason = "odd shapes are the point")]

use limiter::{Rejected, TokenBucket, limit, test};
use std::cell::Cell;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
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

struct Service {
    id: u32,
}

impl Service {
    const LIMIT: u64 = 2;

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_reference(&self) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_mutable_reference(&mut self) -> Option<u32> {
        self.id += 10;
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_value(mut self) -> Option<u32> {
        self.id += 1;
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn boxed(self: Box<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn counted(self: Rc<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    async fn shared(self: Arc<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn pinned(self: Pin<&mut Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = Self::LIMIT, window = "1s")]
    fn associated() -> Option<u64> {
        Some(Self::LIMIT)
    }
}

#[test]
fn methods_with_any_receiver() {
    let _time = test::freeze();
    let new = || Service { id: 7 };
    let mut service = new();
    assert_eq!((service.by_reference(), service.by_reference()), (Some(7), None));
    assert_eq!(Service { id: 8 }.by_reference(), Some(8));
    assert_eq!(service.by_mutable_reference(), Some(17));
    service.id = 7;
    assert_eq!((service.by_mutable_reference(), service.id), (None, 7));
    assert_eq!((new().by_value(), new().by_value()), (Some(8), None));
    assert_eq!((Box::new(new()).boxed(), Box::new(new()).boxed()), (Some(7), None));
    assert_eq!((Rc::new(new()).counted(), Rc::new(new()).counted()), (Some(7), None));
    assert_eq!((ready(Arc::new(new()).shared()), ready(Arc::new(new()).shared())), (Some(7), None));
    assert_eq!((pin!(new()).pinned(), pin!(new()).pinned()), (Some(7), None));
    assert_eq!((Service::associated(), Service::associated(), Service::associated()), (Some(2), Some(2), None));
}

trait Greet {
    fn greet(&self) -> Option<&'static str>;

    #[limit(requests = 1, window = "1s")]
    fn by_default(&self) -> Option<&'static str> {
        self.greet()
    }

    #[limit(requests = 1, window = "1s")]
    fn by_default_async(&self) -> impl Future<Output = Option<u8>> {
        async { Some(1) }
    }
}

impl Greet for u8 {
    #[limit(requests = 1, window = "1s")]
    fn greet(&self) -> Option<&'static str> {
        Some("u8")
    }
}

impl Greet for u16 {
    #[limit(requests = 1, window = "1s")]
    fn greet(&self) -> Option<&'static str> {
        Some("u16")
    }
}

#[test]
fn trait_methods_have_a_limit_per_body() {
    let _time = test::freeze();
    assert_eq!((0u8.greet(), 0u16.greet()), (Some("u8"), Some("u16")));
    assert_eq!((0u8.greet(), 0u16.greet()), (None, None));
}

#[test]
fn a_default_body_is_one_limit_for_all_implementors() {
    let _time = test::freeze();
    assert_eq!(0u8.by_default(), Some("u8"));
    assert_eq!(0u16.by_default(), None);
    assert_eq!(ready(0u8.by_default_async()), Some(1));
    assert_eq!(ready(0u16.by_default_async()), None);
}

#[test]
fn a_generic_function_is_one_limit_for_all_its_types() {
    #[limit(requests = 2, window = "1s")]
    fn f<T, const N: u64>(x: T) -> Option<T>
    where
        T: Clone,
    {
        Some(x)
    }

    let _time = test::freeze();
    assert_eq!(f::<_, 2>('a'), Some('a'));
    assert_eq!(f::<_, 1>("b"), Some("b"));
    assert_eq!(f::<_, 3>(1), None);
}

#[test]
fn numbers_are_constant_expressions() {
    const SIZE: usize = 100;

    struct Borrowing<'a>(&'a str);

    impl Borrowing<'_> {
        const REQUESTS: u64 = 1;
        const WINDOW: Duration = Duration::from_millis(10);

        #[limit(
            strategy = TokenBucket,
            requests = Borrowing::REQUESTS + 1,
            window = Borrowing::WINDOW.saturating_mul(100),
            burst = if SIZE > 1 { 1 } else { 2 },
            key = self.0,
            capacity = SIZE / 10,
        )]
        fn f(&self) -> Option<()> {
            Some(())
        }
    }

    let time = test::freeze();
    assert_eq!((Borrowing("a").f(), Borrowing("a").f()), (Some(()), None));
    time.advance(Duration::from_millis(499));
    assert_eq!(Borrowing("a").f(), None);
    time.advance(Duration::from_millis(1));
    assert_eq!(Borrowing("a").f(), Some(()));
}

#[test]
fn a_generic_function_limited_per_type() {
    #[limit(requests = 1, window = "1s", key = std::any::TypeId::of::<T>())]
    fn f<T: 'static>(x: T) -> Option<T> {
        Some(x)
    }

    let _time = test::freeze();
    assert_eq!((f('a'), f("b")), (Some('a'), Some("b")));
    assert_eq!((f('a'), f("b")), (None, None));
}

#[test]
fn borrows_and_lifetimes() {
    #[limit(requests = 1, window = "1s", fallback = x)]
    fn same(x: &mut Vec<u8>) -> &mut Vec<u8> {
        x.push(1);
        x
    }

    #[limit(requests = 1, window = "1s")]
    fn first<'a>(words: impl IntoIterator<Item = &'a str>, _: &dyn Fn() -> u8) -> Option<&'a str> {
        words.into_iter().next()
    }

    #[limit(requests = 1, window = "1s")]
    fn characters(word: &str) -> Option<impl Iterator<Item = char> + use<'_>> {
        Some(word.chars())
    }

    let _time = test::freeze();
    let mut list = vec![];
    same(&mut list);
    same(&mut list);
    assert_eq!(list, [1]);
    assert_eq!(first(["a", "b"], &|| 1), Some("a"));
    assert_eq!(first(["a", "b"], &|| 1), None);
    assert_eq!(characters("xy").map(Iterator::count), Some(2));
    assert!(characters("xy").is_none());
}

#[test]
fn patterns_of_parameters() {
    struct Pair {
        left: u8,
        right: u8,
    }

    #[limit(requests = 1, window = "1s", key = (left, b, c))]
    fn f(
        Pair { left, right: mut y }: Pair,
        (a, b): (u8, u8),
        &c: &u8,
        [d, ..]: [u8; 2],
        _: u8,
        ref e: u8,
    ) -> Option<u8> {
        y += 1;
        Some(left + y + a + b + c + d + e)
    }

    let _time = test::freeze();
    let call = |left| f(Pair { left, right: 1 }, (1, 1), &1, [1, 1], 1, 1);
    assert_eq!((call(1), call(1), call(2)), (Some(8), None, Some(9)));
}

#[test]
#[expect(unsafe_code, reason = "that is what is tested")]
fn unsafe_and_foreign_functions() {
    #[limit(requests = 1, window = "1s", fallback = -1)]
    unsafe extern "C" fn f(x: *const i32) -> i32 {
        // SAFETY: the callers below pass a reference.
        unsafe { *x }
    }

    let _time = test::freeze();
    // SAFETY: a reference is a valid pointer.
    let call = || unsafe { f(&5) };
    assert_eq!((call(), call()), (5, -1));
}

#[test]
fn other_attributes_keep_their_effect() {
    #[track_caller]
    #[limit(requests = 1, window = "1s")]
    #[inline(never)]
    fn line() -> Option<u32> {
        #![allow(clippy::unnecessary_wraps)]
        Some(Location::caller().line())
    }

    #[cfg_attr(all(), limit(requests = 1, window = "1s"))]
    fn on() -> Option<()> {
        Some(())
    }

    #[cfg_attr(any(), limit(nonsense))]
    fn off() -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!(line(), Some(line!()));
    assert_eq!((on(), on()), (Some(()), None));
    assert_eq!((off(), off()), (Some(()), Some(())));
}

#[test]
fn names_the_body_declares_do_not_reach_the_guard() {
    #[limit(requests = 1, window = "1s")]
    fn f() -> Option<u8> {
        #[expect(unused_imports)]
        use Names::*;
        #[expect(dead_code)]
        enum Names {
            Result,
            Option,
            Err,
            Some,
        }
        mod limiter {}
        ::core::option::Option::Some(1)
    }

    let _time = test::freeze();
    assert_eq!((f(), f()), (Some(1), None));
}

#[test]
fn early_exits_of_the_body() {
    #[limit(requests = 2, window = "1s")]
    fn f(text: &str) -> Result<u8, Box<dyn std::error::Error>> {
        if text.is_empty() {
            return Ok(0);
        }
        let number = text.parse::<u8>()?;
        Ok(number)
    }

    let _time = test::freeze();
    assert_eq!(f("").unwrap(), 0);
    assert!(f("x").unwrap_err().is::<std::num::ParseIntError>());
    assert!(f("1").unwrap_err().is::<Rejected>());
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
