//! The edition 2021: a hidden type captures no lifetime that it does not name, and temporaries of a tail outlive the locals.

#[path = "../any_edition.rs"]
mod any_edition;
#[path = "../async_edition.rs"]
mod async_edition;
#[path = "../tail.rs"]
mod tail;

const TAIL: [&str; 4] = ["of the key", "of the arm", "local", "of the match"];

use std::future::Future;

#[limiter::limit(requests = 1, window = "1s")]
fn captures_nothing(log: &mut Vec<u8>) -> impl Future<Output = Option<u8>> {
    log.push(1);
    async { Some(1) }
}

#[limiter::limit(requests = 1, window = "1s", key = gen)]
fn gen(gen: u8) -> Option<u8> {
    Some(gen)
}

#[test]
fn what_a_hidden_type_captures_is_what_the_edition_says() {
    let _time = limiter::test::freeze();
    let mut log = vec![];
    let futures = (captures_nothing(&mut log), captures_nothing(&mut log));
    assert_eq!(log, [1], "the futures live, and the log is free");
    drop(futures);
    assert_eq!((gen(1), gen(1)), (Some(1), None));
}
