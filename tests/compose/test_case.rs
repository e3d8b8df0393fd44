//! `#[test_case]` makes a test of each case, which calls the function. What stands below it goes to those tests, and the
//! function loses it: a limit must stand above.

use limiter::limit;
use std::panic::catch_unwind;
use test_case::test_case;

#[limit(requests = 2, window = "1h", fallback = panic!("refused"))]
#[test_case(1; "one")]
#[test_case(2; "two")]
fn limit_above(x: u8) {
    assert!(x > 0);
}

#[test_case(1; "one")]
#[test_case(2; "two")]
#[limit(requests = 1, window = "1h", fallback = panic!("refused"))]
fn limit_below(x: u8) {
    assert!(x > 0);
}

#[test]
fn above_the_cases_share_the_limit_of_the_function() {
    let _time = limiter::test::freeze();
    limit_above(1);
    assert_eq!(limiter::registry::limits().count(), 1);
    limit_above(2);
    assert!(catch_unwind(|| limit_above(3)).is_err());
}

#[test]
fn below_the_function_loses_its_limit_and_each_case_has_one() {
    let _time = limiter::test::freeze();
    limit_below(1);
    limit_below(2);
    assert_eq!(limiter::registry::limits().count(), 0);
}
