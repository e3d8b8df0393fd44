//! Functions that are `async` or return a future: when they are charged, and what a refusal looks like.

use limiter::{Rejected, limit, test};
use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
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
fn what_stands_before_a_boxed_future_runs_at_the_call() {
    #[derive(Default)]
    struct Service {
        calls: Vec<String>,
    }

    impl Service {
        #[limit(requests = 1, window = "1s", key = name)]
        fn call(&mut self, name: &str) -> Pin<Box<dyn Future<Output = Answer<usize>> + Send>> {
            self.calls.push(name.to_owned());
            let calls = self.calls.clone();
            Box::pin(async move { Ok(calls.len()) })
        }
    }

    let _time = test::freeze();
    let mut service = Service::default();
    let admitted = service.call("a");
    assert_eq!(service.calls, ["a"]);
    let refused = service.call("a");
    assert_eq!(service.calls, ["a"], "and not at all when the call is refused");
    assert_eq!(ready(admitted), Ok(1));
    assert!(ready(refused).is_err());
}

#[test]
fn a_future_is_no_larger_and_as_free_to_move_as_without_a_limit() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }

    async fn wait(_: &[u8; 512]) {
        std::future::ready(()).await;
    }

    async fn plain(name: String) -> Option<usize> {
        let page = [0; 512];
        wait(&page).await;
        Some(page.len() + name.len())
    }

    #[limit(requests = 1, window = "1s")]
    async fn limited(name: String) -> Option<usize> {
        let page = [0; 512];
        wait(&page).await;
        Some(page.len() + name.len())
    }

    // The key cannot be sent, and is gone before the first `await`.
    #[limit(requests = 1, window = "1s", key = (Rc::new(name.len()), *RefCell::new(name.len()).borrow()))]
    async fn by_key(name: String) -> Option<usize> {
        let page = [0; 512];
        wait(&page).await;
        Some(page.len() + name.len())
    }

    #[limit(requests = 1, window = "1s", fallback = Some(rejected.name().len()))]
    async fn with_fallback(name: String) -> Option<usize> {
        let page = [0; 512];
        wait(&page).await;
        Some(page.len() + name.len())
    }

    let _time = test::freeze();
    let size = size_of_val(&plain(String::new()));
    assert!(size > 512, "{size}");
    assert_eq!(size_of_val(&limited(String::new())), size);
    assert_eq!(size_of_val(&by_key(String::new())), size);
    assert_eq!(size_of_val(&with_fallback(String::new())), size);
    assert_eq!(ready(is_send(limited("a".into()))), Some(513));
    assert_eq!(ready(is_send(by_key("a".into()))), Some(513));
    assert_eq!(ready(is_send(by_key("a".into()))), None);
    assert!(ready(is_send(with_fallback("a".into()))).is_some());
}

#[test]
fn a_key_may_wait_and_leave() {
    #[limit(requests = 1, window = "1s", key = tenant(name).await?)]
    async fn by_tenant(name: &str) -> Option<usize> {
        Some(name.len())
    }

    #[limit(requests = 1, window = "1s", key = match name { "" => return Ok(0), name => name })]
    async fn by_name(name: &str) -> Answer<usize> {
        Ok(name.len())
    }

    async fn tenant(name: &str) -> Option<&str> {
        std::future::ready(name.split_once('/').map(|(tenant, _)| tenant)).await
    }

    let _time = test::freeze();
    assert_eq!(ready(by_tenant("nobody's")), None);
    assert_eq!((ready(by_tenant("a/1")), ready(by_tenant("a/2")), ready(by_tenant("b/1"))), (Some(3), None, Some(3)));
    assert_eq!((ready(by_name("")), ready(by_name("")), ready(by_name("a"))), (Ok(0), Ok(0), Ok(1)));
    assert!(ready(by_name("a")).is_err());
}

#[test]
fn async_recursion_takes_a_permit_per_level() {
    #[limit(requests = 3, window = "1s")]
    async fn factorial(n: u64) -> Option<u64> {
        if n <= 1 { Some(1) } else { Some(Box::pin(factorial(n - 1)).await? * n) }
    }

    let time = test::freeze();
    assert_eq!(ready(factorial(3)), Some(6));
    time.advance(std::time::Duration::from_secs(1));
    assert_eq!(ready(factorial(4)), None);
}

#[test]
fn async_methods_of_a_trait() {
    trait Fetch {
        async fn fetch(&self, name: &str) -> Answer<String>;

        #[limit(requests = 1, window = "1s")]
        async fn by_default(&self) -> Option<u8> {
            self.fetch("default").await.ok().map(|text| text.len() as u8)
        }
    }

    impl Fetch for u8 {
        #[limit(requests = 1, window = "1s", key = (self, name))]
        async fn fetch(&self, name: &str) -> Answer<String> {
            Ok(format!("{self}{name}"))
        }
    }

    impl Fetch for char {
        async fn fetch(&self, name: &str) -> Answer<String> {
            Ok(format!("{self}{name}"))
        }
    }

    let _time = test::freeze();
    assert_eq!(ready(1.fetch("a")).as_deref(), Ok("1a"));
    assert!(ready(1.fetch("a")).is_err());
    assert_eq!(ready(2.fetch("a")).as_deref(), Ok("2a"));
    assert_eq!((ready(1.by_default()), ready('1'.by_default())), (Some(8), None), "one default body is one limit");
}

#[test]
fn a_hidden_value_in_the_output() {
    #[limit(requests = 1, window = "1s")]
    async fn display(text: &str) -> Result<impl std::fmt::Display, Problem> {
        Ok(text.len())
    }

    #[limit(requests = 1, window = "1s")]
    async fn iterator(text: &str) -> Option<impl Iterator<Item = char>> {
        Some(text.chars())
    }

    // Two values, of which nobody but the function can make the first.
    #[limit(requests = 1, window = "1s", fallback = (std::future::ready(0), false))]
    fn with_progress(text: &str) -> (impl Future<Output = usize>, bool) {
        (std::future::ready(text.len()), true)
    }

    let _time = test::freeze();
    assert_eq!(ready(display("abc")).ok().map(|shown| shown.to_string()).as_deref(), Some("3"));
    assert!(ready(display("abc")).is_err());
    assert_eq!((ready(iterator("abc")).map(Iterator::count), ready(iterator("abc")).is_none()), (Some(3), true));
    let (admitted, refused) = (with_progress("abc"), with_progress("abc"));
    assert_eq!((ready(admitted.0), admitted.1, ready(refused.0), refused.1), (3, true, 0, false));
}

#[test]
fn boxed_futures() {
    #[limit(requests = 1, window = "1s")]
    fn send<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = Answer<&'a str>> + Send + 'a>> {
        Box::pin(async move { Ok(text) })
    }

    #[limit(requests = 1, window = "1s")]
    fn local() -> Pin<Box<dyn Future<Output = Option<Rc<u8>>>>> {
        Box::pin(async { Some(Rc::new(1)) })
    }

    #[limit(requests = 1, window = "1s")]
    fn sync() -> Pin<Box<dyn Future<Output = Option<Rc<u8>>> + Send + Sync>> {
        Box::pin(async { Some(Rc::new(1)) })
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
fn the_body_of_a_hidden_future_may_give_its_parameters_away() {
    #[limit(requests = 1, window = "1s")]
    fn borrowed(list: &mut Vec<u8>) -> impl Future<Output = Option<&mut Vec<u8>>> {
        list.push(1);
        async { Some(list) }
    }

    #[limit(requests = 1, window = "1s")]
    fn reborrowed(list: &mut Vec<u8>) -> impl Future<Output = Option<&mut Vec<u8>>> {
        let same: &mut Vec<u8> = list;
        std::future::ready(Some(same))
    }

    #[limit(requests = 1, window = "1s")]
    fn moved(text: String) -> impl Future<Output = Answer<String>> + use<> {
        let same = text;
        if same.is_empty() {
            return std::future::ready(Ok(same));
        }
        std::future::ready(Ok(same))
    }

    #[limit(requests = 1, window = "1s")]
    fn dropped(text: String) -> impl Future<Output = Option<()>> + use<> {
        drop(text);
        async { Some(()) }
    }

    let _time = test::freeze();
    let mut list = vec![];
    ready(borrowed(&mut list)).expect("the first call").push(2);
    assert!(ready(borrowed(&mut list)).is_none());
    assert_eq!(list, [1, 2]);
    assert_eq!(ready(reborrowed(&mut list)), Some(&mut vec![1, 2]));
    assert!(ready(reborrowed(&mut list)).is_none());
    assert_eq!(ready(moved("a".into())).as_deref(), Ok("a"));
    assert!(ready(moved(String::new())).is_err());
    assert_eq!((ready(dropped("a".into())), ready(dropped("a".into()))), (Some(()), None));
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
