//! `#[instrument]` looks at the body it is put on, so the limit must leave the body as it was.

use async_trait::async_trait;
use limiter::{limit, test};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tracing::{Event, Metadata, Subscriber, instrument, span};

/// Writes down what happens, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn push(&self, what: &'static str) {
        self.0.lock().expect("no test panics meanwhile").push(what);
    }

    fn of(&self, run: impl FnOnce()) -> Vec<&'static str> {
        tracing::subscriber::with_default(self.clone(), run);
        std::mem::take(&mut *self.0.lock().expect("no test panics meanwhile"))
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        self.push("new");
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, _: &Event<'_>) {
        self.push("event");
    }
    fn enter(&self, _: &span::Id) {
        self.push("enter");
    }
    fn exit(&self, _: &span::Id) {
        self.push("exit");
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

#[limit(requests = 1, window = "1s")]
#[instrument]
fn limit_above(x: u8) -> Option<u8> {
    tracing::info!("works");
    Some(x)
}

#[instrument]
#[limit(requests = 1, window = "1s")]
fn limit_below(x: u8) -> Option<u8> {
    tracing::info!("works");
    Some(x)
}

#[limit(requests = 1, window = "1s")]
#[instrument]
fn future(x: u8) -> Pin<Box<dyn Future<Output = Option<u8>>>> {
    Box::pin(async move {
        tracing::info!("works");
        Some(x)
    })
}

#[limit(requests = 1, window = "1s")]
#[instrument]
async fn async_limit_above(x: u8) -> Option<u8> {
    tracing::info!("works");
    Some(x)
}

#[instrument]
#[limit(requests = 1, window = "1s")]
async fn async_limit_below(x: u8) -> Option<u8> {
    tracing::info!("works");
    Some(x)
}

#[async_trait]
trait Api {
    async fn limit_above(&self, x: u8) -> Option<u8>;
    async fn limit_below(&self, x: u8) -> Option<u8>;
}

#[derive(Debug)]
struct Server;

#[async_trait]
impl Api for Server {
    #[limit(requests = 1, window = "1s")]
    #[instrument]
    async fn limit_above(&self, x: u8) -> Option<u8> {
        tracing::info!("works");
        Some(x)
    }

    #[instrument]
    #[limit(requests = 1, window = "1s")]
    async fn limit_below(&self, x: u8) -> Option<u8> {
        tracing::info!("works");
        Some(x)
    }
}

/// The limit above: it expands first, into the body that the span then covers.
const INSIDE: [&str; 3] = ["new", "enter", "exit"];
/// The limit below: the span has the body, the limit the function around it.
const OUTSIDE: [&str; 0] = [];

/// A call's spans and events, without what follows the work: a future's span is entered once more when it is dropped.
fn until_event(log: &Log, call: impl FnOnce() -> Option<u8>) -> Vec<&'static str> {
    let mut log = log.of(|| assert_eq!(call(), Some(1)));
    log.truncate(3);
    log
}

/// A refused call's spans and events.
fn refused(log: &Log, call: impl FnOnce() -> Option<u8>) -> Vec<&'static str> {
    log.of(|| assert_eq!(call(), None))
}

/// One test: while another thread has no subscriber, `tracing` may remember of a call site that nobody listens.
#[test]
fn an_admitted_call_is_instrumented_and_a_refused_one_is_so_if_the_limit_stands_above() {
    let _time = test::freeze();
    let log = Log::default();
    let instrumented = ["new", "enter", "event"];

    assert_eq!(log.of(|| assert_eq!(limit_above(1), Some(1))), ["new", "enter", "event", "exit"]);
    assert_eq!(refused(&log, || limit_above(1)), INSIDE);
    assert_eq!(log.of(|| assert_eq!(limit_below(1), Some(1))), ["new", "enter", "event", "exit"]);
    assert_eq!(refused(&log, || limit_below(1)), OUTSIDE);

    assert_eq!(until_event(&log, || run(async_limit_above(1))), instrumented);
    assert_eq!(refused(&log, || run(async_limit_above(1))), ["new", "enter", "exit", "enter", "exit"]);
    assert_eq!(until_event(&log, || run(async_limit_below(1))), instrumented);
    assert_eq!(refused(&log, || run(async_limit_below(1))), OUTSIDE);

    // `#[async_trait]` has made a function with a boxed future of it, and the span goes into the future.
    assert_eq!(until_event(&log, || run(Server.limit_above(1))), instrumented);
    assert_eq!(refused(&log, || run(Server.limit_above(1))), OUTSIDE);
    assert_eq!(until_event(&log, || run(Server.limit_below(1))), instrumented);
    assert_eq!(refused(&log, || run(Server.limit_below(1))), OUTSIDE);
    assert_eq!(until_event(&log, || run(future(1))), instrumented);
    assert_eq!(refused(&log, || run(future(1))), OUTSIDE);
}
