//! The edition 2015: paths begin at the crate, `async` and `dyn` are names like any other, and dependencies are declared.

extern crate limiter;

#[path = "../any_edition.rs"]
mod any_edition;
#[path = "../tail.rs"]
mod tail;

const TAIL: [&str; 4] = ["of the key", "of the arm", "local", "of the match"];

mod names_of_the_edition {
    use limiter::limit;

    mod core {}

    #[limit(requests = 1, window = "1s", key = (r#async, r#dyn), crate = ::limiter)]
    pub fn r#await(r#async: u8, r#dyn: u8) -> Option<u8> {
        let (async, dyn) = (r#async, r#dyn);
        Some(async + dyn)
    }
}

/// In the attribute and the signature they have to be raw, because those are read by the rules of today. The body is not.
#[test]
fn words_that_later_editions_keep_for_themselves() {
    let _time = limiter::test::freeze();
    assert_eq!((names_of_the_edition::await(1, 2), names_of_the_edition::await(1, 2)), (Some(3), None));
}
