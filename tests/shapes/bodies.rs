//! A body behind the guard means what it meant alone: its names, its exits, its types, and when its values are dropped.

use crate::ready;
use limiter::{Rejected, limit, test};
use std::cell::RefCell;
use std::fmt::Debug;
use std::future::Future;
use std::sync::Mutex;

#[test]
fn an_inner_attribute_stays_the_first_thing() {
    #[limit(requests = 1, window = "1s")]
    fn one() -> Option<u8> {
        #![expect(unused_variables, reason = "fulfilled, so it applies to the body")]
        let unused = 0;
        Some(1)
    }

    #[limit(requests = 1, window = "1s", fallback = Some(2))]
    async fn several() -> impl Debug {
        //! Documentation is an inner attribute, too.
        #![expect(unused_variables, reason = "fulfilled, so it applies to the body")]
        #![expect(unused_mut, reason = "fulfilled, so it applies to the body")]
        let mut unused = 0;
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    fn hidden() -> impl Future<Output = Option<u8>> {
        #![expect(unused_variables, reason = "fulfilled, so it applies to the body")]
        let unused = 0;
        async { Some(1) }
    }

    let _time = test::freeze();
    assert_eq!((one(), one()), (Some(1), None));
    assert_eq!(format!("{:?}", (ready(several()), ready(several()))), "(Some(1), Some(2))");
    assert_eq!((ready(hidden()), ready(hidden())), (Some(1), None));
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
fn items_of_the_body_may_have_names_of_the_librarys() {
    #[limit(strategy = limiter::TokenBucket, requests = 1, window = "1s", key = key)]
    fn f(key: u8) -> Option<u8> {
        #[derive(Default)]
        struct Bucket(u8);
        #[expect(dead_code, reason = "it is only in the way")]
        struct Table;
        #[expect(dead_code, reason = "it is only in the way")]
        struct Rejected;
        trait Strategy {
            fn check(&self) -> u8;
        }
        #[expect(dead_code, reason = "it is only in the way")]
        trait FromRejected {}
        impl Strategy for Bucket {
            fn check(&self) -> u8 {
                self.0
            }
        }
        #[expect(non_upper_case_globals, reason = "it is only in the way")]
        const __limit: u8 = 0;
        #[expect(non_camel_case_types, dead_code, reason = "it is only in the way")]
        type u64 = ();
        macro_rules! concat {
            () => {
                0
            };
        }
        macro_rules! module_path {
            () => {
                0
            };
        }
        Some(Bucket::default().check() + key + concat!() + module_path!())
    }

    let _time = test::freeze();
    assert_eq!((f(3), f(3)), (Some(3), None));
}

#[test]
fn types_are_inferred_from_the_return_type() {
    #[limit(requests = 1, window = "1s")]
    fn coerced(wide: bool) -> Result<Box<dyn Debug>, Rejected> {
        if wide {
            return Ok(Box::new("wide"));
        }
        Ok(Box::new(1))
    }

    #[limit(requests = 1, window = "1s")]
    async fn coerced_asynchronously() -> Result<Box<dyn Debug + Send>, Rejected> {
        let list = "1,2".split(',').map(str::parse).collect::<Result<Vec<u8>, _>>().unwrap_or_default();
        Ok(Box::new(list))
    }

    #[limit(requests = 1, window = "1s", fallback = vec![])]
    fn collected() -> Vec<u16> {
        (1..3u8).map(Into::into).collect()
    }

    #[limit(requests = 1, window = "1s", fallback = |x| x)]
    fn pointer() -> fn(u8) -> u8 {
        |x| x + 1
    }

    #[limit(requests = 1, window = "1s", fallback = Box::new(|x| x))]
    fn closure<'a>(step: &'a u8) -> Box<dyn Fn(u8) -> u8 + 'a> {
        Box::new(move |x| x + step)
    }

    #[limit(requests = 1, window = "1s")]
    fn hidden() -> impl Future<Output = Result<Box<dyn Debug>, Rejected>> {
        async { Ok(Box::new("hidden") as Box<dyn Debug>) }
    }

    let _time = test::freeze();
    assert_eq!(format!("{:?}", (coerced(true), coerced(false).is_err())), r#"(Ok("wide"), true)"#);
    assert_eq!(format!("{:?}", ready(coerced_asynchronously())), "Ok([1, 2])");
    assert_eq!((collected(), collected()), (vec![1, 2], vec![]));
    assert_eq!((pointer()(1), pointer()(1)), (2, 1));
    assert_eq!((closure(&2)(1), closure(&2)(1)), (3, 1));
    assert!(ready(hidden()).is_ok());
}

/// Says when it is dropped.
struct Noisy<'a>(&'static str, &'a RefCell<Vec<&'static str>>);

impl Noisy<'_> {
    fn touch(&self) -> &Self {
        self
    }

    fn value(&self) -> Option<u8> {
        Some(1)
    }
}

impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

type Log = RefCell<Vec<&'static str>>;

#[test]
fn values_are_dropped_when_they_were() {
    fn plain(first: Noisy<'_>, _: Noisy<'_>, log: &Log) -> Option<u8> {
        let _local = Noisy("local", log);
        let _ = Noisy("at once", log);
        first.touch();
        log.borrow_mut().push("body");
        Noisy("temporary of the tail", log).touch().value()
    }

    #[limit(requests = 1, window = "1s", key = first.0)]
    fn limited(first: Noisy<'_>, _: Noisy<'_>, log: &Log) -> Option<u8> {
        let _local = Noisy("local", log);
        let _ = Noisy("at once", log);
        first.touch();
        log.borrow_mut().push("body");
        Noisy("temporary of the tail", log).touch().value()
    }

    #[limit(requests = 1, window = "1s", fallback = async { None })]
    fn hidden(first: Noisy<'_>, _: Noisy<'_>, log: &Log) -> impl Future<Output = Option<u8>> {
        drop(first);
        let _local = Noisy("local", log);
        std::future::ready(Noisy("temporary of the tail", log).touch().value())
    }

    fn log_of(f: impl FnOnce(Noisy<'_>, Noisy<'_>, &Log) -> Option<u8>) -> (Option<u8>, Vec<&'static str>) {
        let log = Log::default();
        let answer = f(Noisy("first", &log), Noisy("second", &log), &log);
        (answer, log.into_inner())
    }

    let _time = test::freeze();
    let order = ["at once", "body", "temporary of the tail", "local", "second", "first"];
    assert_eq!(log_of(plain), (Some(1), order.to_vec()));
    assert_eq!(log_of(limited), log_of(plain));
    assert_eq!(log_of(limited), (None, vec!["second", "first"]), "and a refused call drops its arguments");
    let admitted = log_of(|first, second, log| ready(hidden(first, second, log)));
    assert_eq!(admitted, (Some(1), vec!["first", "temporary of the tail", "local", "second"]));
}

#[test]
fn a_lock_at_the_end_of_the_body_is_free_again() {
    struct Guarded {
        list: Mutex<Vec<u8>>,
    }

    impl Guarded {
        #[limit(requests = 2, window = "1s", key = *self.list.lock().unwrap())]
        fn last(&self) -> Option<u8> {
            self.list.lock().unwrap().iter().copied().max()
        }

        #[expect(clippy::manual_map, reason = "a `match` at the end is the point")]
        #[limit(requests = 2, window = "1s")]
        fn matched(&self) -> Option<u8> {
            match self.list.lock().unwrap().first() {
                Some(first) => Some(*first),
                None => None,
            }
        }
    }

    let _time = test::freeze();
    let guarded = Guarded { list: Mutex::new(vec![1, 2]) };
    assert_eq!((guarded.last(), guarded.matched()), (Some(2), Some(1)));
    assert!(guarded.list.try_lock().is_ok());
    assert_eq!((guarded.last(), guarded.last()), (Some(2), None));
    assert!(guarded.list.try_lock().is_ok());
}

#[test]
fn what_leads_out_of_a_body_leads_out_of_the_function() {
    #[limit(requests = 4, window = "1s", fallback = u32::MAX)]
    fn nested(list: &[u32]) -> u32 {
        let found = 'search: {
            for x in list {
                match x {
                    0 => return 0,
                    1..9 => continue,
                    _ => break 'search *x,
                }
            }
            9
        };
        let half = || if found % 2 == 0 { Some(found / 2) } else { None };
        let Some(half) = half() else { return found };
        half
    }

    let _time = test::freeze();
    let all = [nested(&[1, 0]), nested(&[2]), nested(&[3, 70]), nested(&[4, 71]), nested(&[])];
    assert_eq!(all, [0, 9, 35, 71, u32::MAX]);
}
