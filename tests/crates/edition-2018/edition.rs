//! The edition 2018: paths as today; `IntoIterator` for arrays, closures and patterns as they were.

#[path = "../any_edition.rs"]
mod any_edition;
#[path = "../async_edition.rs"]
mod async_edition;
#[path = "../tail.rs"]
mod tail;

const TAIL: [&str; 4] = ["of the key", "of the arm", "local", "of the match"];

#[expect(array_into_iter, clippy::into_iter_on_ref, non_fmt_panics, reason = "what the edition means is the point")]
#[limiter::limit(requests = 1, window = "1s", key = gen, fallback = panic!("{}"))]
fn try_from(gen: u8) -> Box<dyn Iterator<Item = u8>> {
    let list = [gen, gen + 1];
    Box::new(list.into_iter().copied().collect::<Vec<_>>().into_iter())
}

#[test]
fn a_body_keeps_the_meaning_that_the_edition_gives_it() {
    let _time = limiter::test::freeze();
    assert_eq!(try_from(1).count(), 2);
    let refused = std::panic::catch_unwind(|| drop(try_from(1))).unwrap_err();
    assert_eq!(refused.downcast_ref::<&str>(), Some(&"{}"));
}
