//! What a refused call returns: by its type, or by `fallback`.

use limiter::{FromRejected, Rejected, limit, test};
use std::fmt::Display;
use std::future::Future;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

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

#[derive(Debug, PartialEq)]
enum Reply {
    Done,
    Busy,
}

impl FromRejected for Reply {
    fn from_rejected(_: Rejected) -> Self {
        Reply::Busy
    }
}

#[test]
fn by_type() {
    #[limit(requests = 1, window = "1s")]
    fn alias() -> Answer<()> {
        Ok(())
    }

    #[limit(requests = 1, window = "1s")]
    fn own() -> Reply {
        Reply::Done
    }

    #[limit(requests = 1, window = "1s")]
    fn boxed_error() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }

    #[limit(requests = 1, window = "1s")]
    fn io_error() -> io::Result<()> {
        Ok(())
    }

    #[limit(requests = 1, window = "1s")]
    fn generic<E: From<Rejected>>() -> Result<(), E> {
        Ok(())
    }

    #[limit(requests = 1, window = "1s")]
    fn nested_hidden() -> Result<impl Display, Problem> {
        Ok("shown")
    }

    #[limit(requests = 1, window = "1s")]
    fn inferred() -> Result<Vec<u8>, Problem> {
        Ok([1, 2].into_iter().collect())
    }

    let _time = test::freeze();
    assert_eq!(alias(), Ok(()));
    assert!(matches!(alias(), Err(Problem::Busy(_))));
    assert_eq!((own(), own()), (Reply::Done, Reply::Busy));
    assert!(boxed_error().is_ok());
    assert!(boxed_error().unwrap_err().is::<Rejected>());
    assert!(io_error().is_ok());
    assert_eq!(io_error().unwrap_err().kind(), io::ErrorKind::QuotaExceeded);
    assert_eq!(generic::<Rejected>(), Ok(()));
    assert!(generic::<Problem>().is_err());
    assert_eq!(nested_hidden().ok().map(|shown| shown.to_string()).as_deref(), Some("shown"));
    assert!(nested_hidden().is_err());
    assert_eq!(inferred().map(|list| list.len()), Ok(2));
    assert!(inferred().is_err());
}

#[test]
fn by_fallback() {
    #[limit(requests = 1, window = "1s", fallback = ())]
    fn nothing(runs: &mut u8) {
        *runs += 1;
    }

    type Unit = ();

    #[limit(requests = 1, window = "1s", fallback = ())]
    fn alias_of_nothing() -> Unit {}

    #[limit(requests = 1, window = "1s", fallback = ControlFlow::Break(input * 2))]
    fn with_parameter(input: u8) -> ControlFlow<u8> {
        ControlFlow::Continue(())
    }

    #[limit(requests = 1, window = "1s", fallback = return Poll::Pending)]
    fn diverging() -> Poll<()> {
        Poll::Ready(())
    }

    #[limit(requests = 1, window = "1s", fallback = std::iter::empty())]
    fn hidden() -> impl Iterator<Item = u8> {
        std::iter::empty()
    }

    #[limit(requests = 1, window = "1s", fallback = None)]
    async fn asynchronous(input: u8) -> Option<u8> {
        Some(input)
    }

    let _time = test::freeze();
    let mut runs = 0;
    nothing(&mut runs);
    nothing(&mut runs);
    alias_of_nothing();
    alias_of_nothing();
    assert_eq!(runs, 1);
    assert_eq!(with_parameter(4), ControlFlow::Continue(()));
    assert_eq!(with_parameter(4), ControlFlow::Break(8));
    assert_eq!((diverging(), diverging()), (Poll::Ready(()), Poll::Pending));
    assert_eq!(hidden().chain(hidden()).count(), 0);
    assert_eq!((ready(asynchronous(1)), ready(asynchronous(1))), (Some(1), None));
}

#[test]
fn a_fallback_of_a_boxed_future_is_one_or_its_output() {
    type Output = Result<u8, String>;

    fn refuse(rejected: &Rejected) -> Output {
        Err(rejected.to_string())
    }

    fn refuse_later<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = Output> + Send + 'a>> {
        Box::pin(async move { Err(text.to_owned()) })
    }

    #[limit(requests = 1, window = "1s", fallback = Box::pin(async {}))]
    fn future_of_nothing() -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(async {})
    }

    #[limit(requests = 1, window = "1s", fallback = ())]
    fn nothing() -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async {})
    }

    #[limit(requests = 1, window = "1s", fallback = Err("refused".into()))]
    fn output() -> Pin<Box<dyn Send + Future<Output = Output>>> {
        Box::pin(async { Ok(1) })
    }

    #[limit(requests = 1, window = "1s", fallback = refuse(rejected))]
    fn output_of_a_call() -> Pin<Box<dyn Future<Output = Output> + Send + Sync>> {
        Box::pin(async { Ok(1) })
    }

    #[limit(requests = 1, window = "1s", fallback = refuse_later(text))]
    fn borrowed(text: &str) -> Pin<Box<dyn Future<Output = Output> + '_>> {
        Box::pin(async { Ok(text.len() as u8) })
    }

    #[limit(requests = 1, window = "1s", fallback = if late { return refuse_later("late") } else { refuse(rejected) })]
    fn sometimes(late: bool) -> Pin<Box<dyn Future<Output = Output> + Send>> {
        Box::pin(async { Ok(1) })
    }

    #[limit(requests = 1, window = "1s", fallback = return refuse_later("returned"))]
    fn returned() -> Pin<Box<dyn Future<Output = Output> + Send>> {
        Box::pin(async { Ok(1) })
    }

    #[limit(requests = 1, window = "1s", fallback = std::process::exit(1))]
    fn last() -> Pin<Box<dyn Future<Output = u8> + Send>> {
        Box::pin(async { 1 })
    }

    let _time = test::freeze();
    ready(future_of_nothing());
    ready(future_of_nothing());
    ready(nothing());
    ready(nothing());
    let refused = |answer: Output| assert!(answer.is_err_and(|text| text.contains("exceeded: retry in 1s")));
    assert_eq!((ready(output()), ready(output())), (Ok(1), Err("refused".to_owned())));
    assert_eq!(ready(output_of_a_call()), Ok(1));
    refused(ready(output_of_a_call()));
    assert_eq!((ready(borrowed("ann")), ready(borrowed("bob"))), (Ok(3), Err("bob".to_owned())));
    assert_eq!((ready(sometimes(true)), ready(sometimes(true))), (Ok(1), Err("late".to_owned())));
    refused(ready(sometimes(false)));
    assert_eq!((ready(returned()), ready(returned())), (Ok(1), Err("returned".to_owned())));
    assert_eq!(ready(last()), 1);
}

#[test]
fn a_fallback_sees_the_refusal() {
    #[limit(requests = 1, window = "1s", fallback = Err(rejected.retry_after().is_some()))]
    fn by_name() -> Result<(), bool> {
        Ok(())
    }

    #[limit(requests = 1, window = "1s", fallback = format!("{rejected}"))]
    fn in_a_format_string() -> String {
        String::new()
    }

    #[limit(requests = 1, window = "1s", fallback = rejected.to_string())]
    fn over_a_parameter(rejected: u8) -> String {
        rejected.to_string()
    }

    fn rejected(text: &str) -> String {
        text.to_uppercase()
    }

    #[limit(requests = 1, window = "1s", fallback = rejected("no"))]
    fn by_a_function_of_that_name() -> String {
        String::new()
    }

    struct Counter {
        rejected: u8,
    }

    impl Counter {
        #[limit(requests = 1, window = "1s", fallback = self.rejected)]
        fn as_a_field(&self) -> u8 {
            0
        }
    }

    macro_rules! in_a_macro {
        ($fallback:expr) => {
            #[limit(requests = 1, window = "1s", fallback = $fallback)]
            fn from_outside() -> String {
                String::new()
            }

            #[limit(requests = 1, window = "1s", fallback = rejected.name().to_owned())]
            fn from_inside() -> String {
                String::new()
            }
        };
    }
    in_a_macro!(rejected.name().to_owned());

    let _time = test::freeze();
    assert_eq!((by_name(), by_name()), (Ok(()), Err(true)));
    let twice = |f: fn() -> String| (f(), f()).1;
    assert!(twice(in_a_format_string).starts_with("rate limit"));
    assert_eq!(over_a_parameter(1), "1");
    assert!(over_a_parameter(1).starts_with("rate limit"));
    assert_eq!(twice(by_a_function_of_that_name), "NO");
    let counter = Counter { rejected: 9 };
    assert_eq!((counter.as_a_field(), counter.as_a_field()), (0, 9));
    assert!(twice(from_outside).ends_with("from_outside"));
    assert!(twice(from_inside).ends_with("from_inside"));
}

#[test]
fn a_function_that_never_returns() {
    #[limit(requests = 1, window = "1s", fallback = panic!("refused: {rejected}"))]
    fn stop() -> ! {
        panic!("ran")
    }

    #[limit(requests = 1, window = "1s", fallback = std::panic::resume_unwind(Box::new("refused")))]
    fn stop_by_function() -> ! {
        panic!("ran")
    }

    #[limit(requests = 1, window = "1s", fallback = unreachable!())]
    fn value() -> u8 {
        1
    }

    let _time = test::freeze();
    let message = |f: fn() -> !| {
        let panic = catch_unwind(AssertUnwindSafe(|| f())).unwrap_err();
        panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
    };
    assert_eq!(message(stop).as_deref(), Some("ran"));
    assert!(message(stop).is_some_and(|text| text.starts_with("refused: rate limit")));
    assert_eq!(message(stop_by_function).as_deref(), Some("ran"));
    assert_eq!(message(stop_by_function).as_deref(), Some("refused"));
    assert_eq!(value(), 1);
    assert!(catch_unwind(value).is_err());
}

#[test]
fn a_fallback_of_a_boxed_future_that_comes_back_in_no_way() {
    type Boxed<'a> = Pin<Box<dyn Future<Output = u8> + Send + 'a>>;

    #[limit(requests = 1, window = "1s", fallback = { let _ = x; panic!("refused") })]
    fn by_block(x: u8) -> Pin<Box<dyn Future<Output = u8> + Send>> {
        Box::pin(std::future::ready(x))
    }

    #[limit(requests = 1, window = "1s", fallback = { let _ = x; return Box::pin(std::future::ready(9)) })]
    fn by_return(x: u8) -> Boxed<'static> {
        Box::pin(std::future::ready(x))
    }

    #[limit(requests = 1, window = "1s", fallback = Box::pin(std::future::ready(9)))]
    fn beside_another_bound(x: u8) -> Pin<Box<dyn Future<Output = u8> + Send + Unpin>> {
        Box::pin(std::future::ready(x))
    }

    let _time = test::freeze();
    drop(by_block(1));
    assert!(catch_unwind(|| drop(by_block(1))).is_err());
    assert_eq!((ready(by_return(1)), ready(by_return(1))), (1, 9));
    assert_eq!((ready(beside_another_bound(1)), ready(beside_another_bound(1))), (1, 9));
}
