// What every edition since 2018 can say. Not documentation, because it is included in other files.

use limiter::{limit, test, Rejected};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

fn ready<F: Future>(future: F) -> F::Output {
    match Box::pin(future).as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something"),
    }
}

#[limit(requests = 1, window = "1s", key = name)]
async fn asynchronous(name: &str) -> Result<usize, Rejected> {
    Ok(name.len())
}

#[limit(requests = 1, window = "1s")]
fn future(name: String) -> impl Future<Output = Option<String>> + Send {
    async move { Some(name) }
}

#[limit(requests = 1, window = "1s", fallback = async { 0 })]
fn future_by_fallback() -> impl Future<Output = u8> {
    async { 1 }
}

#[limit(requests = 1, window = "1s")]
fn boxed(dyn_name: &str) -> Pin<Box<dyn Future<Output = Option<usize>> + '_>> {
    Box::pin(async move { Some(dyn_name.len()) })
}

#[test]
fn futures_are_limited() {
    let _time = test::freeze();
    assert_eq!((ready(asynchronous("a")).is_ok(), ready(asynchronous("a")).is_ok()), (true, false));
    assert_eq!((ready(future("a".into())), ready(future("a".into()))), (Some("a".to_owned()), None));
    assert_eq!((ready(future_by_fallback()), ready(future_by_fallback())), (1, 0));
    assert_eq!((ready(boxed("abc")), ready(boxed("abc"))), (Some(3), None));
}
