//! `#[instrument]` looks at the body it is put on, so the limit must leave the body as it was.

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

const INSTRUMENTED: [&str; 4] = ["new", "enter", "event", "exit"];

/// One test: while another thread has no subscriber, `tracing` may remember of a call site that nobody listens.
#[test]
fn an_admitted_call_is_instrumented_and_a_refused_one_does_not_work() {
    let _time = test::freeze();
    let log = Log::default();
    for f in [limit_above, limit_below] {
        assert_eq!(log.of(|| assert_eq!(f(1), Some(1))), INSTRUMENTED);
        let refused = log.of(|| assert_eq!(f(1), None));
        assert!(!refused.contains(&"event"), "{refused:?}");
    }
    let log = log.of(|| assert_eq!(run(future(1)), Some(1)));
    let until_event: Vec<_> = log.iter().take_while(|what| **what != "event").collect();
    assert_eq!(until_event, [&"new", &"enter"], "the span covers the work: {log:?}");
}
