//! Which limits are one and which are two, and what they are called.

use limiter::{limit, registry, test};
use std::panic::catch_unwind;

mod one {
    #[limiter::limit(requests = 1, window = "1s")]
    pub(super) fn search() -> Option<()> {
        Some(())
    }
}

mod other {
    #[limiter::limit(requests = 2, window = "1s")]
    pub(super) fn search() -> Option<()> {
        Some(())
    }
}

fn taken(call: impl Fn() -> Option<()>) -> usize {
    (0..10).filter(|_| call().is_some()).count()
}

fn names() -> Vec<&'static str> {
    registry::limits().map(|limit| limit.name).collect()
}

#[test]
fn functions_of_one_name_in_two_modules_have_a_budget_each() {
    let _time = test::freeze();
    assert_eq!((taken(one::search), taken(other::search)), (1, 2));
    assert_eq!(names(), ["identity::one::search", "identity::other::search"]);
}

#[test]
fn methods_of_one_name_on_two_types_have_a_budget_each() {
    struct Client;
    struct Server;

    impl Client {
        #[limit(requests = 1, window = "1s")]
        fn call(&self) -> Option<()> {
            Some(())
        }
    }

    impl Server {
        #[limit(requests = 2, window = "1s")]
        fn call(&self) -> Option<()> {
            Some(())
        }
    }

    trait Call {
        fn call(&self) -> Option<()>;
    }

    impl Call for u8 {
        #[limit(requests = 3, window = "1s")]
        fn call(&self) -> Option<()> {
            Some(())
        }
    }

    impl Call for u16 {
        #[limit(requests = 4, window = "1s")]
        fn call(&self) -> Option<()> {
            Some(())
        }
    }

    let _time = test::freeze();
    assert_eq!((taken(|| Client.call()), taken(|| Server.call())), (1, 2));
    assert_eq!((taken(|| Call::call(&1_u8)), taken(|| Call::call(&1_u16))), (3, 4));
    // Their path is one, and nothing is wrong with that: only a name that was given is somebody's.
    assert_eq!(names(), ["identity::call"; 4]);
    assert_eq!(registry::check_names(), Ok(()));
}

#[test]
fn functions_in_functions_have_a_budget_each() {
    fn first() -> usize {
        #[limit(requests = 1, window = "1s")]
        fn inner() -> Option<()> {
            Some(())
        }
        taken(inner)
    }

    fn second() -> usize {
        #[limit(requests = 2, window = "1s")]
        fn inner() -> Option<()> {
            Some(())
        }
        taken(inner)
    }

    let _time = test::freeze();
    assert_eq!((first(), second()), (1, 2));
}

#[test]
fn one_name_for_two_quotas_is_an_error_that_names_both_places() {
    #[limit(requests = 1, window = "1s", name = "search")]
    fn first() -> Option<()> {
        Some(())
    }

    #[limit(requests = 2, window = "1s", name = "search")]
    fn second() -> Option<()> {
        Some(())
    }
    let line = line!();

    let _time = test::freeze();
    assert_eq!(first(), Some(()));
    assert_eq!(registry::check_names(), Ok(()));
    let said = catch_unwind(second).map_err(|panic| panic.downcast_ref::<String>().cloned());
    let error = registry::check_names().unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "two limits have the name `search` and allow different things: FixedWindow 1 per 1s at {file}:{}; FixedWindow 2 \
             per 1s at {file}:{}; give one of them another name",
            line - 9,
            line - 4,
            file = file!(),
        )
    );
    assert_eq!(said, if cfg!(debug_assertions) { Err(Some(error)) } else { Ok(Some(())) });
    // Said once; it is a limit like any other.
    assert_eq!(taken(second), if cfg!(debug_assertions) { 2 } else { 1 });
}

#[test]
fn two_functions_that_a_macro_writes_in_one_line_are_two_limits() {
    macro_rules! two {
        ($one:ident, $other:ident) => {
            #[limit(requests = 1, window = "1s", name = "pair")]
            fn $one() -> Option<()> {
                Some(())
            }
            #[limit(requests = 2, window = "1s", name = "pair")]
            fn $other() -> Option<()> {
                Some(())
            }
        };
    }
    two!(first, second);

    let _time = test::freeze();
    assert_eq!(first(), Some(()));
    assert_eq!(catch_unwind(second).is_err(), cfg!(debug_assertions));
    assert!(registry::check_names().is_err());
}

#[test]
fn one_name_for_one_quota_is_two_limits() {
    #[limit(requests = 2, window = "1s", name = "both")]
    fn first() -> Option<()> {
        Some(())
    }

    #[limit(requests = 2, window = "1s", name = "both")]
    fn second() -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!((taken(first), taken(second)), (2, 2));
    assert_eq!(names(), ["both", "both"]);
    assert_eq!(registry::check_names(), Ok(()));
}

#[test]
fn the_instances_of_a_named_generic_function_may_differ_in_their_quota() {
    #[limit(requests = N, window = "1s", name = "pool")]
    fn take<const N: u64>() -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!((taken(take::<1>), taken(take::<3>)), (1, 3));
    assert_eq!(registry::check_names(), Ok(()));
}
