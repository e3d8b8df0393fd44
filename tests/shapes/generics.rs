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
fn a_generic_function_limited_per_type() {
    #[limit(requests = 1, window = "1s", key = std::any::TypeId::of::<T>())]
    fn f<T: 'static>(x: T) -> Option<T> {
        Some(x)
    }

    let _time = test::freeze();
    assert_eq!((f('a'), f("b")), (Some('a'), Some("b")));
    assert_eq!((f('a'), f("b")), (None, None));
}
