//! Generic functions, and numbers that are constant expressions.

use limiter::{TokenBucket, limit, test};
use std::time::Duration;

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
fn a_quota_may_depend_on_the_functions_own_const_generic() {
    #[limit(requests = N, window = "1s")]
    fn f<const N: u64>() -> Option<u64> {
        Some(N)
    }

    let _time = test::freeze();
    assert_eq!((f::<1>(), f::<1>()), (Some(1), None));
    assert_eq!((f::<2>(), f::<2>(), f::<2>()), (Some(2), Some(2), None));
    assert_eq!(f::<1>(), None);
}

#[test]
fn a_quota_may_depend_on_a_const_generic_of_the_impl() {
    struct Pool<const MAX: u64>;

    impl<const MAX: u64> Pool<MAX> {
        #[limit(strategy = TokenBucket, requests = MAX, window = "1s", burst = MAX / 2)]
        fn take(&self) -> Option<()> {
            Some(())
        }
    }

    fn taken(mut take: impl FnMut() -> Option<()>) -> usize {
        (0..100).filter(|_| take().is_some()).count()
    }

    let time = test::freeze();
    assert_eq!((taken(|| Pool::<20>.take()), taken(|| Pool::<6>.take())), (10, 3));
    assert_eq!((taken(|| Pool::<20>.take()), taken(|| Pool::<6>.take())), (0, 0));
    time.advance(Duration::from_millis(500));
    assert_eq!((taken(|| Pool::<20>.take()), taken(|| Pool::<6>.take())), (10, 3));
}

#[test]
fn a_quota_may_depend_on_an_associated_constant_of_a_generic_type() {
    trait Plan {
        const LIMIT: u64;
        const PER: Duration;

        /// The default body is one limit; implementors of one quota share it.
        #[limit(requests = Self::LIMIT, window = Self::PER)]
        fn call(&self) -> Option<()> {
            Some(())
        }
    }

    struct Free;
    impl Plan for Free {
        const LIMIT: u64 = 1;
        const PER: Duration = Duration::from_secs(1);
    }
    struct Trial;
    impl Plan for Trial {
        const LIMIT: u64 = 1;
        const PER: Duration = Duration::from_secs(1);
    }
    struct Paid;
    impl Plan for Paid {
        const LIMIT: u64 = 2;
        const PER: Duration = Duration::from_secs(1);
    }

    struct Service<P>(P);
    impl<P: Plan> Service<P> {
        #[limit(requests = P::LIMIT * 2, window = P::PER)]
        fn serve(&self) -> Option<&P> {
            Some(&self.0)
        }
    }

    let _time = test::freeze();
    assert_eq!((Free.call(), Trial.call()), (Some(()), None));
    assert_eq!((Paid.call(), Paid.call(), Paid.call()), (Some(()), Some(()), None));
    let served = |call: &dyn Fn() -> bool| (0..10).filter(|_| call()).count();
    assert_eq!(served(&|| Service(Free).serve().is_some()), 2);
    assert_eq!(served(&|| Service(Paid).serve().is_some()), 4);
    assert_eq!(served(&|| Service(Trial).serve().is_some()), 0);
}

/// On the statics themselves, which a scope keeps out of the way; a window of a year, so that time adds nothing.
#[test]
fn each_quota_of_a_generic_function_has_its_bucket_outside_of_a_scope_too() {
    #[limit(strategy = TokenBucket, requests = N, window = "365d")]
    fn take<const N: u64, T>(_: T) -> Option<()> {
        Some(())
    }

    let taken = |call: fn() -> Option<()>| (0..100).filter(|_| call().is_some()).count();
    let in_turns = |calls: [fn() -> Option<()>; 3]| {
        std::thread::scope(|scope| calls.map(|call| scope.spawn(move || taken(call))).map(|turn| turn.join().unwrap()))
    };
    assert_eq!(in_turns([|| take::<3, _>('a'), || take::<4, _>('a'), || take::<5, _>('a')]), [3, 4, 5]);
    // Another type, and so another instance, of a quota that is spent.
    assert_eq!(in_turns([|| take::<3, _>("b"), || take::<4, _>("b"), || take::<5, _>("b")]), [0, 0, 0]);
}

#[test]
fn a_constant_of_a_type_may_be_the_quota_of_a_key() {
    struct Client;

    impl Client {
        const LIMIT: u64 = 1;

        #[limit(strategy = TokenBucket, requests = Self::LIMIT * 2, window = "1s", burst = Self::LIMIT, key = user)]
        fn call(&self, user: &str) -> Option<usize> {
            Some(user.len())
        }
    }

    let _time = test::freeze();
    assert_eq!((Client.call("ann"), Client.call("ann"), Client.call("al")), (Some(3), None, Some(2)));
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
