//! Who is counted: keys over the parameters, and `key = ip`.

mod ip;

use limiter::{Rejected, limit, test};
use std::cell::Cell;
use std::sync::Mutex;

#[test]
fn a_key_is_borrowed() {
    #[limit(requests = 1, window = "1s", key = name)]
    fn alone(name: String) -> Option<String> {
        Some(name)
    }

    #[limit(requests = 1, window = "1s", key = (name, list[0], 7))]
    fn in_a_tuple(name: String, list: Vec<String>) -> Option<(String, Vec<String>)> {
        Some((name, list))
    }

    #[limit(requests = 1, window = "1s", key = ((name, 1), list))]
    fn in_nested_tuples(name: String, list: Vec<String>) -> Option<(String, Vec<String>)> {
        Some((name, list))
    }

    #[limit(requests = 1, window = "1s", key = [name, list[0]])]
    fn in_an_array(name: String, list: Vec<String>) -> Option<(String, Vec<String>)> {
        Some((name, list))
    }

    const EVERYBODY: &str = "everybody";

    macro_rules! by {
        ($key:expr) => {
            #[limit(requests = 1, window = "1s", key = $key)]
            fn in_a_macro(name: String) -> Option<String> {
                Some(name)
            }
        };
    }
    by!((1, EVERYBODY));

    let _time = test::freeze();
    assert!(in_nested_tuples("a".into(), vec![]).is_some());
    assert!(in_nested_tuples("a".into(), vec![]).is_none());
    assert!(in_a_macro("a".into()).is_some());
    assert!(in_a_macro("b".into()).is_none());
    assert_eq!(alone("a".into()).as_deref(), Some("a"));
    assert_eq!(alone("a".into()), None);
    assert_eq!(alone("b".into()).as_deref(), Some("b"));
    let list = || vec!["x".to_owned()];
    assert!(in_an_array("a".into(), list()).is_some());
    assert!(in_an_array("a".into(), list()).is_none());
    assert!(in_a_tuple("a".into(), list()).is_some());
    assert!(in_a_tuple("a".into(), list()).is_none());
    assert!(in_a_tuple("a".into(), vec!["y".to_owned()]).is_some());
}

#[test]
fn a_key_that_leaves_early_charges_nobody() {
    #[limit(requests = 1, window = "1s", key = token.parse::<u8>()?)]
    fn f(token: &str) -> Result<(), Box<dyn std::error::Error>> {
        Ok(())
    }

    let _time = test::freeze();
    assert!(f("none").unwrap_err().is::<std::num::ParseIntError>());
    assert!(f("1").is_ok());
    assert!(f("1").unwrap_err().is::<Rejected>());
    assert!(f("2").is_ok());
}

#[test]
fn an_option_is_a_key_and_its_nones_share_a_bucket() {
    #[limit(requests = 1, window = "1s", key = user)]
    fn f(user: Option<u32>) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!((f(None), f(None)), (Some(()), None));
    assert_eq!((f(Some(1)), f(Some(1)), f(Some(2))), (Some(()), None, Some(())));
}

#[test]
fn what_a_key_locks_is_free_before_the_refusal_is_made() {
    #[limit(requests = 1, window = "1s", key = *users.lock().unwrap(), fallback = *users.lock().unwrap())]
    fn f(users: &Mutex<u32>) -> u32 {
        0
    }

    let _time = test::freeze();
    let users = Mutex::new(5);
    assert_eq!((f(&users), f(&users)), (0, 5));
}

#[test]
fn a_key_is_evaluated_once() {
    #[limit(requests = 1, window = "1s", key = { evaluated.set(evaluated.get() + 1); 1 })]
    fn f(evaluated: &Cell<u32>) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    let evaluated = Cell::new(0);
    f(&evaluated);
    f(&evaluated);
    assert_eq!(evaluated.get(), 2);
}
