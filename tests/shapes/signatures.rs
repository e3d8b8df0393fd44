//! Lifetimes, patterns and qualifiers of a signature.

use limiter::{limit, test};

#[test]
fn borrows_and_lifetimes() {
    #[limit(requests = 1, window = "1s", fallback = x)]
    fn same(x: &mut Vec<u8>) -> &mut Vec<u8> {
        x.push(1);
        x
    }

    #[limit(requests = 1, window = "1s")]
    fn first<'a>(words: impl IntoIterator<Item = &'a str>, _: &dyn Fn() -> u8) -> Option<&'a str> {
        words.into_iter().next()
    }

    #[limit(requests = 1, window = "1s")]
    fn characters(word: &str) -> Option<impl Iterator<Item = char> + use<'_>> {
        Some(word.chars())
    }

    let _time = test::freeze();
    let mut list = vec![];
    same(&mut list);
    same(&mut list);
    assert_eq!(list, [1]);
    assert_eq!(first(["a", "b"], &|| 1), Some("a"));
    assert_eq!(first(["a", "b"], &|| 1), None);
    assert_eq!(characters("xy").map(Iterator::count), Some(2));
    assert!(characters("xy").is_none());
}

#[test]
fn patterns_of_parameters() {
    struct Pair {
        left: u8,
        right: u8,
    }

    #[expect(clippy::toplevel_ref_arg, reason = "an odd shape is the point")]
    #[limit(requests = 1, window = "1s", key = (left, b, c))]
    fn f(
        Pair { left, right: mut y }: Pair,
        (a, b): (u8, u8),
        &c: &u8,
        [d, ..]: [u8; 2],
        _: u8,
        ref e: u8,
    ) -> Option<u8> {
        y += 1;
        Some(left + y + a + b + c + d + e)
    }

    let _time = test::freeze();
    let call = |left| f(Pair { left, right: 1 }, (1, 1), &1, [1, 1], 1, 1);
    assert_eq!((call(1), call(1), call(2)), (Some(8), None, Some(9)));
}

#[test]
#[expect(unsafe_code, reason = "that is what is tested")]
fn unsafe_and_foreign_functions() {
    #[limit(requests = 1, window = "1s", fallback = -1)]
    unsafe extern "C" fn f(x: *const i32) -> i32 {
        // SAFETY: the callers below pass a reference.
        unsafe { *x }
    }

    let _time = test::freeze();
    // SAFETY: a reference is a valid pointer.
    let call = || unsafe { f(&5) };
    assert_eq!((call(), call()), (5, -1));
}
