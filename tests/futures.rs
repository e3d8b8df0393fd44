//! Functions that are `async` or return a future: when they are charged, and what a refusal looks like.

use limiter::{Rejected, limit, test};
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// The output of a future that has nothing to wait for.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something"),
    }
}

#[derive(Debug, PartialEq)]
enum Problem {
    Busy(Rejected),
}

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        Problem::Busy(rejected)
    }
}

type Answer<T> = Result<T, Problem>;

#[test]
fn an_async_fn_is_charged_when_it_is_polled() {
    #[limit(requests = 1, window = "1s")]
    async fn f(mut text: &str) -> Option<usize> {
        let local = text.to_owned();
        text = &local;
        Some(text.len())
    }

    let _time = test::freeze();
    drop(f("dropped"));
    assert_eq!(ready(f("abc")), Some(3));
    assert_eq!(ready(f("abc")), None);
}

#[test]
fn a_function_that_returns_a_future_is_charged_when_it_is_called() {
    #[limit(requests = 1, window = "1s")]
    fn f() -> Pin<Box<dyn Future<Output = Option<u8>> + Send>> {
        Box::pin(async { Some(1) })
    }

    let _time = test::freeze();
    drop(f());
    assert_eq!(ready(f()), None);
}

#[test]
fn boxed_futures() {
    #[limit(requests = 1, window = "1s")]
    fn send<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = Answer<&'a str>> + Send + 'a>> {
        Box::pin(async move { Ok(text) })
    }

    #[limit(requests = 1, window = "1s")]
    fn local() -> Pin<Box<dyn Future<Output = Option<std::rc::Rc<u8>>>>> {
        Box::pin(async { Some(std::rc::Rc::new(1)) })
    }

    #[limit(requests = 1, window = "1s")]
    fn sync() -> Pin<Box<dyn Future<Output = Option<std::rc::Rc<u8>>> + Send + Sync>> {
        Box::pin(async { Some(std::rc::Rc::new(1)) })
    }

    let _time = test::freeze();
    assert!(ready(sync()).is_some());
    assert!(ready(sync()).is_none());
    assert_eq!(ready(send("a")), Ok("a"));
    assert!(ready(send("a")).is_err());
    assert!(ready(local()).is_some());
    assert!(ready(local()).is_none());
}

#[test]
fn hidden_futures() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }

    #[limit(requests = 1, window = "1s")]
    fn f(log: &mut Vec<&'static str>, text: String) -> impl Future<Output = Answer<String>> + Send + use<> {
        log.push("called");
        async move { Ok(text) }
    }

    #[expect(clippy::async_yields_async, reason = "the body is in an async block here, and clippy sees that")]
    #[limit(requests = 1, window = "1s")]
    async fn hidden_in_async(text: &str) -> impl Future<Output = Option<usize>> + use<> {
        let length = text.len();
        async move { Some(length) }
    }

    let _time = test::freeze();
    let mut log = Vec::new();
    let admitted = f(&mut log, "a".into());
    assert_eq!(log, ["called"], "what stands before the future runs at the call");
    assert_eq!(ready(is_send(admitted)), Ok("a".to_owned()));
    let refused = f(&mut log, "b".into());
    assert_eq!(log, ["called"], "and not at all when the call is refused");
    assert!(ready(is_send(refused)).is_err());
    assert_eq!(ready(ready(hidden_in_async("abc"))), Some(3));
    assert_eq!(ready(ready(hidden_in_async("abc"))), None);
}

#[test]
fn a_hidden_future_falls_back_to_another() {
    #[limit(requests = 1, window = "1s", fallback = async { text.len() })]
    fn f(text: &'static str) -> impl Future<Output = usize> + Send {
        async { 0 }
    }

    #[limit(requests = 1, window = "1s", fallback = return std::future::ready(rejected.name().len()))]
    fn returned() -> impl Future<Output = usize> {
        async { 0 }
    }

    #[limit(requests = 1, window = "1s", fallback = if wide { return std::future::ready(2) } else { std::future::ready(1) })]
    fn of_the_same_type(wide: bool) -> impl Future<Output = usize> {
        std::future::ready(0)
    }

    let _time = test::freeze();
    assert_eq!((ready(f("abc")), ready(f("abc"))), (0, 3));
    assert_eq!(ready(returned()), 0);
    assert!(ready(returned()) > 0);
    let all = (of_the_same_type(true), of_the_same_type(true), of_the_same_type(false));
    assert_eq!((ready(all.0), ready(all.1), ready(all.2)), (0, 2, 1));
}
